// Nodes, their arguments, and statements before them.
import { type Case, c } from './case.ts'

export const nodes: Case[] = [
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
]
