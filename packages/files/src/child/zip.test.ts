import { deflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { zipOf } from '../../test/support/office.ts'
import { openZip } from './zip.ts'

describe('an archive', () => {
  test('gives its parts, deflated and stored', () => {
    const zip = openZip(zipOf({ 'a/b.xml': 'deflated', c: { data: 'stored', method: 0 } }), 100)
    expect(zip.names).toEqual(['a/b.xml', 'c'])
    expect([zip.read('a/b.xml').toString(), zip.read('c').toString()]).toEqual(['deflated', 'stored'])
  })

  test('is refused where its parts together unpack to too much, whatever sizes it states', () => {
    const zip = openZip(zipOf({ a: 'x'.repeat(60), b: { data: 'x'.repeat(60), size: 1 } }), 100)
    zip.read('a')
    expect(() => zip.read('b')).toThrow(expect.objectContaining({ code: 'T9013' }))
  })

  test('is refused where one part read again and again unpacks to too much', () => {
    const zip = openZip(zipOf({ a: 'x'.repeat(60) }), 100)
    zip.read('a')
    expect(() => zip.read('a')).toThrow(expect.objectContaining({ code: 'T9013' }))
  })

  test.each([
    ['encrypted', { data: 'x', flags: 1 }, 'T9009'],
    ['of an unknown method', { data: 'x', method: 99 }, 'T9008'],
    ['of a wrong check sum', { data: 'x', sum: 1 }, 'T9010'],
    [
      'of data that breaks off',
      { data: 'xyz'.repeat(99), packed: deflateRawSync('abc'.repeat(99)).subarray(0, 5) },
      'T9010',
    ],
    ['of data that is none', { data: 'x', packed: Buffer.from('ffffffff', 'hex') }, 'T9010'],
  ])('is refused where a part is %s', (_, part, code) => {
    expect(() => openZip(zipOf({ a: part }), 1_000).read('a')).toThrow(expect.objectContaining({ code }))
  })

  test('is refused wherever it is cut', () => {
    const bytes = zipOf({ a: 'some words', b: 'others' })
    for (let length = 0; length < bytes.length; length++)
      expect(() => openZip(bytes.subarray(0, length), 1_000)).toThrow(
        expect.objectContaining({ code: 'T9010' }),
      )
  })
})
