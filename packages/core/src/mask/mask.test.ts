import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mask } from './mask.ts'

const hex = (text: string) => Buffer.from(text).toString('hex')
const each = (text: string, to: (code: number) => string) =>
  Array.from(text, one => to(one.codePointAt(0)!)).join('')

/** Ways in which somebody may repeat a text. */
const ways: Record<string, (text: string) => string> = {
  'as it is': text => text,
  quoted: text => `"quoted ${text}"`,
  'as JSON': text => JSON.stringify(text),
  'as JSON with slashes': text => JSON.stringify(text).replaceAll('/', '\\/'),
  'as JSON in JSON': text => JSON.stringify(JSON.stringify(text)).slice(3, -3),
  'all in \\u': text => each(text, code => `\\u${code.toString(16).padStart(4, '0')}`),
  'in HTML': text =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  'all in entities': text => each(text, code => `&#${code};`),
  'all in hex entities': text => each(text, code => `&#x${code.toString(16)};`),
  'in a URL': text => encodeURIComponent(text),
  'in a URL, lower case': text => encodeURIComponent(text).replace(/%../g, code => code.toLowerCase()),
  'in a form': text => encodeURIComponent(text).replaceAll('%20', '+'),
  'in a URL twice': text => encodeURIComponent(encodeURIComponent(text)),
  'all in percents': text => hex(text).replace(/../g, '%$&'),
  'in hex': hex,
  'in upper hex': text => hex(text).toUpperCase(),
  'in base64': text => Buffer.from(text).toString('base64'),
  'in base64 behind one letter': text => Buffer.from(`x${text}!`).toString('base64'),
  'in base64 behind two letters': text => Buffer.from(`x:${text}!!`).toString('base64'),
  'in base64 of URLs': text => Buffer.from(`x${text}`).toString('base64url'),
}

describe('a secret', () => {
  it.each(Object.keys(ways))('is hidden %s', way => {
    fc.assert(
      fc.property(
        fc
          .string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 40 })
          .filter(text => text.trim() === text),
        secret => {
          const hidden = mask()
          hidden.add(secret)
          const said = ways[way]!(secret)
          const shown = hidden.text(`before ${said} after`)
          expect(shown).toContain('[secret]')
          // What is left of it, at the seams of base64, is less than half.
          expect(shown.length).toBeLessThan('before [secret] after'.length + Math.max(10, said.length / 2))
        },
      ),
      { numRuns: 50 },
    )
  })

  it('is hidden in keys, lists and numbers of a value, and the value is left as it is', () => {
    const hidden = mask()
    hidden.add('some-token')
    hidden.add('123456')
    const value = { 'some-token': ['some-token', 5, 123456, 123456n, null] }
    expect(hidden.value(value)).toEqual({ '[secret]': ['[secret]', 5, '[secret]', '[secret]', null] })
    expect(value['some-token'][0]).toBe('some-token')
  })

  it.each([
    ['an invisible letter in it', 'key some\u200b-token/&x'],
    ['a zero byte in it', 'key some\0-token/&x'],
    ['a line break in it', 'key some-tok\r\nen/&x'],
    ['tags in it', 'key <b>some</b>-token/&x'],
    ['one letter escaped for a URL', 'key %73ome-token/&x'],
    ['some letters escaped for HTML', 'key &#115;ome-token/&amp;x'],
    ['a letter escaped for JSON', 'key \\u0073ome-token\\/&x'],
  ])('is hidden with %s', (_, said) => {
    const hidden = mask()
    hidden.add('some-token/&x')
    expect(hidden.text(said)).toBe('key [secret]')
  })

  it('that is not there leaves a text as it is, whatever is in it', () => {
    const hidden = mask()
    hidden.add('some-token')
    for (const text of ['100% <b>\u200bsure</b>\n&amp; \\u0041', 'some\ntoken', '%', '\\'])
      expect(hidden.text(text)).toBe(text)
  })

  it('of which another is a part is hidden as a whole', () => {
    const hidden = mask()
    hidden.add('abcd')
    hidden.add('abcd-efgh')
    expect(hidden.text('abcd-efgh abcd')).toBe('[secret] [secret]')
  })
})
