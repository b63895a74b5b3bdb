import { describe, expect, expectTypeOf, test } from 'vitest'
import type { InferArguments, InferInput } from './shape.ts'
import { shape } from './shape.ts'
import type { Infer, InferGiven, Word } from './words.ts'
import { anything, choice, date, flag, integer, list, number, optional, record, text } from './words.ts'

describe('each word carries its JSON Schema', () => {
  const words: [name: string, schema: unknown, right: unknown][] = [
    ['text', text(), { type: 'string' }],
    ['a described text', text('order number'), { type: 'string', description: 'order number' }],
    [
      'a bounded text',
      text('code', { minLength: 2, maxLength: 5, pattern: '^[A-Z]+$', default: 'AB' }),
      { type: 'string', description: 'code', minLength: 2, maxLength: 5, pattern: '^[A-Z]+$', default: 'AB' },
    ],
    [
      'options alone',
      text({ about: 'code', maxLength: 5 }),
      { type: 'string', description: 'code', maxLength: 5 },
    ],
    [
      'number',
      number({ min: 0.5, max: 2, step: 0.5 }),
      { type: 'number', minimum: 0.5, maximum: 2, multipleOf: 0.5 },
    ],
    [
      'integer',
      integer('days', { min: 1, default: 3 }),
      { type: 'integer', description: 'days', minimum: 1, default: 3 },
    ],
    ['flag', flag({ default: false }), { type: 'boolean', default: false }],
    ['date', date('the day'), { type: 'string', format: 'date', description: 'the day' }],
    [
      'list',
      list(text(), 'the tags', { minItems: 1, maxItems: 3, unique: true }),
      {
        type: 'array',
        items: { type: 'string' },
        description: 'the tags',
        minItems: 1,
        maxItems: 3,
        uniqueItems: true,
      },
    ],
    [
      'record',
      record({ street: text(), floor: optional(integer()), land: text({ default: 'IT' }) }, 'an address'),
      {
        type: 'object',
        properties: {
          street: { type: 'string' },
          floor: { type: 'integer' },
          land: { type: 'string', default: 'IT' },
        },
        required: ['street'],
        additionalProperties: false,
        description: 'an address',
      },
    ],
    ['an open record', record({}, { open: true }), { type: 'object', properties: {}, required: [] }],
    ['choice', choice('a', 'b'), { type: 'string', enum: ['a', 'b'] }],
    [
      'a choice of numbers',
      choice(1, 2, { about: 'size', default: 2 }),
      { type: 'number', enum: [1, 2], description: 'size', default: 2 },
    ],
    ['a mixed choice', choice('auto', 1), { type: ['string', 'number'], enum: ['auto', 1] }],
    ['optional', optional(text('x')), { type: 'string', description: 'x' }],
    ['anything', anything(), {}],
  ]
  test.each(words)('%s', (_, word, right) => {
    expect((word as { schema: unknown }).schema).toEqual(right)
  })

  test('and does not change', () => {
    const word = record({ tags: list(text()) })
    expect(Object.isFrozen(word)).toBe(true)
    expect(() =>
      Object.assign((word.schema as { properties: { tags: object } }).properties.tags, { type: 'x' }),
    ).toThrow(TypeError)
    expect(() => Object.assign(word, { schema: {} })).toThrow(TypeError)
  })

  test.each(['constructor', 'toString', 'hasOwnProperty', '__proto__'])('%s is no option', name => {
    expect(() => text(JSON.parse(`{"${name}":{"a":1}}`))).toThrow(name)
  })

  test('a field called __proto__ is a field', () => {
    const word = record(JSON.parse('{"__proto__":0}', (key, one) => (key === '__proto__' ? integer() : one)))
    expect(Object.keys((word.schema as { properties: object }).properties)).toEqual(['__proto__'])
    expect(({} as Record<string, unknown>)['schema']).toBeUndefined()
  })
})

describe('a word that is wrong is an error where it is written, with every fault and the mend', () => {
  const wrong: [name: string, make: () => unknown, ...lines: string[]][] = [
    [
      'an unknown option',
      () => text({ minlength: 3 } as never),
      'minlength: is no option of it (did you mean minLength?)',
    ],
    ['a pattern that is none', () => text('x', { pattern: '(' }), 'pattern: "(" is no regular expression'],
    [
      'bounds that let nothing through',
      () => integer({ min: 5, max: 1 }),
      'min: is more than max: nothing would fit',
    ],
    [
      'two bounds',
      () => list(text(), { minItems: -1, maxItems: 0.5 }),
      'minItems: is -1 (write a whole number, 0 or more)',
      'maxItems: is 0.5 (write a whole number, 0 or more)',
    ],
    ['a step of nothing', () => number({ step: 0 }), 'step: is 0 (write a number above 0)'],
    [
      'a default that does not fit',
      () => integer({ default: 2.5 }),
      'default: does not fit: the value: expected integer, came 2.5',
    ],
    [
      'a default that is no date',
      () => date({ default: '2026-02-30' }),
      'default: does not fit: the value: expected a date such as 2026-01-31, came "2026-02-30"',
    ],
    [
      'a default that is no choice',
      () => choice('a', 'b', { default: 'c' as never }),
      'default: does not fit: the value: expected "a" or "b", came "c"',
    ],
    ['no choices', () => choice(), "values: are missing (write choice('a', 'b'))"],
    [
      'a choice of records',
      () => choice(true as never),
      "values: true is neither a text nor a number (write choice('a', 'b'))",
    ],
    [
      'a description that is no text',
      () => text(5 as never),
      'about: is number (write a text that says what the value is)',
    ],
    [
      'a list of optional things',
      () => list(optional(text())),
      'item: is optional() (optional() stands directly in a record; leave it out here)',
    ],
    [
      'a list of nothing',
      () => list(undefined as never),
      'item: is nothing, not a value word (write item: text(), or another value word)',
    ],
    ['no fields', () => record(undefined as never), 'fields: are nothing (write record({ name: text() }))'],
    [
      'the word itself',
      () => record({ a: text as never }),
      'a: is the function text, not a value word (call it: a: text())',
    ],
    [
      'a constructor',
      () => record({ a: Boolean as never }),
      'a: is Boolean, not a value word (write a: flag())',
    ],
    [
      'a plain record',
      () => record({ a: { b: text() } as never }),
      'a: is a plain record, not a value word (write a: record({ … }))',
    ],
    [
      'a JSON Schema',
      () => record({ a: { type: 'string' } as never, b: 'x' as never }),
      'a: is a plain object, not a value word (write a: text(), or state all of the record as a JSON Schema)',
      'b: is "x", not a value word (write b: text(), or another value word)',
    ],
    [
      'open that is no flag',
      () => record({}, { open: 'yes' as never }),
      'open: is "yes" (write true or false)',
    ],
    [
      'optional of no word',
      () => optional(String as never),
      'item: is String, not a value word (write item: text())',
    ],
  ]
  test.each(wrong)('%s', (_, make, ...lines) => {
    let error: unknown
    try {
      make()
    } catch (thrown) {
      error = thrown
    }
    expect(error).toMatchObject({ name: 'ToolwrightError', code: 'T2002' })
    expect((error as Error).message.split('\n').slice(1)).toEqual(lines.map(line => `  ${line}`))
  })
})

describe('a word is a Standard Schema', () => {
  const word = record({ day: date(), n: integer({ default: 1 }) })
  const standard = word['~standard']

  test('it validates, mends and fills', () => {
    expect(standard).toMatchObject({ version: 1, vendor: 'toolwright' })
    expect(standard.validate({ day: '2026-01-31' })).toEqual({ value: { day: '2026-01-31', n: 1 } })
    expect(standard.validate({ day: '2026-01-31', n: '5' })).toEqual({ value: { day: '2026-01-31', n: 5 } })
  })
  test('its issues have paths', () => {
    expect(standard.validate({ day: '2026-02-30', m: 1 })).toEqual({
      issues: [
        { message: 'expected a date such as 2026-01-31, came "2026-02-30"', path: ['day'] },
        { message: 'is not a known field: expected "day" or "n"', path: ['m'] },
      ],
    })
  })
  test('it gives JSON Schema: what may be given, and what is read', () => {
    const { jsonSchema } = standard
    expect(jsonSchema.input({ target: 'draft-2020-12' })).toEqual(word.schema)
    expect(jsonSchema.output({ target: 'draft-07' })).toMatchObject({ required: ['day', 'n'] })
    const nested = list(record({ inner: record({ n: integer({ default: 1 }) }) }))['~standard'].jsonSchema
    expect(nested.output({ target: 'draft-07' })).toMatchObject({
      items: { properties: { inner: { required: ['n'] } }, required: ['inner'] },
    })
    expect(() => jsonSchema.input({ target: 'draft-04' })).toThrow('not as "draft-04"')
  })
})

describe('a word has its TypeScript type', () => {
  test('of each word', () => {
    const words = {
      text: text('x'),
      number: number(),
      integer: integer({ min: 1 }),
      flag: flag(),
      date: date(),
      list: list(integer()),
      choice: choice('a', 'b'),
      sizes: choice(1, 2, { about: 'size' }),
      anything: anything(),
    }
    expectTypeOf<InferInput<typeof words>>().toEqualTypeOf<{
      text: string
      number: number
      integer: number
      flag: boolean
      date: string
      list: number[]
      choice: 'a' | 'b'
      sizes: 1 | 2
      anything: unknown
    }>()
  })

  test('a field may be left out, or has a default', () => {
    const word = record({
      name: text(),
      tag: optional(text()),
      limit: integer('at most', { default: 10 }),
      unit: choice('C', 'F', { default: 'C' }),
      both: optional(flag({ default: true })),
      list: list(record({ a: optional(text()), b: number({ default: 1 }) })),
    })
    expectTypeOf<Infer<typeof word>>().toEqualTypeOf<{
      name: string
      tag?: string
      limit: number
      unit: 'C' | 'F'
      both: boolean
      list: { a?: string; b: number }[]
    }>()
    expectTypeOf<InferGiven<typeof word>>().toEqualTypeOf<{
      name: string
      tag?: string
      limit?: number
      unit?: 'C' | 'F'
      both?: boolean
      list: { a?: string; b?: number }[]
    }>()
    expectTypeOf<Infer<typeof word>>().toEqualTypeOf<
      NonNullable<(typeof word)['~standard']['types']>['output']
    >()
  })

  test('of each form of a statement', () => {
    expectTypeOf<InferInput<{ note: Word<string, string, 'required'> }>>().toEqualTypeOf<{ note: string }>()
    expectTypeOf<InferInput<{ type: 'object'; properties: object }>>().toEqualTypeOf<
      Record<string, unknown>
    >()
    expectTypeOf<InferArguments<{ type: 'object' }>>().toEqualTypeOf<Record<string, unknown>>()
    const made = shape({ a: text(), b: optional(integer()) })
    if (made.ok)
      expectTypeOf(made.shape.read(1)).toEqualTypeOf<
        { ok: true; value: { a: string; b?: number } } | { ok: false; faults: string[] }
      >()
    expect(made.ok).toBe(true)
  })

  test('what is wrong is refused by the compiler', () => {
    const never = () => {
      // @ts-expect-error no such option
      text({ minlength: 1 })
      // @ts-expect-error a default of another type
      integer({ default: 'x' })
      // @ts-expect-error a default that is no choice
      choice('a', 'b', { default: 'c' })
      // @ts-expect-error not a value word
      record({ a: String })
    }
    expect(never).toBeTypeOf('function')
  })
})
