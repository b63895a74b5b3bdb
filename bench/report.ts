// What a run of the bench found, as one record: it is printed as tables, or as JSON with --json.

export interface Row {
  name: string
  version: string
  /** By case: the median of one unit in µs, the least and the most of a pass, and ratios; or why there is none. */
  cases: Record<string, Figure | { missing: string }>
  /** Milliseconds that a process takes longer which imports it. */
  importMs?: Figure
  installed?: { bytes: number; packages: number }
}

export interface Figure {
  median: number
  least: number
  most: number
  /** How often the best peer's. The best peer has 1 itself. */
  toBest?: number
  toFloor?: number
}

export interface Report {
  node: string
  machine: string
  /** What toolwright was: 'built' (its dist) or 'source'. */
  toolwright: string
  /** False: the figures are of processes that have just begun (--cold). */
  warm: boolean
  /** The best peer of each case. */
  best: Record<string, string>
  /** By case: what one unit is. */
  units: Record<string, string>
  rows: Row[]
}
