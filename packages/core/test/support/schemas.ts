// JSON Schemas and values for properties.
import fc from 'fast-check'
import type { JsonSchema } from '../../src/define/records.ts'

// Few names and small values, so that schemas and values meet often.
const name = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor')
const scalar = fc.oneof(
  fc.constantFrom('', '5', '007', '3.5', 'true', 'x', '1e3', ' '),
  fc.constantFrom(0, 1, 5, 3.5, -2),
  fc.boolean(),
  fc.constant(null),
)
const record = <T>(one: fc.Arbitrary<T>) =>
  fc
    .array(fc.tuple(name, one), { maxLength: 4 })
    .map(entries => Object.fromEntries(entries) as Record<string, T>)

/** Any small JSON value. */
export const value: fc.Arbitrary<unknown> = fc.letrec(tie => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    record(tie('value')),
  ),
})).value

const type = fc.constantFrom('string', 'integer', 'number', 'boolean', 'null', 'array', 'object')
const small = fc.integer({ min: 0, max: 4 })
const schema: fc.Arbitrary<JsonSchema> = fc.letrec<{ schema: JsonSchema }>(tie => {
  const one = tie('schema')
  const list = fc.array(one, { minLength: 1, maxLength: 3 })
  const keywords: Record<string, fc.Arbitrary<unknown>> = {
    type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
    default: value,
    enum: fc.array(scalar, { minLength: 1, maxLength: 4 }),
    const: scalar,
    minimum: small,
    multipleOf: fc.constantFrom(1, 0.5, 2),
    minLength: small,
    pattern: fc.constantFrom('^\\d+$', '^(a+)+$', 'x'),
    items: one,
    prefixItems: list,
    contains: one,
    uniqueItems: fc.boolean(),
    maxItems: small,
    properties: record(one),
    required: fc.uniqueArray(name, { maxLength: 2 }),
    additionalProperties: one,
    patternProperties: record(one),
    propertyNames: one,
    maxProperties: small,
    dependentSchemas: record(one),
    unevaluatedProperties: one,
    unevaluatedItems: one,
    allOf: list,
    anyOf: list,
    oneOf: list,
    not: one,
    if: one,
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema
    then: one,
    else: one,
    $ref: fc.constantFrom('#', '#/items', '#/properties/a', '#/anyOf/0'),
  }
  const entry = fc.oneof(...Object.entries(keywords).map(([key, of]) => fc.tuple(fc.constant(key), of)))
  const some = fc.array(entry, { maxLength: 5 }).map(entries => Object.fromEntries(entries))
  const plain = fc.oneof(
    fc.boolean(),
    type.map(type => ({ type })),
  )
  return { schema: fc.oneof({ maxDepth: 4, depthSize: 'small' }, plain, some) }
}).schema

/** Any JSON Schema, sensible or not. */
export const root = schema.map(one => (typeof one === 'boolean' ? { allOf: [one] } : one))

/** A schema with a value that fits it, or that a model could have meant so. */
export type Pair = [schema: JsonSchema, value: unknown]

export const pair: fc.Arbitrary<Pair> = fc.letrec<{ pair: Pair }>(tie => {
  const leaf = fc.oneof(
    fc.tuple(
      fc.constantFrom({ type: 'integer' }, { type: ['integer', 'null'] }, { type: 'number', minimum: 1 }),
      scalar,
    ),
    fc.tuple(
      fc.constantFrom(
        { type: 'string' },
        { type: 'string', enum: ['5', 'x'] },
        { type: 'string', pattern: '\\d' },
      ),
      scalar,
    ),
    fc.tuple(
      fc.constantFrom({ type: 'boolean' }, { type: 'boolean', default: true }, { const: 'x' }),
      scalar,
    ),
    fc.tuple(
      fc.constantFrom({ type: 'integer', default: 5 }, { type: 'string', default: 'x' }, { default: 'x' }),
      scalar,
    ),
  )
  const field = fc.tuple(
    name,
    tie('pair'),
    fc.constantFrom('given', 'null', 'left out', 'given'),
    fc.boolean(),
  )
  const fields = fc.tuple(
    fc.array(field, { maxLength: 4 }),
    fc.constantFrom({}, { additionalProperties: false }, { maxProperties: 2 }),
  )
  const made = fields.map(([list, rest]): Pair => {
    const given = list.filter(([, , how]) => how !== 'left out')
    const properties = Object.fromEntries(list.map(([key, [one]]) => [key, one]))
    const required = [...new Set(list.filter(([, , , needed]) => needed).map(([key]) => key))]
    const value = Object.fromEntries(given.map(([key, [, one], how]) => [key, how === 'null' ? null : one]))
    return [{ type: 'object', properties, required, ...rest }, value]
  })
  const items = fc.array(tie('pair'), { minLength: 1, maxLength: 3 })
  const tuple = items.map((list): Pair => [{ prefixItems: list.map(one => one[0]) }, list.map(one => one[1])])
  const map = fc
    .tuple(tie('pair'), name)
    .map(([[one, of], key]): Pair => [{ additionalProperties: one }, { [key]: of }])
  const union = fc
    .tuple(fc.constantFrom('anyOf', 'oneOf', 'allOf'), items, fc.nat())
    .map(([key, list, at]): Pair => [{ [key]: list.map(one => one[0]) }, list[at % list.length]![1]])
  const closed = fc.tuple(made, made).map(
    ([[one, a], [two, b]]): Pair => [
      { allOf: [one, two], unevaluatedProperties: false },
      { ...(a as object), ...(b as object) },
    ],
  )
  const reference = tie('pair').map(
    ([one, of]): Pair => [{ properties: { a: { $ref: '#/properties/b' }, b: one } }, { a: of }],
  )
  const inner = fc.oneof(made, made, tuple, map, union, closed, reference)
  return { pair: fc.oneof({ maxDepth: 3, depthSize: 'small' }, leaf, inner) }
}).pair
