// What cannot be told to a model: each kind with its place, its line, a caret and a mend, all at once.
import { describe, expect, it } from 'vitest'
import { expand } from '../src/index.ts'
import { memoryHost } from './support/host.ts'

/** What `expand` says of a file in which `input` is the type of a tool's input. */
function refusal(declarations: string, input = 'Input', files: Record<string, string> = {}): string {
  const source = `import { tool } from 'toolwright'\n${declarations}\ntool('t', (input: ${input}) => input)\n`
  return said(source, files)
}

function said(source: string, files: Record<string, string> = {}): string {
  const host = memoryHost({ '/app/tools.ts': source, ...files })
  try {
    const { warnings } = expand(source, '/app/tools.ts', host)
    return `not refused, ${warnings.length} warnings`
  } catch (error) {
    return (error as Error).message
  }
}

const kinds: Record<string, string> = {
  Date: 'Date',
  bigint: 'bigint',
  'a bigint literal': '1n',
  Map: 'Map<string, number>',
  Set: 'Set<string>',
  'a function': '(a: string) => void',
  symbol: 'symbol',
  'a unique symbol': 'unique symbol',
  void: 'void',
  Promise: 'Promise<string>',
  RegExp: 'RegExp',
  Uint8Array: 'Uint8Array',
  'a boxed primitive': 'String',
  'a conditional type': 'string extends number ? 1 : 2',
  'a mapped type': '{ [K in "a" | "b"]: K }',
  'a utility that takes a checker': 'ReturnType<() => string>',
  'a name that is not declared': 'Nowhere',
  'a value in place of a type': 'value',
  'an access to no field': '{ a: string }["b"]',
  'keyof of no record': 'keyof string',
  'a missing type argument': 'Array',
  'a rest in the middle of a tuple': '[...string[], number]',
  'a record with a method': '{ close(): void }',
  'a record that can be called': '{ (): string }',
  'a field under a symbol': '{ [Symbol.iterator]: string }',
  'a reference to itself': 'Itself',
}

describe('a type that cannot be told', () => {
  for (const [name, written] of Object.entries(kinds))
    it(`${name} is refused at its field`, () => {
      const declarations = `const value = 1\ntype Itself = Itself | 1\ninterface Input {\n  ok: string\n  field: ${written}\n}`
      const message = refusal(declarations)
      expect(message).toMatch(/^T21\d\d: .*tools\.ts:\d+:\d+: /)
      expect(message).toMatch(/\n\s*\d+ \| .*\n\s*\| +\^/)
      expect(message).toMatchSnapshot()
    })

  it('a class is refused', () => {
    expect(refusal('class Order { id = 1 }\ninterface Input { order: Order }')).toMatchSnapshot()
  })

  it('a type parameter of an outer function is refused', () => {
    const source = `import { schema } from 'toolwright'\nexport function make<T>() {\n  return schema<T>()\n}\n`
    expect(said(source)).toMatchSnapshot()
  })

  it('an input without a type is refused', () => {
    expect(said(`import { tool } from 'toolwright'\ntool('t', input => input)\n`)).toMatchSnapshot()
  })

  it('an input that is no record is refused where a record is meant', () => {
    const source = `import { tool } from 'toolwright'\ntool('t', { about: 'x', run: (input: string) => input })\n`
    expect(said(source)).toMatchSnapshot()
  })

  it('an import that leads nowhere is refused at the import', () => {
    expect(refusal(`import type { Input } from './missing.ts'`)).toMatchSnapshot()
  })

  it('a name that a file does not export is refused at the import', () => {
    const files = { '/app/other.ts': 'export type Other = string' }
    expect(refusal(`import type { Input } from './other.ts'`, 'Input', files)).toMatchSnapshot()
  })

  it('a rest of parameters and a parameter without a name are refused', () => {
    const source = `import { tool } from 'toolwright'\n/** Adds. */\nfunction add(a: number, [b]: number[], ...more: number[]) { return a }\ntool(add)\n`
    expect(said(source)).toMatchSnapshot()
  })

  it('a context that does not come last is refused', () => {
    const source = `import { tool, type Context } from 'toolwright'\ntool('t', (ctx: Context, a: string) => a)\n`
    expect(said(source)).toMatchSnapshot()
  })

  it('a function without a name is refused where it needs one', () => {
    const source = `import { agent } from 'toolwright'\nagent('x', '', [/** Adds. */ (a: number) => a])\n`
    expect(said(source)).toMatchSnapshot()
  })

  it('a tag that says nothing of its type, or what is no value, is refused', () => {
    const declarations = `interface Input {\n  /** @minimum three */\n  a: number\n  /** @minLength 3 */\n  b: number\n  /** @pattern ( */\n  c: string\n  /** @integer */\n  d: string\n  /** @default */\n  e: string\n}`
    expect(refusal(declarations)).toMatchSnapshot()
  })

  it('a file that is no TypeScript is refused where it breaks off', () => {
    expect(said(`import { tool } from 'toolwright'\ntool('t', (input: { a: ) => 1)\n`)).toMatchSnapshot()
  })

  it('a type without an end is refused', () => {
    expect(refusal('interface Input<T = string> { deeper?: Input<T[]> }')).toMatchSnapshot()
  })

  it('is told in the file that declares it, with the call on a second line, all at once', () => {
    const files = {
      '/app/order.ts':
        '/** An order. */\nexport interface Order {\n  placed: Date\n  items: Map<string, number>\n}\n',
    }
    const message = refusal(`import type { Order } from './order.ts'`, 'Order', files)
    expect(message).toMatch(/order\.ts:3:11[\s\S]*used by tool\('t', …\) at .*tools\.ts:3:1/)
    expect(message).toMatch(/order\.ts:4:10/)
    expect(message).toMatchSnapshot()
  })

  it('that nobody needs is not refused', () => {
    const declarations = `interface All { at: Date; name: string }\ntype Input = Omit<All, 'at'>`
    expect(refusal(declarations)).toMatch(/^not refused/)
  })
})

describe('a type that lets everything through', () => {
  it('is told as {} with a warning', () => {
    const source = `import { tool } from 'toolwright'\n/** Keeps. */\ninterface Input {\n  what: unknown\n  other: any\n}\ntool('keep', (input: Input) => input)\n`
    const { warnings, code } = expand(source, '/app/tools.ts', memoryHost({}))
    expect(warnings.map(each => `${each.code} ${each.at.line}:${each.at.column}`)).toEqual([
      'T2111 4:9',
      'T2111 5:10',
    ])
    expect(code).toContain('"properties":{"what":{},"other":{}}')
  })
})
