// PDFs as they come: many pages, scanned, encrypted, damaged, and made to harm.
import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { readFiles, type Words } from '../src/index.ts'
import type { FileLimits } from '../src/limits.ts'
import { readAlone } from './support/alone.ts'
import { pdfOf, stream } from './support/pdf.ts'

const read = async (bytes: Uint8Array, limits: Partial<FileLimits> = {}): Promise<Words> =>
  (await readFiles([{ name: 'a.pdf', bytes }], { limits }))[0] as Words

describe('a PDF', () => {
  test('is told page by page', async () => {
    const file = await read(
      pdfOf([
        ['Page one', 'has (two) lines'],
        ['[page 9]', 'Gr\xfc\xdfe'],
      ]),
    )
    expect(file).toEqual({
      name: 'a.pdf',
      kind: 'words',
      type: 'application/pdf',
      text: '[page 1]\nPage one\nhas (two) lines\n\n[page 2]\n\\[page 9]\nGrüße',
      pages: [0, 35],
      notes: [],
    })
    expect(file.text.slice(file.pages![1])).toMatch(/^\[page 2\]/)
  })

  test('of 200 pages is read whole, and the parent takes little', async () => {
    const lines = Array.from(
      { length: 40 },
      (_, i) => `Line ${i} of a page with words enough to fill the line well.`,
    )
    const bytes = pdfOf(Array.from({ length: 200 }, (_, i) => [`This is page ${i + 1}`, ...lines]))
    const file = await read(bytes)
    expect(file.pages).toHaveLength(200)
    expect(file.text.slice(file.pages![199])).toMatch(/^\[page 200\]\nThis is page 200\n/)
    expect(file.notes).toEqual([])
    const { length, grown } = await readAlone('a.pdf', bytes)
    expect(length).toBe(file.text.length)
    expect(grown).toBeLessThan(40_000_000)
  })

  test('with scanned pages says which', async () => {
    const file = await read(pdfOf([[], ['words'], [], [], ['more'], []]))
    expect(file.notes).toEqual([
      'Pages 1, 3 to 4 and 6 have no text that can be read: perhaps scanned, and pictures are not read.',
    ])
  })

  test('of scanned pages only says so', async () => {
    const file = await read(pdfOf([[], []]))
    expect(file.notes).toEqual([
      'It has no text that can be read on any page: it is perhaps scanned, and pictures in it are not read.',
    ])
  })

  test('that needs a password is refused', async () => {
    await expect(read(pdfOf([['secret words']], { password: 'x' }))).rejects.toMatchObject({
      code: 'T9009',
      message: expect.stringContaining(
        'a.pdf cannot be read: it is encrypted: it opens with a password only',
      ),
    })
  })

  test('that is encrypted but opens for anyone is read', async () => {
    expect((await read(pdfOf([['open words']], { password: '' }))).text).toBe('[page 1]\nopen words')
  })

  test.each([
    ['that is nothing but its mark', Buffer.from('%PDF-1.7\n')],
    ['that breaks off early', pdfOf([['words']]).subarray(0, 80)],
    [
      'of which every byte but the first is noise',
      Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(5_000, 0xa7)]),
    ],
    ['that is plain ASCII but no PDF', Buffer.from(`%PDF-1.4\n${'plain words\n'.repeat(500)}`)],
    ['without pages', pdfOf([])],
  ])('%s is damaged, and its bytes are no text', async (_, bytes) => {
    await expect(read(bytes)).rejects.toMatchObject({ code: 'T9010' })
  })

  test('whose end is cut off is read as far as it goes', async () => {
    const whole = pdfOf([['first'], ['second']])
    expect((await read(whole.subarray(0, whole.indexOf('startxref')))).text).toContain('first')
  })

  test('with a damaged page gives the others and says which', async () => {
    const bytes = pdfOf([['first'], ['second'], ['third']], {
      objects: objects => {
        objects[5] = '<< /Type /Pages >>'
      },
    })
    const file = await read(bytes)
    expect(file.text).toContain('first')
    expect(file.text).toContain('third')
    expect(file.notes).toEqual([expect.stringMatching(/^Page 2 has/)])
  })
})

describe('a PDF that loops', () => {
  const loops: [string, Buffer][] = [
    [
      'in its page tree',
      pdfOf([['x']], { objects: o => (o[1] = '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 1000000000 >>') }),
    ],
    ['in its tables', pdfOf([['x']], { trailer: xref => `/Prev ${xref}` })],
    [
      'in a form that draws itself',
      pdfOf([['x']], {
        objects: o => {
          const form =
            '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /F 6 0 R >> >>'
          o[3] =
            '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Resources << /XObject << /F 6 0 R >> >> /Contents 5 0 R >>'
          o[4] = stream(Buffer.from('/F Do'))
          o[5] = stream(Buffer.from('/F Do /F Do'), form)
        },
      }),
    ],
    [
      'in the length of a stream',
      pdfOf([['x']], { objects: o => (o[4] = '<< /Length 5 0 R >>\nstream\nBT ET\nendstream') }),
    ],
    [
      'in what a page belongs to',
      pdfOf([['x']], { objects: o => (o[3] = '<< /Type /Page /Parent 4 0 R /Contents 5 0 R >>') }),
    ],
  ]

  test.each(loops)('%s is read or refused in time', { timeout: 30_000 }, async (_, bytes) => {
    const began = performance.now()
    const file = await read(bytes, { time: 5_000 }).catch((error: { code: string }) => error)
    if ('code' in file) expect(file.code).toMatch(/^T90(10|11|12)$/)
    else expect(file.text).toMatch(/^\[page 1\]/)
    expect(performance.now() - began).toBeLessThan(7_000)
  })

  test('or swells is ended at its limits, and the parent stays small', { timeout: 30_000 }, async () => {
    // A few kilobytes that unpack twice, to 1 GB.
    const once = deflateSync(Buffer.alloc(1_000_000_000, ' '), { level: 9 })
    const bomb = stream(deflateSync(once, { level: 9 }), '/Filter [/FlateDecode /FlateDecode]')
    expect(bomb.length).toBeLessThan(20_000)
    const { code, grown } = await readAlone('a.pdf', pdfOf([['x']], { objects: o => (o[4] = bomb) }))
    expect(code).toMatch(/^T90(11|12)$/)
    expect(grown).toBeLessThan(40_000_000)
  })
})
