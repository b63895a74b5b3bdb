// The words of an XLSX: each sheet as CSV, with what its cells show as far as the file says it: shared texts, the
// values that formulas had when it was saved, and dates.
import { dateStyles, shownDate } from './dates.ts'
import { relations } from './office.ts'
import type { Sheaf } from './sheaf.ts'
import { attribute, walkXml } from './xml.ts'
import type { Zip } from './zip.ts'

interface Book {
  texts: readonly string[]
  /** For each cell style: whether its numbers are dates. */
  dates: readonly boolean[]
  /** Days are counted from 1904. */
  late: boolean
}

/** Gathers the words of the workbook whose main part is `main`. */
export function xlsx(zip: Zip, main: string, words: Sheaf): void {
  const parts = relations(zip, main)
  const of = (type: string): string | undefined =>
    [...parts.values()].find(part => part.type === type && zip.has(part.target))?.target
  const sheets: { name: string; hidden: boolean; path: string | undefined }[] = []
  let late = false
  walkXml(zip.read(main), {
    open(name, attributes) {
      if (name === 'workbookPr') late = /^(1|true)$/.test(attribute(attributes, 'date1904') ?? '')
      if (name !== 'sheet') return
      const hidden = (attribute(attributes, 'state') ?? 'visible') !== 'visible'
      const path = parts.get(attributes['r:id'] ?? attribute(attributes, 'id') ?? '')?.target
      sheets.push({ name: attribute(attributes, 'name') ?? '', hidden, path })
    },
  })
  const [shared, styles] = [of('sharedStrings'), of('styles')]
  const book: Book = {
    texts: shared === undefined ? [] : sharedTexts(zip.read(shared)),
    dates: styles === undefined ? [] : dateStyles(zip.read(styles)),
    late,
  }
  let lone = 0
  words.fill(() => {
    for (const { name, hidden, path } of sheets) {
      if (path === undefined || !zip.has(path)) {
        words.notes.push(`Sheet ${JSON.stringify(name)} was not read: it is not in the file.`)
        continue
      }
      // A chart has a place among the sheets, and no cells.
      if (!path.includes('worksheets/')) continue
      words.add(`${words.length > 0 ? '\n' : ''}[sheet ${name}${hidden ? ', hidden' : ''}]\n`)
      lone += cells(zip.read(path), book, row => words.add(`${row}\n`))
    }
  })
  if (lone > 0)
    words.notes.push(`The values of ${lone} formulas are not in the file: the formulas are shown.`)
}

/** Gives the rows of a sheet that hold anything, as lines of CSV; the result is how many formulas had no value. */
function cells(bytes: Buffer, book: Book, give: (row: string) => void): number {
  let lone = 0
  let row: string[] = []
  let column = 0
  let kind = ''
  let style = 0
  let value = ''
  let formula = ''
  let into: 'value' | 'formula' | undefined
  walkXml(bytes, {
    open(name, attributes) {
      if (name === 'row') {
        row = []
        column = 0
      } else if (name === 'c') {
        column = columnOf(attributes['r']) ?? column
        kind = attributes['t'] ?? 'n'
        style = Number(attributes['s'] ?? 0)
        value = ''
        formula = ''
      } else if (name === 'v' || name === 't') into = 'value'
      else if (name === 'f') into = 'formula'
      else if (name === 'rPh') into = undefined
    },
    text(text) {
      if (into === 'value') value += text
      else if (into === 'formula') formula += text
    },
    close(name) {
      if (name === 'v' || name === 't' || name === 'f') into = undefined
      else if (name === 'c') {
        const lonely = value === '' && formula !== ''
        if (lonely) lone++
        const shown = lonely ? `=${formula}` : cell(kind, value, style, book)
        if (shown !== '') {
          while (row.length < column) row.push('')
          row[column] = quoted(shown)
        }
        column++
      } else if (name === 'row' && row.length > 0) give(row.join(','))
    },
  })
  return lone
}

function cell(kind: string, value: string, style: number, book: Book): string {
  if (kind === 's') return book.texts[Number(value)] ?? ''
  if (kind === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  if (kind === 'n' && value !== '' && book.dates[style]) return shownDate(Number(value), book.late) ?? value
  return value
}

// The last column is XFD, the 16,384th; a file that says otherwise must not make a row of billions.
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(reference ?? '')?.[0]
  if (letters === undefined) return undefined
  let number = 0
  for (const letter of letters) number = number * 26 + letter.charCodeAt(0) - 64
  return Math.min(number, 16_384) - 1
}

function quoted(text: string): string {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function sharedTexts(bytes: Buffer): string[] {
  const texts: string[] = []
  let text = ''
  let inText = false
  let phonetic = false
  walkXml(bytes, {
    open(name) {
      if (name === 'si') text = ''
      else if (name === 't') inText = true
      else if (name === 'rPh') phonetic = true
    },
    text(part) {
      if (inText && !phonetic) text += part
    },
    close(name) {
      if (name === 'si') texts.push(text)
      else if (name === 't') inText = false
      else if (name === 'rPh') phonetic = false
    },
  })
  return texts
}
