// One table: each shape in value words, zod, valibot, arktype and raw JSON Schema is the same shape.
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import type { JsonSchema } from '../define/records.ts'
import type { Provider } from './dialect.ts'
import { dialect } from './dialect.ts'
import { isRecord } from './kinds.ts'
import type { InferArguments, InferInput, Shape } from './shape.ts'
import { shape } from './shape.ts'
import { anything, choice, date, flag, integer, list, number, optional, record, text } from './words.ts'

// A record with a field of each kind, five times. arktype has no word for a day of the calendar, its `day` is a text;
// valibot's counts to 31 in every month.
const inWords = {
  text: text('a text'),
  code: text({ minLength: 2, maxLength: 4, pattern: '^[A-Z]+$' }),
  number: number({ min: 0.5, max: 9 }),
  step: integer({ step: 2 }),
  integer: integer(),
  flag: flag(),
  day: date(),
  list: list(text(), { minItems: 1, maxItems: 2 }),
  record: record({ a: integer(), b: optional(text()) }),
  open: record({ a: integer() }, { open: true }),
  choice: choice('a', 'b'),
  sizes: choice(1, 2),
  maybe: optional(integer()),
  filled: integer({ default: 10 }),
  anything: anything(),
}
const inZod = z.strictObject({
  text: z.string().describe('a text'),
  code: z
    .string()
    .min(2)
    .max(4)
    .regex(/^[A-Z]+$/),
  number: z.number().min(0.5).max(9),
  step: z.int().multipleOf(2),
  integer: z.int(),
  flag: z.boolean(),
  day: z.iso.date(),
  list: z.array(z.string()).min(1).max(2),
  record: z.strictObject({ a: z.int(), b: z.exactOptional(z.string()) }),
  open: z.looseObject({ a: z.int() }),
  choice: z.enum(['a', 'b']),
  sizes: z.literal([1, 2]),
  maybe: z.exactOptional(z.int()),
  filled: z.int().default(10),
  anything: z.unknown(),
})
const integerOf = () => v.pipe(v.number(), v.integer())
const inValibot = toStandardJsonSchema(
  v.strictObject({
    text: v.pipe(v.string(), v.description('a text')),
    code: v.pipe(v.string(), v.minLength(2), v.maxLength(4), v.regex(/^[A-Z]+$/)),
    number: v.pipe(v.number(), v.minValue(0.5), v.maxValue(9)),
    step: v.pipe(v.number(), v.integer(), v.multipleOf(2)),
    integer: integerOf(),
    flag: v.boolean(),
    day: v.pipe(v.string(), v.isoDate()),
    list: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(2)),
    record: v.strictObject({ a: integerOf(), b: v.exactOptional(v.string()) }),
    open: v.looseObject({ a: integerOf() }),
    choice: v.picklist(['a', 'b']),
    sizes: v.picklist([1, 2]),
    maybe: v.exactOptional(integerOf()),
    filled: v.optional(integerOf(), 10),
    anything: v.unknown(),
  }),
)
const inArktype = type({
  '+': 'reject',
  text: type('string').describe('a text'),
  code: '2 <= string <= 4 & /^[A-Z]+$/',
  number: '0.5 <= number <= 9',
  step: 'number % 2',
  integer: 'number.integer',
  flag: 'boolean',
  day: 'string',
  list: '1 <= string[] <= 2',
  record: { '+': 'reject', a: 'number.integer', 'b?': 'string' },
  open: { a: 'number.integer' },
  choice: "'a' | 'b'",
  sizes: '1 | 2',
  'maybe?': 'number.integer',
  filled: 'number.integer = 10',
  anything: 'unknown',
})
const inJsonSchema = {
  type: 'object',
  properties: {
    text: { type: 'string', description: 'a text' },
    code: { type: 'string', minLength: 2, maxLength: 4, pattern: '^[A-Z]+$' },
    number: { type: 'number', minimum: 0.5, maximum: 9 },
    step: { type: 'integer', multipleOf: 2 },
    integer: { type: 'integer' },
    flag: { type: 'boolean' },
    day: { type: 'string', format: 'date' },
    list: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 2 },
    record: {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    },
    open: { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] },
    choice: { type: 'string', enum: ['a', 'b'] },
    sizes: { type: 'number', enum: [1, 2] },
    maybe: { type: 'integer' },
    filled: { type: 'integer', default: 10 },
    anything: {},
  },
  required: 'text code number step integer flag day list record open choice sizes anything'.split(' '),
  additionalProperties: false,
}

/** What each of them is read as; only of what an open record lets in the libraries say more, each in its way. */
interface Right {
  text: string
  code: string
  number: number
  step: number
  integer: number
  flag: boolean
  day: string
  list: string[]
  record: { a: number; b?: string }
  open: { a: number }
  choice: 'a' | 'b'
  sizes: 1 | 2
  maybe?: number
  filled: number
  anything: unknown
}
type But<T> = { [K in keyof T as K extends 'open' | 'filled' ? never : K]: T[K] }
type Given = { [K in keyof But<Right>]: Right[K] }

const statements = {
  words: inWords,
  zod: inZod,
  valibot: inValibot,
  arktype: inArktype,
  'JSON Schema': inJsonSchema,
}
type Library = keyof typeof statements
const libraries = Object.keys(statements) as Library[]

function opened(statement: unknown): Shape<unknown> {
  const made = shape(statement)
  if (!made.ok) throw new Error(JSON.stringify(made.faults))
  return made.shape
}
const shapes = Object.fromEntries(libraries.map(library => [library, opened(statements[library])])) as Record<
  Library,
  Shape<unknown>
>

/**
 * What the libraries say in their own ways: zod's bounds of a safe integer and its pattern beside a format, arktype's
 * silence on defaults and days, a note for any of these, the type beside a list of values, the order of what is required.
 */
function normal(schema: unknown, key = ''): unknown {
  if (Array.isArray(schema)) return key === 'required' ? [...schema].sort() : schema.map(one => normal(one))
  if (!isRecord(schema)) return schema
  const made: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (Math.abs(value as number) === Number.MAX_SAFE_INTEGER) continue
    if (keyword === 'default' || keyword === 'format') continue
    if (keyword === 'pattern' && value !== '^[A-Z]+$') continue
    if (keyword === 'additionalProperties' && isRecord(value) && Object.keys(value).length === 0) continue
    if (
      keyword === 'description' &&
      /^(default|format|at |more|less|one of|each|matches)/.test(String(value))
    )
      continue
    made[keyword] = normal(value, keyword)
  }
  if (made['enum'] !== undefined || /^one of/.test(String(schema['description']))) delete made['type']
  return made
}

describe('the same shape in each library', () => {
  test('is inferred as the same type', () => {
    expectTypeOf<InferInput<typeof inWords>>().toEqualTypeOf<{ [K in keyof Right]: Right[K] }>()
    expectTypeOf<But<InferInput<typeof inWords>>>().toEqualTypeOf<Given>()
    expectTypeOf<But<InferInput<typeof inZod>>>().toEqualTypeOf<Given>()
    expectTypeOf<But<InferInput<typeof inValibot>>>().toEqualTypeOf<Given>()
    expectTypeOf<But<InferInput<typeof inArktype>>>().toEqualTypeOf<Given>()
    expectTypeOf<InferInput<typeof inJsonSchema>>().toEqualTypeOf<Record<string, unknown>>()
    type Filled<S> = InferInput<S> extends { filled: infer F } ? F : never
    expectTypeOf<
      [Filled<typeof inWords>, Filled<typeof inZod>, Filled<typeof inValibot>, Filled<typeof inArktype>]
    >().toEqualTypeOf<[number, number, number, number]>()
    // What may be given: a field with a default may be left out.
    type Left<S> =
      Record<never, never> extends Pick<InferArguments<S>, 'filled' & keyof InferArguments<S>> ? true : false
    expectTypeOf<
      [Left<typeof inWords>, Left<typeof inZod>, Left<typeof inValibot>, Left<typeof inArktype>]
    >().toEqualTypeOf<[true, true, true, true]>()
  })

  test.each(libraries)('%s gives the same schema', library => {
    expect(normal(shapes[library].schema)).toEqual(normal(inJsonSchema))
  })

  const providers: Provider[] = ['openai', 'anthropic', 'gemini', 'plain']
  describe.each(providers)('in the dialect of %s', provider => {
    const told = (schema: JsonSchema) => {
      const made = dialect(schema, provider)
      if (made.refused !== undefined) throw new Error(made.refused)
      return made
    }
    test.each(libraries)('%s is told the same', library => {
      const right = told(inJsonSchema)
      const made = told(shapes[library].schema)
      expect(made.strict).toBe(right.strict)
      expect(normal(made.schema)).toEqual(normal(right.schema))
    })
  })

  const whole = {
    text: 'x',
    code: 'AB',
    number: 0.5,
    step: 4,
    integer: 3,
    flag: true,
    day: '2026-01-31',
    list: ['x'],
    record: { a: 1 },
    open: { a: 1, other: [1] },
    choice: 'a',
    sizes: 2,
    anything: { x: [null] },
  }
  /** What a field is given and is read as. */
  const taken: [field: keyof Right, given: unknown, read?: unknown][] = [
    ['text', ''],
    ['text', 5, '5'],
    ['text', true, 'true'],
    ['code', 'ABCD'],
    ['number', 9],
    ['number', '0.5', 0.5],
    ['step', 0],
    ['integer', 5.0],
    ['integer', '-7', -7],
    ['flag', 'false', false],
    ['day', '2024-02-29'],
    ['list', ['a', 'b']],
    ['list', ['a', 1], ['a', '1']],
    ['record', { a: 1, b: 'x' }],
    ['record', { a: '1', b: null }, { a: 1 }],
    ['open', { a: 1 }],
    ['choice', 'b'],
    ['sizes', 1],
    ['maybe', 5],
    ['maybe', null, undefined],
    ['maybe', '5', 5],
    ['filled', 3],
    ['filled', null, 10],
    ['anything', null],
    ['anything', '5'],
  ]
  const refused: [field: keyof Right, given: unknown][] = [
    ['text', null],
    ['text', ['x']],
    ['code', 'A'],
    ['code', 'ABCDE'],
    ['code', 'ab'],
    ['number', 0],
    ['number', 'x'],
    ['step', 3],
    ['integer', 1.5],
    ['integer', '1.5'],
    ['integer', ''],
    ['flag', 1],
    ['flag', 'yes'],
    ['list', []],
    ['list', ['a', 'b', 'c']],
    ['list', 'a'],
    ['record', {}],
    ['record', { a: 1, c: 1 }],
    ['record', '{"a":1}'],
    ['open', { a: 'x' }],
    ['choice', 'c'],
    ['sizes', 3],
    ['maybe', 'x'],
    ['filled', 1.5],
  ]

  describe.each(libraries)('%s', library => {
    const { read, readText } = shapes[library]
    test('reads what fits, and fills in the default', () => {
      expect(read(whole)).toEqual({ ok: true, value: { ...whole, filled: 10 } })
      expect(readText(JSON.stringify(whole))).toEqual({ ok: true, value: { ...whole, filled: 10 } })
    })
    test.each(taken)('takes %s: %j', (field, ...[given, right = given]) => {
      const value: Record<string, unknown> = { ...whole, filled: 10, [field]: right }
      const gone = given === null && field === 'maybe'
      if (gone) delete value['maybe']
      const before = JSON.stringify(given)
      expect(read({ ...whole, [field]: given })).toEqual({ ok: true, value })
      expect(JSON.stringify(given)).toBe(before)
    })
    test.each(refused)('refuses %s: %j', (field, given) => {
      const got = read({ ...whole, [field]: given })
      expect(got.ok ? [] : got.faults).toEqual([expect.stringMatching(new RegExp(`^${field}\\b`))])
    })
    test('refuses a day that is none, where it knows days', () => {
      const got = read({ ...whole, day: '2026-02-30' })
      expect(got.ok ? [] : got.faults).toEqual(
        library === 'arktype' || library === 'valibot'
          ? []
          : ['day: expected a date such as 2026-01-31, came "2026-02-30"'],
      )
    })
    test('refuses a field that is missing, and one that it does not know, in the same words', () => {
      const { text: _, ...less } = whole
      const got = read({ ...less, txt: 'x' })
      expect(got).toEqual({
        ok: false,
        faults: ['txt: is not a known field: did you mean "text"?', 'text: is missing: expected string'],
      })
    })
    test('keeps the digits of a number that is to be a text', () => {
      const written = JSON.stringify({ ...whole, text: 0 }).replace('"text":0', '"text":12345678901234567890')
      const got = readText(written)
      expect(got.ok && (got.value as Right).text).toBe('12345678901234567890')
    })
  })
})
