import { describe, expect, test } from 'vitest'
import { decoded, plain } from './text.ts'

const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le')

describe('a text', () => {
  test.each([
    ['UTF-8', Buffer.from('Grüße 🎈'), 'utf-8', 'Grüße 🎈'],
    ['UTF-8 with its mark', Buffer.from('\uFEFFGrüße'), 'utf-8', 'Grüße'],
    ['UTF-16 with its mark', utf16('\uFEFFGrüße'), 'utf-16le', 'Grüße'],
    ['UTF-16 the other way round', utf16('\uFEFFGrüße').swap16(), 'utf-16be', 'Grüße'],
    ['UTF-16 without a mark', utf16('Grüße an alle'), 'utf-16le', 'Grüße an alle'],
    ['UTF-16 without a mark, the other way round', utf16('Grüße').swap16(), 'utf-16be', 'Grüße'],
    [
      'Windows-1252',
      Buffer.from('\x93Viele Gr\xfc\xdfe\x94 zu Ostern f\xfcr 5 \x80', 'latin1'),
      'windows-1252',
      '“Viele Grüße” zu Ostern für 5 €',
    ],
    ['one letter of Latin-1 at the end', Buffer.from('caf\xe9', 'latin1'), 'windows-1252', 'café'],
  ])('in %s is decoded', (_, bytes, encoding, text) => {
    expect(decoded(bytes)).toMatchObject({ text, encoding, guessed: encoding === 'windows-1252', cut: false })
  })

  test('whose last character is cut off keeps the others', () => {
    const bytes = Buffer.from('Grüße 🎈').subarray(0, -2)
    expect(decoded(bytes)).toEqual({ text: 'Grüße ', encoding: 'utf-8', guessed: false, cut: true })
  })

  test.each([
    ['a zero', Buffer.from('abc\0def')],
    ['controls', Buffer.from('ab\x01\x02\x03cd')],
    [
      'mostly letters beyond ASCII, in an unknown encoding',
      Buffer.from('\xcf\xf0\xe8\xe2\xe5\xf2', 'latin1'),
    ],
    ['bytes that no western text holds', Buffer.from('a long text with \x81 in it', 'latin1')],
    ['UTF-16 that breaks its own rules', Buffer.from('fffe00d80000', 'hex')],
  ])('is not what holds %s', (_, bytes) => {
    expect(decoded(bytes)).toBeUndefined()
  })

  test('has line breaks of one kind, and no controls', () => {
    expect(plain('a\r\nb\rc\u0007\n\td')).toBe('a\nb\nc\n\td')
  })
})
