// The code in the docs. A fence says what becomes of a block:
//   ```ts                type-checked, and run: it must end by itself with exit code 0
//   ```ts no-run         type-checked only (it needs a key, a network, or a person)
//   ```ts prints         what it prints is what the next ```text block says
//   ```ts throws T1001   running it must fail, and say the code
//   ```ts continues      joins the ts block before it: both are one program
// These words go together in any order.

/** A program in a Markdown file: a block, with those that continue it. */
export interface Program {
  file: string
  /** The line of its first fence, from 1. */
  line: number
  /** Every line stands where it stands in the Markdown file, so that a fault is reported at its place there. */
  source: string
  run: boolean
  /** What it must print, if anything is said of it. */
  prints?: string
  /** The code that it must fail with. */
  throws?: string
}

interface Fence {
  line: number
  language: string
  words: string[]
  lines: string[]
}

const known = new Set(['no-run', 'prints', 'throws', 'continues'])

/** The programs of a Markdown text; throws where a fence says something that means nothing. */
export function programs(file: string, markdown: string): Program[] {
  const found: Program[] = []
  let waits: Program | undefined
  for (const { line, language, words, lines } of fences(markdown)) {
    if (language === 'text' && waits) {
      waits.prints = [waits.prints, lines.join('\n')]
        .filter(part => part !== undefined && part !== '')
        .join('\n')
      waits = undefined
    }
    if (language !== 'ts') continue
    if (waits) throw new Error(`${file}:${waits.line} says "prints", and no text block follows it`)
    const code = words.find(word => /^[A-Z]\d{4}$/.test(word))
    const strange = words.find(word => !known.has(word) && word !== code)
    if (strange !== undefined) throw new Error(`${file}:${line} says "${strange}", which means nothing here`)
    const before = found.at(-1)
    const joins = words.includes('continues')
    if (joins && !before) throw new Error(`${file}:${line} continues nothing`)
    const program = joins && before ? before : { file, line, source: '', run: true }
    const blank = '\n'.repeat(line - program.source.split('\n').length + 1)
    program.source += blank + lines.join('\n')
    if (words.includes('no-run')) program.run = false
    if (words.includes('throws')) program.throws = code ?? ''
    if (words.includes('prints')) waits = program
    if (program !== before) found.push(program)
  }
  if (waits) throw new Error(`${file}:${waits.line} says "prints", and no text block follows it`)
  return found
}

/** A link of a Markdown text that leads to a file or a heading beside it. */
export interface Link {
  line: number
  /** The path as it is written; '' is the file itself. */
  path: string
  /** The heading's anchor; '' where there is none. */
  anchor: string
}

/** The relative links of a Markdown text, those in code left out. */
export function links(markdown: string): Link[] {
  return prose(markdown).flatMap((text, i) =>
    [...text.replace(/`[^`]*`/g, '').matchAll(/\]\(\s*<?([^\s)>]+)>?[^)]*\)|^\[[^\]]+\]:\s*(\S+)/g)].flatMap(
      match => {
        const target = match[1] ?? match[2] ?? ''
        if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(target)) return []
        const [path = '', anchor = ''] = target.split('#')
        return [{ line: i + 1, path: decodeURIComponent(path), anchor }]
      },
    ),
  )
}

/** The anchors of a Markdown text's headings, as code hosts make them. */
export function anchors(markdown: string): Set<string> {
  const seen = new Map<string, number>()
  const all = new Set<string>()
  for (const line of prose(markdown)) {
    const heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(line)?.[1]
    if (heading === undefined) continue
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const plain = words.replace(/[^\p{L}\p{N}\p{M} _-]/gu, '').replaceAll(' ', '-')
    const times = seen.get(plain) ?? 0
    seen.set(plain, times + 1)
    all.add(times === 0 ? plain : `${plain}-${times}`)
  }
  return all
}

/** The lines of a text, with those of fenced code empty. */
function prose(markdown: string): string[] {
  const lines = markdown.split('\n')
  for (const fence of fences(markdown)) lines.fill('', fence.line - 1, fence.line + fence.lines.length + 1)
  return lines
}

function fences(markdown: string): Fence[] {
  const found: Fence[] = []
  let open: (Fence & { mark: string; indent: number }) | undefined
  for (const [i, line] of markdown.split('\n').entries()) {
    if (open) {
      if (line.trim().startsWith(open.mark) && /^\s*[`~]+\s*$/.test(line)) open = undefined
      else open.lines.push(line.slice(Math.min(open.indent, line.length - line.trimStart().length)))
      continue
    }
    const [, indent = '', mark = '', info = ''] = /^(\s*)(`{3,}|~{3,})([^`]*)$/.exec(line) ?? []
    if (mark === '') continue
    const [language = '', ...words] = info.trim().split(/\s+/)
    open = { line: i + 1, language, words, lines: [], mark, indent: indent.length }
    found.push(open)
  }
  return found
}
