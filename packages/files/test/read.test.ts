// Files as a person attaches them: several at once, of every kind, good and bad.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { constants, deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Given, type ReadFile, readFiles, type Words } from '../src/index.ts'
import { readAlone } from './support/alone.ts'
import { docxOf, p, xlsxOf, zipOf } from './support/office.ts'
import { pdfOf } from './support/pdf.ts'
import { gif, jpeg, png, webp } from './support/pictures.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolwright-files-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const bytes = (name: string, content: Uint8Array | string): Given => ({
  name,
  bytes: Buffer.from(content as string),
})
const told = (file: ReadFile): string =>
  file.kind === 'words' ? `${file.type}: ${file.text}` : file.dataUrl.slice(0, 22)

test('files of every kind are read, in their order, by their bytes', async () => {
  writeFileSync(join(folder, 'on disk.csv'), 'a,b\r\n1,2\r\n')
  const files = await readFiles([
    { name: 'on disk.csv', type: 'text/csv', path: join(folder, 'on disk.csv') },
    bytes('a.pdf', pdfOf([['one']])),
    bytes('a.docx', docxOf(p('two'))),
    bytes('a.xlsx', xlsxOf({ S: '<row><c><v>3</v></c></row>' })),
    bytes('a.md', '# four'),
    bytes('a.html', '<p>five'),
    bytes('a.txt', Buffer.from('\uFEFFs\xe9x', 'utf16le')),
    { name: 'a', url: 'data:,seven' },
    ...[png, jpeg, gif, webp].map(picture => bytes('photo.bmp', picture)),
  ])
  expect(files.map(told)).toEqual([
    'text/csv: a,b\n1,2\n',
    'application/pdf: [page 1]\none',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document: two',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet: [sheet S]\n3',
    'text/markdown: # four',
    'text/html: five',
    'text/plain: séx',
    'text/plain: seven',
    'data:image/png;base64,',
    'data:image/jpeg;base64',
    'data:image/gif;base64,',
    'data:image/webp;base64',
  ])
  expect(files.slice(-3).map(file => file.name)).toEqual(['photo (2).bmp', 'photo (3).bmp', 'photo (4).bmp'])
  expect(JSON.parse(JSON.stringify(files))).toEqual(files)
})

test('one error names each file that cannot be read, in their order, and why', async () => {
  const reading = readFiles([
    bytes('good.txt', 'fine'),
    bytes('slow.pdf', '%PDF-1.7 broken'),
    bytes('empty.png', ''),
    { name: 'far.png', type: 'image/png', path: 'ftp://example.com/far.png' },
    null as never,
  ])
  await expect(reading).rejects.toMatchObject({ name: 'ToolwrightError', code: 'T9010' })
  await expect(reading).rejects.toThrow(
    /^T9010: 4 of 5 files cannot be read:\n {2}slow\.pdf: is damaged .*T9010.*\n {2}empty\.png: is empty \(T9005; .*\n {2}far\.png: is a ftp: address \(T9003; .*\n {2}attachment 5: is not stated .*T9001/,
  )
})

test('one file that cannot be read is told with the mend', async () => {
  await expect(readFiles([bytes('logo.svg', '<svg/>')])).rejects.toMatchObject({
    code: 'T9007',
    message:
      'T9007: logo.svg cannot be read: it is a picture of the kind SVG, which models do not take\n  save it as PNG or JPEG and attach that',
    fix: 'save it as PNG or JPEG and attach that',
  })
})

test('limits that are none are refused', async () => {
  const limits = { tme: 3, part: 0.5 }
  await expect(readFiles([], { limits })).rejects.toThrow(
    /^T1001: .*\n {2}tme: is no limit .*\n {2}part: is 0\.5/,
  )
})

test('an encoding that was guessed is noted', async () => {
  const [file] = await readFiles([bytes('a.txt', Buffer.from('Caf\xe9 au lait', 'latin1'))])
  expect(file).toMatchObject({
    text: 'Café au lait',
    notes: [expect.stringContaining('guessed as windows-1252')],
  })
})

test('a text over the limit is kept up to it, and its memory is given back', async () => {
  const [file] = (await readFiles([bytes('big.log', 'x'.repeat(3_000_000))], {
    limits: { words: 1_000 },
  })) as [Words]
  expect(file.text).toHaveLength(1_000)
  expect(file.notes).toEqual(['Only its first 1,000 characters were read.'])
})

test('reading ends when the signal aborts, and no child is left', async () => {
  const stop = new AbortController()
  const many = Array.from({ length: 6 }, (_, i) => bytes(`${i}.html`, '<p>x'))
  const reading = readFiles(many, { signal: stop.signal })
  stop.abort(new Error('no longer wanted'))
  await expect(reading).rejects.toThrow('no longer wanted')
})

describe('a zip that inflates to 10 GB', () => {
  let bomb: Buffer
  beforeAll(() => {
    // 10 MB of zeros end on a whole byte, so that a thousand of them are one stream.
    const zeros = deflateRawSync(Buffer.alloc(10_000_000), { level: 9, finishFlush: constants.Z_FULL_FLUSH })
    const packed = Buffer.concat([
      ...Array.from({ length: 1_000 }, () => zeros),
      deflateRawSync(Buffer.alloc(0)),
    ])
    bomb = docxOf('', { 'word/document.xml': { data: '', packed, sum: 0, size: 10 } })
  })

  test('is refused in time, and the parent stays small', async () => {
    const { code, grown, ms } = await readAlone('bomb.docx', bomb)
    expect(code).toBe('T9013')
    expect(ms).toBeLessThan(5_000)
    // The bytes of the archive, read and joined, and the pipe to the child.
    expect(grown).toBeLessThan(bomb.length * 3 + 20_000_000)
  })
})

test('archives in archives are not opened', async () => {
  let nested = zipOf({ 'x.txt': 'x' })
  for (let n = 0; n < 50; n++) nested = zipOf({ 'inner.zip': nested })
  await expect(readFiles([bytes('a.zip', nested)])).rejects.toMatchObject({ code: 'T9008' })
  const [file] = await readFiles([bytes('a.docx', docxOf(p('words'), { 'word/embeddings/a.zip': nested }))])
  expect(file).toMatchObject({ text: 'words' })
})
