// Statements.
import { type Case, c } from './case.ts'

export const statements: Case[] = [
  c(
    'if, else if, else',
    'const f = \\n -> if n < 0 then "neg" else if n == 0 then "zero" else "pos"\nlet s = ""\nfor (n in [-1, 0, 1]) {\n  if (n < 0) { s += "a" } else if (n == 0) { s += "b" } else { s += "c" }\n  s += f(n)\n}\nreturn s',
    'anegbzerocpos',
    () => {
      const f = (n: number): string => (n < 0 ? 'neg' : n === 0 ? 'zero' : 'pos')
      return [-1, 0, 1].map((n, i) => 'abc'[i] + f(n)).join('')
    },
  ),
  c(
    'loops',
    'let out: any[] = []\nfor (x in [1, 2]) { out.push(x) }\nfor (x, i in ["a"]) { out.push([x, i]) }\nfor (k, v in { a: 1 }) { out.push([k, v]) }\nfor (k in { z: 1 }) { out.push(k) }\nfor (ch in "hi") { out.push(ch) }\nreturn out',
    [1, 2, ['a', 0], ['a', 1], 'z', 'h', 'i'],
  ),
  c(
    'while, break, continue',
    'let i = 0\nlet s = 0\nwhile (true) {\n  i += 1\n  if (i % 2 == 0) { continue }\n  if (i > 7) { break }\n  s += i\n}\nreturn s',
    16,
    () => 1 + 3 + 5 + 7,
  ),
  c(
    'blocks in loops hold their own variable',
    'const fs = []\nfor (i in range(3)) { fs.push(\\ -> i) }\nreturn [f() for f in fs]',
    [0, 1, 2],
    () => [0, 1, 2],
  ),
  c(
    'a match with everything',
    'def kind(x: any): string {\n  match (x) {\n    null => return "null"\n    1 | 2 => return "small"\n    -1 => return "minus"\n    "a" => { return "text" }\n    true => return "yes"\n    [] => return "empty"\n    [first, ...rest] if rest.length > 1 => return "long ${first}"\n    [a, b] => return "pair ${a} ${b}"\n    { type: "p", v } => return "p${v}"\n    { name } => return name\n    _ => return "other"\n  }\n}\nnode main() { return [kind(null), kind(2), kind(-1), kind("a"), kind(true), kind([]), kind([1, 2, 3]), kind([1, 2]), kind({ type: "p", v: 5 }), kind({ name: "n" }), kind(9)] }',
    ['null', 'small', 'minus', 'text', 'yes', 'empty', 'long 1', 'pair 1 2', 'p5', 'n', 'other'],
  ),
  c(
    'a match as a value',
    'const n = 3\nconst s = match (n) { 1 => "one"; 3 => "three"; _ => "many" }\nreturn [s, match (n) { 9 => 1 }, "${match (n) { 3 => { a: 1 }; _ => null }}"]',
    ['three', null, '{"a":1}'],
  ),
  c(
    'a match on a variable',
    'const wanted = 4\nlet out = "no"\nmatch (4) {\n  wanted => out = "yes"\n  _ => out = "other"\n}\nreturn out',
    'yes',
  ),
  c(
    'break inside of a match leaves the loop',
    'let n = 0\nfor (x in [1, 2, 3]) {\n  match (x) {\n    2 => break\n    _ => n += x\n  }\n}\nreturn n',
    1,
  ),
]
