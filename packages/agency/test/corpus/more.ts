// More of what people write every day.
import { type Case, c } from './case.ts'

export const more: Case[] = [
  c(
    'record loops',
    `node main() {
  const ages: Record<string, number> = { a: 1, b: 2 }
  let s = 0
  for (name, age in ages) { s += age }
  const keys = Object.keys(ages)
  const doubled = Object.fromEntries(Object.entries(ages).map(\\([k, v]) -> [k, v * 2]))
  return [s, keys, doubled, "a" in ages, Object.values(ages)]
}
`,
    [3, ['a', 'b'], { a: 2, b: 4 }, true, [1, 2]],
  ),
  c(
    'if expr in args and template',
    `node main() { const n = 3
 return ["\${if n > 2 then "big" else "small"}", Math.abs(if n > 5 then 1 else -1)] }
`,
    ['big', 1],
  ),
  c(
    'failure passes through',
    `def a(): Result<number> { return failure("a failed") }
def b(): Result<number> {
  const x = a()
  if (isFailure(x)) { return x }
  return success(x.value + 1)
}
node main() { const r = b()
 return "\${r.error}" }
`,
    'a failed',
  ),
  c(
    'truthiness',
    `node main() {
  const s = ""
  const xs: string[] = []
  let hits = []
  if (s) { hits.push("s") }
  if (!s) { hits.push("not s") }
  if (xs.length) { hits.push("xs") }
  const name = s || "anon"
  const m = { a: null }
  if (!m.a) { hits.push("m") }
  return [hits, name]
}
`,
    [['not s', 'm'], 'anon'],
  ),
  c(
    'reassign types',
    `node main() {
  let x: any = 1
  x = "two"
  x = [3]
  let y: string | number = 1
  y = "a"
  return [x, y]
}
`,
    [[3], 'a'],
  ),
  c(
    'function returns different',
    `def f(n: number) { if (n > 0) { return "pos" }
 return n }
node main() { return [f(1), f(-1)] }
`,
    ['pos', -1],
  ),
  c(
    'nested records update',
    `type State = { user: { name: string, tags: string[] }, n: number }
def rename(s: State, name: string): State { return { ...s, user: { ...s.user, name: name } } }
node main() { 
  let s: State = { user: { name: "a", tags: [] }, n: 0 }
  s.user.tags.push("t")
  s.n += 1
  const t = rename(s, "b")
  return [s, t] }
`,
    [
      { user: { name: 'a', tags: ['t'] }, n: 1 },
      { user: { name: 'b', tags: ['t'] }, n: 1 },
    ],
  ),
  c(
    'map over records',
    `node main() {
  const stock = { tea: 3, cup: 0 }
  let low = []
  for (name, n in stock) { if (n == 0) { low.push(name) } }
  const names = [k for k, v in stock if v > 0]
  return [low, names, Object.keys(stock).length]
}
`,
    [['cup'], ['tea'], 2],
  ),
  c(
    'find may be null',
    `type U = { id: number, name: string }
const us: U[] = [{ id: 1, name: "a" }]
node main() {
  const u = find(us, \\u -> u.id == 2)
  const v = find(us, \\u -> u.id == 1)
  return [u?.name ?? "none", v?.name, u == null] }
`,
    ['none', 'a', true],
  ),
  c(
    'find direct field',
    `type U = { id: number, name: string }
const us: U[] = [{ id: 1, name: "a" }]
node main() { const v = find(us, \\u -> u.id == 1)
  return v.name }
`,
    'a',
  ),
  c(
    'index may be missing',
    `node main() { const xs = ["a"]
  const first = xs[0]
  return [first.toUpperCase(), xs[5] ?? "none", xs[5] == null] }
`,
    ['A', 'none', true],
  ),
  c(
    'record of blocks dispatch',
    `node main() {
  const ops = { add: \\(a, b) -> a + b, mul: \\(a, b) -> a * b }
  return [ops["add"](2, 3), ops.mul(2, 3), [op(1, 2) for _, op in ops]] }
`,
    [5, 6, [3, 2]],
  ),
  c(
    'split join numbers',
    `node main() {
  const nums = [Number(x) for x in "1,2,3".split(",")]
  const [h, ...t] = nums
  return [nums, h + 1, t, Math.max(...nums), nums.reduce(\\(a, b) -> a + b, 0), nums.join("+")] }
`,
    [[1, 2, 3], 2, [2, 3], 3, 6, '1+2+3'],
  ),
  c(
    'while with counter and else if',
    `node main() {
  let i = 10
  let s = []
  while (i > 0) {
    if (i % 5 == 0) { s.push("five") }
    else if (i % 3 == 0) { s.push("three") }
    else { s.push(i) }
    i -= 1
  }
  return s }
`,
    ['five', 'three', 8, 7, 'three', 'five', 4, 'three', 2, 1],
  ),
  c(
    'a match in a function',
    `def price(item: string): number {
  const p = match (item) {
    "tea" => 3
    "cup" => 5
    _ => 0
  }
  return p * 2
}
node main() { return price("tea") + price("x") }
`,
    6,
  ),
  c(
    'match number ranges with guard',
    `def grade(n: number): string {
  return match (n) {
    x if x >= 90 => "A"
    x if x >= 80 => "B"
    _ => "C"
  }
}
node main() { return [grade(95), grade(85), grade(1)] }
`,
    ['A', 'B', 'C'],
  ),
  c(
    'type with methods field function',
    `type Handler = { name: string, run: (string) -> string }
const hs: Handler[] = [{ name: "up", run: \\s -> s.toUpperCase() }, { name: "twice", run: \\s -> s + s }]
node main() { return [h.run("a") for h in hs] }
`,
    ['A', 'aa'],
  ),
  c(
    'recursion json any',
    `def depth(x: any): number {
  if (Array.isArray(x)) { return 1 + reduce(x, 0, \\(m, y) -> Math.max(m, depth(y))) }
  return 0
}
node main() { return depth([1, [2, [3]]]) }
`,
    3,
  ),
  c(
    'date format',
    `node main() { const d = "2026-03-01"
  const [y, m, day] = [Number(p) for p in d.split("-")]
  return "\${day}.\${m}.\${y}" }
`,
    '1.3.2026',
  ),
  c(
    'sets via unique and in',
    `node main() { const a = [1, 2, 3]
 const b = [2, 3, 4]
 return [[x for x in a if x in b], unique([...a, ...b]), [x for x in a if !(x in b)]] }
`,
    [[2, 3], [1, 2, 3, 4], [1]],
  ),
  c(
    'variable named like prelude',
    `node main() { const count = 3
 const filter = "x"
 const input = "in"
 return [count, filter, input] }
`,
    [3, 'x', 'in'],
  ),
  c(
    'param named like prelude and type',
    `def f(count: number, map: string, type: string, node: string): string { return "\${count}\${map}\${type}\${node}" }
node main() { return f(1, "m", "t", "n") }
`,
    '1mtn',
  ),
  c(
    'choices in choices',
    `node main() { const n = 5
 const size = if n < 3 then "s" else if n < 6 then "m" else "l"
 return size }
`,
    'm',
  ),
]
