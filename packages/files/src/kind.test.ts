import { describe, expect, test } from 'vitest'
import { docxOf } from '../test/support/office.ts'
import { pdfOf } from '../test/support/pdf.ts'
import { gif, jpeg, png, webp } from '../test/support/pictures.ts'
import type { Refusal } from './errors.ts'
import { kindOf } from './kind.ts'

const told = (bytes: Uint8Array, name = 'a', declared?: string): string => {
  const kind = kindOf(bytes, name, declared)
  return 'type' in kind ? kind.type : kind.kind
}
const refused = (bytes: Uint8Array, name = 'a', declared?: string): string => {
  try {
    return told(bytes, name, declared)
  } catch (error) {
    return `${(error as Refusal).code} ${(error as Refusal).problem}`
  }
}

describe('what a file is', () => {
  test.each([
    ['a JPEG named .png', jpeg, 'photo.png', 'image/png', 'image/jpeg'],
    ['a PNG declared as JPEG', png, 'photo.jpg', 'image/jpeg', 'image/png'],
    ['image/jpg, which is no type', jpeg, 'photo.jpg', 'image/jpg', 'image/jpeg'],
    ['an upper-case type with parameters', png, 'A.PNG', 'IMAGE/PNG; charset=binary', 'image/png'],
    ['a GIF declared as text', gif, 'a.txt', 'text/plain', 'image/gif'],
    ['a WebP', webp, 'a.bin', 'application/octet-stream', 'image/webp'],
    ['a PDF named .docx', pdfOf([['Hi']]), 'a.docx', 'application/msword', 'pdf'],
    ['a DOCX named .pdf', docxOf(''), 'a.pdf', 'application/pdf', 'zip'],
    ['a text named .pdf', Buffer.from('just words'), 'cv.pdf', 'application/pdf', 'text/plain'],
    [
      'a text that speaks of PDF',
      Buffer.from('Files begin with\n%PDF-1.7\nas a rule.'),
      'a.txt',
      '',
      'text/plain',
    ],
    [
      'a PDF with something before its mark',
      Buffer.concat([Buffer.from('\n\n'), pdfOf([['Hi']])]),
      'a',
      '',
      'pdf',
    ],
    ['CSV by its name', Buffer.from('a,b\n1,2'), 'a.CSV', '', 'text/csv'],
    ['CSV by its declared type', Buffer.from('a,b\n1,2'), 'a', 'Text/CSV; header=present', 'text/csv'],
    ['Markdown', Buffer.from('# Hi'), 'a.md', '', 'text/markdown'],
    ['HTML by its content', Buffer.from('\uFEFF<!-- x -->\n<!DOCTYPE HTML><p>'), 'a.txt', '', 'text/html'],
    ['a part of HTML by its name', Buffer.from('<p>Hi'), 'a.html', '', 'text/html'],
    ['a text named .html', Buffer.from('1 < 2'), 'a.html', '', 'text/plain'],
    ['an unknown declared type', Buffer.from('x = 1'), 'a.py', 'text/x-python', 'text/plain'],
  ])('%s is told by its bytes', (_, bytes, name, declared, kind) => {
    expect(told(bytes, name, declared)).toBe(kind)
  })

  test.each([
    ['an empty file', Buffer.alloc(0), 'T9005 is empty'],
    [
      'an SVG',
      Buffer.from('<?xml version="1.0"?>\n<!-- drawn -->\n<svg xmlns="x"/>'),
      'T9007 is a picture of the kind SVG',
    ],
    ['an SVG with a document type', Buffer.from('<!DOCTYPE svg PUBLIC "-//W3C" "x">\n<svg:svg>'), 'T9007'],
    ['a BMP', Buffer.concat([Buffer.from('BM'), Buffer.alloc(60)]), 'T9007 is a picture of the kind BMP'],
    ['a TIFF', Buffer.from('II*\0\x08\0\0\0', 'latin1'), 'T9007 is a picture of the kind TIFF'],
    ['a HEIC', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0', 'latin1'), 'T9007 is a picture of the kind HEIC'],
    ['an AVIF', Buffer.from('\0\0\0\x18ftypavif\0\0\0\0', 'latin1'), 'T9007 is a picture of the kind AVIF'],
    ['a video', Buffer.from('\0\0\0\x18ftypisom\0\0\0\0', 'latin1'), 'T9008 is a video or a sound'],
    ['a gzip', Buffer.from([0x1f, 0x8b, 8, 0, 0, 0]), 'T9008 is a gzip archive'],
    ['a program', Buffer.from('\x7fELF\x02\x01\x01\0', 'latin1'), 'T9008 is a program'],
    ['bytes of nothing known', Buffer.from([1, 2, 3, 0, 255, 7]), 'T9008 is neither text nor'],
    [
      'an old Word file',
      Buffer.from(`d0cf11e0a1b11ae1${'00'.repeat(64)}`, 'hex'),
      'T9008 is of an old Office format',
    ],
    [
      'an encrypted DOCX',
      Buffer.concat([
        Buffer.from(`d0cf11e0a1b11ae1${'00'.repeat(64)}`, 'hex'),
        Buffer.from('EncryptedPackage', 'utf16le'),
      ]),
      'T9009 is encrypted',
    ],
  ])('%s is refused, and the refusal says what it is', (_, bytes, problem) => {
    expect(refused(bytes, 'photo.png', 'image/png')).toContain(problem)
  })
})
