// What is wrong with a file: where, what, and a hint; and how people are shown it.
import type { AgencyCode } from '../errors.ts'
import type { Span } from './ast.ts'

export interface AgencyFault extends Span {
  code: AgencyCode
  message: string
  /** What to write in its place, where that can be said. */
  hint: string | undefined
}

/** Line and column of an offset, both from 1. */
export interface Position {
  line: number
  column: number
}

/** Where each line begins. */
export function lineStarts(source: string): number[] {
  const starts = [0]
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** The position of `offset`, found by halving. */
export function positionOf(starts: readonly number[], offset: number): Position {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (starts[middle]! <= offset) low = middle
    else high = middle - 1
  }
  return { line: low + 1, column: offset - starts[low]! + 1 }
}

/** A fault as a person reads it: `path:line:col - error A2001: message`, the line, a caret, and the hint. */
export function faultText(fault: AgencyFault, source: string, file: string): string {
  const starts = lineStarts(source)
  const { line, column } = positionOf(starts, fault.start)
  const from = starts[line - 1]!
  const whole = source.slice(from, starts[line] ?? source.length).replace(/\r?\n$/, '')
  // A long line is shown around the fault, and a tab as one blank, so that the caret stands where it belongs.
  const cut = Math.max(0, column - 1 - 80)
  const shown = (cut > 0 ? '…' : '') + whole.slice(cut, cut + 160).replace(/\t/g, ' ')
  const at = column - 1 - cut + (cut > 0 ? 1 : 0)
  const width = Math.max(1, Math.min(fault.end - fault.start, shown.length - at))
  const lines = [
    `${file}:${line}:${column} - error ${fault.code}: ${fault.message}`,
    '',
    `${line} | ${shown}`,
    `${' '.repeat(String(line).length)} | ${' '.repeat(Math.max(0, at))}${'^'.repeat(width)}`,
  ]
  if (fault.hint !== undefined) lines.push(`  hint: ${fault.hint}`)
  return lines.join('\n')
}
