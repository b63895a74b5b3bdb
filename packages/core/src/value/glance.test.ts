import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../define/records.ts'
import { glanceOf } from './glance.ts'
import { check, read } from './read.ts'

const scalar = fc.constantFrom<JsonSchema>(
  { type: 'string' },
  { type: 'string', enum: ['a', 'b'] },
  { type: 'number', description: 'how much' },
  { type: 'integer' },
  { type: 'boolean' },
)
const schema = fc.letrec<{ any: JsonSchema; record: JsonSchema }>(tie => ({
  any: fc.oneof(
    { depthSize: 'small' },
    scalar,
    tie('record'),
    fc.record({ type: fc.constant('array'), items: scalar }),
  ),
  record: fc.record(
    {
      type: fc.constant('object'),
      properties: fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'c'), tie('any'), {
        noNullPrototype: true,
      }),
      required: fc.subarray(['a', 'b', 'd']),
      additionalProperties: fc.constantFrom(false, true, { type: 'string' }),
    },
    { requiredKeys: ['type', 'properties'] },
  ),
})).record
const value = fc.dictionary(
  fc.constantFrom('a', 'b', 'c', 'd', '__proto__'),
  fc.oneof(
    fc.constantFrom('a', 'b', 'x', 1, 1.5, Number.NaN, true, null, undefined, {}),
    fc.array(fc.constantFrom('a', 1, undefined, true)),
    fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom('a', 1, null)),
  ),
)

describe('what is seen at a glance', () => {
  test('fits as it stands, as the walk says too', () => {
    let seen = 0
    fc.assert(
      fc.property(schema, value, (stated, given) => {
        if (!glanceOf(stated)?.(given)) return
        seen++
        expect(check(stated, given)).toEqual({ ok: true, value: given })
        const got = read(stated, given)
        expect(got.ok && got.value).toBe(given)
      }),
      { numRuns: 3000, seed: 7 },
    )
    expect(seen).toBeGreaterThan(100)
  })

  test('is no schema that says more, and none that leads in a circle', () => {
    const circle: Record<string, unknown> = { type: 'object', properties: {} }
    circle['properties'] = { again: circle }
    const more = [{ minimum: 1 }, { default: 1 }, { $ref: '#/x' }, { const: 1 }, { enum: [1] }, { not: {} }]
    const closer: JsonSchema[] = [
      ...more.map(one => ({ type: 'object', properties: { a: { type: 'number', ...one } } })),
      ...more.map(one => ({ type: 'object', properties: { a: { type: 'number' } }, ...one })),
      ...more.map(one => ({ type: 'array', items: { type: 'number' }, ...one })),
      { type: 'string', format: 'date' },
      { type: ['string', 'null'] },
      { properties: { a: { type: 'number' } } },
      circle,
    ]
    for (const stated of closer) expect([stated, glanceOf(stated)]).toEqual([stated, undefined])
  })

  test('is not a list with a hole in it', () => {
    const list = glanceOf({ type: 'array', items: { type: 'number' } })!
    expect(list([1, 2])).toBe(true)
    // biome-ignore lint/suspicious/noSparseArray: it is what is tested
    expect(list([1, , 2])).toBe(false)
  })
})
