// The calls of one turn, on their way through a round.
import type { Found } from '../define/entries.ts'
import type { Call, Turn } from '../define/records.ts'
import type { Outcome } from '../engine/place.ts'

/** A call of a turn on its way through a round. */
export interface Made {
  /** As the model made it: what stands on the thread. */
  readonly call: Call
  /** What it means: the tool, and the call as people see it. */
  readonly found: Found
  /** Its place in the turn, from 1. */
  readonly at: number
  /** Turn and place: '2.1'. */
  readonly number: string
  /** Why it is not to run at all. */
  readonly cut: string | undefined
  outcome: Outcome | undefined
}

/** The calls of one turn. */
export interface Round {
  readonly turn: Turn
  /** The row of the message that made them. */
  readonly row: number
  readonly plain: readonly Made[]
  readonly handoffs: readonly Made[]
  readonly answers: readonly Made[]
}

/** What people call the tool of a call. */
export function nameOf(made: Made): string {
  return made.found.call.tool
}

const none: readonly Made[] = []

/** The calls in the order in which the model made them. */
export function inOrder(...lists: (readonly Made[])[]): readonly Made[] {
  let only: readonly Made[] = none
  for (const list of lists) {
    if (list.length === 0) continue
    if (only.length > 0) return lists.flat().sort((a, b) => a.at - b.at)
    only = list
  }
  return only
}

/** What a call is told that the output limit cut in half. */
export const CUT =
  'The output limit was reached before this call was complete, so it was not made. Make it again, shorter.'

/** The call of a turn that was cut in half by the output limit or a filter: never run. */
export function cutCall(turn: Turn): Call | undefined {
  if (turn.cut !== 'length' && turn.cut !== 'filter') return turn.calls.find(c => c.cut)
  return turn.calls.at(-1)
}
