import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decode, encode } from './codec.ts'

const through = (value: unknown): unknown => decode(JSON.parse(JSON.stringify(encode(value, 'step'))))

test('what a step gives comes back as it was', () => {
  const values = [
    undefined,
    null,
    Number.NaN,
    -0,
    Number.POSITIVE_INFINITY,
    12n ** 40n,
    new Date(5),
    new Date(Number.NaN),
    new Map<unknown, unknown>([[{ a: 1 }, new Set([1, undefined])]]),
    new Uint8Array([0, 255, 7]),
    { a: undefined, b: [new Date(0)] },
    { $toolwright: 'Date', value: 3 },
    { $toolwright: { $toolwright: 'undefined' } },
    JSON.parse('{"__proto__":{"x":1}}'),
  ]
  for (const value of values) expect(through(value)).toEqual(value)
  expect(Object.is(through(-0), -0)).toBe(true)
})

test('an error keeps its name and message', () => {
  const back = through(new TypeError('no')) as Error
  expect(back).toBeInstanceOf(Error)
  expect([back.name, back.message]).toEqual(['TypeError', 'no'])
})

test('what a journal cannot keep is refused with the step and the place in it', () => {
  const circle: { self?: unknown } = {}
  circle.self = circle
  expect(() => encode({ a: [() => 1] }, 'load')).toThrow(/T7004: step "load" gave a function at a\.0/)
  expect(() => encode(circle, 'load')).toThrow(/contains itself/)
  expect(() => encode(new (class Connection {})(), 'load')).toThrow(/a Connection/)
  expect(() => decode({ $toolwright: 'Later', value: 1 })).toThrow(/T7004/)
  const twice = { n: 1 }
  expect(through([twice, twice])).toEqual([twice, twice])
})

test('any JSON comes back equal', () => {
  fc.assert(
    fc.property(fc.jsonValue(), value => void expect(through(value)).toEqual(value)),
    { numRuns: 300, seed: 1 },
  )
})
