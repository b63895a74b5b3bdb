import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Pair, pair, root, value } from '../../test/support/schemas.ts'
import { MAX_LINES } from './faults.ts'
import { check, read } from './read.ts'
import { shape } from './shape.ts'
import { parseText } from './text.ts'

/** Any schema with any value, or a schema with a value that was made for it. */
const asked: fc.Arbitrary<Pair> = fc.oneof(fc.tuple(root, value), pair)
const runs = { numRuns: 3000 }

describe('for any schema and any value', () => {
  test('neither read nor check throws, and faults are few and one line each', () => {
    fc.assert(
      fc.property(asked, ([schema, value]) => {
        for (const got of [read(schema, value), check(schema, value)]) {
          if (got.ok) continue
          expect(got.faults.length).toBeGreaterThan(0)
          expect(got.faults.length).toBeLessThanOrEqual(MAX_LINES)
          for (const line of got.faults) expect(line).toMatch(/^[^\n\r\u2028]{1,700}$/)
        }
      }),
      runs,
    )
  })

  test('what was read fits', () => {
    fc.assert(
      fc.property(asked, ([schema, value]) => {
        const got = read(schema, value)
        if (got.ok) expect(check(schema, got.value)).toEqual({ ok: true, value: got.value })
      }),
      runs,
    )
  })

  test('reading once more changes nothing', () => {
    fc.assert(
      fc.property(asked, ([schema, value]) => {
        const got = read(schema, value)
        if (got.ok) expect(read(schema, got.value)).toEqual(got)
      }),
      runs,
    )
  })

  test('a value that fits keeps all that it had', () => {
    fc.assert(
      fc.property(asked, ([schema, value]) => {
        if (!check(schema, value).ok) return
        const got = read(schema, value)
        expect(got.ok).toBe(true)
        if (got.ok) expect(contains(got.value, value)).toBe(true)
      }),
      runs,
    )
  })

  test('what was read differs only by what a repair or a default may change', () => {
    fc.assert(
      fc.property(asked, ([schema, value]) => {
        const got = read(schema, value)
        if (got.ok) expect(onlyMended(got.value, value)).toBe(true)
      }),
      runs,
    )
  })

  test('the value that was given is not written to', () => {
    fc.assert(
      fc.property(asked, ([schema, value]) => {
        const before = JSON.stringify(value)
        read(schema, freeze(value))
        expect(JSON.stringify(value)).toBe(before)
      }),
      runs,
    )
  })
})

describe('for any text', () => {
  test('arguments are read or are a fault, and are JSON exactly where JSON.parse says so', () => {
    const any = shape({ type: ['object', 'array', 'string', 'number', 'boolean', 'null'] })
    if (!any.ok) throw new Error('a shape was refused')
    const written = value.map(one => JSON.stringify(one))
    const broken = fc
      .tuple(written, fc.nat(), fc.constantFrom('', ',', '"', '}', 'x', '\\', '\n', '{'))
      .map(
        ([text, at, put]) =>
          text.slice(0, at % (text.length + 1)) + put + text.slice((at % (text.length + 1)) + 1),
      )
    fc.assert(
      fc.property(fc.oneof(written, broken, fc.string()), text => {
        const parsed = parseText(text)
        expect(any.shape.readText(text).ok).toBe(parsed.ok)
        if (text.trim() === '') return
        expect(parsed.ok).toBe(isJson(text.trim()))
        if (!parsed.ok)
          expect(parsed.fault).toMatch(/^the arguments are not valid JSON \(line \d+, column \d+\): .+/)
      }),
      runs,
    )
  })

  test('numbers become the digits that were written, wherever they stand', () => {
    const digits = fc.oneof(
      fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }).map(String),
      fc
        .tuple(fc.nat(1000), fc.constantFrom('.10', '.0', 'e2', '.50', 'E-1'))
        .map(([n, end]) => `${n}${end}`),
    )
    const made = shape({
      type: 'array',
      items: { anyOf: [{ type: 'string' }, { properties: { a: { type: 'string' } }, type: 'object' }] },
    })
    if (!made.ok) throw new Error('a shape was refused')
    fc.assert(
      fc.property(fc.array(digits, { minLength: 1, maxLength: 5 }), list => {
        const text = `[${list.map((one, i) => (i % 2 === 0 ? one : `{"a":${one}}`)).join()}]`
        const right = list.map((one, i) => (i % 2 === 0 ? one : { a: one }))
        expect(made.shape.readText(text)).toEqual({ ok: true, value: right })
      }),
      { numRuns: 500 },
    )
  })
})

/** Whether `read` is `given`, apart from fields that were added. */
function contains(read: unknown, given: unknown): boolean {
  if (typeof given !== 'object' || given === null) return Object.is(read, given) || read === given
  if (typeof read !== 'object' || read === null || Array.isArray(read) !== Array.isArray(given)) return false
  if (Array.isArray(given) && given.length !== (read as unknown[]).length) return false
  return Object.entries(given).every(
    ([key, one]) =>
      Object.hasOwn(read, key) && contains(Object.getOwnPropertyDescriptor(read, key)?.value, one),
  )
}

/** Whether `read` is `given` apart from texts that became their numbers or booleans, the reverse, and nulls gone. */
function onlyMended(read: unknown, given: unknown): boolean {
  if (typeof given !== 'object' || given === null) return read === given || String(read) === String(given)
  if (typeof read !== 'object' || read === null || Array.isArray(read) !== Array.isArray(given)) return false
  if (Array.isArray(given) && given.length !== (read as unknown[]).length) return false
  return Object.entries(given).every(([key, one]) => {
    if (!Object.hasOwn(read, key)) return one === null
    const now = Object.getOwnPropertyDescriptor(read, key)?.value
    // A null that was taken as absent may have been filled with a default.
    return (one === null && now !== 'null') || onlyMended(now, one)
  })
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function freeze(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) freeze(one)
  return Object.freeze(value)
}
