// What tests of the language share.

import type { AgencyFault } from '../src/index.ts'
import { check, lineStarts, parse, positionOf } from '../src/index.ts'

/** A tree without its places, to be compared. */
export function bare(node: unknown): unknown {
  return JSON.parse(
    JSON.stringify(node, (key, value) =>
      key === 'start' || key === 'end' || key === 'comments' ? undefined : value,
    ),
  )
}

/** Faults as `line:column code`. */
export function places(source: string, faults: readonly AgencyFault[]): string[] {
  const starts = lineStarts(source)
  return faults.map(f => {
    const { line, column } = positionOf(starts, f.start)
    return `${line}:${column} ${f.code}`
  })
}

export function faultsOf(source: string): readonly AgencyFault[] {
  const { program, faults } = parse(source)
  return check(program, { module: () => undefined }, faults).faults
}

export function checked(source: string): string[] {
  return places(source, faultsOf(source))
}
