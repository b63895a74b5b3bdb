// Office documents (ECMA-376): which kind an archive is, and where its parts are.
import { Refusal } from '../errors.ts'
import type { Job, Told } from './answer.ts'
import { docx } from './docx.ts'
import { Sheaf } from './sheaf.ts'
import { xlsx } from './xlsx.ts'
import { attribute, walkXml } from './xml.ts'
import { openZip, type Zip } from './zip.ts'

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** The words of a DOCX or an XLSX. */
export function office(bytes: Buffer, { limits }: Job): Told {
  const zip = openZip(bytes, limits.inflated)
  if (!zip.has('[Content_Types].xml')) throw strange(zip)
  const main = mainPart(zip)
  const words = new Sheaf(limits.words)
  if (/^word\/.*\.xml$/.test(main)) {
    docx(zip, main, words)
    return told(DOCX, words)
  }
  if (/^xl\/.*\.xml$/.test(main)) {
    xlsx(zip, main, words)
    return told(XLSX, words)
  }
  throw strange(zip)
}

function told(type: string, words: Sheaf): Told {
  const text = words.text().trim()
  if (text === '') words.notes.unshift('It holds no words.')
  return { type, text, notes: words.notes }
}

/** The part that the archive names as its document. */
function mainPart(zip: Zip): string {
  const found = [...relations(zip, '').values()].find(({ type }) => type === 'officeDocument')
  return found?.target ?? ''
}

/** What the part `of` refers to, by id; '' is the archive itself. */
export function relations(zip: Zip, of: string): Map<string, { type: string; target: string }> {
  const slash = of.lastIndexOf('/') + 1
  const path = `${of.slice(0, slash)}_rels/${of.slice(slash)}.rels`
  const found = new Map<string, { type: string; target: string }>()
  if (!zip.has(path)) return found
  walkXml(zip.read(path), {
    open(name, attributes) {
      if (name !== 'Relationship' || attribute(attributes, 'TargetMode') === 'External') return
      const target = attribute(attributes, 'Target') ?? ''
      const type = (attribute(attributes, 'Type') ?? '').split('/').at(-1) ?? ''
      found.set(attribute(attributes, 'Id') ?? '', { type, target: resolved(of.slice(0, slash), target) })
    },
  })
  return found
}

function resolved(folder: string, target: string): string {
  const steps: string[] = target.startsWith('/') ? [] : folder.split('/').filter(Boolean)
  for (const step of target.split('/'))
    if (step === '..') steps.pop()
    else if (step !== '' && step !== '.') steps.push(step)
  return steps.join('/')
}

function strange(zip: Zip): Refusal {
  const what = zip.names.some(name => name.startsWith('ppt/'))
    ? 'a PowerPoint presentation'
    : zip.has('xl/workbook.bin')
      ? 'a binary Excel workbook (.xlsb)'
      : zip.has('mimetype')
        ? 'an OpenDocument file or an e-book'
        : 'a zip archive'
  const fix =
    what === 'a zip archive'
      ? 'attach the files in it one by one'
      : 'save it as PDF, DOCX or XLSX and attach that'
  return new Refusal('T9008', `is ${what}, which is not read`, fix)
}
