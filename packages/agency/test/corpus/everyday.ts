// What people write every day: small programs over the whole language, with and without types.
import { type Case, c } from './case.ts'

export const everyday: Case[] = [
  c(
    'types of functions, objects and nothing',
    `type Callback = (string, number) => boolean
type Opt = { cb?: Callback, o: object, v: void, n?: null }
def run(cb: Callback): boolean { return cb("a", 1) }
node main() { 
  const o: Opt = { o: { x: 1 }, v: null }
  return [run(\\(s, n) -> s == "a" && n === 1), o.cb == null, o.o] }
`,
    [true, true, { x: 1 }],
  ),
  c(
    'break and continue in nested loops',
    `node main() {
  let out: string[] = []
  for (i in range(3)) {
    for (j in range(3)) {
      if (j == 1) { continue }
      if (i == 2) { break }
      out.push("\${i}\${j}")
    }
  }
  return out
}
`,
    ['00', '02', '10', '12'],
  ),
  c(
    'string methods chain over lines',
    `node main() {
  const s = "a-b_c"
    .split("-")
    .map(\\x -> x.toUpperCase())
    .join("+")
  return s
}
`,
    'A+B_C',
  ),
  c(
    'long conditions over lines',
    `node main() {
  const a = 1
  const ok = a == 1 &&
    a < 3 ||
    a > 10
  const b = a
    + 2
    * 3
  return [ok, b]
}
`,
    [true, 7],
  ),
  c(
    'optional call',
    `def f(cb?: (number) -> number): number { return cb?.(3) ?? 0 }
node main() { return [f(), f(\\x -> x * 2)] }
`,
    [0, 6],
  ),
  c(
    'trailing lambda with args and named',
    `def each2(items: string[], times: number = 1, block: (string) -> any) { for (i in range(times)) { for (x in items) { block(x) } } }
node main() {
  let out: string[] = []
  each2(["a", "b"]) as x { out.push(x) }
  each2(["c"], times: 2) as x { out.push(x) }
  each2(["d"], 1, \\x -> out.push(x))
  each2(items: ["e"], block: \\x -> out.push(x))
  return out
}
`,
    ['a', 'b', 'c', 'c', 'd', 'e'],
  ),
  c(
    'spread named rest',
    `def f(a: number, ...xs: number[]): number { return a + xs.length }
node main() { const r = [1,2,3]
 return [f(...r), f(1, ...r, 4), f(a: 1, xs: r), f(a: 1)] }
`,
    [3, 5, 4, 1],
  ),
  c(
    'const null narrowing',
    `type N = { next?: N, v: number }
node main() {
  let n: N | null = { v: 1, next: { v: 2 } }
  let sum = 0
  while (n != null) { sum += n.v
    n = n.next }
  return sum
}
`,
    3,
  ),
  c(
    'JSON of any shape',
    `node main() {
  const d: any = JSON.parse("{\\"a\\": [{\\"b\\": 2}]}")
  return [d.a[0].b, d?.x?.y, d.x, "\${d}"]
}
`,
    [2, null, null, '{"a":[{"b":2}]}'],
  ),
  c(
    'a match tells types apart',
    `def kind(x: string | number | boolean | null | string[]): string {
  return match (x) {
    null => "null"
    true | false => "bool"
    [] => "empty"
    [_, ..._] => "list"
    "" => "nothing"
    other => "\${other}"
  }
}
node main() { return map([null, true, [], ["a"], "", 5, "z"], kind) }
`,
    ['null', 'bool', 'empty', 'list', 'nothing', '5', 'z'],
  ),
  c(
    'lists in order',
    `node main() { return [["b","a"].toSorted(), sortBy(["bb","a"], \\s -> s.length), [3,1,2].toSorted(\\(a, b) -> b - a)] }
`,
    [
      ['a', 'b'],
      ['a', 'bb'],
      [3, 2, 1],
    ],
  ),
  c(
    'failures that are tried and caught',
    `def risky(n: number): number {
  if (n > 2) { return failure("too big", { n }) }
  return n
}
node main() {
  const results = [try risky(n) for n in [1, 5]]
  const total = reduce([1, 5, 2], 0, \\(s, n) -> s + (risky(n) catch 0))
  const r = try risky(9)
  if (isFailure(r)) { return [results, total, r.error, r.data] }
  return null
}
`,
    [
      [
        { success: true, value: 1 },
        { success: false, error: 'too big', data: { n: 5 } },
      ],
      3,
      'too big',
      { n: 9 },
    ],
  ),
  c(
    'functions that set what the module holds',
    `let count1 = 0
def bump(by: number = 1): number { count1 += by
  return count1 }
node main() { bump(); bump(by: 3)
 return count1 }
`,
    4,
  ),
  {
    ...c(
      'early return in void',
      `def f(x: number): void { if (x > 1) { return }
 print("small") }
node main() { f(1); f(2); return null }
`,
      null,
    ),
    printed: 'small\n',
  },
  c(
    'semicolons everywhere',
    `type T = { a: number; b?: string; };
const t: T = { a: 1, };
def f(x: number,): number { return x; };
node main() { return f(t.a,); };
`,
    1,
  ),
  c(
    'keyword fields',
    `node main() { const o = { if: 1, for: 2, type: "x", def: 3, match: 4, in: 5 }
 return [o.if, o.for, o.type, o.def, o.match, o.in, o["if"]] }
`,
    [1, 2, 'x', 3, 4, 5, 1],
  ),
  c(
    'unicode names',
    `def größe(ärger: number): number { return ärger * 2 }
node main() { const 名 = "x"
 return [größe(2), 名] }
`,
    [4, 'x'],
  ),
  c(
    'comments in a list',
    `node main() { // a
  /* b */ return /* c */ [ // d
    1, // one
    /* two */ 2
    // end
  ] // f
}
`,
    [1, 2],
  ),
  c(
    'empty things',
    `def nothing() {}
type E = {}
node main() { const e: E = {}
  for (x in []) {}
  if (true) {} else {}
  nothing()
  return [e, [], "", {}] }
`,
    [{}, [], '', {}],
  ),
  c(
    'compare numbers and null',
    `node main() { const xs: (number | null)[] = [1, null, 3]
  return [[x for x in xs if x != null], filter(xs, \\x -> x != null).length, xs.map(\\x -> x ?? 0)] }
`,
    [[1, 3], 2, [1, 0, 3]],
  ),
  c(
    'pipe into method and block',
    `node main() { return "a,b" |> split(",") }
def split(s: string, by: string): string[] { return s.split(by) }
`,
    ['a', 'b'],
  ),
  c(
    'generics with explicit record',
    `type Pair<A, B> = { first: A, second: B }
def pair<A, B>(a: A, b: B): Pair<A, B> { return { first: a, second: b } }
def swap<A, B>(p: Pair<A, B>): Pair<B, A> { return pair(p.second, p.first) }
node main() { const p = swap(pair("x", 1))
  return p.first + 1 }
`,
    2,
  ),
]
