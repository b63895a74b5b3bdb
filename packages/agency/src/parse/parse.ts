// A source to its tree. Any text has one; what is wrong with it is told beside it.
import type { Program } from '../syntax/ast.ts'
import type { AgencyFault } from '../syntax/fault.ts'
import { lex } from '../syntax/lex.ts'
import type { Parser } from './state.ts'
import { statements } from './statement.ts'

export interface Parsed {
  program: Program
  /** In the order of the source. */
  faults: AgencyFault[]
}

export function parse(source: string): Parsed {
  const faults: AgencyFault[] = []
  const { tokens, comments } = lex(source, faults)
  const p: Parser = {
    source,
    tokens,
    at: 0,
    faults,
    quiet: false,
    over: faults.some(fault => fault.code === 'A1004'),
    depth: 0,
    enclosed: 0,
    arm: false,
  }
  const body = statements(p, true)
  faults.sort((a, b) => a.start - b.start)
  return { program: { kind: 'program', body, comments, start: 0, end: source.length }, faults }
}
