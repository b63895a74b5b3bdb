// What a file is, told by its bytes. Names and declared types are promises of others; they decide nothing but which
// kind of text a text is.
import { Refusal } from './errors.ts'
import { type Decoded, decoded } from './text.ts'

/** What the bytes are: a picture, a document that a child reads, or a text. */
export type Kind =
  | { kind: 'picture'; type: string }
  | { kind: 'pdf' | 'zip' }
  | { kind: 'text'; type: string; decoded: Decoded }

const formats = 'PDF, DOCX, XLSX, CSV, Markdown, HTML, text, and PNG, JPEG, GIF or WebP pictures'

/** What `bytes` are. Throws a {@link Refusal} where they are nothing that is read. */
export function kindOf(bytes: Uint8Array, name: string, declared = ''): Kind {
  if (bytes.length === 0) throw new Refusal('T9005', 'is empty', 'attach the file again, with its content')
  const type = pictureType(bytes)
  if (type !== undefined) return { kind: 'picture', type }
  if (isPdf(bytes)) return { kind: 'pdf' }
  if (begins(bytes, 'PK\x03\x04') || begins(bytes, 'PK\x05\x06')) return { kind: 'zip' }
  if (begins(bytes, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) throw oldOffice(bytes)
  const text = decoded(bytes)
  if (text === undefined) throw unread(bytes)
  const head = text.text.slice(0, 4096)
  if (isSvg(head)) throw otherPicture('SVG')
  return { kind: 'text', type: textType(head, name, declared), decoded: text }
}

/** The media type of a picture that models take. */
export function pictureType(bytes: Uint8Array): string | undefined {
  if (begins(bytes, '\x89PNG\r\n\x1a\n')) return 'image/png'
  if (begins(bytes, '\xff\xd8\xff')) return 'image/jpeg'
  if (begins(bytes, 'GIF87a') || begins(bytes, 'GIF89a')) return 'image/gif'
  if (begins(bytes, 'RIFF') && begins(bytes, 'WEBP', 8)) return 'image/webp'
  return undefined
}

/** A PDF may have a few bytes before its mark; a text that only speaks of PDF has neither its end nor its table. */
function isPdf(bytes: Uint8Array): boolean {
  if (begins(bytes, '%PDF-')) return true
  const at = buffer(bytes).subarray(0, 1024).indexOf('%PDF-')
  return at > 0 && buffer(bytes).subarray(-2048).includes('startxref')
}

function isSvg(head: string): boolean {
  const inner = head
    .replace(/^\uFEFF?\s*(<\?xml[^>]*>)?/i, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<!doctype[^>[]*(\[[^\]]*\])?[^>]*>/i, '')
  return /^\s*<([a-z]+:)?svg[\s/>]/i.test(inner)
}

function textType(head: string, name: string, declared: string): string {
  const said = declared.split(';')[0]!.trim().toLowerCase()
  const suffix = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  if (/^\uFEFF?\s*(<!--[\s\S]*?-->\s*)*<(!doctype\s+html|html|head|body)[\s/>]/i.test(head))
    return 'text/html'
  const hinted = textTypes[suffix] ?? (Object.values(textTypes).includes(said) ? said : 'text/plain')
  return hinted === 'text/html' && !/<[a-z!/]/i.test(head) ? 'text/plain' : hinted
}

const textTypes: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  md: 'text/markdown',
  markdown: 'text/markdown',
  htm: 'text/html',
  html: 'text/html',
  json: 'application/json',
}

// What else is often attached, so that its refusal can say what it is.
const others: readonly (readonly [mark: string, at: number, what: string, picture?: 'picture'])[] = [
  ['BM', 0, 'BMP', 'picture'],
  ['II*\0', 0, 'TIFF', 'picture'],
  ['MM\0*', 0, 'TIFF', 'picture'],
  ['\0\0\x01\0', 0, 'ICO', 'picture'],
  ['ftypavif', 4, 'AVIF', 'picture'],
  ['ftyphei', 4, 'HEIC', 'picture'],
  ['ftypmif1', 4, 'HEIC', 'picture'],
  ['\0\0\0\x0cJXL ', 0, 'JPEG XL', 'picture'],
  ['ftyp', 4, 'a video or a sound'],
  ['RIFF', 0, 'a video or a sound'],
  ['ID3', 0, 'a sound'],
  ['OggS', 0, 'a sound'],
  ['fLaC', 0, 'a sound'],
  ['\x1aE\xdf\xa3', 0, 'a video'],
  ['\x1f\x8b', 0, 'a gzip archive'],
  ['7z\xbc\xaf', 0, 'a 7z archive'],
  ['Rar!', 0, 'a RAR archive'],
  ['ustar', 257, 'a tar archive'],
  ['\x7fELF', 0, 'a program'],
  ['MZ', 0, 'a program'],
  ['SQLite format 3', 0, 'a SQLite database'],
]

function unread(bytes: Uint8Array): Refusal {
  const found = others.find(([mark, at]) => begins(bytes, mark, at))
  if (found?.[3] === 'picture') return otherPicture(found[2])
  const problem = found
    ? `is ${found[2]}, which is not read`
    : 'is neither text nor a document or a picture that is read'
  return new Refusal('T9008', problem, `attach one of: ${formats}`)
}

function otherPicture(what: string): Refusal {
  return new Refusal(
    'T9007',
    `is a picture of the kind ${what}, which models do not take`,
    'save it as PNG or JPEG and attach that',
  )
}

/** An encrypted DOCX or XLSX is wrapped in the container of the old formats. */
function oldOffice(bytes: Uint8Array): Refusal {
  if (buffer(bytes).includes(Buffer.from('EncryptedPackage', 'utf16le')))
    return new Refusal(
      'T9009',
      'is encrypted: it opens with a password only',
      'save it without a password and attach that',
    )
  return new Refusal(
    'T9008',
    'is of an old Office format (.doc, .xls, .ppt, .msg), which is not read',
    'save it as DOCX or XLSX and attach that',
  )
}

function begins(bytes: Uint8Array, mark: string, at = 0): boolean {
  if (bytes.length < at + mark.length) return false
  for (let i = 0; i < mark.length; i++) if (bytes[at + i] !== mark.charCodeAt(i)) return false
  return true
}

function buffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
