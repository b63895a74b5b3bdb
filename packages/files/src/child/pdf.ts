// The words of a PDF, page by page, each under its mark.
import { getDocumentProxy } from 'unpdf'
import { Refusal } from '../errors.ts'
import type { Job, Told } from './answer.ts'
import { ranges, Sheaf } from './sheaf.ts'

type Document = Awaited<ReturnType<typeof getDocumentProxy>>

/** So many damaged pages in a row are taken for the end: a file may claim a billion of them. */
const PATIENCE = 50

/** The words of a PDF. Pages that cannot be read, or not in time, are noted; the others count. */
export async function pdf(bytes: Buffer, { limits }: Job): Promise<Told> {
  // What is read when most of the time is gone is better than nothing when all of it is.
  const late = performance.now() + limits.time * 0.7
  const document = await opened(bytes)
  const words = new Sheaf(limits.words)
  const pages: number[] = []
  const blank: number[] = []
  const broken: number[] = []
  for (let n = 1; n <= document.numPages; n++) {
    if (performance.now() > late) {
      words.notes.push(`From page ${n} of ${document.numPages} on it was not read: it took too long.`)
      break
    }
    const text = await pageText(document, n)
    if (text === undefined) broken.push(n)
    else if (text.trim() === '') blank.push(n)
    try {
      pages.push(words.length + (n === 1 ? 0 : 2))
      words.add(`${n === 1 ? '' : '\n\n'}[page ${n}]\n${(text ?? '').trim()}`)
    } catch (error) {
      words.overfull(error)
      break
    }
    if (n < document.numPages && broken.at(-PATIENCE) === n - PATIENCE + 1) {
      words.notes.push(`From page ${n + 1} of ${document.numPages} on it was not read: it is damaged.`)
      break
    }
  }
  if (blank.length > 0)
    words.notes.push(
      blank.length === document.numPages
        ? 'It has no text that can be read on any page: it is perhaps scanned, and pictures in it are not read.'
        : `${told(blank)} no text that can be read: perhaps scanned, and pictures are not read.`,
    )
  if (broken.length > 0) words.notes.push(`${told(broken)} damage and could not be read.`)
  if (broken.length > 0 && broken.length === pages.length)
    throw new Refusal('T9010', 'is damaged: no page of it can be read', 'save it anew and attach that')
  return { type: 'application/pdf', text: words.text(), pages, notes: words.notes }
}

function told(pages: readonly number[]): string {
  return pages.length === 1 ? `Page ${ranges(pages)} has` : `Pages ${ranges(pages)} have`
}

async function opened(bytes: Buffer): Promise<Document> {
  try {
    const document = await getDocumentProxy(new Uint8Array(bytes), {
      // No message of the library's own, and no font of the machine.
      verbosity: 0,
      useSystemFonts: false,
      disableFontFace: true,
    })
    if (document.numPages > 0) return document
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException')
      throw new Refusal(
        'T9009',
        'is encrypted: it opens with a password only',
        'save it without a password and attach that',
        error,
      )
    const why = error instanceof Error ? error.message.slice(0, 200) : String(error)
    throw new Refusal('T9010', `is damaged (${why})`, 'open it, save it anew, and attach that', error)
  }
  throw new Refusal('T9010', 'is damaged: it has no pages', 'open it, save it anew, and attach that')
}

/** The text of a page; undefined where it cannot be read. */
async function pageText(document: Document, n: number): Promise<string | undefined> {
  try {
    const page = await document.getPage(n)
    const { items } = await page.getTextContent()
    page.cleanup()
    const text = items.map(item => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
    // A line of the page must not look like a mark of ours.
    return text.replace(/^(\s*)\[page (?=\d)/gim, '$1\\[page ')
  } catch {
    return undefined
  }
}
