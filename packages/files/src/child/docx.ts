// The words of a DOCX: paragraphs, headings, lists, tables and notes, as Markdown has them.
import { relations } from './office.ts'
import type { Sheaf } from './sheaf.ts'
import { attribute, type Walker, walkXml } from './xml.ts'
import type { Zip } from './zip.ts'

/** Gathers the words of the document whose main part is `main`. */
export function docx(zip: Zip, main: string, words: Sheaf): void {
  const parts = [...relations(zip, main).values()]
  const of = (type: string): string[] =>
    parts.filter(p => p.type === type && zip.has(p.target)).map(p => p.target)
  const counts = { pictures: 0, deleted: 0 }
  words.fill(() => {
    body(zip.read(main), counts, line => words.add(line))
    for (const path of of('footnotes')) notes(zip.read(path), 'footnote', '', counts, words)
    for (const path of of('endnotes')) notes(zip.read(path), 'endnote', 'e', counts, words)
    for (const path of [...of('header'), ...of('footer')])
      body(zip.read(path), counts, line =>
        words.add(`[${path.includes('header') ? 'header' : 'footer'}] ${line}`),
      )
  })
  if (counts.pictures > 0)
    words.notes.push(
      `It holds ${counts.pictures === 1 ? 'a picture' : `${counts.pictures} pictures`}, not read.`,
    )
  if (counts.deleted > 0) words.notes.push('Text that is marked as deleted was left out.')
  if (of('comments').length > 0) words.notes.push('Its comments were left out.')
}

interface Counts {
  pictures: number
  deleted: number
}

/** A paragraph that is open: its words, and what stands before them. */
interface Paragraph {
  text: string
  before: string
}

/** Gives the paragraphs and the rows of tables of a part, one at a time, each with the line breaks after it. */
function body(
  bytes: Buffer,
  counts: Counts,
  give: (line: string) => void,
  seen: Walker['open'] = () => {},
): void {
  // A text box has paragraphs inside of a paragraph, and a cell may hold a table.
  const paragraphs: Paragraph[] = []
  const cells: string[][] = []
  const rows: string[][] = []
  let inText = false
  let inProperties = 0
  let skipped = 0
  const put = (line: string): void => {
    const cell = cells.at(-1)
    if (cell) cell.push(line)
    else give(line)
  }
  const say = (text: string): void => {
    const paragraph = paragraphs.at(-1)
    if (paragraph) paragraph.text += text
  }
  walkXml(bytes, {
    open(name, attributes) {
      // The same once more, for programs that know no shapes.
      if (name === 'Fallback') skipped++
      if (skipped > 0) return
      seen(name, attributes)
      if (name === 'p') paragraphs.push({ text: '', before: '' })
      else if (name === 'pPr') inProperties++
      else if (name === 't') inText = true
      else if (name === 'delText') counts.deleted++
      else if (name === 'tr') rows.push([])
      else if (name === 'tc') cells.push([])
      else if (name === 'docPr') {
        counts.pictures++
        say(`[picture${described(attributes)}]`)
      } else if (name === 'footnoteReference') say(`[^${attribute(attributes, 'id') ?? ''}]`)
      else if (name === 'endnoteReference') say(`[^e${attribute(attributes, 'id') ?? ''}]`)
      else if (inProperties > 0) style(paragraphs.at(-1), name, attributes)
      else if (name === 'tab') say('\t')
      else if (name === 'br' || name === 'cr') say('\n')
      else if (name === 'noBreakHyphen') say('-')
    },
    text(text) {
      if (inText && skipped === 0) say(text)
    },
    close(name) {
      if (name === 'Fallback') skipped--
      if (skipped > 0) return
      if (name === 't') inText = false
      else if (name === 'pPr') inProperties--
      else if (name === 'p') {
        const paragraph = paragraphs.pop()
        if (paragraph && paragraph.text.trim() !== '')
          put(`${paragraph.before}${paragraph.text.trimEnd()}\n\n`)
      } else if (name === 'tc') rows.at(-1)?.push(oneLine(cells.pop() ?? []))
      else if (name === 'tr') put(`| ${(rows.pop() ?? []).join(' | ')} |\n`)
      else if (name === 'tbl') put('\n')
    },
  })
}

function oneLine(cell: readonly string[]): string {
  return cell.join(' ').replace(/\s+/g, ' ').trim()
}

function style(
  paragraph: Paragraph | undefined,
  name: string,
  attributes: Readonly<Record<string, string>>,
): void {
  if (!paragraph) return
  const level =
    name === 'pStyle' ? /^heading\s*([1-9])$/i.exec(attribute(attributes, 'val') ?? '')?.[1] : undefined
  if (level !== undefined) paragraph.before = `${'#'.repeat(Number(level))} `
  else if (name === 'pStyle' && /^title$/i.test(attribute(attributes, 'val') ?? '')) paragraph.before = '# '
  else if (name === 'numPr' && paragraph.before === '') paragraph.before = '- '
}

function described(attributes: Readonly<Record<string, string>>): string {
  const description = attribute(attributes, 'descr')?.trim()
  return description ? `: ${description.slice(0, 500)}` : ''
}

/** Notes of the foot or the end, each paragraph with the number of its note. */
function notes(bytes: Buffer, element: string, mark: string, counts: Counts, words: Sheaf): void {
  let number = ''
  body(
    bytes,
    counts,
    line => words.add(`[^${mark}${number}]: ${line}`),
    (name, attributes) => {
      if (name === element) number = attribute(attributes, 'id') ?? ''
    },
  )
}
