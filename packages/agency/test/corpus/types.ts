// Types.
import { type Case, c } from './case.ts'

export const types: Case[] = [
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
]
