// Whatever bytes come, they are read or refused, in time; nothing else happens.
import { ToolwrightError } from '@toolwright/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codes, type ReadFile, readFiles } from '../src/index.ts'
import { docxOf, p, xlsxOf } from './support/office.ts'
import { pdfOf } from './support/pdf.ts'
import { gif, jpeg, png, webp } from './support/pictures.ts'

const full = process.env['TOOLWRIGHT_FULL'] === '1'
const formats = [
  pdfOf([['one'], ['two']]),
  docxOf(p('words')),
  xlsxOf({ S: '<row><c t="inlineStr"><is><t>words</t></is></c></row>' }),
  Buffer.from('<!doctype html><p>words<table><tr><td>x'),
  png,
  jpeg,
  gif,
  webp,
  Buffer.from('plain words, and "others"\n'),
]

async function settled(bytes: Uint8Array): Promise<ReadFile | undefined> {
  const began = performance.now()
  try {
    const [file] = await readFiles([{ name: 'a', bytes }], { limits: { time: 4_000 } })
    return file
  } catch (error) {
    expect(error).toBeInstanceOf(ToolwrightError)
    const { code } = error as ToolwrightError
    expect(Object.keys(codes)).toContain(code)
    // A reader that crashed would be this one.
    expect(code).not.toBe('T9014')
    return undefined
  } finally {
    expect(performance.now() - began).toBeLessThan(8_000)
  }
}

test('random bytes are text or refused', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async bytes => {
      const file = await settled(bytes)
      if (file?.kind !== 'words') return
      // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these must not come through
      expect(file.text).not.toMatch(/[\u0000-\u0008\u000e-\u001a]/)
    }),
    { numRuns: full ? 3_000 : 500 },
  )
})

test('files with bytes that were changed, left out or put in are read or refused', {
  timeout: 600_000,
}, async () => {
  const harm = fc.record({
    at: fc.nat(),
    kind: fc.constantFrom('change', 'leave', 'put', 'cut'),
    byte: fc.nat(255),
  })
  const harmed = fc.tuple(fc.constantFrom(...formats), fc.array(harm, { minLength: 1, maxLength: 6 }))
  await fc.assert(
    fc.asyncProperty(harmed, async ([file, harms]) => {
      let bytes = Buffer.from(file)
      for (const { at, kind, byte } of harms) {
        const place = at % Math.max(1, bytes.length)
        const [before, after] = [bytes.subarray(0, place), bytes.subarray(place + 1)]
        if (kind === 'cut') bytes = Buffer.from(before)
        else if (kind === 'leave') bytes = Buffer.concat([before, after])
        else if (kind === 'put') bytes = Buffer.concat([before, Buffer.from([byte]), bytes.subarray(place)])
        else bytes = Buffer.concat([before, Buffer.from([byte]), after])
      }
      await settled(bytes)
    }),
    { numRuns: full ? 600 : 40 },
  )
})
