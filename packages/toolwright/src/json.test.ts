import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonLine } from './json.ts'

test('a line of JSON reads back the same, and holds nothing that a terminal obeys', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      const line = jsonLine({ text })
      expect(JSON.parse(line)).toEqual({ text })
      expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
    }),
    { numRuns: 500, seed: 2 },
  )
  expect(jsonLine('\u009b31m \u202e \u{e0041}')).toBe('"\\u009b31m \\u202e \\udb40\\udc41"')
})
