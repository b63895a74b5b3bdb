// What toolwright is to reach, as ratios to the best peer and to the floor, and whether this run of the bench saw it.
import type { Report } from './report.ts'

interface Goal {
  what: string
  /** What was seen, of a row of toolwright; undefined where it was not measured. */
  seen(row: Report['rows'][number]): number | undefined
  atMost: number
  unit: string
}

const figure = (row: Report['rows'][number], name: string) => {
  const given = row.cases[name]
  return given === undefined || 'missing' in given ? undefined : given
}
const toBest = (what: string, name: string, atMost: number): Goal => ({
  what,
  seen: row => figure(row, name)?.toBest,
  atMost,
  unit: ' of the best peer',
})

const goals: readonly Goal[] = [
  toBest('a run', 'run', 0.25),
  toBest('a round, of 50', 'round50', 0.25),
  toBest('a round, of 400', 'round400', 0.25),
  toBest('100 calls', 'calls100', 0.25),
  toBest('a piece', 'piece', 0.5),
  { what: 'a run', seen: row => figure(row, 'run')?.toFloor, atMost: 10, unit: ' of the floor' },
  {
    what: 'a round of 400 to one of 50',
    seen(row) {
      const few = figure(row, 'round50')
      const many = figure(row, 'round400')
      return few && many && many.median / few.median
    },
    // Flat, but for what a noisy machine adds.
    atMost: 1.15,
    unit: '',
  },
  { what: 'import', seen: row => row.importMs?.median, atMost: 30, unit: ' ms above bare Node' },
  { what: 'installed', seen: row => row.installed && row.installed.bytes / 1e6, atMost: 3, unit: ' MB' },
  { what: 'packages', seen: row => row.installed?.packages, atMost: 6, unit: '' },
]

/** A line for each goal that was measured. */
export function goalsOf(report: Report): string[] {
  const row = report.rows.find(each => each.name === 'toolwright')
  if (row === undefined) return []
  return goals.flatMap(({ what, seen, atMost, unit }) => {
    const value = seen(row)
    if (value === undefined) return []
    return [
      `  ${value <= atMost ? 'reached' : 'not yet'}  ${what}: ${value.toFixed(2)}${unit}, at most ${atMost}`,
    ]
  })
}
