// PDFs made by hand: pages of text, blank pages, encryption, and files that lead a reader in circles.
import { createHash } from 'node:crypto'

/** How a PDF departs from a plain one. */
export interface Twist {
  /** The password that it opens with; '' encrypts it so that anyone can open it. */
  password?: string
  /** Changes the objects before they are written; object n stands at n - 1. */
  objects?: (objects: (string | Buffer)[]) => void
  /** Added to the trailer's dictionary; `xref` is where the table begins. */
  trailer?: (xref: number) => string
}

/** A PDF with a page for each list of lines; an empty list is a page without text. */
export function pdfOf(pages: readonly (readonly string[])[], twist: Twist = {}): Buffer {
  const key = twist.password === undefined ? undefined : encryption(twist.password)
  const kids = pages.map((_, i) => `${4 + 2 * i} 0 R`).join(' ')
  const objects: (string | Buffer)[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ]
  for (const [i, lines] of pages.entries()) {
    const number = 5 + 2 * i
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${number} 0 R >>`,
    )
    const shown = lines.map(line => `(${line.replace(/[\\()]/g, '\\$&')}) Tj 0 -14 Td`).join('\n')
    const content = Buffer.from(
      lines.length === 0 ? '0 0 m' : `BT /F1 12 Tf 50 740 Td\n${shown}\nET`,
      'latin1',
    )
    objects.push(stream(key ? rc4(objectKey(key.key, number), content) : content))
  }
  if (key) objects.push(key.dictionary)
  twist.objects?.(objects)
  const encrypt = key ? ` /Encrypt ${objects.length} 0 R /ID [<${key.id}> <${key.id}>]` : ''
  return written(objects, xref => `${encrypt} ${twist.trailer?.(xref) ?? ''}`)
}

/** A stream object with that content, and what its dictionary says beside its length. */
export function stream(content: Buffer, said = ''): Buffer {
  return Buffer.concat([
    Buffer.from(`<< /Length ${content.length} ${said} >>\nstream\n`),
    content,
    Buffer.from('\nendstream'),
  ])
}

function written(objects: readonly (string | Buffer)[], trailer: (xref: number) => string): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  const places: number[] = []
  let at = parts[0]!.length
  const add = (part: Buffer): void => {
    parts.push(part)
    at += part.length
  }
  for (const [i, object] of objects.entries()) {
    places.push(at)
    add(Buffer.from(`${i + 1} 0 obj\n`))
    add(typeof object === 'string' ? Buffer.from(object, 'latin1') : object)
    add(Buffer.from('\nendobj\n'))
  }
  const rows = places.map(place => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  const xref = at
  add(Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`))
  add(
    Buffer.from(
      `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R${trailer(xref)} >>\nstartxref\n${xref}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(parts)
}

const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')

/** The standard security handler, revision 2: RC4 with 40 bits (ISO 32000-1, 7.6.3). */
function encryption(password: string): { key: Buffer; id: string; dictionary: string } {
  const id = '00112233445566778899aabbccddeeff'
  const permissions = -4
  const padded = Buffer.concat([Buffer.from(password, 'latin1'), padding]).subarray(0, 32)
  const owner = rc4(
    md5(Buffer.concat([Buffer.from('owner'), padding]).subarray(0, 32)).subarray(0, 5),
    padded,
  )
  const p = Buffer.alloc(4)
  p.writeInt32LE(permissions)
  const key = md5(Buffer.concat([padded, owner, p, Buffer.from(id, 'hex')])).subarray(0, 5)
  const user = rc4(key, padding)
  const dictionary = `<< /Filter /Standard /V 1 /R 2 /O <${owner.toString('hex')}> /U <${user.toString('hex')}> /P ${permissions} >>`
  return { key, id, dictionary }
}

function objectKey(key: Buffer, number: number): Buffer {
  const which = Buffer.from([number & 255, (number >> 8) & 255, (number >> 16) & 255, 0, 0])
  return md5(Buffer.concat([key, which])).subarray(0, 10)
}

function md5(bytes: Buffer): Buffer {
  return createHash('md5').update(bytes).digest()
}

function rc4(key: Buffer, data: Buffer): Buffer {
  const box = Uint8Array.from({ length: 256 }, (_, i) => i)
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + box[i]! + key[i % key.length]!) & 255
    const held = box[i]!
    box[i] = box[j]!
    box[j] = held
  }
  let i = 0
  let j = 0
  return Buffer.from(
    data.map(byte => {
      i = (i + 1) & 255
      j = (j + box[i]!) & 255
      const held = box[i]!
      box[i] = box[j]!
      box[j] = held
      return byte ^ box[(box[i]! + box[j]!) & 255]!
    }),
  )
}
