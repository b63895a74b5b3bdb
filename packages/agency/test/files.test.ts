// Programs of several files, in Agency, TypeScript and JavaScript; and what a crash and faults look like.
import { beforeAll, describe, expect, it } from 'vitest'
import { type BatchProgram, type BatchResult, runAll } from './run.ts'

const programs: { [name: string]: BatchProgram } = {
  all: {
    source: {
      'main.agency': `import { add, Point, total as t, helper } from "./lib/a.agency"
import * as lib from "./lib/a.agency"
import { shout, later, version } from "./host.ts"
import inc from "./d.js"
import { basename } from "node:path"
export { add as plus } from "./lib/a.agency"
node main() {
  const p: Point = { x: 1, y: 2 }
  return [add(p.x, p.y), t, lib.add(5, 6), shout("hi"), later(2), version, inc(3), basename("/a/b.txt"), map([1], \\x -> later(x)), helper()]
}`,
      'lib/a.agency': `import { deep } from "./b.agency"
export type Point = { x: number, y: number }
export def add(a: number, b: number): number { return a + b }
export const total = add(1, 1)
export def helper() { return deep() }`,
      'lib/b.agency': 'export def deep(): string { return "deep" }',
      'host.ts':
        'export function shout(s: string): string { return s.toUpperCase() }\nexport const later = async (n: number) => n * 2\nexport const version = 3',
      'd.js': 'export default n => n + 1',
    },
  },
  around: {
    source: {
      'main.agency':
        'import { b } from "./b.agency"\nexport def a(n: number): number {\n  if (n == 0) { return 0 }\n  return b(n - 1)\n}\nnode main() { return a(3) }',
      'b.agency': 'import { a } from "./main.agency"\nexport def b(n: number): number { return a(n) + 1 }',
    },
  },
  faults: {
    source: {
      'main.agency':
        'import { nope } from "./a.agency"\nimport { x } from "./missing.agency"\nimport y from "no-such-package"\nimport { z } from "./h.ts"\nprint("ran")\nprint(nowhere)',
      'a.agency': 'export def add(a: number): number { return "x" }\nprint("ran too")',
      'h.ts': 'export const other = 1',
    },
  },
  crash: {
    source: 'def boom(x: any): number {\n  return x.a.b\n}\n\nnode main() {\n  return boom(null)\n}',
  },
  wrongArguments: { source: 'node main(n: number) { return n }', args: ['x'] },
  noNode: { source: 'node main() { return 1 }', node: 'other' },
  outside: { source: 'import { endTurn } from "std::thread"\nendTurn()\nprint("on")' },
}

let results: { [name: string]: BatchResult }

beforeAll(async () => {
  const all = await runAll(Object.values(programs))
  results = Object.fromEntries(Object.keys(programs).map((name, i) => [name, all[i]!]))
}, 60_000)

describe('a program of several files', () => {
  it('imports Agency, TypeScript, JavaScript and packages, and waits for what answers later', () => {
    expect(results['all']).toMatchObject({ value: [3, 2, 11, 'HI', 4, 3, 4, 'b.txt', [2], 'deep'] })
  })

  it('may have files that import one another', () => {
    expect(results['around']).toMatchObject({ value: 3 })
  })

  it('tells the faults of all its files, and nothing of it runs', () => {
    const { error, printed } = results['faults']!
    expect(printed).toBe('')
    expect(
      [...error!.matchAll(/^(\S+:\d+:\d+) - error (A\d+)/gm)].map(m => `${m[1]} ${m[2]}`).sort(),
    ).toEqual([
      'a.agency:1:44 A3001',
      'main.agency:1:10 A4002',
      'main.agency:2:19 A4001',
      'main.agency:3:15 A4001',
      'main.agency:4:10 A4002',
      'main.agency:6:7 A2001',
    ])
  })
})

describe('a run', () => {
  it('that crashes tells the lines of the program', () => {
    const { error, stack } = results['crash']!
    expect(error).toMatch(/null/)
    expect(stack!.match(/main\.agency:\d+/g)).toEqual(['main.agency:2', 'main.agency:6'])
  })

  it('reads the arguments of its node', () => {
    expect(results['wrongArguments']!.error).toMatch(/n: expected number/)
  })

  it('names the nodes where the one that was asked for is not there', () => {
    expect(results['noNode']!.error).toMatch(/it has main/)
  })

  it('goes on where a tool’s word is said outside of a tool', () => {
    expect(results['outside']).toMatchObject({ printed: 'on\n' })
  })
})
