// What is kept of answers for later tools, whether the agent sees it or not.
import type { Json } from '@toolwright/core'
import type { Plan } from '../document/plan.ts'
import { mapsList, reached } from './paths.ts'
import type { Seen } from './project.ts'

/** The values to remember, under the path as it is written. What is not in the answer leaves the old value. */
export function remembered(plan: Plan, seen: ReadonlyMap<string, Seen>): Record<string, Json> {
  const kept: Record<string, Json> = {}
  for (const { source, keys, as } of plan.remember) {
    const value = seen.get(source)?.value
    const found = reached(value, keys)
    if (found.length === 0) continue
    kept[as] = plain(mapsList(value, keys) ? found : found[0])
  }
  return kept
}

/** As JSON: an integer beyond 2^53 as its digits. */
function plain(value: unknown): Json {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return (value ?? null) as Json
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]))
}
