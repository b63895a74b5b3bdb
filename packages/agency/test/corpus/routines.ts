// Small routines: state that is handed on, retries, stacks, what shadows what.
import { type Case, c } from './case.ts'

export const routines: Case[] = [
  {
    ...c(
      'agent with memory list',
      `type Turn = { who: string, text: string }
let history: Turn[] = []
def say(text: string): string {
  history.push({ who: "user", text })
  const prompt = history.map(\\t -> "\${t.who}: \${t.text}").join("\\n")
  const answer = llm(prompt)
  history.push({ who: "bot", text: answer })
  return answer
}
node main() { say("hello"); say("more")
 return [t.text for t in history] }
`,
      ['hello', 'hi', 'more', 'bye'],
    ),
    turns: [{ says: 'hi' }, { says: 'bye' }],
  },
  {
    ...c(
      'chained gotos with state',
      `type State = { tries: number, log: string[] }
node main() { goto attempt({ tries: 0, log: [] }) }
node attempt(s: State) {
  const ok: "yes" | "no" = llm("try \${s.tries}")
  const next = { tries: s.tries + 1, log: [...s.log, ok] }
  if (ok == "yes") { goto done(next) }
  goto attempt(next)
}
node done(s: State) { return s }
`,
      { tries: 2, log: ['no', 'yes'] },
    ),
    turns: [{ says: '{"response":"no"}' }, { says: '{"response":"yes"}' }],
  },
  {
    ...c(
      'llm in parallel like map with index',
      `node main() { return mapWithIndex(["x", "y"]) as (item, i) { return "\${i}:\${llm(item)}" } }
`,
      ['0:a', '1:b'],
    ),
    turns: [{ says: 'a' }, { says: 'b' }],
  },
  c(
    'record type with optional block',
    `type Options = { retries?: number, onError?: (string) -> void }
def attempt(options: Options = {}, work: () -> any): any {
  let n = options.retries ?? 1
  while (n > 0) {
    const r = try work()
    if (isSuccess(r)) { return r.value }
    options.onError?.(r.error)
    n -= 1
  }
  return null
}
node main() {
  let seen = []
  let k = 0
  const v = attempt({ retries: 3, onError: \\e -> seen.push(e) }) {
    k += 1
    if (k < 3) { return failure("no \${k}") }
    return k
  }
  return [v, seen]
}
`,
    [3, ['no 1', 'no 2']],
  ),
  c(
    'generic stack',
    `type Stack<T> = { items: T[] }
def push<T>(s: Stack<T>, item: T): Stack<T> { return { items: [...s.items, item] } }
def peek<T>(s: Stack<T>): T | null { return s.items[s.items.length - 1] }
node main() {
  let s: Stack<number> = { items: [] }
  s = push(s, 1)
  s = push(s, 2)
  return [peek(s), s.items.length] }
`,
    [2, 2],
  ),
  c(
    'multi-line pipes with comments',
    `node main() {
  return [3, 1, 2]
    // sort them
    |> sortBy(\\x -> x)
    // then double
    |> map(\\x -> x * 2)
}
`,
    [2, 4, 6],
  ),
  c(
    'export node and type and call with named',
    `export type In = { q: string }
export node main(input: In = { q: "d" }) { return input.q }
`,
    'd',
  ),
  {
    ...c(
      'tool that prints and returns void',
      `def log(line: string): void { print("LOG", line) }
node main() { return llm("x", tools: [log]) }
`,
      'done',
    ),
    turns: [{ calls: [['log', { line: 'a' }]] }, { says: 'done' }],
    printed: 'LOG a\n',
  },
  c(
    'enum-like unions with defaults',
    `type Level = "low" | "high"
def f(level: Level = "low"): string { return match (level) { "low" => "l"; "high" => "h" } }
node main() { return [f(), f("high"), f(level: "low")] }
`,
    ['l', 'h', 'l'],
  ),
  c(
    'long string concat',
    `node main() {
  const a = "x" +
    "y" +
    "z"
  let s = "start"
  s += " more"
  return a + s
}
`,
    'xyzstart more',
  ),
  {
    ...c(
      'shadowing',
      `const x = 1
node main() {
  const y = x
  for (x in [5]) { print(x) }
  const f = \\x -> x * 2
  return [y, f(4), x]
}
`,
      [1, 8, 1],
    ),
    printed: '5\n',
  },
  c(
    'numbers as keys and computed',
    `node main() {
  const m: Record<string, string> = {}
  m["\${1}"] = "one"
  const k = "b"
  const o = { [k]: 2, "c d": 3, 4: "four" }
  return [m["1"], o.b, o["c d"], o["4"]]
}
`,
    ['one', 2, 3, 'four'],
  ),
  c(
    'comparisons of records by field',
    `node main() {
  const a = { id: 1 }
  const b = { id: 1 }
  return [a == b, a.id == b.id, a == a, [1] == [1]]
}
`,
    [false, true, true, false],
  ),
  {
    what: 'regex-like from TS',
    source: {
      'main.agency': `import { matches } from "./re.ts"
node main() { return filter(["a1", "b"], \\s -> matches(s, "[0-9]")) }
`,
      're.ts': `export const matches = (s: string, p: string): boolean => new RegExp(p).test(s)
`,
    },
    gives: ['a1'],
  },
]
