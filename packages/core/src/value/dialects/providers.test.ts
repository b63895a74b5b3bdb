import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../../define/records.ts'
import type { Provider } from '../dialect.ts'
import { dialect } from '../dialect.ts'
import { shape } from '../shape.ts'
import { anything, choice, date, integer, list, number, optional, record, text } from '../words.ts'

function told(schema: JsonSchema, provider: Provider) {
  const made = dialect(schema, provider)
  if (made.refused !== undefined) throw new Error(made.refused)
  return made
}
const object = (properties: Record<string, unknown>, required: string[] = [], rest: object = {}) => ({
  type: 'object',
  properties,
  required,
  ...rest,
})
const closed = (properties: Record<string, unknown>, required: string[] = Object.keys(properties)) =>
  object(properties, required, { additionalProperties: false })
const fields = (schema: JsonSchema, provider: Provider) =>
  told(schema, provider).schema['properties'] as Record<string, unknown>

describe('openai', () => {
  const search = record({
    query: text('what to look for', { minLength: 1 }),
    limit: integer({ default: 10 }),
    tag: optional(choice('a', 'b', { about: 'a tag' })),
    from: optional(date()),
    points: list(record({ x: number({ max: 9 }) }), { unique: true }),
  }).schema

  test('strict: all is required, what may be left out takes null, and notes stand in descriptions', () => {
    expect(told(search, 'openai')).toEqual({
      strict: true,
      schema: {
        type: 'object',
        properties: {
          query: { type: 'string', description: 'what to look for (at least 1 character)' },
          limit: { type: ['integer', 'null'], description: 'default: 10' },
          tag: { type: ['string', 'null'], enum: ['a', 'b', null], description: 'a tag' },
          from: { type: ['string', 'null'], format: 'date' },
          points: {
            type: 'array',
            items: {
              type: 'object',
              properties: { x: { type: 'number', maximum: 9 } },
              required: ['x'],
              additionalProperties: false,
            },
            description: 'no two items are equal',
          },
        },
        required: ['query', 'limit', 'tag', 'from', 'points'],
        additionalProperties: false,
      },
      notes: ['query: at least 1 character', 'limit: default: 10', 'points: no two items are equal'],
    })
  })
  test('the null that strict asks for is read as a field that is left out, its default filled in', () => {
    const made = shape(search)
    expect(
      made.ok && made.shape.readText('{"query":"x","limit":null,"tag":null,"from":null,"points":[]}'),
    ).toEqual({
      ok: true,
      value: { query: 'x', limit: 10, points: [] },
    })
  })

  const strict: [name: string, schema: JsonSchema, right: unknown][] = [
    [
      'a union',
      closed({ a: { anyOf: [{ type: 'string' }, closed({ b: { type: 'integer' } }, [])] } }, []),
      {
        a: {
          anyOf: [{ type: 'string' }, closed({ b: { type: ['integer', 'null'] } }), { type: 'null' }],
        },
      },
    ],
    [
      'oneOf',
      closed({ a: { oneOf: [{ const: 1 }, { enum: ['x'] }], description: 'which' } }),
      {
        a: {
          description: 'which',
          anyOf: [
            { type: 'integer', const: 1 },
            { type: 'string', enum: ['x'] },
          ],
        },
      },
    ],
    [
      'bounds beside a union',
      closed({ a: { type: 'string', anyOf: [{ pattern: '^a' }, { enum: ['x'] }] } }),
      {
        a: {
          anyOf: [
            { type: 'string', pattern: '^a' },
            { type: 'string', enum: ['x'] },
          ],
        },
      },
    ],
    [
      'allOf',
      closed({
        a: {
          allOf: [object({ b: { type: 'integer' } }, ['b']), object({ c: { type: 'null' } }, ['c'])],
          unevaluatedProperties: false,
        },
      }),
      {
        a: closed({ b: { type: 'integer' }, c: { type: 'null' } }),
      },
    ],
    [
      'formats and patterns that are not known there',
      closed({ a: { type: 'string', format: 'iri' }, b: { type: 'string', pattern: '^(?!x)' } }),
      {
        a: { type: 'string', description: 'format: iri' },
        b: { type: 'string', description: 'matches "^(?!x)"' },
      },
    ],
    [
      'a reference with a description beside it',
      { ...closed({ a: { $ref: '#/$defs/id', description: 'whose' } }), $defs: { id: { type: 'string' } } },
      {
        a: { description: 'whose', anyOf: [{ $ref: '#/$defs/id' }] },
      },
    ],
  ]
  test.each(strict)('strict: %s', (_, schema, right) => {
    const made = told(schema, 'openai')
    expect(made.strict).toBe(true)
    const normal = JSON.parse(JSON.stringify(made.schema['properties']))
    expect(normal).toEqual(right)
  })

  const loose: [name: string, schema: JsonSchema][] = [
    ['an open record', object({ a: { type: 'string' } }, ['a'])],
    ['a map', closed({ a: { type: 'object', additionalProperties: { type: 'integer' } } })],
    [
      'fields by patterns',
      closed({ a: { type: 'object', patternProperties: { '^x': {} }, additionalProperties: false } }),
    ],
    ['anything', record({ a: anything() }).schema],
    ['a list of anything', closed({ a: { type: 'array' } })],
    [
      'a tuple',
      closed({ a: { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'string' } } }),
    ],
    ['an optional field that takes null itself', closed({ a: { type: ['string', 'null'] } }, [])],
    [
      'one that takes it through a reference',
      { ...closed({ a: { $ref: '#/$defs/a' } }, []), $defs: { a: { type: 'null' } } },
    ],
    [
      'one of two records at the root',
      { oneOf: [closed({ a: { const: 1 } }), closed({ a: { const: 2 }, b: { type: 'string' } })] },
    ],
    [
      '11 levels',
      Array.from({ length: 11 }).reduce<Record<string, unknown>>(inner => closed({ a: inner }), {
        type: 'string',
      }),
    ],
    [
      '1,001 listed values',
      closed({ a: { type: 'string', enum: Array.from({ length: 1001 }, (_, i) => `v${i}`) } }),
    ],
  ]
  test.each(loose)('not strict: %s', (_, schema) => {
    expect(told(schema, 'openai').strict).toBe(false)
  })
  test('not strict, it keeps references, defaults and all other keywords', () => {
    const schema = {
      ...object({
        a: { $ref: '#/$defs/a', description: 'x' },
        b: { type: 'string', default: 'y', minLength: 1 },
      }),
      $defs: { a: { type: 'array', items: { $ref: '#/$defs/a' } } },
    }
    expect(told(schema, 'openai').schema).toEqual(schema)
  })
  test('a list has items, which it must', () => {
    expect(fields(object({ a: { type: 'array' } }), 'openai')).toEqual({ a: { type: 'array', items: {} } })
  })
})

describe('gemini', () => {
  const schema = object(
    {
      maybe: { type: ['string', 'null'], description: 'x' },
      union: { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'y' },
      sizes: { enum: [1, 2, null] },
      one: { const: 'x' },
      any: {},
      pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false },
      map: { type: 'object', additionalProperties: { type: 'integer' } },
      several: { type: ['integer', 'string'], minimum: 3, minLength: 1 },
      at: { type: 'string', format: 'date-time' },
      more: { type: 'number', exclusiveMinimum: 0, default: 1 },
      nothing: false,
    },
    ['maybe', 'undeclared'],
  )
  test('has one type each, nullable for null, lists of texts, and notes for the rest', () => {
    expect(told(schema, 'gemini').schema).toEqual({
      type: 'object',
      properties: {
        maybe: { type: 'string', nullable: true, description: 'x' },
        union: { type: 'string', nullable: true, description: 'y' },
        sizes: { type: 'integer', nullable: true, description: 'one of 1, 2' },
        one: { type: 'string', enum: ['x'] },
        any: {
          anyOf: [
            { type: 'string', nullable: true },
            { type: 'number', nullable: true },
            { type: 'boolean', nullable: true },
            { type: 'object', nullable: true },
            { type: 'array', items: { type: 'string' }, nullable: true },
          ],
        },
        pair: {
          type: 'array',
          items: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
          description: 'the first items are, in this order: string, integer',
        },
        map: { type: 'object', description: 'each further field: integer' },
        several: {
          anyOf: [
            { type: 'integer', minimum: 3 },
            { type: 'string', minLength: 1 },
          ],
        },
        at: { type: 'string', format: 'date-time' },
        more: { type: 'number', description: 'more than 0; default: 1' },
      },
      required: ['maybe'],
    })
  })
})

describe('anthropic', () => {
  test('refuses by itself a field whose name is not taken there', () => {
    expect(dialect(object({ größe: { type: 'string' } }), 'anthropic')).toEqual({
      refused: 'has the field "größe", a name that is not taken there',
    })
    expect(told(object({ größe: { type: 'string' } }), 'openai').schema['properties']).toHaveProperty('größe')
  })
  test('keeps all keywords below the root', () => {
    const inner = {
      oneOf: [
        { type: 'string', minLength: 1 },
        { type: 'object', patternProperties: { '^x': { not: { const: 1 } } } },
      ],
    }
    expect(fields(object({ a: inner }), 'anthropic')).toMatchObject({
      a: { oneOf: [{ minLength: 1 }, { patternProperties: { '^x': { not: { const: 1 } } } }] },
    })
  })
})
