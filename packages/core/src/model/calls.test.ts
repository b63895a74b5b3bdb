import { describe, expect, test } from 'vitest'
import type { Call, FunctionObject, Json } from '../define/records.ts'
import { callDeltas } from './calls.ts'
import { wireNames } from './names.ts'

const offered = (names: string[]): FunctionObject[] =>
  names.map(name => ({ type: 'function', function: { name, description: '', parameters: {} } }))

/** The calls that come of these entries, one delta each. */
function made(entries: Json[], tools = ['add', 'get_weather', 'ping', 'pong'], cut = false): Call[] {
  const deltas = callDeltas(wireNames(offered(tools)), () => {})
  for (const entry of entries) deltas.read([entry])
  return deltas.end(cut)
}
const short = (calls: Call[]) => calls.map(call => `${call.id} ${call.tool} ${call.arguments}`)
const fn = (name: string | null, args?: Json) => ({
  function: { name, ...(args === undefined ? {} : { arguments: args }) },
})

describe('which call a delta belongs to', () => {
  test('fragments of two calls that come by turns go by their index, also where it is a text', () => {
    const calls = made([
      { index: '0', id: 'a', ...fn('add', '{"a":') },
      { index: 1, id: 'b', ...fn('ping', '{"b":') },
      { index: 0, ...fn(null, '1}') },
      { index: '1', ...fn(null, '2}') },
    ])
    expect(short(calls)).toEqual(['a add {"a":1}', 'b ping {"b":2}'])
  })

  test('fragments without an index go by their id', () => {
    const calls = made([
      { id: 'a', ...fn('add', '') },
      { id: 'b', ...fn('ping', '') },
      { id: 'a', ...fn(null, '{"a":1}') },
      { id: 'b', ...fn(null, '{}') },
    ])
    expect(short(calls)).toEqual(['a add {"a":1}', 'b ping {}'])
  })

  test('an index that comes only later names the open call', () => {
    expect(
      short(
        made([
          { id: 'a', ...fn('add') },
          { index: 0, ...fn(null, '{}') },
        ]),
      ),
    ).toEqual(['a add {}'])
  })

  test('a new id in each fragment is no new call', () => {
    const calls = made([
      { index: 0, id: 'r1', ...fn('add', '{"a"') },
      { index: 0, id: 'r2', ...fn(null, ':1}') },
    ])
    expect(short(calls)).toEqual(['r1 add {"a":1}'])
  })

  test('whole calls at one index without ids are two calls', () => {
    const calls = made([
      { index: 0, id: '', ...fn('add', '{"a":1}') },
      { index: 0, id: '', ...fn('add', '{"a":1}') },
    ])
    expect(short(calls)).toEqual(['call_0 add {"a":1}', 'call_1 add {"a":1}'])
  })

  test('two calls without arguments at one index are told apart by their names', () => {
    expect(
      short(
        made([
          { index: 0, ...fn('ping', '') },
          { index: 0, ...fn('pong', '') },
        ]),
      ),
    ).toEqual(['call_0 ping {}', 'call_1 pong {}'])
  })

  test('two calls of one tool without arguments, index and id are two', () => {
    expect(short(made([fn('ping', ''), fn('ping', '')]))).toEqual(['call_0 ping {}', 'call_1 ping {}'])
  })

  test('a name repeated behind half the arguments goes on with the call', () => {
    expect(short(made([fn('add', '{"a"'), fn('add', ':1}'), fn('add', '{"a":2}')]))).toEqual([
      'call_0 add {"a":1}',
      'call_1 add {"a":2}',
    ])
  })

  test('a last chunk that repeats the whole call changes nothing', () => {
    const whole = { index: 0, id: 'a', ...fn('add', '{"a":1}') }
    expect(short(made([whole, whole]))).toEqual(['a add {"a":1}'])
  })

  test('an id that comes late is taken', () => {
    expect(
      short(
        made([
          { index: 0, id: '', ...fn('add', '') },
          { index: 0, id: 'late', ...fn('', '{}') },
        ]),
      ),
    ).toEqual(['late add {}'])
  })

  test('nothing at all is no call; arguments of no call are not dropped', () => {
    expect(made([{}, null, { index: 0, id: '', type: '', ...fn('', '') }])).toEqual([])
    expect(short(made([fn(null, '{"a":1}')]))).toEqual(['call_0  {"a":1}'])
  })
})

describe('names', () => {
  const parts = (tools: string[], ...names: string[]) =>
    made(
      names.map(name => ({ index: 0, id: 'a', ...fn(name) })),
      tools,
    ).map(call => call.tool)

  test('two halves are joined', () =>
    expect(parts(['get_weather'], 'get_', 'weather')).toEqual(['get_weather']))
  test('a repeated name is one', () => expect(parts(['add'], 'add', 'add', 'add')).toEqual(['add']))
  test('two equal halves are the tool on offer', () => expect(parts(['dodo'], 'do', 'do')).toEqual(['dodo']))
  test('where both are on offer, a repeated name is a repetition', () =>
    expect(parts(['do', 'dodo'], 'do', 'do')).toEqual(['do']))
  test('a name that is the beginning of another goes on', () =>
    expect(parts(['get', 'get_all'], 'get', '_all')).toEqual(['get_all']))
  test('a name resent as it grows is the last', () =>
    expect(parts(['get_weather'], 'get', 'get_weather')).toEqual(['get_weather']))
  test('an unknown name repeated is one, in parts it is joined', () => {
    expect(parts(['x'], 'nope', 'nope')).toEqual(['nope'])
    expect(parts(['x'], 'no', 'pe')).toEqual(['nope'])
  })
})

describe('arguments', () => {
  test.each([
    ['', '{}'],
    [' \n', '{}'],
    [null, '{}'],
    [undefined, '{}'],
    [{}, '{}'],
    [{ a: 'ö' }, '{"a":"ö"}'],
    [[1], '[1]'],
  ])('%j is %s', (given, read) => {
    expect(made([{ index: 0, id: 'a', ...fn('add', given as Json) }])[0]?.arguments).toBe(read)
  })

  test('an object after a first empty text is taken whole', () => {
    expect(
      short(
        made([
          { index: 0, id: 'a', ...fn('add', '') },
          { index: 0, ...fn(null, { a: 1 }) },
        ]),
      ),
    ).toEqual(['a add {"a":1}'])
  })
})

test('repeated ids are made unique, and a made one never takes a given one', () => {
  const calls = made([
    { index: 0, id: 'x', ...fn('add', '{}') },
    { index: 1, id: 'x', ...fn('add', '{}') },
    { index: 2, ...fn('add', '{}') },
    { index: 3, id: 'call_2', ...fn('add', '{}') },
  ])
  expect(calls.map(call => call.id)).toEqual(['x', 'x_1', 'call_2_', 'call_2'])
})

test('unknown fields of a call and of its function are kept, those of a later delta too', () => {
  const calls = made([
    { index: 0, id: 'a', extra_content: { google: { thought_signature: 's' } }, ...fn('add', '{}') },
    { index: 0, extra_content: { google: { more: 1 } }, nothing: null },
    { index: 0, function: { arguments: '', signature: 'f' } },
  ])
  expect(calls[0]?.extra).toEqual({
    extra_content: { google: { thought_signature: 's', more: 1 } },
    function: { signature: 'f' },
  })
})

test('a turn that was cut marks the open call, even where its JSON is whole, and each that cannot be read', () => {
  const entries = [
    { index: 0, id: 'a', ...fn('add', '{"a"') },
    { index: 1, id: 'b', ...fn('add', '{}') },
    { index: 2, id: 'c', ...fn('add', '{}') },
  ]
  expect(made(entries, ['add'], true).map(call => call.cut)).toEqual([true, undefined, true])
  expect(made(entries, ['add'], false).map(call => call.cut)).toEqual([undefined, undefined, undefined])
})

test('a __proto__ among the fields changes no prototype', () => {
  const calls = made([
    JSON.parse('{"index":0,"id":"a","__proto__":{"polluted":1},"function":{"name":"add","arguments":"{}"}}'),
  ])
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  expect(calls[0]).toEqual({ id: 'a', tool: 'add', arguments: '{}' })
})
