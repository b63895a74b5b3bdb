import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeJson, escapeLine, escaper, escapeText } from './escape.ts'

// Texts that are rich in what an escaper is for.
const nasty = fc.constantFrom(
  ...[
    '\x1b[2J',
    '\x1b]0;title\x07',
    '\x9b31m',
    '\r',
    '\r\n',
    '\n',
    '\t',
    '\0',
    '\x7f',
    '\u202e',
    '\u2066',
    '\u200b',
  ],
  ...[
    '\u200d',
    '\u200c',
    '\ufe0f',
    '\u2028',
    '\u{e0041}',
    '\ufff9',
    '\u3164',
    '\ud800',
    '\udc00',
    '❤️',
    '👨‍👩‍👧',
    'می‌خواهم',
  ],
)
const foreign = fc
  .array(fc.oneof(nasty, fc.string({ unit: 'binary' }), fc.string()), { maxLength: 12 })
  .map(parts => parts.join(''))

describe('escapeText', () => {
  it('leaves no control character but \\n, and no direction or hidden tag, in any text', () => {
    fc.assert(
      fc.property(foreign, text => {
        const out = escapeText(text)
        expect(out).not.toMatch(/[^\P{Cc}\n]/u)
        expect(out).not.toMatch(
          /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029\u{e0000}-\u{e0fff}]/u,
        )
        expect(out).not.toMatch(/\p{Cs}/u)
      }),
      { numRuns: 1000 },
    )
  })

  it('gives the same again for its own output', () => {
    fc.assert(
      fc.property(foreign, text => {
        expect(escapeText(escapeText(text))).toBe(escapeText(text))
      }),
    )
  })

  it('shows terminal sequences, bidi overrides and invisible characters', () => {
    expect(escapeText('a\x1b[31mred\x1b[0m')).toBe('a\\x1b[31mred\\x1b[0m')
    expect(escapeText('\x9b2J\x07')).toBe('\\x9b2J\\x07')
    expect(escapeText('invoice\u202efdp.exe')).toBe('invoice\\u202efdp.exe')
    expect(escapeText('a\u200bb\u00adc\u{e0041}')).toBe('a\\u200bb\\xadc\\u{e0041}')
    expect(escapeText('pay\u200cpal')).toBe('pay\\u200cpal')
    expect(escapeText('1\ufe0fx\ufe0f\u200d👨')).toBe('1\\ufe0fx\\ufe0f\\u200d👨')
    expect(escapeText('\ud800x')).toBe('\\ud800x')
  })

  it('leaves ordinary writing alone', () => {
    for (const text of ['Grüße, 世界! 🚀', '❤️ 1️⃣ 👨‍👩‍👧 👩🏽‍💻', 'می‌خواهم', 'क्‍ष', 'שלום', 'line\nline', ''])
      expect(escapeText(text)).toBe(text)
  })

  it('makes a tab four spaces, \\r\\n a newline, and shows a lone \\r', () => {
    expect(escapeText('a\tb\r\nc\rd')).toBe('a    b\nc\\x0dd')
  })

  it('is fast: a megabyte of plain text, and of text full of controls', () => {
    const started = performance.now()
    escapeText('All of this is plain.\n'.repeat(45_000))
    escapeText('\x1b[31m❤️‍🔥é'.repeat(60_000))
    expect(performance.now() - started).toBeLessThan(2000)
  })
})

describe('escaper', () => {
  it('gives of any parts what escape gives of the whole', () => {
    fc.assert(
      fc.property(foreign, fc.array(fc.nat(8), { minLength: 1, maxLength: 30 }), (text, sizes) => {
        const { next, end } = escaper()
        let out = ''
        let at = 0
        for (let i = 0; at < text.length; i++) {
          const size = (sizes[i % sizes.length] ?? 0) + 1
          out += next(text.slice(at, at + size))
          at += size
        }
        expect(out + end()).toBe(escapeText(text))
      }),
      { numRuns: 2000 },
    )
  })

  it('holds no ordinary text back, and begins anew after its end', () => {
    const { next, end } = escaper()
    expect([next('a'), next('é❤'), next('️'), next('b\r'), next('\nc'), end()]).toEqual([
      'a',
      'é❤',
      '',
      '️b',
      '\nc',
      '',
    ])
    expect([next('\u200d👧'), end()]).toEqual(['\\u200d👧', ''])
  })
})

describe('escapeLine', () => {
  it('gives one line that is not longer than asked', () => {
    fc.assert(
      fc.property(foreign, fc.integer({ min: 1, max: 60 }), (text, most) => {
        const line = escapeLine(text, most)
        expect(line.length).toBeLessThanOrEqual(most)
        expect(line).not.toMatch(/[\p{Cc}\p{Cs}]/u)
      }),
    )
  })

  it('says with … that something was cut, and only then', () => {
    expect(escapeLine('one\n  two', 7)).toBe('one two')
    expect(escapeLine('one two three', 8)).toBe('one two…')
    expect(escapeLine('x'.repeat(1_000_000), 5)).toBe('xxxx…')
  })
})

describe('escapeJson', () => {
  it('reads back as the same value, and holds nothing hidden', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          foreign.map(text => JSON.stringify({ [text]: [text, {}, []] })),
        ),
        json => {
          const out = escapeJson(json)
          expect(JSON.parse(out)).toEqual(JSON.parse(json))
          expect(out).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\p{Default_Ignorable_Code_Point}]/u)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('indents, and keeps the digits of a number', () => {
    expect(escapeJson('{"to":"a\u202eb","n":12345678901234567890.10,"none":[ ],"list":[1,{"x":null}]}')).toBe(
      [
        '{',
        '  "to": "a\\u202eb",',
        '  "n": 12345678901234567890.10,',
        '  "none": [],',
        '  "list": [',
        '    1,',
        '    {',
        '      "x": null',
        '    }',
        '  ]',
        '}',
      ].join('\n'),
    )
  })

  it('escapes a text that is not JSON', () => {
    expect(escapeJson('{"a": \x1b[2J')).toBe('{"a": \\x1b[2J')
  })
})
