// Zip archives, DOCX and XLSX made by hand, also such that lie about themselves.
import { crc32, deflateRawSync } from 'node:zlib'

/** A part of an archive, and how it departs from a plain one. */
export interface PartStated {
  data: Buffer | string
  /** Already deflated data of `data`; left out: it is deflated here. */
  packed?: Buffer
  sum?: number
  flags?: number
  method?: number
  /** The unpacked size that the archive states. */
  size?: number
}

/** An archive of those parts. */
export function zipOf(parts: Readonly<Record<string, string | Buffer | PartStated>>): Buffer {
  const locals: Buffer[] = []
  const central: Buffer[] = []
  let at = 0
  for (const [name, stated] of Object.entries(parts)) {
    const part = typeof stated === 'string' || Buffer.isBuffer(stated) ? { data: stated } : stated
    const data = Buffer.from(part.data as string)
    const method = part.method ?? 8
    const packed = part.packed ?? (method === 8 ? deflateRawSync(data) : data)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(part.flags ?? 0, 2)
    fields.writeUInt16LE(method, 4)
    fields.writeUInt32LE(part.sum ?? crc32(data), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(part.size ?? data.length, 18)
    fields.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(at, 10)
    central.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), fields, tail, Buffer.from(name)]))
    locals.push(local)
    at += local.length
  }
  const list = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(central.length, 8)
  end.writeUInt16LE(central.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...locals, list, end])
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** A part of relations: each `[id, type, target]`. */
export function relationsOf(...all: readonly (readonly [string, string, string])[]): string {
  const rows = all.map(
    ([id, type, target]) => `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`,
  )
  return `${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${rows.join('')}</Relationships>`
}

const TYPES = `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`

/** A DOCX with that body, and further parts. */
export function docxOf(body: string, more: Record<string, string | Buffer | PartStated> = {}): Buffer {
  return zipOf({
    '[Content_Types].xml': TYPES,
    '_rels/.rels': relationsOf(['rId1', 'officeDocument', 'word/document.xml']),
    'word/document.xml': `${HEAD}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
    ...more,
  })
}

/** A paragraph of a DOCX. */
export function p(text: string, properties = ''): string {
  return `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`
}

/** An XLSX with those sheets (the inside of sheetData each) and further parts. */
export function xlsxOf(
  sheets: Readonly<Record<string, string>>,
  more: Record<string, string | Buffer | PartStated> = {},
  properties = '',
): Buffer {
  const names = Object.keys(sheets)
  const listed = names.map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`)
  const files = names.map((name, i): [string, string] => [
    `xl/worksheets/sheet${i + 1}.xml`,
    `${HEAD}<worksheet><sheetData>${sheets[name]}</sheetData></worksheet>`,
  ])
  const related = names.map((_, i) => [`rId${i + 1}`, 'worksheet', `worksheets/sheet${i + 1}.xml`] as const)
  return zipOf({
    '[Content_Types].xml': TYPES,
    '_rels/.rels': relationsOf(['rId1', 'officeDocument', 'xl/workbook.xml']),
    'xl/workbook.xml': `${HEAD}<workbook xmlns:r="${RELATIONS}">${properties}<sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationsOf(
      ...related,
      ['rIdS', 'sharedStrings', 'sharedStrings.xml'],
      ['rIdT', 'styles', 'styles.xml'],
    ),
    ...Object.fromEntries(files),
    ...more,
  })
}
