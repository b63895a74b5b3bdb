import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../define/records.ts'
import { check, read } from './read.ts'

const record = (
  properties: Record<string, unknown>,
  required: string[] = [],
  rest: Record<string, unknown> = {},
) => ({
  type: 'object',
  properties,
  required,
  ...rest,
})
const integer = { type: 'integer' }
const string = { type: 'string' }

function value(schema: unknown, given: unknown): unknown {
  const got = read(schema as JsonSchema, given)
  if (!got.ok) throw new Error(got.faults.join('\n'))
  return got.value
}

function faults(schema: unknown, given: unknown): string[] {
  const got = read(schema as JsonSchema, given)
  return got.ok ? [] : got.faults
}

describe('a repair is made where it is exact', () => {
  const repairs: [name: string, schema: JsonSchema, from: unknown, to: unknown][] = [
    ['the text of an integer', integer, '5', 5],
    ['the text of a negative integer', integer, '-12', -12],
    ['the text of a number', { type: 'number' }, '3.25', 3.25],
    ['the text of an integer where a number stands', { type: 'number' }, '7', 7],
    ['the text true', { type: 'boolean' }, 'true', true],
    ['the text false', { type: 'boolean' }, 'false', false],
    ['an integer where a string stands', string, 5, '5'],
    ['a fraction where a string stands', string, 1.000001, '1.000001'],
    ['a boolean where a string stands', string, false, 'false'],
    ['a number that an enum has as a string', { ...string, enum: ['1', '2'] }, 1, '1'],
    ['a text that an enum has as an integer', { ...integer, enum: [1, 2] }, '2', 2],
    ['the text of an integer that may be null', { type: ['integer', 'null'] }, '5', 5],
    ['null for an optional field', record({ tag: string }), { tag: null }, {}],
    [
      'null for an optional field with a default',
      record({ limit: { ...integer, default: 10 } }),
      { limit: null },
      { limit: 10 },
    ],
    ['an item of a list', { type: 'array', items: integer }, [1, '2', 3], [1, 2, 3]],
    [
      'a field behind a reference',
      { ...record({ n: { $ref: '#/$defs/n' } }), $defs: { n: integer } },
      { n: '4' },
      { n: 4 },
    ],
    ['through allOf', { allOf: [integer, { minimum: 3 }] }, '5', 5],
    [
      'through a reference, before the enum beside it',
      { $ref: '#/$defs/s', enum: ['1'], $defs: { s: string } },
      1,
      '1',
    ],
    ['in the one branch of anyOf that then fits', { anyOf: [{ type: 'null' }, integer] }, '5', 5],
    [
      'in the one branch of oneOf that then fits',
      { oneOf: [{ type: 'null' }, { type: 'boolean' }] },
      'true',
      true,
    ],
    [
      'a field that a branch then compares',
      { ...record({ a: integer }), anyOf: [record({ a: { const: 1 } })] },
      { a: '1' },
      { a: 1 },
    ],
    ['a field of a map', { type: 'object', additionalProperties: integer }, { a: '1' }, { a: 1 }],
    [
      'a field named by a pattern',
      { type: 'object', patternProperties: { '^n': integer } },
      { n1: '1' },
      { n1: 1 },
    ],
    ['an unevaluated field', { type: 'object', unevaluatedProperties: integer }, { a: '1' }, { a: 1 }],
  ]
  test.each(repairs)('%s', (_, schema, from, to) => {
    const before = structuredClone(from)
    expect(value(schema, from)).toStrictEqual(to)
    expect(from).toStrictEqual(before)
    expect(check(schema, from).ok).toBe(false)
  })
})

describe('nothing is repaired that is not exact', () => {
  const kept: [name: string, schema: JsonSchema, given: unknown][] = [
    ['the empty text is no number', integer, ''],
    ['a blank text is no number', integer, ' '],
    ['007 is no writing of 7', integer, '007'],
    ['a plus is no part of a number', integer, '+5'],
    ['blanks are no part of a number', integer, ' 5'],
    ['3.7 is no integer', integer, 3.7],
    ['nor is its text', integer, '3.7'],
    ['5.0 as a text has digits that 5 has not', integer, '5.0'],
    ['1.10 as a text has digits that 1.1 has not', { type: 'number' }, '1.10'],
    ['1e3 is no decimal', integer, '1e3'],
    ['0x10 is no decimal', integer, '0x10'],
    ['-0 is 0', integer, '-0'],
    ['a text of more digits than a number holds', integer, '12345678901234567890'],
    ['1 is not true', { type: 'boolean' }, 1],
    ['True is not true', { type: 'boolean' }, 'True'],
    ['true is not 1', integer, true],
    ['a number that an enum of strings does not have', { ...string, enum: ['a'] }, 1],
    ['a number that a const forbids', { ...string, const: '2' }, 1],
    ['a number where no type says string', { enum: ['1'] }, 1],
    ['null is not the text null', string, null],
    ['null for a required field', record({ tag: string }, ['tag']), { tag: null }],
    ['null in a list', { type: 'array', items: string }, [null]],
    ['null in a map', { type: 'object', additionalProperties: string }, { a: null }],
    ['an item alone is no list', { type: 'array', items: integer }, 1],
    ['the text of a record is no record', record({}), '{}'],
    ['a repaired value that still would not fit', { ...integer, minimum: 10 }, '5'],
    ['parts that can be repaired, but not together', { allOf: [integer, string] }, '5'],
    [
      'a number that is to be a text and a number',
      { multipleOf: 1, allOf: [{ type: 'number' }, string] },
      '3.5',
    ],
  ]
  test.each(kept)('%s', (_, schema, given) => {
    expect(read(schema, given).ok).toBe(false)
  })
})

describe('a value that fits as it stands stays as it is', () => {
  const same: [name: string, schema: JsonSchema, given: unknown][] = [
    ['a text of digits where strings and integers may stand', { type: ['string', 'integer'] }, '5'],
    ['in anyOf, whichever branch comes first', { anyOf: [integer, string] }, '5'],
    ['in oneOf', { oneOf: [{ type: 'boolean' }, string] }, 'true'],
    [
      'null for a field that may be null',
      record({ a: { type: ['string', 'null'], default: 'x' } }),
      { a: null },
    ],
    [
      'null for a required field that may be null',
      record({ a: { type: ['string', 'null'] } }, ['a']),
      { a: null },
    ],
    ['null for a field that may be anything', record({ a: {} }), { a: null }],
    ['5.0, which is 5', integer, 5.0],
    ['an unknown field of an open record', record({}), { b: '1' }],
  ]
  test.each(same)('%s', (_, schema, given) => {
    const got = read(schema, given)
    expect(got).toStrictEqual({ ok: true, value: given })
    if (got.ok) expect(got.value).toBe(given)
  })

  test('also beside a field that is repaired', () => {
    const schema = record({ a: integer, b: { anyOf: [integer, string] } })
    expect(value(schema, { a: '1', b: '1' })).toEqual({ a: 1, b: '1' })
  })
})

describe('defaults', () => {
  test('are filled in for fields that are absent, nested ones too', () => {
    const inner = record({ size: { ...integer, default: 3 } }, [], { default: {} })
    expect(value(record({ inner }), {})).toEqual({ inner: { size: 3 } })
  })
  test('are copies: a reader may change what it got', () => {
    const schema = record({ tags: { type: 'array', default: ['a'] } })
    ;(value(schema, {}) as { tags: string[] }).tags.push('b')
    expect(value(schema, {})).toEqual({ tags: ['a'] })
  })
  test('are filled in for a required field as well', () => {
    expect(value(record({ n: { ...integer, default: 1 } }, ['n']), {})).toEqual({ n: 1 })
  })
  test('are left out where they do not fit their own schema', () => {
    expect(value(record({ n: { ...integer, default: 'x' } }), {})).toEqual({})
  })
  test('are left out where the value would no longer fit with them', () => {
    const schema = record({ a: { ...integer, default: 1 } }, [], { maxProperties: 1 })
    expect(value(schema, { b: 1 })).toEqual({ b: 1 })
  })
  test('come from the branch that fits', () => {
    const branch = (kind: string, n: number) => record({ kind: { const: kind }, n: { default: n } }, ['kind'])
    expect(value({ anyOf: [branch('a', 1), branch('b', 2)] }, { kind: 'b' })).toEqual({ kind: 'b', n: 2 })
  })
  test('are not filled in by check', () => {
    const schema = record({ n: { ...integer, default: 1 } }, ['n'])
    expect(check(schema, {})).toEqual({ ok: false, faults: ['n: is missing: expected integer'] })
  })
})

describe('a fault is one line, with its path, what was expected and what came', () => {
  const kinds = { enum: ['cat', 'dog'] }
  const tagged = {
    oneOf: [
      record({ kind: { const: 'circle' }, radius: { type: 'number' } }, ['kind', 'radius']),
      record({ kind: { const: 'square' }, side: { type: 'number' } }, ['kind', 'side']),
    ],
  }
  const lines: [schema: JsonSchema, given: unknown, line: string][] = [
    [string, {}, 'the value: expected string, came an object'],
    [integer, [1, 2], 'the value: expected integer, came an array of 2 items'],
    [{ type: ['integer', 'null'] }, 'x', 'the value: expected null or integer, came "x"'],
    [
      record({ list: { type: 'array', items: record({ y: { type: 'number' } }, ['y']) } }),
      { list: [{}] },
      'list[0].y: is missing: expected number',
    ],
    [record({ 'a b': integer }), { 'a b': true }, '["a b"]: expected integer, came true'],
    [kinds, 'cow', 'the value: expected "cat" or "dog", came "cow"'],
    [
      { enum: Array.from({ length: 1000 }, (_, i) => i) },
      -1,
      'the value: expected 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 or 988 more, came -1',
    ],
    [{ const: { a: 1 } }, 2, 'the value: expected {"a":1}, came 2'],
    [{ minimum: 3 }, 2, 'the value: expected at least 3, came 2'],
    [{ exclusiveMaximum: 3 }, 3, 'the value: expected less than 3, came 3'],
    [{ multipleOf: 0.1 }, 0.25, 'the value: expected a multiple of 0.1, came 0.25'],
    [{ minLength: 2 }, 'a', 'the value: expected at least 2 characters, came "a"'],
    [{ pattern: '^a$' }, 'b', 'the value: expected a text that matches "^a$", came "b"'],
    [{ minItems: 1 }, [], 'the value: expected at least 1 item, came 0'],
    [
      { uniqueItems: true },
      [1, { a: 1, b: 2 }, { b: 2, a: 1 }],
      'the value: expected items that differ, came equal ones at [1] and [2]',
    ],
    [{ contains: integer }, ['x'], 'the value: expected at least 1 item that is integer, came none'],
    [
      record({ city: string }, [], { additionalProperties: false }),
      { citty: 'x' },
      'citty: is not a known field: did you mean "city"?',
    ],
    [
      record({ city: string, day: string }, [], { additionalProperties: false }),
      { q: 1 },
      'q: is not a known field: expected "city" or "day"',
    ],
    [
      record({ city: string }, [], { unevaluatedProperties: false }),
      { City_: 'x' },
      'City_: is not a known field: did you mean "city"?',
    ],
    [
      { dependentRequired: { card: ['address'] } },
      { card: 1 },
      'address: is missing: expected beside "card"',
    ],
    [
      { propertyNames: { maxLength: 2 } },
      { abc: 1 },
      'abc: has a name that is not allowed: expected at most 2 characters, came 3: "abc"',
    ],
    [{ not: string }, 'x', 'the value: expected anything but string'],
    [false, 1, 'the value: expected nothing here, came 1'],
    [tagged, { kind: 'circle' }, 'radius: is missing: expected number'],
    [tagged, { kind: 'square', side: 'x' }, 'side: expected number, came "x"'],
    [tagged, { kind: 'line' }, 'kind: expected "circle" or "square", came "line"'],
    [tagged, {}, 'kind: is missing: expected "circle" or "square"'],
    [tagged, 5, 'the value: expected object, came 5'],
    [{ anyOf: [integer, { type: 'null' }] }, 'x', 'the value: expected integer or null, came "x"'],
    [{ anyOf: [{ type: 'null' }, record({ a: integer }, ['a'])] }, {}, 'a: is missing: expected integer'],
    [
      { anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      {},
      'the value: fits none of 2 shapes: a: is missing: expected a value; or b: is missing: expected a value',
    ],
    [
      { oneOf: [integer, { minimum: 1 }] },
      2,
      'the value: expected exactly one of 2 shapes, but 2 of them fit',
    ],
    [integer, 'x'.repeat(1000), `the value: expected integer, came "${'x'.repeat(60)}…" (1000 characters)`],
    [integer, 'a\nb\u2028c\u202ed', 'the value: expected integer, came "a\\nb\\u2028c\\u202ed"'],
    [integer, undefined, 'the value: expected integer, came nothing'],
    [{}, 10n, 'the value: expected a JSON value, came a bigint'],
    [string, new Date(0), 'the value: expected string, came a Date'],
  ]
  for (const [schema, given, line] of lines) {
    test(line, () => expect(faults(schema, given)).toEqual([line]))
  }

  test('all faults of a value are told', () => {
    const schema = record({ a: integer, b: string }, ['b', 'c'], { additionalProperties: false })
    expect(faults(schema, { a: 'x', d: 1 })).toEqual([
      'a: expected integer, came "x"',
      'd: is not a known field: expected "a" or "b"',
      'b: is missing: expected string',
      'c: is missing: expected a value',
    ])
  })

  test('what can be repaired is no fault beside one that cannot', () => {
    expect(faults(record({ a: integer, b: integer }), { a: '1', b: 'x' })).toEqual([
      'b: expected integer, came "x"',
    ])
  })

  test('20 faults are 20 lines, and of more the last line says how many', () => {
    const schema = { type: 'array', items: integer }
    expect(faults(schema, Array(20).fill('x'))).toHaveLength(20)
    const many = faults(schema, Array(100_000).fill('x'))
    expect(many).toHaveLength(20)
    expect(many.at(-1)).toBe('… and 99981 more')
  })

  test('a tag is found behind references', () => {
    const schema = {
      anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/b' }],
      $defs: {
        a: record({ t: { const: 'a' }, x: integer }, ['t', 'x']),
        b: record({ t: { enum: ['b', 'c'] } }, ['t']),
      },
    }
    expect(faults(schema, { t: 'a' })).toEqual(['x: is missing: expected integer'])
    expect(faults(schema, { t: 'd' })).toEqual(['t: expected "a", "b" or "c", came "d"'])
  })
})

describe('a schema that is wrong', () => {
  test('is told where a value comes to it, and never accepts one', () => {
    const schema = record({ a: { pattern: '(' }, b: { $ref: '#/nowhere' }, c: string })
    expect(read(schema, { c: 'x' }).ok).toBe(true)
    expect(faults(schema, { a: 'x', b: 1 })).toEqual([
      'a: cannot be read, its schema is wrong: pattern "(" is no regular expression',
      'b: cannot be read, its schema is wrong: $ref nothing stands at "#/nowhere"',
    ])
  })
  test('unknown keywords and wrong values of known ones are passed over', () => {
    const schema = { type: 'string', minLength: 'x', nonsense: 1, required: 5, properties: 7, enum: 3 }
    expect(check(schema, 'a').ok).toBe(true)
  })
  test('a draft 7 tuple is read where no draft is stated', () => {
    const schema = { items: [integer, string], additionalItems: false }
    expect(check(schema, [1, 'a']).ok).toBe(true)
    expect(check(schema, ['a']).ok).toBe(false)
    expect(check(schema, [1, 'a', 2]).ok).toBe(false)
  })
})

describe('formats', () => {
  const date = { type: 'string', format: 'date' }
  test('are remarks, unless they are asked for', () => {
    expect(check(date, 'x').ok).toBe(true)
    expect(read(date, 'x', { formats: true })).toEqual({
      ok: false,
      faults: ['the value: expected a date such as 2026-01-31, came "x"'],
    })
  })
  const cases: [format: string, good: string[], bad: string[]][] = [
    [
      'date',
      ['2024-02-29', '2000-02-29'],
      ['2023-02-29', '1900-02-29', '2024-13-01', '2024-04-31', '2024-1-1', '2024-01-01T00:00:00Z'],
    ],
    ['time', ['08:30:00Z', '08:30:00.25+02:00'], ['24:00:00Z', '08:30', '08:30:00']],
    ['date-time', ['2026-01-31T08:30:00Z'], ['2026-02-30T08:30:00Z', '2026-01-31']],
    ['uuid', ['3f2504e0-4f89-11d3-9a0c-0305e82c3301'], ['3f2504e0']],
    ['email', ['a@b.example'], ['a', 'a@b c']],
    ['uri', ['https://example.org/a?b#c', 'urn:a:b'], ['/a', 'a b:c']],
    ['hostname', ['anything: this one is not checked'], []],
  ]
  test.each(cases)('%s', (format, good, bad) => {
    const fits = (text: string) => check({ format }, text, { formats: true }).ok
    expect(good.filter(text => !fits(text))).toEqual([])
    expect(bad.filter(fits)).toEqual([])
  })
})

describe('a branch that would only be refused for its defaults', () => {
  const narrow = { type: 'object', maxProperties: 1, properties: { a: integer, b: { default: 1 } } }
  test('still counts in oneOf', () => {
    expect(read({ oneOf: [narrow, true] }, { a: 1 })).toEqual({
      ok: false,
      faults: ['the value: expected exactly one of 2 shapes, but 2 of them fit'],
    })
    expect(value({ oneOf: [narrow, { type: 'null' }] }, { a: 1 })).toEqual({ a: 1 })
    // One level down, and beside a default that is filled in.
    const deep = { properties: { x: { oneOf: [narrow, true] }, y: { default: 2 } } }
    expect(faults(deep, { x: { a: 1 } })).toEqual(['x: expected exactly one of 2 shapes, but 2 of them fit'])
  })
  test('still takes the value in anyOf, as it is', () => {
    expect(value({ anyOf: [narrow, { type: 'null' }] }, { a: 1 })).toEqual({ a: 1 })
    expect(value({ anyOf: [narrow, { properties: { c: { default: 3 } } }] }, { a: 1 })).toEqual({
      a: 1,
      c: 3,
    })
  })
})

describe('names of the prototype are plain data', () => {
  const own = (text: string): object => JSON.parse(text)
  test('such fields are read, filled and missed like others', () => {
    const schema = own(
      '{"properties":{"__proto__":{"type":"integer"},"constructor":{"type":"string","default":"x"}}}',
    )
    const got = value(schema, own('{"__proto__":"5"}')) as object
    expect(Object.entries(got)).toEqual([
      ['__proto__', 5],
      ['constructor', 'x'],
    ])
    expect(Object.getPrototypeOf(got)).toBe(Object.prototype)
    expect(({} as Record<string, unknown>)['5']).toBeUndefined()
  })
  test('an inherited name is no field that was given', () => {
    expect(faults({ type: 'object', required: ['toString', '__proto__'] }, {})).toHaveLength(2)
    expect(check({ dependentRequired: { constructor: ['x'] } }, {}).ok).toBe(true)
    expect(check(record({ constructor: string }), {}).ok).toBe(true)
  })
  test('a field that is undefined is absent', () => {
    expect(faults(record({ a: string }, ['a']), { a: undefined })).toEqual(['a: is missing: expected string'])
    expect(read(record({}, [], { additionalProperties: false }), { a: undefined }).ok).toBe(true)
  })
})
