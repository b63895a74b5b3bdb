// Catches a model that makes the same call again and again: same tool, same arguments, same result.
import type { Found } from '../define/entries.ts'
import type { Call } from '../define/records.ts'

/** The calls of one tool. */
interface Calls {
  /** As they were made, until one result has come so often that it is worth a look at the arguments. */
  made: { call: Call; result: string }[]
  /** How often each result came; not needed before there are so many calls as one result may come. */
  times: Map<string, number> | undefined
  /** From then on: by what the arguments say, how often the last result came in a row. */
  counted: Map<string, { result: string; times: number }> | undefined
}

/** Counts calls with the same arguments and the same result. While results differ it costs next to nothing. */
export class Repeats {
  private readonly limit: number
  private readonly byTool = new Map<string, Calls>()

  constructor(limit: number) {
    this.limit = limit
  }

  /** How often the call gave its last result again, where it may not be made any more; else nothing. */
  refuses(call: Call): number | undefined {
    const before = this.byTool.get(call.tool)?.counted?.get(canonical(call))
    return before && before.times >= this.limit ? before.times : undefined
  }

  /** The calls of one turn that are made more often in it than one call may give its result, beyond that many. */
  tooMany(calls: readonly Found[]): ReadonlySet<Call> {
    if (calls.length <= this.limit || allDiffer(calls)) return none
    const many = new Set<Call>()
    const times = new Map<string, number>()
    for (const { call, told } of calls) {
      if (told?.definition.polls) continue
      const key = `${call.tool}\n${call.arguments}`
      const n = (times.get(key) ?? 0) + 1
      times.set(key, n)
      if (n > this.limit) many.add(call)
    }
    return many
  }

  /** Counts a call that was made; a new result begins the count anew. One that is refused is not counted. */
  count(call: Call, result: string): void {
    let calls = this.byTool.get(call.tool)
    if (!calls) {
      calls = { made: [], times: undefined, counted: undefined }
      this.byTool.set(call.tool, calls)
    }
    if (calls.counted) {
      if (this.refuses(call) === undefined) add(calls.counted, call, result)
      return
    }
    calls.made.push({ call, result })
    if (calls.made.length < this.limit) return
    if (!this.often(calls, result)) return
    calls.counted = new Map()
    for (const each of calls.made) add(calls.counted, each.call, each.result)
    calls.made = []
    calls.times = undefined
  }

  /** Whether the result has come often enough; it is the last of those that came. */
  private often(calls: Calls, result: string): boolean {
    if (!calls.times) {
      calls.times = new Map()
      for (const each of calls.made) more(calls.times, each.result)
    } else more(calls.times, result)
    return calls.times.get(result)! >= this.limit
  }
}

function more(times: Map<string, number>, result: string): void {
  times.set(result, (times.get(result) ?? 0) + 1)
}

const none: ReadonlySet<Call> = new Set()

function allDiffer(calls: readonly Found[]): boolean {
  return new Set(calls.map(({ call }) => call.arguments)).size === calls.length
}

function add(counted: NonNullable<Calls['counted']>, call: Call, result: string): void {
  const key = canonical(call)
  const before = counted.get(key)
  if (before && before.result === result) before.times++
  else counted.set(key, { result, times: 1 })
}

const known = new WeakMap<Call, string>()

/** The arguments with their keys in order and without space, so that only what they say counts. */
function canonical(call: Call): string {
  let said = known.get(call)
  if (said === undefined) {
    said = ordered(call.arguments)
    known.set(call, said)
  }
  return said
}

function ordered(text: string): string {
  if (text.trim() === '') return '{}'
  try {
    return JSON.stringify(JSON.parse(text), (_key, value: unknown) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
      // Null where nothing is needed reads as absent.
      const stated = Object.entries(value).filter(([, v]) => v !== null)
      return Object.fromEntries(stated.sort(([a], [b]) => (a < b ? -1 : 1)))
    })
  } catch {
    return text
  }
}
