// A table of programs with faults, each with the place and the code of every one of them, and of programs without.
import { describe, expect, it } from 'vitest'
import { check, faultText, parse } from '../src/index.ts'

const wrong: readonly (readonly [source: string, ...faults: string[]])[] = [
  ['type A = A | string\nnode main() {}', '1:6 A3003'],
  ['type A = A\nnode main() {}', '1:6 A3003'],
  ['type A = B\ntype B = A\nnode main() {}', '1:6 A3003', '2:6 A3003'],
  ['type A = A & { x: number }\nnode main() {}', '1:6 A3003'],
  ['type A<T> = A<T[]>\nnode main(x: A<string>) { return x }', '1:6 A3003'],
  ['type K = keyof K\nnode main() {}', '1:6 A3003'],
  [
    'def f(n: number): string { const x = match (n) { 1 => "a"; _ => { return 5 } }\nreturn x }',
    '1:74 A3001',
  ],
  ['def f(): number { thread { return "a" }\nreturn 1 }', '1:35 A3001'],
  ['def f(n: number): string { if (n > 1) { return "a" } }', '1:19 A3001'],
  ['node main() { const x = 1 ? 2 : 3 }', '1:27 A1003'],
  ['const f = (x) => x + 1', '1:15 A1003'],
  ['const f = x => x + 1', '1:13 A1003'],
  ['function f(a) { return a }', '1:1 A1003'],
  ['async def f() { }', '1:1 A1003'],
  ['node main() { await f() }', '1:15 A1003', '1:21 A2001'],
  ['node main() { const r = /ab+/ }', '1:13 A1002', '1:25 A1003'],
  ['class A { }', '1:1 A1003'],
  ['node main() { const d = new Date() }', '1:25 A1003'],
  ['var x = 1', '1:1 A1003'],
  ['node main() { switch (1) { } }', '1:15 A1003'],
  ['node main() { try { print(1) } catch (e) { } }', '1:15 A1003'],
  ['node main() { throw "x" }', '1:15 A1003'],
  ['node main() { let i = 0\ni++ \ni += 1\nreturn i }', '2:2 A1003'],
  ['node main() { for (let i = 0; i < 3; i++) { } }', '1:20 A1003'],
  ['node main() { for (const x of [1]) { } }', '1:20 A1003', '1:28 A1003'],
  ['node main() { typeof 1 }', '1:15 A1003'],
  ['interface A { a: string }', '1:1 A1003'],
  ['enum E { A }', '1:1 A1003'],
  ['node main() { return "a" as string }', '1:26 A1001'],
  ['node main() { if 1 == 1 { print(1) } }', '1:18 A1001'],
  [
    'def f(a: number, b: number = 2) {}\nnode main() { f(); f(1, 2, 3); f(a: 1, c: 2); f(1, a: 2); f(b: 1, 2) }',
    '2:15 A2003',
    '2:28 A2003',
    '2:40 A2003',
    '2:52 A2003',
    '2:59 A2003',
    '2:67 A2003',
  ],
  [
    'def f(fn: (number) -> string): string { return fn(1) }\nnode main() { return llm("x", tools: [f]) }',
    '2:39 A5001',
  ],
  ['node main() { print("abc }', '1:13 A1002', '1:20 A1002', '1:21 A1002'],
  ['node main() { print(1)', '1:13 A1002'],
  ['node main() { return [1, 2 }', '1:28 A1001'],
  [
    'node main() { const a: string = 1\nconst b: number = "x"\nprint(c)\nreturn d.e }',
    '1:33 A3001',
    '2:19 A3001',
    '3:7 A2001',
    '4:8 A2001',
  ],
  [
    'import { x } from "./none.agency"\nimport y from "nothing-such"\nimport { z } from "std::nothing"\nnode main() {}',
    '1:19 A4001',
    '2:15 A4001',
    '3:19 A4001',
  ],
  ['node main() { goto nowhere() }', '1:20 A2001'],
  ['def f() {}\nnode main() { goto f() }', '2:20 A2005'],
  ['def f(): number { return goto }', '1:26 A2001'],
  ['node main() {}\nnode main() {}', '2:6 A2002'],
  ['node main() { const x = 1\nconst x = 2\nx = 3 }', '2:7 A2002', '3:1 A2004'],
  ['node main() { break }', '1:15 A2005'],
  ['return 1', '1:1 A2005'],
  ['def f(__a: number) {}', '1:7 A1005'],
  ['node main() { const c: { a: number } = llm("x")\nreturn c.b }', '2:10 A3002'],
  ['node main() { const n: number = llm("x") + 1\nreturn n }', '1:33 A3001'],
  [
    'type P = { name: string }\ndef g(p: P): number { return p.name }\nnode main() { return g({ nam: "x" }) }',
    '2:30 A3001',
    '3:24 A3001',
    '3:26 A3002',
  ],
  ['def f(s: string) {}\nnode main() { for (x in [1, 2]) { f(x) } }', '2:37 A3001'],
  ['def f(s: string) {}\nnode main() { for (k, v in { a: 1 }) { f(k)\nf(v) } }', '3:3 A3001'],
  [
    'def f(s: string | number) { if (s == 1) { return s.length }\nreturn s.length }',
    '1:52 A3002',
    '2:10 A3002',
  ],
  [
    'type S = { kind: "a", n: number } | { kind: "b", s: string }\ndef f(x: S): number { if (x.kind == "a") { return x.s }\nreturn x.n }',
    '2:53 A3002',
    '3:10 A3002',
  ],
  [
    'type S = { kind: "a", n: number } | { kind: "b", s: string }\ndef f(x: S): number { return match (x) { { kind: "a", n } => n; { kind: "b", s } => s } }',
    '2:30 A3001',
  ],
  ['def f(x: string | null): number { return x.length }', '1:44 A3002'],
  ['def f(x?: string): number { if (x == null) { return 0 }\nreturn x.size }', '2:10 A3002'],
  [
    'def first<T>(xs: T[]): T { return xs[0] }\nnode main() { const n: string = first([1, 2])\nreturn first("abc") }',
    '2:33 A3001',
    '3:14 A3001',
  ],
  [
    'node main() { const [a, b]: string[] = [1, 2]\nconst { c, d } = { c: 1 }\nreturn d }',
    '1:41 A3001',
    '1:44 A3001',
    '2:12 A3002',
  ],
  ['node main() { const xs: number[] = [x + "!" for x in [1, 2]]\nreturn xs }', '1:36 A3001'],
  ['node main() { const xs = map([1, 2], \\x -> x.name)\nreturn xs }', '1:46 A3002'],
  ['node main() { const r: number = reduce([1, 2], 0, \\(all, x) -> "${all}${x}")\nreturn r }', '1:64 A3001'],
  ['node main() { return sortBy(["a"], \\(x, y, z) -> x) }', '1:41 A2003'],
  [
    'def f(a: number): number { return a }\nnode main() { const g: (string) -> number = f\nreturn g("x") }',
    '2:45 A3001',
  ],
  [
    'def f(...xs: number[]): number { return xs.length }\nnode main() { return f(1, "2", ...["3"]) }',
    '2:27 A3001',
    '2:36 A3001',
  ],
  [
    'def f(o: { a: number, b?: string }) {}\nnode main() { f({ a: "1" }); f({ a: 1, b: 2 }); f({ a: 1, c: 3 }); f({ b: "x" }) }',
    '2:22 A3001',
    '2:43 A3001',
    '2:59 A3002',
    '2:70 A3001',
  ],
  ['node main() { const c: "red" | "green" = "blue"\nreturn c }', '1:42 A3001'],
  ['node main() { const n = 1\nreturn n.toUpperCase() }', '2:10 A3002'],
  ['node main() { const s = "a"\nreturn s - 1 }', '2:8 A3001'],
  ['node main() { return -"a" * true }', '1:23 A3001', '1:29 A3001'],
  ['node main() { return 1 < "2" }', '1:22 A3001'],
  ['node main() { return [1, 2].lenght }', '1:29 A3002'],
  ['def f(): void { return 1 }', '1:24 A3001'],
  ['def f(): number { return }', '1:19 A3001'],
  ['node main() { const r = success(1)\nreturn r.value.x }', '2:16 A3002'],
  [
    'node main() { const x: number = try 1\nconst y: number = failure("a") catch "none"\nreturn y }',
    '1:33 A3001',
    '2:19 A3001',
  ],
  ['handoff def h(q: string): string { return "x" }\nnode main() { return h() }', '2:22 A2003'],
  [
    'import { systemMessag, userMessage } from "std::thread"\nnode main() { userMessage() }',
    '1:10 A4002',
    '2:15 A2003',
  ],
  [
    'node main() { llm()\nllm("a", 1)\nllm("a", tool: [])\nllm("a", { temprature: 1 })\nllm("a", temperature: "hot") }',
    '1:15 A2003',
    '2:10 A3001',
    '3:10 A2003',
    '4:12 A2003',
    '5:23 A3001',
  ],
  ['node main() { llm("a", tools: ["x", 1]) }', '1:32 A5001', '1:37 A5001'],
  [
    'type T = { a: Strin }\ndef f(x: Numbr): Array<number, string> {}',
    '1:15 A3003',
    '2:10 A3003',
    '2:18 A3003',
  ],
  ['node main() { const s = "a ${b} ${1 + } c"\nreturn s }', '1:30 A2001', '1:38 A1001'],
  ['node main() { return { a: 1, a: 2, [b]: 3 } }', '1:30 A2002', '1:37 A2001'],
  ['def f(a: number, a: string) { }', '1:18 A2002'],
  ['def f(a?: number, b: string) { return b }\nnode main() { return f("x") }', '2:22 A2003', '2:24 A3001'],
  ['def f(a: number = "x") { return a }', '1:19 A3001'],
  ['const a = b\nconst b = 1', '1:11 A2001'],
  ['node main(x: number) { goto main("a") }', '1:34 A3001'],
  ['@jsonSchema({ minimum: 1 )\ntype A = number\nnode main() {}', '1:26 A1001'],
  ['let x: number = 1\ndef f() { x = "a" }', '2:15 A3001'],
  ['node main() { const m = { a: 1 }\nm.b = 2\nm["c"] = 3\nreturn m }', '2:3 A3002', '3:3 A3002'],
  ['node main() { const x = [1, 2, 3][1:"2"]\nreturn x }', '1:37 A3001'],
  ['node main() { return 1 |> 2 }', '1:27 A3004'],
  ['node main() { return "a" in 5 }', '1:29 A3001'],
  ['export def f() {}\nexport def f() {}\nexport { g }', '2:12 A2002', '3:10 A2001'],
  ['node main() { if (true) { const q = 1 }\nreturn q }', '2:8 A2001'],
  ['node main() { thread { const t = 1 }\nreturn t }', '2:8 A2001'],
  [
    'def f(cb: (n: number) -> string): string { return cb("x") }\nnode main() { return f() { 5 } }',
    '1:54 A3001',
    '2:26 A3001',
  ],
  [
    'def f(cb: (n: number) -> string): string { return cb(1) }\nnode main() { return f() as n { return n } }',
    '2:40 A3001',
  ],
  ['node main() { llm("a", 1) }', '1:24 A3001'],
]

const right: readonly string[] = [
  'type A = A[]\nnode main(a: A) { return a }',
  'type A = { a: A } | null\nnode main(a: A) { return a }',
  'type J = string | number | J[] | Record<string, J>\nnode main() { const j: J = [1, ["a", { b: 2 }]]\nreturn j }',
  'node main() { const x = match (1) { 1 => { return 2 } _ => 3 }\nreturn x }',
  'node main() { const t = thread { return 1 }\nreturn t }',
  'node main() { for (i in [1]) { thread { break } } }',
  'def f(n: number): string { match (n) { 1 => { return "a" }; _ => { return "b" } } }',
  'def f(n: number): string { while (true) { return "a" } }',
  'def print(x: any) {}\nnode main() { print(1) }',
  'node main() { while (1) { return 2 } }',
]

/** The faults as people are told them. */
function told(source: string): string[] {
  const { program, faults } = parse(source)
  return check(program, { module: () => undefined }, faults).faults.map(each =>
    faultText(each, source, 'a.agency'),
  )
}

describe('a program with faults is told all of them', () => {
  for (const [source, ...faults] of wrong)
    it(source.replaceAll('\n', ' ⏎ '), () => {
      const all = told(source)
      expect(
        all.map(each => /^a\.agency:(\d+:\d+) - error (A\d{4}): /.exec(each)?.slice(1).join(' ')),
      ).toEqual(faults)
      for (const each of all) {
        // The line itself, and a caret below the place.
        const [, line, column] = /^a\.agency:(\d+):(\d+)/.exec(each)!
        const shown = each.split('\n')
        const at = shown.findIndex(text => text.startsWith(`${line} | `))
        expect(shown[at]).toBe(`${line} | ${source.split('\n')[Number(line) - 1]}`)
        expect(shown[at + 1]!.slice(`${line} | `.length).indexOf('^')).toBe(Number(column) - 1)
      }
    })
})

describe('a program without is told none', () => {
  for (const source of right) it(source.replaceAll('\n', ' ⏎ '), () => expect(told(source)).toEqual([]))
})
