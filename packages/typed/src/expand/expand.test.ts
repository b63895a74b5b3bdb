// What `expand` does to a source text: which calls it finds, what it says of them, and that nothing moves.
import { tool as makeTool } from '@toolwright/core'
import { describe, expect, it } from 'vitest'
import { memoryHost } from '../../test/support/host.ts'
import { expand } from './expand.ts'

/** The arguments that were written into a source, in their order. */
function saidIn(source: string, files: Record<string, string> = {}): Record<string, unknown>[] {
  const { code } = expand(source, '/app/tools.ts', memoryHost({ '/app/tools.ts': source, ...files }))
  return [...code.matchAll(/^function __toolwright\d+\(\) \{ return (.*) \}$/gm)].map(match =>
    JSON.parse(match[1]!),
  )
}
const head = `import { agent, ask, llm, model, schema, tool, type Context } from 'toolwright'\n`

describe('the source', () => {
  const source = `${head}
/** Adds. */
interface Add { a: number } // a comment
const one = tool('one', (input: Add) => input.a,)
const two = schema<Add>( /* nothing */ )
export const three = tool(
  'three',
  { about: 'x', run: (input: Add) => input.a } // ends here
)
const text = "é😀"; const four = schema<{ b: 'ü' }>()
// the last line, without an end`

  it('keeps every line, and every column before a new argument', () => {
    const { code } = expand(source, '/app/tools.ts', memoryHost({}))
    const before = source.split('\n')
    const after = code.split('\n')
    before.forEach((line, i) => {
      const at = after[i]!.indexOf('__toolwright')
      if (at === -1) expect(after[i]).toBe(line)
      else
        expect(after[i]!.slice(0, at).replace(/, $/, '')).toBe(
          line.slice(0, after[i]!.slice(0, at).replace(/, $/, '').length),
        )
    })
    expect(after.slice(before.length).filter(line => line !== '')).toHaveLength(4)
  })

  it('gets one argument a call, before a trailing comma and outside of comments', () => {
    const { code } = expand(source, '/app/tools.ts', memoryHost({}))
    expect(code).toContain(`tool('one', (input: Add) => input.a, __toolwright0,)`)
    expect(code).toContain('schema<Add>( /* nothing */ __toolwright1)')
    expect(code).toContain('run: (input: Add) => input.a }, __toolwright2 // ends here')
  })

  it('that was expanded already stays as it is', () => {
    const { code } = expand(source, '/app/tools.ts', memoryHost({}))
    expect(expand(code, '/app/tools.ts', memoryHost({})).code).toBe(code)
  })

  it('without such calls comes back as the same text', () => {
    for (const text of ['', 'export const a = 1', `import { tool } from 'other'\ntool(a => a)`])
      expect(expand(text, '/app/a.ts', memoryHost({})).code).toBe(text)
  })

  it('may name its own things like ours', () => {
    const { code } = expand(`${head}const __toolwright0 = schema<{ a: 1 }>()`, '/app/a.ts', memoryHost({}))
    expect(code).toContain('const __toolwright0 = schema<{ a: 1 }>(__toolwright1)')
  })

  it('may declare a field __proto__', () => {
    const { code } = expand(`${head}schema<{ __proto__: string }>()`, '/app/a.ts', memoryHost({}))
    expect(code).toContain('"properties":{["__proto__"]:{"type":"string"}}')
  })
})

describe('a call', () => {
  it('is known by its import, whatever it is called, and not where the name means something else', () => {
    const source = `import { schema as s } from '@toolwright/core'
import * as tw from 'toolwright'
import { schema } from 'another'
s<{ a: 1 }>()
tw.schema<{ b: 1 }>()
schema<{ c: 1 }>()
function f(s: <T>() => void) { s<{ d: 1 }>() }
function g() { const tw = { schema<T>() {} }; tw.schema<{ e: 1 }>() }
`
    expect(saidIn(source).map(each => Object.keys((each as never)['output']['properties'])[0])).toEqual([
      'a',
      'b',
    ])
  })

  it('deep inside of functions and classes reads the types that are declared there', () => {
    const source = `${head}
class Deep {
  make = () => {
    interface Local { here: string }
    if (true) { type Local2 = Local & { too: number }; return schema<Local2>() }
  }
}`
    expect(saidIn(source)[0]!['output']).toMatchObject({ required: ['here', 'too'] })
  })

  it('with spread arguments or a schema of its own is left to the core', () => {
    expect(saidIn(`${head}tool(...args); tool('x', { about: '', input: {}, run: (a: Date) => a })`)).toEqual(
      [],
    )
  })
})

describe('tool', () => {
  it('takes its description from the record, else from the function', () => {
    const source = `${head}
/** Of the record. */
interface A { a: string }
tool('a', (input: A) => input)
/** Of the function. */
function b(input: { a: string }) { return input }
tool(b)
`
    expect(saidIn(source).map(each => [each['name'], each['about']])).toEqual([
      [undefined, 'Of the record.'],
      ['b', 'Of the function.'],
    ])
    expect(JSON.stringify(saidIn(source)[0]!['input'])).not.toContain('Of the record.')
  })

  it('tells positional parameters as a record in their order, with defaults and optionals', () => {
    const source = `${head}
/**
 * Finds.
 * @param query - what to find
 * @param limit how many
 */
export async function find(query: string, limit = 10, exact?: boolean, tags: string[] = ['a'], ctx?: Context) {}
tool(find)
`
    expect(saidIn(source)).toEqual([
      {
        name: 'find',
        about: 'Finds.',
        params: ['query', 'limit', 'exact', 'tags'],
        input: {
          type: 'object',
          properties: {
            query: { type: 'string', description: 'what to find' },
            limit: { type: 'number', description: 'how many', default: 10 },
            exact: { type: 'boolean' },
            tags: { type: 'array', items: { type: 'string' }, default: ['a'] },
          },
          required: ['query'],
          additionalProperties: false,
        },
      },
    ])
  })

  it('tells the defaults of a record that is taken apart', () => {
    const source = `${head}
/** Searches. */
const search = ({ query, limit = 5 }: { query: string; limit?: number }) => query + limit
tool(search)`
    const [said] = saidIn(source)
    expect(said!['params']).toBeUndefined()
    expect(said!['input']).toMatchObject({ properties: { limit: { default: 5 } }, required: ['query'] })
  })

  it('does not tell the context, and reads what `run` takes in the long form', () => {
    const source = `${head}
tool('x', { about: 'X', async run(input: { a: string }, ctx: Context) { return input } })
tool('y', { about: 'Y', run: ({ b }: { b: 1 }, { signal }) => b })
tool('z', { about: 'Z', run: () => 1 })
/** W. */
const w = (a: number, ctx: Context<{ db: string }>) => a
tool(w)
`
    const said = saidIn(source)
    expect(said).toHaveLength(3)
    expect(said.map(each => Object.keys((each['input'] as { properties: object }).properties))).toEqual([
      ['a'],
      ['b'],
      ['a'],
    ])
    expect(said[2]!['params']).toEqual(['a'])
  })

  it('takes a type argument for a function without types of its own', () => {
    expect(saidIn(`${head}tool<{ a: number }, number>('x', input => input.a)`)[0]!['input']).toMatchObject({
      properties: { a: { type: 'number' } },
    })
  })

  it('follows functions into other files, aliases and records of functions', () => {
    const files = {
      '/app/math.ts': `/** Adds. */\nexport function add(a: number, b: number) { return a + b }\n/** Halves. */\nexport const half = (a: number) => a / 2\nexport default function twice(a: number) { return 2 * a }`,
    }
    const source = `${head}import * as math from './math.ts'\nimport twice, { add as plus } from './math.ts'
tool(plus); tool(math.half); tool(twice)
const own = { /** Squares. */ square(a: number) { return a * a } }
tool(own.square)
type Fn = (a: string) => string
/** Typed. */
const typed: Fn = a => a
tool(typed)`
    expect(saidIn(source, files).map(each => each['name'])).toEqual([
      'add',
      'half',
      'twice',
      'square',
      'typed',
    ])
  })

  it('tells a single union of records as a parameter, since a tool takes a record', () => {
    const source = `${head}/** X. */\nfunction x(what: { a: 1 } | { b: 2 }) {}\ntool(x)`
    expect(saidIn(source)[0]).toMatchObject({
      params: ['what'],
      input: { properties: { what: { anyOf: [{}, {}] } } },
    })
  })
})

describe('a list of tools', () => {
  const functions = `/** Adds. */\nfunction add(a: number) { return a }\n/** Halves. */\nfunction half(a: number) { return a }\n`

  it('tells plain functions by their place, and leaves what is a tool already', () => {
    const source = `${head}${functions}
const ready = tool('ready', { about: 'R', input: {}, run: () => 1 })
agent('a', { model: 'm', instructions: '', tools: [ready, add, { tool: half, tries: 2 }] })
agent('m', 'instructions', [half])
`
    const [first, second] = saidIn(source)
    const names = (said: Record<string, unknown>) =>
      Object.entries(said['tools'] as Record<string, { name: string }>).map(
        ([at, each]) => `${at} ${each.name}`,
      )
    expect(names(first!)).toEqual(['1 add', '2 half'])
    expect(names(second!)).toEqual(['0 half'])
  })

  it('counts from the end behind a spread', () => {
    const [said] = saidIn(`${head}${functions}const more = []\nagent('m', '', [add, ...more, half])`)
    expect(Object.keys(said!['tools'] as object).sort()).toEqual(['-1', '0'])
  })
})

describe('ask, llm and model', () => {
  it('say their types, behind the arguments that are left out', () => {
    const source = `${head}
interface Out { a: string }
await ask<Out>(a, 'x')
await ask<Out>(a, 'x', each)
await llm<Out>('x')
model<Out, string>('m', { model: 'm', about: 'x' })
`
    const { code } = expand(source, '/app/a.ts', memoryHost({}))
    expect(code).toContain(`ask<Out>(a, 'x', undefined, __toolwright0)`)
    expect(code).toContain(`ask<Out>(a, 'x', each, __toolwright1)`)
    expect(code).toContain(`llm<Out>('x', undefined, __toolwright2)`)
    expect(code).toContain(`about: 'x' }, __toolwright3)`)
  })
})

describe('a schema', () => {
  const schemaOf = (declarations: string, type: string) =>
    saidIn(`${head}${declarations}\nschema<${type}>()`)[0]!['output'] as Record<string, unknown>

  it('says what tags say, wherever in a line they stand', () => {
    const source = `${head}
interface A {
  /** How many days. @minimum 0 @maximum 7 @integer @default 0 */
  days: number
  /** Mail me @home, or \`@default\`; see {@link A}. @format email @see https://example.org */
  mail: string
  /**
   * Of two @deprecated
   * lines.
   */
  old?: string
  /** @summary Said by a tag. */
  said: string
}
schema<A>()`
    expect(saidIn(source)[0]!['output']).toMatchObject({
      properties: {
        days: { type: 'integer', description: 'How many days.', minimum: 0, maximum: 7, default: 0 },
        mail: { description: 'Mail me @home, or `@default`; see A.', format: 'email' },
        old: { description: 'Of two', deprecated: true },
        said: { description: 'Said by a tag.' },
      },
    })
  })

  it('says what doc comments say', () => {
    const declarations = `/**
 * An order
 * of two lines.
 *
 * - a list
 */
interface Order {
  /** How many.
   * @minimum 1 @integer
   * @default 3 */
  count: number
  /** @format date-time
   * @deprecated use count */
  at?: string
  // no doc comment
  other: string
  /** A {@link Order} in \`code\`. */ inline: string
}`
    expect(schemaOf(declarations, 'Order')).toEqual({
      type: 'object',
      description: 'An order of two lines.\n\n- a list',
      properties: {
        count: { type: 'integer', description: 'How many.', minimum: 1, default: 3 },
        at: { type: 'string', format: 'date-time', deprecated: true, description: 'Deprecated: use count' },
        other: { type: 'string' },
        inline: { type: 'string', description: 'A Order in `code`.' },
      },
      required: ['other', 'inline'],
      additionalProperties: false,
    })
  })

  it('keeps a name in $defs where it is recursive, or large and told more than once', () => {
    const fields = Array.from({ length: 12 }, (_, i) => `field${i}: string`).join('; ')
    const declarations = `interface Tree { kids: Tree[] }\ninterface Small { a: string }\ninterface Large { ${fields} }
interface All { tree: Tree; s1: Small; s2: Small; l1: Large; l2: Large }`
    const schema = schemaOf(declarations, 'All')
    expect(Object.keys(schema['$defs'] as object)).toEqual(['Tree', 'Large'])
    expect(schemaOf(declarations, 'Tree')).toMatchObject({ type: 'object', $defs: { Tree: {} } })
  })

  it('is linear in the declarations, though a type may use another many times over', () => {
    const levels = Array.from(
      { length: 60 },
      (_, i) => `interface L${i} { a: L${i + 1}; b: L${i + 1}; c?: L${i + 1} }`,
    )
    const schema = schemaOf(`${levels.join('\n')}\ninterface L60 { end: string }`, 'L0')
    expect(JSON.stringify(schema).length).toBeLessThan(20_000)
  })

  it('of every kind reads as the input of a tool', () => {
    const input = schemaOf('interface Tree { kids: Tree[]; kind: "a" | "b" }', 'Tree')
    expect(() => makeTool('x', { about: 'x', input: input as never, run: () => 1 })).not.toThrow()
  })
})
