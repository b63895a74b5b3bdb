// What the emitter writes into: code with marks of where it comes from, which become a source map at the end.
import { addMapping, GenMapping, setSourceContent, toEncodedMap } from '@jridgewell/gen-mapping'
import type { Checked } from '../check/checker.ts'
import type { Colours } from '../check/colour.ts'
import type { Call, Name } from '../syntax/ast.ts'
import { lineStarts, positionOf } from '../syntax/fault.ts'

export interface Writer {
  checked: Checked
  colours: Colours
  indent: string
  /** The body that is written may wait. */
  waits: boolean
  temporary: number
  /** Schemas that stand at the top, and the names of the runtime that are used. */
  tops: string[]
  uses: Set<string>
  /** Called, for calls of `llm`: the name of what they ask for. */
  schemaOf(call: Call): string | undefined
}

const OPEN = '\u0001'
const CLOSE = '\u0002'

/** A mark: what follows comes from `offset`. */
export function from(offset: number): string {
  return OPEN + offset + CLOSE
}

/** Code without the marks that it begins with. */
export function unmarked(code: string): string {
  let at = 0
  while (code[at] === OPEN) at = code.indexOf(CLOSE, at) + 1
  return code.slice(at)
}

/** A helper of the runtime, noted so that it is imported. */
export function helper(w: Writer, name: string): string {
  w.uses.add(name)
  return `__${name}`
}

export function temporary(w: Writer): string {
  return `__t${++w.temporary}`
}

/** Code without its marks, and the map that they say. */
export function settle(code: string, source: string, file: string): { code: string; map: string } {
  const map = new GenMapping({ file: file.replace(/^.*[/\\]/, '').replace(/\.agency$/, '.js') })
  setSourceContent(map, file, source)
  const starts = lineStarts(source)
  let line = 1
  let column = 0
  let out = ''
  let at = 0
  while (at < code.length) {
    const next = code.indexOf(OPEN, at)
    const part = code.slice(at, next < 0 ? code.length : next)
    out += part
    const last = part.lastIndexOf('\n')
    if (last < 0) column += part.length
    else {
      for (let i = part.indexOf('\n'); i >= 0; i = part.indexOf('\n', i + 1)) line++
      column = part.length - last - 1
    }
    if (next < 0) break
    const end = code.indexOf(CLOSE, next)
    const place = positionOf(starts, Number(code.slice(next + 1, end)))
    addMapping(map, {
      generated: { line, column },
      source: file,
      original: { line: place.line, column: place.column - 1 },
    })
    at = end + 1
  }
  return { code: out, map: JSON.stringify(toEncodedMap(map)) }
}

/** Words that name something in Agency and cannot in JavaScript. */
const WORDS = new Set(
  'arguments async await class debugger default delete do enum eval extends finally function implements instanceof interface new package private protected public static super switch this throw typeof var void with yield let of as from get set'
    .split(' ')
    .filter(each => !['async', 'of', 'as', 'from', 'get', 'set'].includes(each)),
)

/** A name as it is written in JavaScript. */
export function nameOf(name: Name | string): string {
  const text = typeof name === 'string' ? name : name.text
  return WORDS.has(text) ? `${text}$` : text
}

export function deeper<T>(w: Writer, write: () => T): T {
  const { indent } = w
  w.indent = `${indent}  `
  const result = write()
  w.indent = indent
  return result
}
