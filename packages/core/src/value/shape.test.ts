import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { shape } from './shape.ts'
import { choice, date, integer, list, number, optional, record, text } from './words.ts'

function made(statement: unknown) {
  const shaped = shape(statement)
  if (!shaped.ok) throw new Error(JSON.stringify(shaped.faults))
  return shaped.shape
}

function faults(statement: unknown) {
  const shaped = shape(statement)
  return shaped.ok ? [] : shaped.faults
}

describe('a statement', () => {
  test('is a value word', () => {
    expect(made(text('x')).schema).toEqual({ type: 'string', description: 'x' })
    expect(made(list(integer())).read(['1'])).toEqual({ ok: true, value: [1] })
  })
  test('is a record of value words, an empty one too', () => {
    expect(made({ note: text() }).schema).toEqual(record({ note: text() }).schema)
    expect(made({}).schema).toMatchObject({ type: 'object', properties: {}, additionalProperties: false })
  })
  test('is a record of words whose names are keywords', () => {
    expect(made({ type: text(), properties: text() }).read({ type: 'a', properties: 'b' }).ok).toBe(true)
  })
  test('is a JSON Schema, told as it is', () => {
    const schema = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/a' } },
      $defs: { a: { type: 'integer' } },
    }
    expect(made(schema).schema).toBe(schema)
    expect(made(schema).read({ a: '1' })).toEqual({ ok: true, value: { a: 1 } })
    expect(made(true).read(1).ok).toBe(true)
    expect(made({ description: 'anything' }).read([1]).ok).toBe(true)
  })
  test('is a JSON Schema of draft 7', () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      items: [{ type: 'integer' }],
      additionalItems: false,
    }
    expect(made(schema).read([1, 2]).ok).toBe(false)
    expect(faults({ ...schema, $schema: 'https://json-schema.org/draft/2020-12/schema' })).toMatchObject([
      { option: 'items' },
    ])
  })
})

describe('a statement that is wrong is told by its faults, all at once', () => {
  const cases: [name: string, statement: unknown, ...right: object[]][] = [
    ['a number', 5, { option: '', problem: 'is a number', code: 'T2003' }],
    ['null', null, { option: '', problem: 'is null', code: 'T2003' }],
    ['an array', [text()], { option: '', problem: 'is an array', code: 'T2003' }],
    ['a function', () => text(), { option: '', problem: 'is a function', code: 'T2003' }],
    ['optional by itself', optional(text()), { option: '', problem: 'is optional()', code: 'T2003' }],
    [
      'things that are no words',
      { note: text(), name: String, day: 'date', raw: { type: 'string' }, inner: { a: text() }, made: text },
      { option: 'name', problem: 'is String, not a value word', fix: 'write name: text()', code: 'T2003' },
      { option: 'day', problem: 'is "date", not a value word' },
      { option: 'raw', fix: 'write raw: text(), or state all of the record as a JSON Schema' },
      { option: 'inner', fix: 'write inner: record({ … })' },
      { option: 'made', fix: 'call it: made: text()' },
    ],
    [
      'no words at all',
      { note: 'what to note' },
      { option: 'note', problem: 'is "what to note", not a value word' },
    ],
    [
      'words inside of a JSON Schema',
      { type: 'object', properties: { note: text(), list: { items: [choice('a')] } } },
      { option: 'properties.note', problem: 'is a value word inside of a JSON Schema', code: 'T2003' },
      { option: 'properties.list.items.0', problem: 'is a value word inside of a JSON Schema' },
    ],
    [
      'a schema of another library',
      Object.assign(() => {}, {
        '~standard': { version: 1, vendor: 'other', validate: () => ({ value: 1 }) },
      }),
      { option: '', problem: 'is a schema of other that gives no JSON Schema', code: 'T2007' },
    ],
    [
      'one inside of a record',
      { a: { '~standard': { version: 1, vendor: 'other' } }, b: text() },
      { option: 'a', problem: 'is a schema of other, not a value word' },
    ],
    [
      'keywords that are wrong',
      { type: 'object', properties: { a: { type: 'strnig' }, b: { minLength: -1 } }, required: 'a' },
      { option: 'properties.a.type', code: 'T2004' },
      { option: 'properties.b.minLength', problem: 'expected at least 0, came -1', code: 'T2004' },
      { option: 'required', problem: 'expected array, came "a"', code: 'T2004' },
    ],
    [
      'patterns and references that are wrong',
      {
        type: 'object',
        properties: {
          a: { pattern: '(' },
          b: { $ref: '#/$defs/x' },
          c: { $ref: 'https://example.org/x' },
          d: { $ref: '#x' },
        },
        patternProperties: { '[': true },
      },
      { option: 'patternProperties', problem: '"[" is no regular expression', code: 'T2006' },
      { option: 'properties.a.pattern', problem: '"(" is no regular expression', code: 'T2006' },
      { option: 'properties.b.$ref', problem: 'nothing stands at "#/$defs/x"', code: 'T2005' },
      {
        option: 'properties.c.$ref',
        problem: '"https://example.org/x" is outside of the schema, and nothing is fetched',
        code: 'T2005',
      },
      { option: 'properties.d.$ref', problem: 'there is no anchor "x"', code: 'T2005' },
    ],
  ]
  test.each(cases)('%s', (_, statement, ...right) => {
    const found = faults(statement)
    expect(found).toMatchObject(right)
    expect(found).toHaveLength(right.length)
  })
})

describe('readText', () => {
  const order = made({ id: text(), count: integer({ default: 1 }), day: optional(date()) })

  test.each(['', '  \n', 'null', null, undefined])('%j is a record of nothing', given => {
    expect(order.readText(given)).toEqual({ ok: false, faults: ['id: is missing: expected string'] })
    expect(made({}).readText(given)).toEqual({ ok: true, value: {} })
  })
  test('an object is taken as it is', () => {
    expect(order.readText({ id: 'x' })).toEqual({ ok: true, value: { id: 'x', count: 1 } })
  })
  test('a null that is wanted stays one', () => {
    expect(made({ type: ['object', 'null'] }).readText('null')).toEqual({ ok: true, value: null })
  })
  test('digits are kept where a text is wanted', () => {
    expect(order.readText('{"id":12345678901234567890}')).toEqual({
      ok: true,
      value: { id: '12345678901234567890', count: 1 },
    })
    expect(order.readText('{"id":1.10,"count":"2"}')).toEqual({ ok: true, value: { id: '1.10', count: 2 } })
    expect(made(text()).readText('1.0')).toEqual({ ok: true, value: '1.0' })
  })
  test('also of a value that other repairs have copied, and behind references', () => {
    const statement = {
      type: 'object',
      properties: { n: { type: 'integer' } },
      allOf: [
        { properties: { ids: { type: 'array', items: { $ref: '#/$defs/id' } }, id: { $ref: '#/$defs/id' } } },
      ],
      $defs: { id: { anyOf: [{ type: 'null' }, { type: 'string' }] } },
    }
    expect(made(statement).readText('{"n":"1","ids":["a",1.50,2e2],"id":9007199254740993}')).toEqual({
      ok: true,
      value: { n: 1, ids: ['a', '1.50', '2e2'], id: '9007199254740993' },
    })
  })
  describe('an integer that no number holds exactly', () => {
    const big = '12345678901234567890'
    const says = (where: string, digits = big) =>
      `${where}: expected an integer that a number holds exactly, came ${digits}`
    const object = (id: object) => ({ type: 'object', properties: { id }, required: ['id'] })
    const refused: [statement: unknown, text: string, fault: string][] = [
      [{ id: integer() }, `{"id":${big}}`, says('id')],
      [{ id: optional(integer({ default: 1 })) }, `{"id":-${big}}`, says('id', `-${big}`)],
      [{ ids: list(integer()) }, '{"ids":[1,9007199254740993]}', says('ids[1]', '9007199254740993')],
      [object({ anyOf: [{ type: 'integer' }, { type: 'null' }] }), `{"id":${big}}`, says('id')],
      [
        object({ anyOf: [object({ type: 'integer' }), { type: 'null' }] }),
        `{"id":{"id":${big}}}`,
        says('id.id'),
      ],
      [{ ...object({ $ref: '#/$defs/i' }), $defs: { i: { type: 'integer' } } }, `{"id":${big}}`, says('id')],
      [z.object({ id: z.number().int() }), `{"id":${big}}`, says('id')],
      [toStandardJsonSchema(v.object({ id: v.pipe(v.number(), v.integer()) })), `{"id":${big}}`, says('id')],
      [type({ id: 'number.integer' }), `{"id":${big}}`, says('id')],
    ]
    test.each(refused)('is no integer: %#', (statement, given, fault) => {
      expect(made(statement as never).readText(given)).toEqual({ ok: false, faults: [fault] })
    })

    const taken: [what: string, statement: unknown, text: string, value: unknown][] = [
      [
        'is a text where one may stand',
        object({ type: ['string', 'integer'] }),
        `{"id":${big}}`,
        { id: big },
      ],
      [
        'is a text where a branch takes one',
        object({ anyOf: [{ type: 'integer' }, { type: 'string' }] }),
        `{"id":${big}}`,
        { id: big },
      ],
      ['is a number, which are never exact', { n: number() }, '{"n":9007199254740993}', { n: 2 ** 53 }],
      [
        'is one where the digits are the number’s',
        { n: integer() },
        '{"n":9007199254740992}',
        { n: 2 ** 53 },
      ],
      ['is one where it is large and round', { n: integer() }, '{"n":100000000000000000000}', { n: 1e20 }],
      [
        'harms no neighbour: defaults and repairs are as ever',
        { id: text(), n: integer({ default: 3 }), m: integer() },
        `{"id":${big},"m":"4"}`,
        { id: big, n: 3, m: 4 },
      ],
    ]
    test.each(taken)('%s', (_, statement, given, value) => {
      expect(made(statement as never).readText(given)).toEqual({ ok: true, value })
    })
  })
  test('a byte order mark and blanks around it are passed over', () => {
    expect(order.readText('\uFEFF {"id":"x"}\n').ok).toBe(true)
  })
  test('dates are days of the calendar', () => {
    expect(order.readText('{"id":"x","day":"2026-02-30"}')).toEqual({
      ok: false,
      faults: ['day: expected a date such as 2026-01-31, came "2026-02-30"'],
    })
  })

  const broken: [text: string, fault: string][] = [
    ['{"id":"x"', "(line 1, column 10): it ends where ',' or '}' is expected"],
    ['{"id":"x",}', '(line 1, column 11): expected a name in double quotes, came "}"'],
    ['{id:"x"}', '(line 1, column 2): expected a name in double quotes or \'}\', came "id"'],
    ['{"id" "x"}', "(line 1, column 7): expected ':', came a text"],
    ['{"id":"x"}{"id":"y"}', '(line 1, column 11): expected the end, came "{"'],
    ['{\n "id": tru\n}', '(line 2, column 8): expected a value, came "tru"'],
    ['{"id":01}', '(line 1, column 7): expected a value, came "01"'],
    ['[1,2', "(line 1, column 5): it ends where ',' or ']' is expected"],
    [
      '{"id":"a\nb"}',
      '(line 1, column 9): there is a line end or another control character inside of a text',
    ],
    ['{"id":"\\q"}', '(line 1, column 8): there is the escape "\\\\q"'],
    ['{"id":"x', '(line 1, column 7): there is a text that is not closed'],
    ['[1}', "(line 1, column 3): expected ',' or ']', came \"}\""],
    ['{"id":[}', '(line 1, column 8): expected a value or \']\', came "}"'],
    ['nope', '(line 1, column 1): expected a value, came "nope"'],
  ]
  test.each(broken)('%s', (given, fault) => {
    expect(order.readText(given)).toEqual({
      ok: false,
      faults: [`the arguments are not valid JSON ${fault}`],
    })
  })
})
