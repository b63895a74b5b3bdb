// Programs over everything that the language has, each with what it gives; for many, the same in TypeScript.
import type { BatchProgram } from './run.ts'

export interface Case extends Pick<BatchProgram, 'args' | 'turns' | 'node'> {
  what: string
  /** The body of main, or a whole file where it declares one. */
  source: string
  gives: unknown
  printed?: string
  /** The same in TypeScript. */
  same?: () => unknown
}

const c = (what: string, source: string, gives: unknown, same?: () => unknown): Case => ({
  what,
  source,
  gives,
  ...(same ? { same } : {}),
}) // prettier

export const corpus: Case[] = [
  // Values
  c(
    'numbers',
    'return [1 + 2 * 3, (1 + 2) * 3, 7 % 4, 2 ** 3 ** 2, -2 ** 2, 10 / 4, 1_000, 0xff, 1e3, 1.5]',
    [7, 9, 3, 512, 4, 2.5, 1000, 255, 1000, 1.5],
    () => [1 + 2 * 3, (1 + 2) * 3, 7 % 4, 2 ** (3 ** 2), (-2) ** 2, 10 / 4, 1000, 0xff, 1e3, 1.5],
  ),
  c(
    'booleans and logic',
    'return [true && false, true || false, !true, 1 < 2 && 2 < 3, null ?? 4, 0 || 5, 0 ?? 6]',
    [false, true, false, true, 4, 5, 0],
    () => [false, true, false, 1 < 2, 4, 5, 0],
  ),
  c(
    'strict equality',
    'const a: any = 1\nconst b: any = "1"\nreturn [a == b, a === 1, a != b, null == undefined, b == "1"]',
    [false, true, true, true, true],
  ),
  c(
    'a missing field equals null',
    'const r: { a?: number } = {}\nreturn [r.a == null, r.a === null, r.a != null]',
    [true, true, false],
  ),
  c(
    'interpolation in each kind of string',
    'const n = 2\nreturn ["${n}", \'${n + 1}\', `${n}\n`, """${n} "q" \\n"""]',
    ['2', '3', '2\n', '2 "q" \\n'],
  ),
  c('an escaped interpolation', 'return ["\\${n}", `\\${n}`, """\\${n}"""]', ['${n}', '${n}', '${n}']),
  c(
    'escapes',
    'return "a\\tb\\n\\"c\\" \\\\ \\u00e9 \\u{1f600}"',
    'a\tb\n"c" \\ é 😀',
    () => 'a\tb\n"c" \\ é 😀',
  ),
  c(
    'records in strings are JSON',
    'const r = { a: [1, null] }\nreturn "${r} ${r.a} ${null}"',
    '{"a":[1,null]} [1,null] null',
  ),
  c('strings in strings in strings', 'const a = 1\nreturn "x${"y${`z${a}`}"}"', 'xyz1'),
  c('null is undefined', 'const a = undefined\nreturn { a, b: a == null }', { a: null, b: true }),
  // Variables
  c(
    'let and const',
    'let a = 1\na = a + 1\na += 3\na *= 2\nconst b = a\nreturn b',
    10,
    () => (1 + 1 + 3) * 2,
  ),
  c('assignment is a value', 'let a = 0\nlet b = 0\na = b = 4\nreturn [a, b]', [4, 4]),
  c(
    'destructuring',
    'const { a, b: { c, d = 4 }, ...rest } = { a: 1, b: { c: 2 }, e: 5 }\nconst [x, , y, ...zs] = [1, 2, 3, 4, 5]\nreturn { a, c, d, rest, x, y, zs }',
    { a: 1, c: 2, d: 4, rest: { e: 5 }, x: 1, y: 3, zs: [4, 5] },
  ),
  c('set if null', 'let a: number | null = null\na ??= 3\nreturn a', 3),
  c(
    'records grow by spreading',
    'const a = { x: 1, y: 2 }\nreturn { ...a, y: 3, ["z" + "z"]: 4, "a b": 5 }',
    { x: 1, y: 3, zz: 4, 'a b': 5 },
  ),
  c(
    'fields are set',
    'const a: Record<string, number> = {}\na.x = 1\na["y"] = 2\nconst xs = [1, 2]\nxs[0] = 9\nreturn { a, xs }',
    { a: { x: 1, y: 2 }, xs: [9, 2] },
  ),
  c('statements by semicolons', 'let a = 1; a += 1; return a', 2),
  c(
    'comments everywhere',
    '// one\nlet a = 1 // two\n/* three */ a = /* four */ a + 1\nreturn a /* five\n*/',
    2,
  ),
  // Lists
  c('slices', 'const a = [1, 2, 3, 4, 5]\nreturn [a[1:3], a[:2], a[3:], a[-2:], "hello"[1:3]]', [
    [2, 3],
    [1, 2],
    [4, 5],
    [4, 5],
    'el',
  ]),
  c(
    'comprehensions',
    'return [[x * 2 for x in [1, 2, 3] if x != 2], [i for x, i in ["a", "b"]], [a + b for { a, b } in [{ a: 1, b: 2 }]]]',
    [[2, 6], [0, 1], [3]],
    () => [[1, 3].map(x => x * 2), [0, 1], [3]],
  ),
  c('spreading lists', 'const a = [1, 2]\nreturn [0, ...a, ...[3], 4]', [0, 1, 2, 3, 4], () => [
    0, 1, 2, 3, 4,
  ]),
  c(
    'methods of lists',
    'const a = [3, 1, 2]\na.push(4)\nreturn [a.length, a.includes(4), a.indexOf(1), a.join("-"), a.slice(1), a.toSorted(), a.map(\\x -> x * 2)]',
    [4, true, 1, '3-1-2-4', [1, 2, 4], [1, 2, 3, 4], [6, 2, 4, 8]],
  ),
  c(
    'methods of strings',
    'const s = " Hello "\nreturn [s.trim().toUpperCase(), s.length, "a,b".split(","), "abc".startsWith("ab"), "x".repeat(3), "a-b".replaceAll("-", "+")]',
    ['HELLO', 7, ['a', 'b'], true, 'xxx', 'a+b'],
  ),
  c('in', 'return [1 in [1, 2], 3 in [1, 2], "a" in { a: 1 }, "b" in { a: 1 }, "ell" in "hello"]', [
    true,
    false,
    true,
    false,
    true,
  ]),
  // Statements
  c(
    'if, else if, else',
    'const f = \\n -> if n < 0 then "neg" else if n == 0 then "zero" else "pos"\nlet s = ""\nfor (n in [-1, 0, 1]) {\n  if (n < 0) { s += "a" } else if (n == 0) { s += "b" } else { s += "c" }\n  s += f(n)\n}\nreturn s',
    'anegbzerocpos',
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
  // Functions
  c(
    'recursion',
    'def fact(n: number): number {\n  if (n <= 1) { return 1 }\n  return n * fact(n - 1)\n}\nnode main() { return fact(10) }',
    3628800,
    () => [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].reduce((a, b) => a * b),
  ),
  c(
    'functions that call one another',
    'def even(n: number): boolean {\n  if (n == 0) { return true }\n  return odd(n - 1)\n}\ndef odd(n: number): boolean {\n  if (n == 0) { return false }\n  return even(n - 1)\n}\nnode main() { return [even(10), odd(7), even(3)] }',
    [true, true, false],
  ),
  c(
    'defaults see what comes before',
    'def f(a: number, b: number = a + 1, c: number = a + b): number[] { return [a, b, c] }\nnode main() { return [f(1), f(1, 5), f(1, c: 0), f(b: 2, a: 3)] }',
    [
      [1, 2, 3],
      [1, 5, 6],
      [1, 2, 0],
      [3, 2, 5],
    ],
  ),
  c(
    'a missing optional is null',
    'def f(a?: number, b?: string) { return { a, b } }\nnode main() { return [f(), f(1), f(b: "x")] }',
    [
      { a: null, b: null },
      { a: 1, b: null },
      { a: null, b: 'x' },
    ],
  ),
  c(
    'variadic parameters',
    'def f(a: string, ...rest: number[]): string { return "${a}${rest.length}${rest}" }\nnode main() { return [f("x"), f("x", 1, 2), f("x", ...[1, 2, 3]), f(...["y", 1])] }',
    ['x0[]', 'x2[1,2]', 'x3[1,2,3]', 'y1[1]'],
  ),
  c(
    'functions are values',
    'def twice(f: (number) -> number, x: number): number { return f(f(x)) }\ndef inc(x: number): number { return x + 1 }\nnode main() {\n  const g = inc\n  const table = { g, h: \\x -> x * 10 }\n  return [twice(inc, 1), g(1), table.h(2), twice(\\x -> x * 3, 2)]\n}',
    [3, 2, 20, 18],
  ),
  c(
    'blocks are stored and returned',
    'def adder(n: number): (number) -> number { return \\x -> x + n }\nnode main() {\n  const add5 = adder(5)\n  return [add5(1), adder(2)(3)]\n}',
    [6, 5],
    () => [6, 5],
  ),
  c(
    'a block assigns outer variables',
    'def times(n: number, block: (number) -> any) { for (i in range(n)) { block(i) } }\nnode main() {\n  let sum = 0\n  times(4) as i { sum += i }\n  return sum\n}',
    6,
    () => 0 + 1 + 2 + 3,
  ),
  c(
    'return in a block ends the block',
    'const xs = map([1, 2, 3]) as x {\n  if (x == 2) { return "two" }\n  return x\n}\nreturn xs',
    [1, 'two', 3],
  ),
  c('a block destructures', 'return map([{ a: 1, b: [2, 3] }], \\({ a, b: [x, y] }) -> a + x + y)', [6]),
  c(
    'blocks of two',
    'return [mapWithIndex(["a", "b"]) as (x, i) { return x + i }, reduce([1, 2, 3], 10, \\(a, b) -> a + b)]',
    [['a0', 'b1'], 16],
  ),
  c(
    'pipes',
    'def inc(x: number): number { return x + 1 }\ndef add(x: number, y: number): number { return x + y }\nnode main() { return 1 |> inc |> add(10) |> add(y: 5) }',
    17,
    () => 1 + 1 + 10 + 5,
  ),
  c(
    'a generic function',
    'def first<T>(xs: T[], otherwise: T): T { return xs[0] ?? otherwise }\nnode main() { return [first([1, 2], 0) + 1, first([], "x").toUpperCase()] }',
    [2, 'X'],
  ),
  c(
    'names of another language',
    'def new(class: number): number { return class + 1 }\nnode main() {\n  const function = new(class: 1)\n  const { delete } = { delete: 3 }\n  return [function, delete]\n}',
    [2, 3],
  ),
  // Types
  c(
    'types and unions',
    'type Id = string | number\ntype User = { id: Id, tags?: string[] }\ntype Admin = User & { level: 1 | 2 }\ndef show(u: User): string {\n  const tags = u.tags ?? []\n  return "${u.id}:${tags.length}"\n}\nnode main() {\n  const a: Admin = { id: 1, level: 2 }\n  return [show(a), show({ id: "x", tags: ["t"] })]\n}',
    ['1:0', 'x:1'],
  ),
  c(
    'recursive types',
    'type Tree = { v: number, kids: Tree[] }\ndef sum(t: Tree): number { return t.v + reduce(t.kids, 0, \\(n, k) -> n + sum(k)) }\nnode main() { return sum({ v: 1, kids: [{ v: 2, kids: [] }, { v: 3, kids: [{ v: 4, kids: [] }] }] }) }',
    10,
    () => 1 + 2 + 3 + 4,
  ),
  c(
    'keyof and Record',
    'type P = { x: number, y: number }\ndef get(p: P, k: keyof P): number { return p[k] }\nnode main() {\n  const r: Record<string, number[]> = { a: [1] }\n  return [get({ x: 1, y: 2 }, "y"), r.a[0], r.b]\n}',
    [2, 1, null],
  ),
  c(
    'narrowing through an early return',
    'def size(x: string | string[] | null): number {\n  if (x == null) { return 0 }\n  return x.length\n}\nnode main() { return [size(null), size("ab"), size(["a"])] }',
    [0, 2, 1],
  ),
  // Results
  c(
    'results',
    'def half(n: number): Result<number> {\n  if (n % 2 == 1) { return failure("odd", { n }) }\n  return success(n / 2)\n}\nnode main() {\n  const a = half(4)\n  const b = half(3)\n  return [isSuccess(a), a.value, isFailure(b), b.error, b.data, half(3) catch 0, half(8) catch 0]\n}',
    [true, 2, true, 'odd', { n: 3 }, 0, 4],
  ),
  c(
    'try and catch',
    'def get(x: any): any { return x.a.b }\nnode main() {\n  const bad = try get({})\n  const good = try get({ a: { b: 1 } })\n  return [isFailure(bad), good.value, get({}) catch "none", (try get(null)).error != null]\n}',
    [true, 1, 'none', true],
  ),
  c('a result as JSON', 'return [success(1), failure("x")]', [
    { success: true, value: 1 },
    { success: false, error: 'x' },
  ]),
  // The prelude
  c('ranges', 'return [range(3), range(2, 5), range(0, 10, 4), range(3, 0), range(0)]', [
    [0, 1, 2],
    [2, 3, 4],
    [0, 4, 8],
    [3, 2, 1],
    [],
  ]),
  c(
    'filter, find, every, some',
    'const xs = [1, 2, 3, 4]\nconst big = \\x -> x > 2\nreturn [filter(xs, big), find(xs, big), find(xs, \\x -> x > 9), findIndex(xs, big), every(xs, big), some(xs, big), count(xs), count(xs, big)]',
    [[3, 4], 3, null, 2, false, true, 4, 2],
  ),
  c(
    'sortBy, unique, groupBy, flatMap',
    'const xs = [{ n: "b", v: 2 }, { n: "a", v: 2 }, { n: "c", v: 1 }]\nreturn [map(sortBy(xs, \\x -> x.v), \\x -> x.n), unique([1, 2, 1, 3]), unique(xs, \\x -> x.v).length, map(groupBy(xs, \\x -> x.v)["2"], \\x -> x.n), flatMap([1, 2], \\x -> [x, x * 10])]',
    [['c', 'b', 'a'], [1, 2, 3], 2, ['b', 'a'], [1, 10, 2, 20]],
  ),
  c(
    'a name of the prelude may be taken',
    'def map(x: number): number { return x + 1 }\nnode main() { return map(1) }',
    2,
  ),
  {
    ...c('printing', 'print("a", 1, null, [1], { b: 2 })\nprintJSON({ a: 1 })\nreturn null', null),
    printed: 'a 1 null [1] {"b":2}\n{\n  "a": 1\n}\n',
  },
  // Files as a whole
  {
    ...c(
      'statements before main',
      'let n = 1\nn += 1\nconst names = ["x"]\nprint("first")\nnode main() {\n  n += 1\n  return [n, names]\n}',
      [3, ['x']],
    ),
    printed: 'first\n',
  },
  {
    ...c('arguments', 'node main(a: number, b: string = "x", ...rest: number[]) { return [a, b, rest] }', [
      1,
      'y',
      [3, 4],
    ]),
    args: [1, 'y', 3, 4],
  },
  {
    ...c('arguments by name', 'node main(a: number, b: string = "x") { return [a, b] }', [1, 'x']),
    args: { a: 1 },
  },
  {
    ...c('another node', 'node main() { return 1 }\nnode other(n: number) { return n * 2 }', 8),
    node: 'other',
    args: [4],
  },
  c(
    'goto',
    'node main() {\n  let n = 0\n  goto count(n)\n}\nnode count(n: number) {\n  if (n > 500) { return "done ${n}" }\n  goto count(n + 1)\n}',
    'done 501',
  ),
  c(
    'goto is not caught',
    'node main() {\n  const x = try leave()\n  return "stayed"\n}\ndef leave(): number { goto other() }\nnode other() { return "left" }',
    'left',
  ),
  // Models
  { ...c('a text', 'return llm("Hi")', 'Hello.'), turns: [{ says: 'Hello.' }] },
  { ...c('a number', 'const n: number = llm("Hi")\nreturn n + 1', 6), turns: [{ says: '{"response":5}' }] },
  { ...c('a number, bare', 'const n: number = llm("Hi")\nreturn n + 1', 6), turns: [{ says: '5' }] },
  {
    ...c(
      'a list of records',
      'type P = { name: string, age?: number }\nnode main() {\n  const ps: P[] = llm("Who?")\n  return map(ps, \\p -> "${p.name}${p.age ?? 0}")\n}',
      ['a1', 'b0'],
    ),
    turns: [{ says: '{"response":[{"name":"a","age":1},{"name":"b","age":null}]}' }],
  },
  {
    ...c(
      'a union, by the answer tool',
      'type A = { kind: "a", n: number } | { kind: "b", s: string }\nnode main() {\n  const a: A = llm("Which?")\n  if (a.kind == "a") { return a.n }\n  return a.s\n}',
      'x',
    ),
    turns: [{ calls: [['answer', { response: { kind: 'b', s: 'x' } }]] }],
  },
  {
    ...c(
      'the type of the result',
      'def ask(): { ok: boolean } { return llm("Sure?") }\nnode main() {\n  const r = ask()\n  return r.ok\n}',
      true,
    ),
    turns: [{ says: '{"ok":true}' }],
  },
  {
    ...c(
      'a recursive type',
      'type T = { v: number, kids: T[] }\nnode main() {\n  const t: T = llm("A tree")\n  return t.kids[0].v\n}',
      2,
    ),
    turns: [{ says: '{"v":1,"kids":[{"v":2,"kids":[]}]}' }],
  },
  { ...c('a model that fails is caught', 'const a = llm("one") catch "none"\nreturn a', 'none'), turns: [] },
  {
    ...c(
      'tools that use tools',
      'def inner(n: number): number { return n + 1 }\ndef outer(n: number): string { return llm("inner ${n}", tools: [inner]) }\nnode main() { return llm("outer", tools: [outer]) }',
      'end',
    ),
    turns: [
      { calls: [['outer', { n: 1 }]] },
      { calls: [['inner', { n: 1 }]] },
      { says: '2' },
      { says: 'end' },
    ],
  },
  {
    ...c(
      'blocks that ask a model',
      'return [map(["a", "b"], \\x -> llm(x)), ["c"].map(\\x -> llm(x)), [llm(x) for x in ["d"]], filter(["e"], \\x -> llm(x) == "5")]',
      [['1', '2'], ['3'], ['4'], ['e']],
    ),
    turns: ['1', '2', '3', '4', '5'].map(says => ({ says })),
  },
  {
    ...c(
      'threads',
      'import { getThread } from "std::thread"\nnode main() {\n  llm("one")\n  const fresh = thread { llm("two") }\n  const copy = subthread { llm("three") }\n  return [fresh.length, copy.length, getThread().length]\n}',
      [2, 4, 2],
    ),
    turns: ['1', '2', '3'].map(says => ({ says })),
  },
  {
    ...c(
      'a return leaves a thread',
      'import { getThread } from "std::thread"\ndef f(): string {\n  thread {\n    return llm("in")\n  }\n}\nnode main() {\n  const a = f()\n  return [a, getThread().length]\n}',
      ['1', 0],
    ),
    turns: [{ says: '1' }],
  },
  {
    ...c(
      'messages',
      'import { systemMessage, userMessage, assistantMessage, getThread } from "std::thread"\nnode main() {\n  systemMessage("s")\n  userMessage("u")\n  assistantMessage("a")\n  llm("q")\n  return map(getThread(), \\m -> m.role)\n}',
      ['system', 'user', 'assistant', 'user', 'assistant'],
    ),
    turns: [{ says: 'x' }],
  },
  {
    ...c(
      'a failing tool is told to the model',
      'def bad(): string { return failure("broken") }\ndef worse(x: any): string { return x.a.b }\nnode main() { return llm("go", tools: [bad, worse]) }',
      'ok',
    ),
    turns: [
      {
        calls: [
          ['bad', {}],
          ['worse', { x: null }],
        ],
      },
      { says: 'ok' },
    ],
  },
  {
    ...c(
      'a module asks before main does',
      'const first = llm("early")\nnode main() { return [first, llm("late")] }',
      ['1', '2'],
    ),
    turns: [{ says: '1' }, { says: '2' }],
  },
] // prettier
