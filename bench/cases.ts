// The cases, and what one performance of each counts for.
import { type Work, work } from './work.ts'

export interface Case {
  name: string
  work: Work
  /** One performance is so many of what is counted (rounds, pieces); the time is divided by it. */
  per: number
  /** What the number is the cost of. */
  unit: string
  /** Done at least so often in a whole run of the bench. */
  least: number
  /** Done so often in a fresh process, where the start of a process is measured (--cold). */
  cold: number
}

export const ROUNDS = [50, 100, 200, 400] as const

export const cases: readonly Case[] = [
  { name: 'run', work: work(1, 1, 1), per: 1, unit: 'a run with one call', least: 2000, cold: 2000 },
  ...ROUNDS.map(n => ({
    name: `round${n}`,
    work: work(n, 1, 1),
    per: n,
    unit: `a round, of ${n}`,
    least: 5,
    cold: 2,
  })),
  { name: 'calls100', work: work(1, 100, 1), per: 1, unit: '100 calls in one turn', least: 50, cold: 10 },
  { name: 'piece', work: work(0, 0, 5000), per: 5000, unit: 'a piece, of 5,000', least: 20, cold: 5 },
]
