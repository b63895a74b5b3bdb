import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import * as mini from 'zod/mini'
import { tool } from '../define/tool.ts'
import type { InferArguments, InferInput } from './shape.ts'
import { shape } from './shape.ts'
import { text } from './words.ts'

function made(statement: unknown) {
  const shaped = shape(statement)
  if (!shaped.ok) throw new Error(JSON.stringify(shaped.faults))
  return shaped.shape
}

function fault(statement: unknown) {
  const shaped = shape(statement)
  if (shaped.ok || shaped.faults.length !== 1) throw new Error('there is not one fault')
  return shaped.faults[0]!
}

/** A Standard Schema of no library: `validate` sees what it is given. */
function standard(validate: (value: unknown) => unknown, input: (options: { target: string }) => unknown) {
  return { '~standard': { version: 1, vendor: 'other', validate, jsonSchema: { input } } }
}
const takesAll = (value: unknown) => ({ value })

describe('the library has the last word', () => {
  test('its validate is given the value as it was mended', () => {
    const seen: unknown[] = []
    const schema = {
      type: 'object',
      properties: { n: { type: 'integer' }, tag: { type: 'string', default: 'x' } },
    }
    const one = standard(
      value => (seen.push(value), { value }),
      () => schema,
    )
    expect(made(one).read({ n: '5', tag: null })).toEqual({ ok: true, value: { n: 5 } })
    expect(seen).toEqual([{ n: 5 }])
  })
  test('what it gives back is the value: transforms, defaults, fields that it takes away', () => {
    const one = z.object({
      day: z.iso.date().transform(day => new Date(day)),
      size: z
        .string()
        .transform(size => size.length)
        .default(7),
      tag: z.string().toUpperCase().default('as it is'),
    })
    expect(made(one).readText('{"day":"2026-01-31","tag":"x","other":1}')).toEqual({
      ok: true,
      value: { day: new Date('2026-01-31'), size: 7, tag: 'X' },
    })
    expect(made(one).readText('{"day":"2026-01-31","size":null,"tag":null}')).toEqual({
      ok: true,
      value: { day: new Date('2026-01-31'), size: 7, tag: 'as it is' },
    })
  })
  test('what its JSON Schema refuses and it takes is taken, the rest of it mended', () => {
    const one = z.object({
      mail: z.string().trim().toLowerCase().pipe(z.email()),
      code: z.string().regex(/^x$/i),
      n: z.int(),
    })
    expect(made(one).read({ mail: ' A@B.org ', code: 'X', n: '5' })).toEqual({
      ok: true,
      value: { mail: 'a@b.org', code: 'X', n: 5 },
    })
  })
  test('what both refuse is told in our words, what it alone refuses in its own', () => {
    const one = z
      .object({
        a: z.int(),
        list: z.array(z.object({ n: z.int().refine(n => n % 2 === 0, 'must be\neven') })),
      })
      .refine(({ a }) => a < 9, 'is too much')
    expect(made(one).read({ a: 'x', list: [] })).toEqual({
      ok: false,
      faults: ['a: expected integer, came "x"'],
    })
    expect(made(one).read({ a: 1, list: [{ n: 2 }, { n: 3 }] })).toEqual({
      ok: false,
      faults: ['list[1].n: must be even'],
    })
    expect(made(one).read({ a: 9, list: [] })).toEqual({ ok: false, faults: ['the value: is too much'] })
  })
  test('a path of objects, and a message that begins with its path, are told as a line of ours', () => {
    const valibot = toStandardJsonSchema(
      v.object({ list: v.array(v.pipe(v.string(), v.email('is no address'))) }),
    )
    expect(made(valibot).read({ list: ['a@b.org', 'x@y'] })).toEqual({
      ok: false,
      faults: ['list[1]: is no address'],
    })
    const issue = { message: 'list[1] must be short', path: [{ key: 'list' }, { key: 1 }] }
    const one = standard(
      () => ({ issues: [issue] }),
      () => ({}),
    )
    expect(made(one).read({})).toEqual({ ok: false, faults: ['list[1]: must be short'] })
  })
  test('many issues are at most 20 lines', () => {
    const issues = Array.from({ length: 50 }, (_, i) => ({ message: `fault ${i}` }))
    const got = made(
      standard(
        () => ({ issues }),
        () => ({}),
      ),
    ).read({})
    expect(got.ok ? [] : got.faults).toHaveLength(20)
    expect(got.ok ? '' : got.faults.at(-1)).toBe('… and 31 more')
  })
  test('what it throws is a fault', () => {
    const throws = () => {
      throw new Error('no\nway')
    }
    expect(made(standard(throws, () => ({}))).read({})).toEqual({
      ok: false,
      faults: ['the value: cannot be checked by other: no way'],
    })
  })
  test('an answer that comes later is a fault, also one that fails', async () => {
    const line = expect.stringMatching(/^T2008: the schema of other answers later/)
    expect(
      made(
        standard(
          async value => ({ value }),
          () => ({}),
        ),
      ).read({}),
    ).toEqual({ ok: false, faults: [line] })
    expect(
      made(
        standard(
          () => Promise.reject(new Error('later')),
          () => ({}),
        ),
      ).read({}).ok,
    ).toBe(false)
    const later = toStandardJsonSchema(v.objectAsync({ a: v.string() }) as never)
    expect(made(later).read({ a: 'x' }).ok).toBe(false)
    // A rejection that nobody waits for would end the process here.
    await new Promise(done => setImmediate(done))
  })
})

describe('its JSON Schema', () => {
  test('is that of what may be given, in 2020-12, else in draft 7', () => {
    const targets: string[] = []
    const seven = { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'integer' }] }
    const one = standard(takesAll, ({ target }) => {
      targets.push(target)
      if (target !== 'draft-07') throw new Error('not known')
      return seven
    })
    expect(made(one).schema).toEqual(seven)
    expect(made(one).read(['5'])).toEqual({ ok: true, value: [5] })
    expect(targets).toEqual(['draft-2020-12', 'draft-07'])
    expect(made(z.object({ a: z.string() })).schema).toEqual({
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
    })
  })
  test('is made once', () => {
    let times = 0
    const one = standard(takesAll, () => ({ n: times++ }))
    expect(made(one).schema).toBe(made(one).schema)
    expect(times).toBe(1)
  })
  test('of an arktype schema, which is a function', () => {
    const one = type({ n: 'number.integer = 3', 'day?': 'string' })
    expect(typeof one).toBe('function')
    expect(made(one).read({ day: null })).toEqual({ ok: true, value: { n: 3 } })
  })
  test('of a schema that stands in itself', () => {
    const node = z.object({
      value: z.int(),
      get next() {
        return z.optional(node)
      },
    })
    expect(made(node).read({ value: 1, next: { value: '2', next: null } })).toEqual({
      ok: true,
      value: { value: 1, next: { value: 2 } },
    })
  })
  test('of zod/mini, as z.toJSONSchema gives it', () => {
    const one = mini.toJSONSchema(mini.object({ n: mini.pipe(mini.string(), mini.transform(Number)) }), {
      io: 'input',
    })
    expect(made(one).read({ n: '5' })).toEqual({ ok: true, value: { n: 5 } })
  })
})

describe('one that cannot be used is a fault with its mend', () => {
  test('valibot without its JSON Schema', () => {
    expect(fault(v.object({ a: v.string() }))).toEqual({
      option: '',
      problem: 'is a schema of valibot that gives no JSON Schema',
      fix: 'write toStandardJsonSchema(schema), of @valibot/to-json-schema',
      code: 'T2007',
    })
  })
  test('valibot that answers later', () => {
    const one = v.objectAsync({ a: v.string() })
    expect(fault(one)).toMatchObject({ problem: 'is a schema of valibot that answers later', code: 'T2008' })
  })
  test('zod/mini, and an older zod', () => {
    expect(fault(mini.object({ a: mini.string() }))).toMatchObject({
      fix: 'use zod 4.2 or later; of zod/mini, write z.toJSONSchema(schema, { io: "input" })',
      code: 'T2007',
    })
  })
  test('what JSON Schema cannot say', () => {
    expect(fault(z.object({ at: z.date() }))).toMatchObject({
      problem: 'is a schema of zod that gives no JSON Schema: Date cannot be represented in JSON Schema',
      fix: expect.stringContaining('make dates and the like of it in a transform or in run'),
    })
  })
  test('another library', () => {
    const bare = { '~standard': { version: 1, vendor: 'other', validate: takesAll } }
    expect(fault(bare)).toMatchObject({ fix: expect.stringContaining('~standard.jsonSchema'), code: 'T2007' })
    const { validate: _, ...rest } = standard(takesAll, () => ({}))['~standard']
    expect(fault({ '~standard': rest })).toMatchObject({ problem: 'is a schema of other without validate' })
  })
  test('a record of words and fields of a library: it is one or the other', () => {
    expect(fault({ note: text(), day: z.iso.date() })).toEqual({
      option: 'day',
      problem: 'is a schema of zod, not a value word',
      fix: 'write all of the record in zod, z.object({ … }), or all of it in value words',
      code: 'T2003',
    })
    expect(fault({ type: v.string() })).toMatchObject({ fix: expect.stringContaining('v.object({ … })') })
    expect(fault({ items: type('string') })).toMatchObject({ fix: expect.stringContaining('type({ … })') })
    expect(fault({ type: 'object', properties: { note: z.string() } })).toMatchObject({
      option: 'properties.note',
      problem: 'is a schema of zod inside of a JSON Schema',
    })
  })
})

describe('its types', () => {
  const sized = z.object({ size: z.string().transform(size => size.length), tag: z.string().default('x') })
  test('are what comes out for the function, and what goes in for who calls', () => {
    expectTypeOf<InferInput<typeof sized>>().toEqualTypeOf<{ size: number; tag: string }>()
    expectTypeOf<InferArguments<typeof sized>>().toEqualTypeOf<{ size: string; tag?: string | undefined }>()
    const ark = type({ n: 'string.integer.parse' })
    expectTypeOf<InferInput<typeof ark>>().toEqualTypeOf<{ n: number }>()
    expectTypeOf<InferArguments<typeof ark>>().toEqualTypeOf<{ n: string }>()
    const valibot = v.object({ n: v.pipe(v.string(), v.transform(Number)) })
    expectTypeOf<InferInput<typeof valibot>>().toEqualTypeOf<{ n: number }>()
    expectTypeOf<InferArguments<typeof valibot>>().toEqualTypeOf<{ n: string }>()
  })
  test('reach the function of a tool', async () => {
    const measure = tool('measure', {
      about: 'Measures a text.',
      input: sized,
      run(input) {
        expectTypeOf(input).toEqualTypeOf<{ size: number; tag: string }>()
        return `${input.size} ${input.tag}`
      },
    })
    expect(await measure.run('{"size":"four"}')).toBe('"4 x"')
    await expect(measure.run('{"size":[]}')).rejects.toThrow('size: expected string, came an empty array')
  })
})
