// Small programs that ask a model, in one file and several.
import { type Case, c } from './case.ts'

export const answers: Case[] = [
  {
    ...c(
      'thread result messages',
      `node main() {
  const msgs = thread {
    llm("one")
    llm("two")
  }
  return [m.role for m in msgs]
}
`,
      ['user', 'assistant', 'user', 'assistant'],
    ),
    turns: [{ says: 'a' }, { says: 'b' }],
  },
  {
    ...c(
      'llm generic array of union',
      `node main() { const xs: ("a" | "b")[] = llm("x")
 return xs }
`,
      ['a', 'b'],
    ),
    turns: [{ says: '{"response":["a","b"]}' }],
  },
  {
    ...c(
      'llm inline type',
      `node main() { const { a, b }: { a: number, b: string[] } = llm("x")
 return [a, b] }
`,
      [1, ['x']],
    ),
    turns: [{ says: '{"a":1,"b":["x"]}' }],
  },
  {
    ...c(
      'llm in return of def without type',
      `def ask(q: string) { return llm(q) }
node main() { return ask("x").toUpperCase() }
`,
      'HI',
    ),
    turns: [{ says: 'hi' }],
  },
  {
    ...c(
      'llm bool in if',
      `node main() { const ok: boolean = llm("ok?")
 if (!ok) { return "no" }
 return "yes" }
`,
      'no',
    ),
    turns: [{ says: '{"response":false}' }],
  },
  {
    ...c(
      'llm with options only',
      `node main() { return llm(prompt: "hey", temperature: 0) }
`,
      'x',
    ),
    turns: [{ says: 'x' }],
  },
  {
    ...c(
      'llm multi-line template',
      `node main() { const items = ["a", "b"]
  return llm("""
    Items:
    \${items.join("\\n    ")}
  """, tools: []) }
`,
      'x',
    ),
    turns: [{ says: 'x' }],
  },
  {
    ...c(
      'async everywhere',
      `def ask(q: string): string { return llm(q) }
def key(x: string): string { return ask("key \${x}") }
node main() {
  const sorted = sortBy(["a", "b"], key)
  const grouped = groupBy(["c"], \\x -> ask(x))
  const rec = { f: ask, g: \\x -> ask(x) + "!" }
  const r = [rec.f("x"), rec.g("y")]
  const e = every(["q"], \\x -> ask(x) != "")
  const t = try ask("t")
  const p = "p" |> ask
  return [sorted, grouped, r, e, t.value, p]
}
`,
      [['a', 'b'], { '3': ['c'] }, ['4', '5!'], true, '7', '8'],
    ),
    turns: [
      { says: '1' },
      { says: '2' },
      { says: '3' },
      { says: '4' },
      { says: '5' },
      { says: '6' },
      { says: '7' },
      { says: '8' },
    ],
  },
  {
    ...c(
      'node called from a node',
      `node other(n: number): string { return llm("other \${n}") }
node main() {
  const a = llm("main")
  const b = other(1)
  return [a, b]
}
`,
      ['1', '2'],
    ),
    turns: [{ says: '1' }, { says: '2' }],
  },
  {
    what: 'goto imported node',
    source: {
      'main.agency': `import { desk } from "./desk.agency"
node main() { goto desk("x") }
`,
      'desk.agency': `export node desk(what: string) { return llm("desk \${what}") }
`,
    },
    gives: '1',
    turns: [{ says: '1' }],
  },
  {
    ...c(
      'goto in thread',
      `node main() { thread { llm("a")
 goto other() } }
node other() { return llm("b") }
`,
      '2',
    ),
    turns: [{ says: '1' }, { says: '2' }],
  },
  {
    ...c(
      'return from thread in loop',
      `def find1(xs: string[]): string {
  for (x in xs) {
    thread {
      const a = llm(x)
      if (a == "yes") { return x }
    }
  }
  return "none"
}
node main() { return find1(["a", "b", "c"]) }
`,
      'b',
    ),
    turns: [{ says: 'no' }, { says: 'yes' }],
  },
  {
    ...c(
      'break in thread in loop',
      `node main() {
  let n = 0
  for (x in ["a", "b", "c"]) {
    subthread {
      n += 1
      if (llm(x) == "yes") { break }
    }
  }
  return n
}
`,
      2,
    ),
    turns: [{ says: 'no' }, { says: 'yes' }],
  },
  {
    ...c(
      'recursion with llm',
      `def dig(depth: number): number {
  if (llm("deeper than \${depth}?") == "stop") { return depth }
  return dig(depth + 1)
}
node main() { return dig(0) }
`,
      2,
    ),
    turns: [{ says: 'more' }, { says: 'more' }, { says: 'stop' }],
  },
  {
    ...c(
      'handoff called from code',
      `handoff def helper(q: string): string { return llm(q) }
node main() {
  const a = helper("x")
  return [a, llm("y")]
}
`,
      ['in', 'out'],
    ),
    turns: [{ says: 'in' }, { says: 'out' }],
  },
  {
    ...c(
      'a tool that gives itself to its model',
      `def self(n: number): string { return llm("level \${n}", tools: [self]) }
node main() { return self(0) }
`,
      'top',
    ),
    turns: [
      { calls: [['self', { n: 1 }]] },
      { calls: [['self', { n: 2 }]] },
      { says: 'deep' },
      { says: 'mid' },
      { says: 'top' },
    ],
  },
  {
    what: 'a tool over a store in TypeScript',
    source: {
      'main.agency': `import { Store } from "./store.ts"
const store = Store()
def search(q: string): string[] { 
  """Searches."""
  return store.find(q) }
node main() { return llm("x", tools: [search]) }
`,
      'store.ts': `export function Store() { const items = ['ab', 'ac']; return { find(q: string) { return items.filter(i => i.includes(q)) } } }
`,
    },
    gives: 'done',
    turns: [{ calls: [['search', { q: 'a' }]] }, { says: 'done' }],
  },
  {
    what: 'export const of llm',
    source: {
      'main.agency': `import { greeting } from "./g.agency"
node main() { return greeting }
`,
      'g.agency': `export const greeting = llm("greet")
`,
    },
    gives: 'hi',
    turns: [{ says: 'hi' }],
  },
  {
    ...c(
      'catch variants',
      `def bad(): number { return failure("no", { code: 7 }) }
node main() {
  const a = bad() catch -1
  const b = (bad() catch null) ?? 2
  const c = try bad()
  const d = if isFailure(c) then c.data.code else 0
  const e = [bad() catch i for i in range(2)]
  const f = { x: bad() catch 9 }
  return [a, b, d, e, f, JSON.parse("{") catch "json"]
}
`,
      [-1, 2, 7, [0, 1], { x: 9 }, 'json'],
    ),
    turns: [{ says: 'x' }],
  },
  {
    ...c(
      'tool with object, enum array and optional',
      `type When = { day: number, hour?: number }
def book(when: When, extras: ("wifi" | "tea")[], note?: string, vip: boolean = false): { id: number } {
  return { id: when.day * 10 + (when.hour ?? 0) + extras.length + (if vip then 1 else 0) }
}
node main() { return llm("x", tools: [book]) }
`,
      'ok',
    ),
    turns: [{ calls: [['book', { when: { day: 1 }, extras: ['wifi'], note: null }]] }, { says: 'ok' }],
  },
  {
    ...c(
      'the turn is ended, and the node goes on',
      `import { endTurn } from "std::thread"
def t(): string { endTurn(scope: "turn")
 return "bye" }
node main() { const a = llm("x", tools: [t])
 print("after")
 return a }
`,
      'bye',
    ),
    turns: [{ calls: [['t', {}]] }],
    printed: 'after\n',
  },
  {
    ...c(
      'a program without types',
      `def total(items) {
  let sum = 0
  for (item in items) { sum += item.price * item.count }
  return sum
}
def describe(x) { 
  if (x == null) { return "nothing" }
  if (x.name) { return x.name }
  return x
}
node main() {
  let out = {}
  out["a"] = 1
  out.b = [2]
  let list = []
  list.push("x")
  list.push({ y: 1 })
  let later = null
  later = "set"
  later = later + "!"
  let n = 0
  n = n + total([{ price: 2, count: 3 }])
  return [out, list, later, n, describe(null), describe({ name: "n" }), describe("z")]
}
`,
      [{ a: 1, b: [2] }, ['x', { y: 1 }], 'set!', 6, 'nothing', 'n', 'z'],
    ),
    turns: [{ says: '1' }],
  },
  {
    ...c(
      'any list map async',
      `def ask(q: string): string { return llm(q) }
node main() {
  const xs: any = ["a", "b"]
  const r = xs.map(\\x -> ask(x))
  const d = JSON.parse("{\\"l\\":[\\"c\\"]}")
  return [r, d.l.map(\\x -> ask(x))] }
`,
      [['1', '2'], ['3']],
    ),
    turns: [{ says: '1' }, { says: '2' }, { says: '3' }],
  },
  {
    ...c(
      'llm result used as number',
      `node main() { const n = llm("x")
 return Number(n) + 1 }
`,
      6,
    ),
    turns: [{ says: '5' }],
  },
  {
    ...c(
      'an answer that is read by the program',
      `node main() { const t = llm("x")
 const d = JSON.parse(t)
 return d.a }
`,
      1,
    ),
    turns: [{ says: '{"a":1}' }],
  },
  {
    ...c(
      'llm typed let later assigned',
      `type R = { ok: boolean }
node main() { let r: R = llm("a")
 r = llm("b")
 return r.ok }
`,
      false,
    ),
    turns: [{ says: '{"ok":true}' }, { says: '{"ok":false}' }],
  },
  {
    ...c(
      'llm typed field in record',
      `node main() { const o: { a: string } = { a: llm("x") }
 return o }
`,
      { a: 'hi' },
    ),
    turns: [{ says: 'hi' }],
  },
  {
    ...c(
      'llm as arg to typed param',
      `def dbl(n: number): number { return n * 2 }
node main() { const n: number = llm("x")
 return dbl(n) }
`,
      10,
    ),
    turns: [{ says: '5' }],
  },
]
