// Interleaved timing: every subject is warmed up, then all take turns, pass by pass, so that a machine that slows
// down slows all of them down alike.
import type { Case } from './cases.ts'
import type { Member } from './crew.ts'

/** The times of one subject in one case: microseconds of one unit, pass by pass; or why there are none. */
export type Times = { us: number[] } | { missing: string }

export interface Pace {
  passes: number
  /** How long a pass should take at least, ms. */
  passMs: number
  /** How long a warm-up may take at most, ms. */
  warmMs: number
}

/** Checks, warms up and times `members` in one case. What fails there is listed with the reason, and left out. */
export async function timed(
  members: readonly Member[],
  given: Case,
  pace: Pace,
): Promise<Map<Member, Times>> {
  const times = new Map<Member, Times>()
  const often = new Map<Member, number>()
  for (const member of members) {
    const cannot = member.cannot[given.name]
    if (cannot !== undefined) {
      times.set(member, { missing: cannot })
      continue
    }
    await attempt(member, times, async () => {
      await member.order({ do: 'check', name: given.name })
      const ms = await member.order({ do: 'warm', name: given.name, atMost: pace.warmMs })
      often.set(member, Math.max(1, Math.ceil(pace.passMs / ms), Math.ceil(given.least / pace.passes)))
      times.set(member, { us: [] })
    })
  }
  for (let pass = 0; pass < pace.passes; pass++)
    for (const member of members)
      await attempt(member, times, async () => {
        const so = times.get(member)!
        if ('missing' in so) return
        const ms = await member.order({ do: 'pass', name: given.name, times: often.get(member)! })
        so.us.push((ms * 1000) / given.per)
      })
  return times
}

/** The same without a warm-up: each pass is a new process of the subject, made by `fresh`, and its first work. */
export async function timedCold(
  members: readonly Member[],
  given: Case,
  passes: number,
  fresh: (file: string) => Promise<Member>,
): Promise<Map<Member, Times>> {
  const times = new Map<Member, Times>(members.map(member => [member, { us: [] }]))
  for (let pass = 0; pass < passes; pass++)
    for (const member of members)
      await attempt(member, times, async () => {
        const so = times.get(member)!
        if ('missing' in so) return
        const newcomer = await fresh(member.file)
        try {
          const ms = await newcomer.order({ do: 'pass', name: given.name, times: given.cold })
          so.us.push((ms * 1000) / given.per)
        } finally {
          newcomer.leave()
        }
      })
  return times
}

async function attempt(member: Member, times: Map<Member, Times>, act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    times.set(member, { missing: (error as Error).message })
  }
}

/** The middle value; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** How `a` stands to `b`: the median of the ratios pass by pass, which a drifting machine moves least. */
export function ratio(a: readonly number[], b: readonly number[]): number {
  return median(a.map((value, i) => value / b[i]!))
}
