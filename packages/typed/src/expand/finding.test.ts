// Where calls, functions and contexts are found: by whatever name, through a person's own files too.

import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { fieldsIn, saidIn } from '../../test/support/said.ts'
import { expand } from './expand.ts'

const head = `import { agent, tool, type Context } from 'toolwright'\n`

describe('a call', () => {
  it('is known through a file of one’s own that hands the names of toolwright on', () => {
    const files = {
      '/app/kit.ts': `export { tool, schema as schema } from 'toolwright'\nexport type { Context as Ctx } from 'toolwright'`,
      '/app/all.ts': `export * from '@toolwright/core'`,
    }
    const source = `import { tool, schema, type Ctx } from './kit.ts'
import { model } from './all.ts'
tool('a', (input: { a: string }, ctx: Ctx) => input)
schema<{ b: 1 }>()
model<{ c: 1 }>('c', { model: 'm', about: 'C.' })
`
    const said = saidIn(source, files)
    expect(said.map(each => (each.input ?? each.output) as object)).toMatchObject([
      { required: ['a'] },
      { required: ['b'] },
      { required: ['c'] },
    ])
  })

  it('is known by what CommonJS requires', () => {
    const source = `const { tool, schema: s } = require('toolwright') as typeof import('toolwright')
const whole = require('toolwright')
import tw = require('toolwright')
tool('a', (input: { a: string }, ctx: tw.Context) => input)
s<{ b: 1 }>()
whole.schema<{ c: 1 }>()
tw.schema<{ d: 1 }>()
`
    const said = saidIn(source)
    expect(said.map(each => (each.input ?? each.output) as object)).toMatchObject(
      ['a', 'b', 'c', 'd'].map(name => ({ required: [name] })),
    )
  })

  it('is not one of another file’s function of the same name', () => {
    const files = { '/app/kit.ts': `export function tool(...args: unknown[]) { return args }` }
    expect(saidIn(`import { tool } from './kit.ts'\ntool('a', (input: Date) => input)`, files)).toEqual([])
  })
})

describe('a type of this package', () => {
  it('is read like any other, through all that hands it on', () => {
    const here = fileURLToPath(import.meta.url)
    const source = `import { schema, type Attachment } from 'toolwright'\nschema<Attachment>()`
    const { code, files } = expand(source, here)
    expect(code).toContain('"required":["name","type","path"]')
    expect(files.length).toBeGreaterThan(1)
  })
})

describe('the context', () => {
  it('is not told under whatever name it has', () => {
    const files = {
      '/app/ctx.ts': `import type { Context } from 'toolwright'
export type Ctx = Context<{ db: string }>
export interface Own extends Context<{ db: string }> { more: () => void }`,
    }
    const source = `${head}import type { Ctx, Own } from './ctx.ts'
type Local = Context<{ a: 1 }>
tool('a', (input: { a: string }, ctx: Ctx) => input)
tool('b', (b: string, ctx?: Own) => b)
tool('c', (c: string, ctx: Local & { extra: () => void }) => c)
`
    expect(fieldsIn(source, files)).toEqual([['a'], ['b'], ['c']])
  })

  it('is told where it is a type of one’s own', () => {
    expect(fieldsIn(`${head}{ interface Context { c: string }\ntool('a', (c: Context) => c) }`)).toEqual([
      ['c'],
    ])
  })

  it('is refused where it does not come last, since parameters are handed over in their order', () => {
    expect(() => saidIn(`${head}tool('a', (ctx: Context, a: string) => a)`)).toThrow(
      /T2112: .*tools\.ts:2:12: the context does not come last/,
    )
  })
})

describe('a function', () => {
  it('may be a static method, or a generic one with its types', () => {
    const source = `${head}class Orders { /** Finds one. */ static find(id: string) { return id } }
function first<T>(input: { of: T }) { return input.of }
tool(Orders.find)
tool('first', first<number>)
`
    const [find, first] = saidIn(source)
    expect(find).toMatchObject({ name: 'find', about: 'Finds one.', params: ['id'] })
    expect(first!.input).toMatchObject({ properties: { of: { type: 'number' } } })
  })

  it('may describe a parameter where it stands', () => {
    const source = `${head}/** Adds. @param b the second */
function add(/** the first @minimum 0 */ a: number, /** another text */ b: number) { return a + b }
tool(add)`
    const [add] = saidIn(source)
    expect(add).toMatchObject({
      about: 'Adds.',
      input: {
        properties: { a: { description: 'the first', minimum: 0 }, b: { description: 'the second' } },
      },
    })
  })
})

describe('a list of tools', () => {
  const functions = `/** A. */ function a(x: string) { return x }\n/** B. */ const b = (y: number) => y\n`

  it('may be a constant of the same file', () => {
    const source = `${head}${functions}const mine = [a, { tool: b, name: 'c' }] as const
agent('m', '', mine)
agent('n', { model: 'm', instructions: '', tools: mine })`
    const told = { 0: { name: 'a', params: ['x'] }, 1: { name: 'b', params: ['y'] } }
    expect(saidIn(source)).toMatchObject([{ tools: told }, { tools: told }])
  })

  it('is left to the core where it may change, so that no function is told as another', () => {
    for (const change of ['mine.unshift(b)', 'mine[0] = b', 'mine.sort()'])
      expect(saidIn(`${head}${functions}const mine = [a]\n${change}\nagent('m', '', mine)`)).toEqual([])
  })
})
