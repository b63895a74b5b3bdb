import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Pair, pair, root } from '../../test/support/schemas.ts'
import type { JsonSchema } from '../define/records.ts'
import type { Provider } from './dialect.ts'
import { dialect } from './dialect.ts'
import { copyOf } from './json.ts'
import { isRecord } from './kinds.ts'
import { check, read } from './read.ts'

const providers: Provider[] = ['openai', 'anthropic', 'gemini', 'plain']
const provider = fc.constantFrom(...providers)
const runs = { numRuns: 2000 }

/** A schema of a tool's input: a record of things that a model could be asked for. */
const input: fc.Arbitrary<Pair> = fc
  .tuple(
    fc.array(
      fc.tuple(
        fc.constantFrom('a', 'b', 'c', 'd', '__proto__'),
        pair,
        fc.constantFrom('given', 'given', 'left out'),
        fc.boolean(),
      ),
      { maxLength: 4 },
    ),
    fc.constantFrom({ additionalProperties: false }, { additionalProperties: false }, {}),
  )
  .map(([fields, rest]): Pair => {
    const properties = Object.fromEntries(fields.map(([name, [schema]]) => [name, schema]))
    const required = [...new Set(fields.filter(([, , , needed]) => needed).map(([name]) => name))]
    const given = fields.filter(([, , how]) => how === 'given').map(([name, [, value]]) => [name, value])
    return [{ type: 'object', properties, required, ...rest }, Object.fromEntries(given)]
  })
const anyInput = fc.oneof(
  input,
  pair,
  root.map((schema): Pair => [schema, {}]),
)

describe('for any schema, in every dialect', () => {
  test('it is told or refused, never throws, and is not written to', () => {
    fc.assert(
      fc.property(anyInput, provider, ([schema], provider) => {
        const before = JSON.stringify(schema)
        const made = dialect(freeze(schema), provider)
        expect(JSON.stringify(schema)).toBe(before)
        if (made.refused !== undefined) expect(made.refused).toMatch(/^(is|has|refers) /)
        else expect(made.schema).toMatchObject({ type: 'object', properties: expect.any(Object) })
      }),
      runs,
    )
  })

  test('what is told is a JSON Schema without a fault', () => {
    fc.assert(
      fc.property(anyInput, provider, ([schema], provider) => {
        const made = dialect(schema, provider)
        if (made.refused !== undefined) return
        const meta = { $ref: 'https://json-schema.org/draft/2020-12/schema' }
        expect(check(meta, made.schema)).toMatchObject({ ok: true })
        expect(JSON.stringify(made.schema)).not.toContain('undefined')
      }),
      runs,
    )
  })

  test('telling what was told changes nothing', () => {
    fc.assert(
      fc.property(anyInput, provider, ([schema], provider) => {
        const made = dialect(schema, provider)
        if (made.refused !== undefined) return
        const again = dialect(copyOf(made.schema) as JsonSchema, provider)
        expect(again).toMatchObject({ schema: made.schema, strict: made.strict })
      }),
      runs,
    )
  })

  test('strict: each value of the full schema can be given, and is read as it was', () => {
    let seen = 0
    fc.assert(
      fc.property(input, ([schema, value]) => {
        const made = dialect(schema, 'openai')
        if (made.refused !== undefined || !made.strict) return
        const fits = read(schema, value)
        if (!fits.ok || !check(schema, fits.value).ok) return
        const counterpart = filled(made.schema, made.schema, fits.value)
        expect(check(made.schema, counterpart)).toMatchObject({ ok: true })
        expect(read(schema, counterpart)).toEqual(fits)
        seen++
      }),
      { numRuns: 6000 },
    )
    expect(seen).toBeGreaterThan(300)
  })

  test('others: each value of the full schema fits what is told', () => {
    let seen = 0
    fc.assert(
      fc.property(
        input,
        fc.constantFrom<Provider>('anthropic', 'plain', 'gemini'),
        ([schema, value], provider) => {
          const made = dialect(schema, provider)
          if (made.refused !== undefined) return
          const fits = read(schema, value)
          if (!fits.ok) return
          // A list in what may be anything: Gemini has no word for it.
          if (
            provider === 'gemini' &&
            JSON.stringify(made.schema).includes('"items":{"type":"string"},"nullable"')
          )
            return
          const told = provider === 'gemini' ? ofOpenApi(made.schema) : made.schema
          expect(check(told, fits.value)).toMatchObject({ ok: true })
          seen++
        },
      ),
      { numRuns: 4000 },
    )
    expect(seen).toBeGreaterThan(300)
  })
})

/** The value as strict wants it: null for each field that is left out. */
function filled(schema: unknown, whole: Record<string, unknown>, value: unknown): unknown {
  if (!isRecord(schema)) return value
  if (typeof schema['$ref'] === 'string')
    return filled((whole['$defs'] as Record<string, unknown>)[schema['$ref'].slice(8)], whole, value)
  if (Array.isArray(schema['anyOf'])) {
    for (const branch of schema['anyOf']) {
      const made = filled(branch, whole, value)
      if (check({ ...branch, $defs: whole['$defs'] ?? {} }, made).ok) return made
    }
    return value
  }
  if (Array.isArray(value)) return value.map(item => filled(schema['items'], whole, item))
  if (!isRecord(value) || !isRecord(schema['properties'])) return value
  const entries = Object.entries(schema['properties']).map(([name, one]) => {
    const given = Object.hasOwn(value, name) ? Object.getOwnPropertyDescriptor(value, name)?.value : null
    return [name, given === null ? null : filled(one, whole, given)]
  })
  return { ...value, ...Object.fromEntries(entries) }
}

/** An OpenAPI schema as JSON Schema: `nullable` is a null beside it. */
function ofOpenApi(schema: unknown): JsonSchema {
  if (Array.isArray(schema)) return schema.map(ofOpenApi) as never
  if (!isRecord(schema)) return schema as never
  const { nullable, ...rest } = schema
  const made = Object.fromEntries(Object.entries(rest).map(([key, one]) => [key, ofOpenApi(one)]))
  return nullable === true ? { anyOf: [made, { type: 'null' }] } : made
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) freeze(one)
  return Object.freeze(value)
}
