import { describe, expect, it } from 'vitest'
import { checked, faultsOf } from './support.ts'

const head = `
type Shape = { kind: "circle", r: number } | { kind: "square", side: number }
type Tree = { value: number, children: Tree[], note?: string }
type Box<T> = { value: T }
def opt(a: string, b?: string): string { return a }
def unbox<T>(b: Box<T>): T { return b.value }
def each(n: number, block: (number) -> string): string[] { return map(range(n), block) }
`.trim()
const lines = head.split('\n').length

/** The faults of what stands behind the head, its lines counted from 1. */
function faults(source: string): string[] {
  return checked(`${head}\n${source}`).map(each => {
    const [, line, rest] = /^(\d+)(.*)$/.exec(each)!
    return `${Number(line) - lines}${rest}`
  })
}

describe('programs without faults', () => {
  const right: { [what: string]: string } = {
    'a union is narrowed by its tag':
      'def area(s: Shape): number {\n  if (s.kind == "circle") { return s.r }\n  return s.side\n}',
    'a match takes a union apart':
      'def area(s: Shape): number {\n  match (s) {\n    { kind: "circle", r } => return r\n    _ => return s.side\n  }\n}',
    'null is tested away':
      'def f(t: Tree): number {\n  if (t.note == null) { return 0 }\n  return t.note.length\n}',
    'null is tested away by truth and by &&':
      'def f(t: Tree): number {\n  const n = t.note && t.note.length\n  return if t.note then t.note.length else 0\n}',
    'a recursive type is gone through':
      'def sum(t: Tree): number {\n  return t.value + reduce(map(t.children, sum), 0, \\(a, b) -> a + b)\n}',
    'a generic gives what it is given': 'const n: number = unbox({ value: 3 }) + 1',
    'a block is given what the function says': 'const s: string[] = each(3) as n { return "x" + n }',
    'results are told apart':
      'const r = try opt("a")\nif (isSuccess(r)) { print(r.value.length) } else { print(r.error) }',
    'a catch gives the value': 'const s: string = opt("a") catch "b"',
    'a failure may stand for any result':
      'def f(n: number): number {\n  if (n < 0) { return failure("below") }\n  return n\n}',
    'named arguments in any order': 'opt(b: "x", a: "y")',
    'what llm gives is what is asked for': 'const t: Tree = llm("a tree")\nprint(t.children[0].value + 1)',
    'a loop sees keys and values':
      'for (k, v in groupBy(["a"], \\x -> x.length)) { print(k.length, v[0].length) }',
    'a call changes nothing of what is known of a local name':
      'def f(t: Tree | null): number {\n  let at = t\n  while (at != null) {\n    print(at.value)\n    at = at.children[0]\n  }\n  return 1\n}',
    'a match on the tag tells the members of a union apart':
      'def f(s: Shape): number {\n  match (s.kind) {\n    "circle" => return s.r\n    _ => return s.side\n  }\n}',
    'a block gives what the one who calls hopes for':
      'type O = { kind: "a" | "b" }\nconst os: O[] = map(["x"], \\id -> { kind: "a" })\nconst ks: ("a" | "b")[] = map(os, \\o -> o.kind)\nconst o: O | null = find(os, \\o -> o.kind == "a")',
    'what holds of either is known of both':
      'def f(x: string): "a" | "b" | null {\n  if (x == "a" || x == "b") { return x }\n  return null\n}',
    'a match tells literals from a text':
      'def f(x: string): "a" | "b" {\n  match (x) {\n    "a" => return x\n    _ => return "b"\n  }\n}',
    'flatMap of lists gives what they hold':
      'const n: number[] = flatMap([[1], [2]], \\xs -> xs)\nconst m: number[] = flatMap([1], \\x -> x)',
    'a match whose arms take every member of a union ends the function':
      'def area(s: Shape): number {\n  match (s) {\n    { kind: "circle", r } => return r\n    { kind: "square", side } => return side\n  }\n}',
    'a match whose last arm is a name takes whatever comes':
      'def f(x: number | string): number {\n  return match (x) {\n    "a" => 1\n    other => if other == 2 then 3 else 4\n  }\n}',
    'a match takes both truths':
      'def f(b: boolean): number {\n  return match (b) { true => 1; false => 0 }\n}',
    'a match takes lists of each length':
      'def f(xs: string[]): string {\n  return match (xs) {\n    [] => ""\n    [x] => x\n    [x, _, ...rest] => "${x} and ${rest.length + 1} more"\n  }\n}',
    'a block calls itself by the name that it is stored under':
      'const fact = \\n -> if n < 2 then 1 else n * fact(n - 1)\nprint(fact(3))',
    'a variable that holds a failure holds any result': 'let r = failure("none yet")\nr = success(1)',
    'a failure stands in a union that is returned':
      'def f(x?: string): string { return x ?? failure("none") }',
    'keyof a type that is written out': 'const k: keyof { a: 1, b: 2 } = "b"',
    'null is a missing optional': 'opt("a", null)\nconst t: Tree = { value: 1, children: [], note: null }',
  } // prettier
  for (const [what, source] of Object.entries(right))
    it(what, () => {
      expect(faults(source)).toEqual([])
    })
})

describe('faults', () => {
  const wrong: { [what: string]: [source: string, ...faults: string[]] } = {
    'an unknown name': ['print(optt)', '1:7 A2001'],
    'a wrong type': ['const s: string = 5', '1:19 A3001'],
    'a wrong argument': ['opt(1)', '1:5 A3001'],
    'too few arguments': ['opt()', '1:1 A2003'],
    'too many arguments': ['opt("a", "b", "c")', '1:15 A2003'],
    'an unknown argument': ['opt("a", zzz: 1)', '1:10 A2003'],
    'an argument twice': ['opt(a: "x", a: "y")', '1:13 A2003'],
    'an argument twice, once by its place': ['opt("x", a: "y")', '1:10 A2003'],
    'a positional argument behind a named one': ['opt(a: "x", "y")', '1:13 A2003'],
    'a tool that needs a function': ['llm("x", tools: [each])', '1:18 A5001'],
    'a tool in a record of options': ['llm("x", { tools: [opt, each] })', '1:25 A5001'],
    'a field of the wrong member of a union': ['def f(s: Shape): number { return s.r }', '1:36 A3002'],
    'a field that may be missing': ['def f(t: Tree): number { return t.note.length }', '1:40 A3002'],
    'what was narrowed does not hold behind': [
      'def f(t: Tree): number {\n  if (t.note != null) { print(1) }\n  return t.note.length\n}',
      '3:17 A3002',
    ],
    'an unknown field of a literal': ['const t: Tree = { value: 1, children: [], notes: "x" }', '1:43 A3002'],
    'a missing field of a literal': ['const t: Tree = { value: 1 }', '1:17 A3001'],
    'a wrong type deep in a literal': [
      'const t: Tree = { value: 1, children: [{ value: "a", children: [] }] }',
      '1:49 A3001',
    ],
    'a generic that gives another type': ['const s: string = unbox({ value: 3 })', '1:19 A3001'],
    'a block that gives another type': ['each(3) as n { return n }', '1:23 A3001'],
    'a block that takes too much': ['each(3, \\(a, b) -> "x")', '1:14 A2003'],
    'a block that gives what is not hoped for': ['const n: number[] = map([1], \\x -> "a")', '1:36 A3001'],
    'one of two conditions says less than either': [
      'def f(x: string, y: string): "a" { \n  if (x == "a" || y == "a") { return x }\n  return "a"\n}',
      '2:38 A3001',
    ],
    'what llm gives': [
      'def f(): number {\n  const n: number = llm("a number")\n  return n.length\n}',
      '3:12 A3002',
    ],
    'llm as text': ['const n = llm("a") - 1', '1:11 A3001'],
    'an option that llm lacks': ['llm("a", tols: [opt])', '1:10 A2003'],
    'a const set anew': ['const a = 1\na = 2', '2:1 A2004'],
    'a variable set to another type': ['let a = 1\na = "x"', '2:5 A3001'],
    'a name twice': ['const a = 1\nconst a = 2', '2:7 A2002'],
    'an unknown type': ['const a: Trea = 1', '1:10 A3003'],
    'something called that is no function': ['const a = 1\na()', '2:1 A3004'],
    'break outside of a loop': ['break', '1:1 A2005'],
    'return outside of a function': ['return 1', '1:1 A2005'],
    'a function that can end without a return': [
      'def f(n: number): number {\n  if (n > 1) { return 1 }\n}',
      '1:19 A3001',
    ],
    'a match that leaves out a member of a union': [
      'def area(s: Shape): number {\n  match (s) {\n    { kind: "circle", r } => return r\n    { kind: "square", side } if side > 1 => return side\n  }\n}',
      '1:21 A3001',
    ],
    'a match that leaves out a length': [
      'def f(xs: string[]): string {\n  return match (xs) {\n    [] => ""\n    [x, _, ...rest] => x\n  }\n}',
      '2:10 A3001',
    ],
    'a match that leaves out a list by what is in it': [
      'def f(xs: string[]): string {\n  return match (xs) { [] => ""; ["a", ...rest] => "a" }\n}',
      '2:10 A3001',
    ],
    'a match that leaves out a truth': ['const n: number = match (1 > 2) { true => 1 }', '1:19 A3001'],
    'a key that a written type lacks': ['const k: keyof { a: 1, b: 2 } = "c"', '1:33 A3001'],
    'a wrong return': ['def f(): number { return "a" }', '1:26 A3001'],
    'a module that is not there': ['import { a } from "./none.agency"', '1:19 A4001'],
    'a name that std::thread lacks': ['import { endTurns } from "std::thread"', '1:10 A4002'],
    'arithmetic with text': ['print("a" * 2)', '1:7 A3001'],
    'a list joined by +': ['print([1] + [2])', '1:7 A3001'],
    'goto to what is no node': ['node a() { goto opt("x") }', '1:17 A2005'],
    'an unknown word that was meant': ['console.log(1)', '1:1 A2001'],
    'an object property that every record has in another language': ['print(constructor)', '1:7 A2001'],
  } // prettier
  for (const [what, [source, ...told]] of Object.entries(wrong))
    it(`are told of ${what}`, () => {
      expect(faults(source)).toEqual(told)
    })

  it('are all told in one pass', () => {
    expect(faults('const a: string = 1\nopt()\nprint(b)')).toEqual(['1:19 A3001', '2:1 A2003', '3:7 A2001'])
  })

  it('have hints', () => {
    expect(faultsOf('const lenght = 1\nprint(length)')[0]?.hint).toBe('did you mean `lenght`?')
    const hint = (source: string): string | undefined => faultsOf(source)[0]?.hint
    expect(hint('def f() {\n  def g() { }\n}')).toContain('store a block: const f = \\x ->')
    expect(hint('const a = find([1], \\x -> x > 1)!')).toContain('x ?? otherwise')
    expect(hint('print("\\x4")')).toBeUndefined()
  })
})
