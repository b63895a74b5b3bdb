// Catches a model that makes the same call again and again: same tool, same arguments, same result.
import type { Call } from '../define/records.ts'

interface Seen {
  result: string
  times: number
}

/** The calls of one tool: as they were made while they are few, then counted by what they say. */
interface Calls {
  few: { text: string; result: string }[]
  counted: Map<string, Seen> | undefined
  total: number
}

/** Counts calls with the same arguments and the same result. A tool that is called seldom costs nothing. */
export class Repeats {
  private readonly limit: number
  private readonly byTool = new Map<string, Calls>()

  constructor(limit: number) {
    this.limit = limit
  }

  /** How often the call gave its last result again, where it may not be made any more; else nothing. */
  refuses(call: Call): number | undefined {
    const calls = this.byTool.get(call.tool)
    if (!calls || calls.total < this.limit) return undefined
    const before = counted(calls).get(canonical(call.arguments))
    return before && before.times >= this.limit ? before.times : undefined
  }

  /** Counts a call that was made; a new result begins the count anew. One that is refused is not counted. */
  count(call: Call, result: string): void {
    let calls = this.byTool.get(call.tool)
    if (!calls) {
      calls = { few: [], counted: undefined, total: 0 }
      this.byTool.set(call.tool, calls)
    }
    if (calls.total < this.limit) calls.few.push({ text: call.arguments, result })
    else if (this.refuses(call) === undefined) add(counted(calls), call.arguments, result)
    calls.total++
  }
}

function counted(calls: Calls): Map<string, Seen> {
  if (!calls.counted) {
    calls.counted = new Map()
    for (const { text, result } of calls.few) add(calls.counted, text, result)
  }
  return calls.counted
}

function add(seen: Map<string, Seen>, text: string, result: string): void {
  const key = canonical(text)
  const before = seen.get(key)
  if (before && before.result === result) before.times++
  else seen.set(key, { result, times: 1 })
}

let last = { text: '', canonical: '' }

/** The arguments with their keys in order and without space, so that only what they say counts. */
function canonical(text: string): string {
  if (text !== last.text) last = { text, canonical: ordered(text) }
  return last.canonical
}

function ordered(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), (_key, value: unknown) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
      return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    })
  } catch {
    return text
  }
}
