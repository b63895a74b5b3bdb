// What is told to people: a fault with its place, the line and a caret, and a mend; all faults of a file at once.
import { relative } from 'node:path'
import { ToolwrightError } from '@toolwright/core'

/** A place in a source text. Lines and columns count from 1, in UTF-16 units. */
export interface Place {
  path: string
  line: number
  column: number
  /** The whole line, and how much of it from `column` on is meant. */
  text: string
  width: number
}

/** One thing that is refused, or only told (a warning). */
export interface TypeFault {
  code: string
  problem: string
  /** What to write in its place. */
  fix: string
  at: Place
  /** The call that asked for the type, where that is another place. */
  usedBy?: { what: string; at: Place } | undefined
}

/** The place of `start`…`end` in `source`. */
export function placeOf(path: string, source: string, start: number, end: number): Place {
  const from = source.lastIndexOf('\n', start - 1) + 1
  const next = source.indexOf('\n', start)
  const to = next === -1 ? source.length : next
  return {
    path,
    line: countLines(source, from),
    column: start - from + 1,
    text: source.slice(from, to).replace(/\r$/, ''),
    width: Math.max(1, Math.min(end, to) - start),
  }
}

function countLines(source: string, until: number): number {
  let line = 1
  for (let i = source.indexOf('\n'); i !== -1 && i < until; i = source.indexOf('\n', i + 1)) line++
  return line
}

/** A fault as it is printed; paths are told from `root` on. */
export function faultText(fault: TypeFault, root = process.cwd()): string {
  const { at, usedBy } = fault
  const number = String(at.line)
  const { text, column } = window(at)
  const lines = [
    `${fault.code}: ${spot(at, root)}: ${fault.problem}`,
    `  ${number} | ${text}`,
    `  ${' '.repeat(number.length)} | ${blank(text.slice(0, column - 1))}${'^'.repeat(Math.min(at.width, text.length - column + 1) || 1)}`,
    `  ${fault.fix}`,
  ]
  if (usedBy) lines.push(`  used by ${usedBy.what} at ${spot(usedBy.at, root)}`)
  return lines.join('\n')
}

/** Faults in the order of their places, each place and problem once. */
export function sorted(faults: readonly TypeFault[]): TypeFault[] {
  const seen = new Set<string>()
  return [...faults]
    .filter(({ code, problem, at }) => {
      const key = `${code} ${at.path}:${at.line}:${at.column} ${problem}`
      return !seen.has(key) && seen.add(key)
    })
    .sort((a, b) => order(a, b))
}

/** One error that lists every fault. Its code is that of the first. */
export function refusal(faults: readonly TypeFault[], root?: string): ToolwrightError {
  const all = sorted(faults)
  const first = all[0]!
  const texts = all.map(fault => faultText(fault, root))
  if (texts.length === 1) return new ToolwrightError(first.code, texts[0]!.slice(first.code.length + 2))
  const indented = texts.map(text => text.replaceAll('\n', '\n  '))
  return new ToolwrightError(
    first.code,
    `${texts.length} types cannot be told to a model:\n  ${indented.join('\n  ')}`,
  )
}

function order(a: TypeFault, b: TypeFault): number {
  if (a.at.path !== b.at.path) return a.at.path < b.at.path ? -1 : 1
  return a.at.line - b.at.line || a.at.column - b.at.column
}

function spot(at: Place, root: string): string {
  const inside = relative(root, at.path)
  const shown = inside === '' || inside.startsWith('..') ? at.path : inside
  return `${shown.replaceAll('\\', '/')}:${at.line}:${at.column}`
}

// A line of generated code can be as long as a file: only what stands around the place is shown.
function window(at: Place): { text: string; column: number } {
  if (at.text.length <= 160) return { text: at.text, column: at.column }
  const from = Math.max(0, at.column - 41)
  return { text: at.text.slice(from, from + 160), column: at.column - from }
}

function blank(text: string): string {
  return text.replace(/[^\t]/g, ' ')
}
