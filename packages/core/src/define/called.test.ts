// A tool called by code takes what may be given (defaults may be left out), and its function gets what is read.
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { model, type Tool, tool, wrapTool } from '../index.ts'
import { calls, scripted } from '../test.ts'
import { integer, list, optional, record, text } from '../values.ts'

type Given = { name: string; copies?: number | undefined; to?: string | undefined }
type ReadAs = { name: string; copies: number; to?: string }

/** Where `undefined` may be written beside a field that may be left out differs between the libraries. */
type Loose<T> = { [K in keyof T]: T[K] | (undefined extends T[K] ? undefined : never) }

const read: unknown[] = []
const words = tool('print', {
  about: 'Prints.',
  input: { name: text(), copies: integer({ default: 1 }), to: optional(text()) },
  danger: input => (expectTypeOf(input.copies).toEqualTypeOf<number>(), false),
  line: input => `prints ${input.copies.toFixed()} of ${input.name}`,
  run: input => {
    expectTypeOf(input.copies).toEqualTypeOf<number>()
    read.push(input)
    return input.copies
  },
})
const zod = tool('print', {
  about: 'Prints.',
  input: z.object({ name: z.string(), copies: z.int().default(1), to: z.string().optional() }),
  run: input => {
    expectTypeOf(input.copies).toEqualTypeOf<number>()
    read.push(input)
    return input.copies
  },
})
const valibot = tool('print', {
  about: 'Prints.',
  input: toStandardJsonSchema(
    v.object({
      name: v.string(),
      copies: v.optional(v.pipe(v.number(), v.integer()), 1),
      to: v.optional(v.string()),
    }),
  ),
  run: input => {
    expectTypeOf(input.copies).toEqualTypeOf<number>()
    read.push(input)
    return input.copies
  },
})
const arktype = tool('print', {
  about: 'Prints.',
  input: type({ name: 'string', copies: 'number.integer = 1', 'to?': 'string' }),
  run: input => {
    expectTypeOf(input.copies).toEqualTypeOf<number>()
    read.push(input)
    return input.copies
  },
})

describe('a tool called by code', () => {
  it('may leave out what has a default, whatever states it, and its function is given it', async () => {
    read.length = 0
    expect(await words({ name: 'a' })).toBe(1)
    expect(await zod({ name: 'a' })).toBe(1)
    expect(await valibot({ name: 'a' })).toBe(1)
    expect(await arktype({ name: 'a' })).toBe(1)
    expect(read).toEqual(Array.from({ length: 4 }, () => ({ name: 'a', copies: 1 })))
    expectTypeOf<Loose<Parameters<typeof words>[0]>>().toEqualTypeOf<Given>()
    expectTypeOf<Loose<Parameters<typeof zod>[0]>>().toEqualTypeOf<Given>()
    expectTypeOf<Loose<Parameters<typeof valibot>[0]>>().toEqualTypeOf<Given>()
    expectTypeOf<Loose<Parameters<typeof arktype>[0]>>().toEqualTypeOf<Given>()
  })

  it('must give the rest, and only what is there', async () => {
    // @ts-expect-error name is missing
    await expect(words({})).rejects.toThrow('name: is missing')
    // @ts-expect-error name is missing
    await expect(zod({ copies: 2 })).rejects.toThrow(/name/)
    // @ts-expect-error copies is no text
    await expect(words({ name: 'a', copies: 'many' })).rejects.toThrow('copies: expected')
    // @ts-expect-error nothing is no record with a name
    await expect(words()).rejects.toThrow('name: is missing')
  })

  it('is called with nothing where nothing is needed', async () => {
    const now = tool('now', { about: 'Says the time.', run: () => 12 })
    const page = tool('page', { about: 'x', input: { n: integer({ default: 7 }) }, run: ({ n }) => n })
    expect([await now(), await now({}), await page(), await page({ n: 2 })]).toEqual([12, 12, 7, 2])
    expectTypeOf<Parameters<typeof page>>().toEqualTypeOf<[input?: { n?: number }]>()
    // @ts-expect-error it takes nothing
    await expect(now({ x: 1 })).rejects.toThrow('x: is not a known field')
  })

  it('gives defaults deep inside too: in a list of records', async () => {
    const sum = tool('sum', {
      about: 'Adds.',
      input: { lines: list(record({ price: integer(), count: integer({ default: 1 }) })) },
      run: ({ lines }) => lines.reduce((all, { price, count }) => all + price * count, 0),
    })
    expect(await sum({ lines: [{ price: 2 }, { price: 3, count: 2 }] })).toBe(8)
  })

  it('is typed alike where it is wrapped, and where it is a model', async () => {
    const louder = wrapTool(words, async (input, _ctx, next) => {
      expectTypeOf(input).toEqualTypeOf<ReadAs>()
      return `${await next(input)}!`
    })
    expect(await louder({ name: 'a' })).toBe('1!')
    const one = model('one', {
      model: scripted([calls([['answer', { n: 3 }]])]),
      about: 'x',
      input: { of: text({ default: 'all' }) },
      output: { n: integer(), unit: text({ default: 'EUR' }) },
    })
    expect(await one()).toEqual({ n: 3, unit: 'EUR' })
    expectTypeOf<Awaited<ReturnType<typeof one>>>().toEqualTypeOf<{ n: number; unit: string }>()
  })

  it('has a raw schema’s record as any record', async () => {
    const raw = tool('raw', {
      about: 'x',
      input: { type: 'object', properties: { a: { type: 'number', default: 2 } } },
      run: input => Number(input['a']),
    })
    expect([await raw(), await raw({ a: 5 })]).toEqual([2, 5])
    expectTypeOf(raw).toExtend<Tool>()
    expectTypeOf(words).toExtend<Tool>()
  })
})
