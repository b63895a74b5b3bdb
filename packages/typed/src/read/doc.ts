// Doc comments: their text, and their tags.
import type { Comment } from 'oxc-parser'

/** A tag of a doc comment. */
export interface Tag {
  readonly name: string
  readonly text: string
  /** Where it begins in the source. */
  readonly start: number
  readonly end: number
}

export interface Doc {
  /** What it says before the first tag; '' where it says nothing. */
  readonly text: string
  readonly tags: readonly Tag[]
  /** The file it stands in; '' where there is none. */
  readonly path: string
}

export const NO_DOC: Doc = { text: '', tags: [], path: '' }

/** The doc comment that ends right before `start`, with nothing but space (and decorators) in between. */
export function docBefore(path: string, source: string, comments: readonly Comment[], start: number): Doc {
  let low = 0
  let high = comments.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (comments[middle]!.end <= start) low = middle + 1
    else high = middle
  }
  for (let i = low - 1; i >= 0; i--) {
    const comment = comments[i]!
    if (/\S/.test(source.slice(comment.end, comments[i + 1] && i + 1 < low ? comments[i + 1]!.start : start)))
      return NO_DOC
    if (comment.type === 'Block' && comment.value.startsWith('*'))
      return { ...parseDoc(source, comment.start, comment.end), path }
  }
  return NO_DOC
}

/** Where a tag begins inside of a line. Other words with an @ (`@home`) are text there. */
const SEVERAL =
  /(?<=^|\s)(?=@(?:minimum|maximum|exclusiveMinimum|exclusiveMaximum|multipleOf|pattern|format|minLength|maxLength|minItems|maxItems|default|defaultValue|integer|type|deprecated|param|returns?|see|example)\b)/

/** Reads a doc comment of `source`, from its first character to its last. */
function parseDoc(source: string, start: number, end: number): Omit<Doc, 'path'> {
  const text: string[] = []
  const tags: { name: string; lines: string[]; start: number; end: number }[] = []
  let at = start + 3
  let fenced = false
  for (const raw of source.slice(start + 3, end - 2).split('\n')) {
    const line = raw.replace(/\r$/, '').replace(/^\s*\* ?/, '')
    if (/^\s*(```|~~~)/.test(line)) fenced = !fenced
    // Several may stand on one line, behind a text too: `How many. @minimum 0 @integer`.
    for (const written of fenced ? [line] : line.split(SEVERAL)) {
      const part = written.trim()
      const tag = fenced ? null : /^@([A-Za-z]\w*)(.*)$/.exec(part)
      const from = at + raw.indexOf(part)
      if (tag) tags.push({ name: tag[1]!, lines: [tag[2]!], start: from, end: from + part.length })
      else if (tags.length > 0) tags.at(-1)!.lines.push(written)
      else text.push(written)
    }
    at += raw.length + 1
  }
  const said = tags.find(each => each.name === 'description' || each.name === 'summary')
  return {
    text: joined(text) || joined(said?.lines ?? []),
    tags: tags.map(({ name, lines, start, end }) => ({ name, text: joined(lines), start, end })),
  }
}

// Lines that are broken only for their length become one; blank lines, lists and code stay as they are.
function joined(lines: readonly string[]): string {
  const out: string[] = []
  let fenced = false
  for (const raw of lines) {
    const line = raw.trimEnd()
    const fence = /^\s*(```|~~~)/.test(line)
    const before = out.at(-1)
    const own = fence || fenced || line.trim() === '' || /^\s*([-*+]|\d+[.)]|[#>|])\s?/.test(line)
    if (own || before === undefined || before === '' || /^\s*(```|~~~)/.test(before))
      out.push(fenced || fence ? line : line.trim())
    else out[out.length - 1] = `${before} ${line.trim()}`
    if (fence) fenced = !fenced
  }
  return out
    .join('\n')
    .replace(
      /\{@(?:link|linkcode|linkplain)\s+([^}|\s]+)(?:[|\s]+([^}]+))?\}/g,
      (_, to: string, said?: string) => (said ?? to).trim(),
    )
    .trim()
}

/** What `@param NAME` says, by name. */
export function paramTexts(doc: Doc): Map<string, string> {
  const texts = new Map<string, string>()
  for (const tag of doc.tags) {
    if (tag.name !== 'param') continue
    const match = /^(?:\{[^}]*\}\s*)?\[?([\w$.]+)(?:=[^\]]*)?\]?\s*(?:-\s*)?([\s\S]*)$/.exec(tag.text)
    if (match) texts.set(match[1]!, match[2]!.trim())
  }
  return texts
}
