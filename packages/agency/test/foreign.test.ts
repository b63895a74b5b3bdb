// What the checker knows of TypeScript that is imported: types, what has to be waited for, and what is `any`.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { compileFile, program } from '../src/index.ts'

const root = mkdtempSync(join(tmpdir(), 'agency-foreign-'))
afterAll(() => rmSync(root, { recursive: true }))
let n = 0

/** Checks the file main.agency among `files`, and gives its faults as 'line:column code'. */
function checked(files: { readonly [name: string]: string }): {
  path: string
  faults: string[]
  words: string[]
} {
  const folder = join(root, String(n++))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const path = join(folder, 'main.agency')
  const { source, checked } = program().file(path)!
  const at = (offset: number): string => {
    const before = source.slice(0, offset).split('\n')
    return `${before.length}:${before.at(-1)!.length + 1}`
  }
  return {
    path,
    faults: checked.faults.map(fault => `${at(fault.start)} ${fault.code}`),
    words: checked.faults.map(fault => fault.message),
  }
}

const shop = `import type { Price as P } from './price.ts'
/** Looks a price up. */
export async function priceOf(item: string, currency: 'eur' | 'usd' = 'eur'): Promise<P> { return { amount: 3, currency } }
export function total(prices: readonly number[], ...more: number[]): number { throw new Error('ran') }
export const half = (n: number): number => n / 2
export function twice<T>(one: T): T[] { return [one, one] }
export function each(list: string[], fn: (item: string) => string): string[] { return list.map(fn) }
export function pick(o: { name: string; tags?: string[] }): Record<string, number> { return {} }
export type { P as Price }
export interface Tree { value: number; kids: Tree[] }
export function root(): Tree { return { value: 1, kids: [] } }
export function odd(n) { return n }
export const rate = 1.5
export const names: string[] = []
`
const files = { 'shop.ts': shop, 'price.ts': 'export interface Price { amount: number; currency: string }' }
const body = (code: string, imports = 'priceOf, total, half, twice, each, pick, root, odd, rate, names') =>
  checked({ ...files, 'main.agency': `import { ${imports} } from "./shop.ts"\nnode main() {\n${code}\n}` })

describe('right programs', () => {
  for (const code of [
    'return priceOf("tea").amount + 1',
    'return priceOf("tea", "usd").currency.length',
    'return total([1, 2], 3, 4) + half(4) + rate',
    'const s: string = twice("a")[0]\nreturn s',
    'return each(["a"], \\x -> x.toUpperCase())',
    'return pick({ name: "a" })["b"]',
    'const t = root()\nreturn t.kids[0].value + t.value',
    'return odd("whatever").x.y',
    'return names.map(\\n -> n.length)',
  ])
    it(code, () => expect(body(code).words).toEqual([]))
})

describe('wrong programs', () => {
  for (const [code, ...faults] of [
    ['return priceOf(3)', '3:16 A3001'],
    ['return priceOf("tea", "yen")', '3:23 A3001'],
    ['return priceOf()', '3:8 A2003'],
    ['return half(1, 2)', '3:16 A2003'],
    ['return priceOf("tea").amont', '3:23 A3002'],
    ['return total([1], "2")', '3:19 A3001'],
    ['const s: number = twice("a")[0]', '3:19 A3001'],
    ['return each(["a"], \\x -> 1)', '3:26 A3001'],
    ['return pick({ nam: "a" })', '3:13 A3001', '3:15 A3002'],
    ['return root().kids[0].valu', '3:23 A3002'],
    ['const t: string = names', '3:19 A3001'],
  ] as const)
    it(code, () => {
      const found = body(code)
      expect(found.faults.map(each => each.split(' ')[1])).toEqual(faults.map(each => each.split(' ')[1]))
      expect(found.faults).toEqual(faults)
    })
})

describe('what is imported', () => {
  it('may be a type', () => {
    const source = `import { Tree, Price } from "./shop.ts"
node main() {
  const t: Tree = { value: 1, kids: [{ value: "2", kids: [] }] }
  const p: Price = llm("Which?")
  return p.amount + t.value
}`
    expect(checked({ ...files, 'main.agency': source }).faults).toEqual(['3:47 A3001'])
  })

  it('is waited for where it may come later, and not where it states what it gives at once', () => {
    const { path } = body('return [priceOf("a"), half(2), total([1]), each([], \\x -> x), odd(1)]')
    const { code } = compileFile(path)
    expect(code).toContain('await priceOf(')
    expect(code).toContain('await each(')
    expect(code).toContain('await odd(')
    expect(code).not.toContain('await half(')
    expect(code).not.toContain('await total(')
  })

  it('of a module that only passes on is known, in a circle too', () => {
    const found = checked({
      ...files,
      'all.ts':
        'export * from "./shop.ts"\nexport { half as halved } from "./shop.ts"\nexport * from "./all.ts"',
      'main.agency':
        'import { priceOf, halved, nothing } from "./all.ts"\nnode main() {\n  return [halved("a"), priceOf(1)]\n}',
    })
    expect(found.faults).toEqual(['1:27 A4002', '3:18 A3001', '3:32 A3001'])
  })

  it('of a package is read from its declarations, and what they do not show is any', () => {
    const found = checked({
      'node_modules/pack/package.json':
        '{"name":"pack","type":"module","exports":{".":{"types":"./types.d.ts","default":"./main.js"}}}',
      'node_modules/pack/types.d.ts':
        'export declare function add(a: number, b: number): number\nexport declare class Big { x: number }',
      'node_modules/pack/main.js': 'throw new Error("ran")',
      'main.agency':
        'import { add, Big, hidden } from "pack"\nnode main() {\n  const s: string = add(1, 2)\n  return [add("a", 1), hidden(1), Big]\n}',
    })
    expect(found.faults).toEqual(['3:21 A3001', '4:15 A3001'])
  })

  it('may be JavaScript, with declarations beside it or without, or CommonJS', () => {
    const found = checked({
      'a.js': 'export function f(x) { return x }\nexport const one = 1',
      'b.js': 'export function g(x) { return x }',
      'b.d.ts': 'export declare function g(x: number): string',
      'c.cjs': 'exports.h = x => x',
      'main.agency':
        'import { f, one, two } from "./a.js"\nimport { g } from "./b.js"\nimport { h } from "./c.cjs"\nnode main() {\n  const t: text = one\n  return [f(1, 2).x, g("a"), h(1)]\n}',
    })
    expect(found.faults).toEqual(['1:18 A4002', '5:12 A3003', '6:24 A3001'])
  })

  it('that does not read, or is not there, is a fault or any', () => {
    const found = checked({
      'bad.ts': 'export function ( {',
      'main.agency':
        'import { f } from "./bad.ts"\nimport { g } from "./none.ts"\nnode main() { return f(1) }',
    })
    expect(found.faults).toEqual(['2:19 A4001'])
  })
})
