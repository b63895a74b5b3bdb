import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { eventStream } from './sse.ts'

/** The events of a stream in these parts, and the lines that are none. */
function read(parts: string[]) {
  const data: string[] = []
  const other: string[] = []
  const stream = eventStream(
    event => data.push(event),
    line => other.push(line),
  )
  for (const part of parts) stream.push(part)
  stream.end()
  return { data, other }
}

const STREAM = [
  ': a comment',
  'event: message',
  'id: 1',
  'data: first line',
  'data:second line',
  'data',
  'data:  two spaces, one of them kept',
  '',
  '',
  'retry: 10',
  'data: {"a":"ü: 🙂"}',
  '',
  '{"error":"no event at all"}',
  'database: none either',
  'data: last, without an empty line behind it',
].join('\n')
const EXPECTED = {
  data: [
    'first line\nsecond line\n\n two spaces, one of them kept',
    '{"a":"ü: 🙂"}',
    'last, without an empty line behind it',
  ],
  other: ['{"error":"no event at all"}', 'database: none either'],
}

describe.each([
  ['LF', '\n'],
  ['CRLF', '\r\n'],
  ['CR', '\r'],
])('lines that end with %s', (_, end) => {
  const stream = STREAM.replaceAll('\n', end)

  test('give the same events whole, character by character, and cut anywhere', () => {
    expect(read([stream])).toEqual(EXPECTED)
    expect(read(stream.split(''))).toEqual(EXPECTED)
    for (let n = 0; n <= stream.length; n++) {
      expect(read([stream.slice(0, n), '', stream.slice(n)])).toEqual(EXPECTED)
    }
  })
})

test('line ends may be mixed, and no cut makes two of one', () => {
  const line = fc.tuple(fc.constantFrom('data: a', 'data: b', ': c', ''), fc.constantFrom('\n', '\r\n', '\r'))
  const stream = fc.array(line, { maxLength: 12 }).map(lines => lines.flat().join(''))
  fc.assert(
    fc.property(stream, fc.nat(60), fc.nat(60), (text, a, b) => {
      const [from, to] = [Math.min(a, b), Math.max(a, b)]
      expect(read([text.slice(0, from), text.slice(from, to), text.slice(to)])).toEqual(read([text]))
    }),
  )
})

test('a long line in small parts costs linear time', () => {
  const long = 'x'.repeat(400_000)
  const began = performance.now()
  expect(read(['data: ', ...long.match(/.{4}/g)!, '\n\n']).data).toEqual([long])
  // Quadratic work would be 20 GB of copying; the bound only has to tell the two apart.
  expect(performance.now() - began).toBeLessThan(2_000)
})
