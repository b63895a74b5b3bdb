// Handing over: the one handoff of a turn works on the caller's own thread, after the other calls, and hands back.

import type { Outcome } from '../engine/place.ts'
import type { Hand } from './body.ts'
import { call } from './call.ts'
import { type Conversation, post, show } from './conversation.ts'
import { closeThread, judge } from './ending.ts'
import { inOrder, type Made, nameOf, type Round } from './made.ts'
import { postResults, refuseCall } from './round.ts'
import { marker, plain, withCalls } from './thread.ts'
import type { Work } from './work.ts'

/**
 * Hands over to the handoff of the round, if there is one; true where it began, so that the results of the other
 * calls are on the thread already. One that does not begin (refused, unreadable) is an ordinary failed call.
 */
export async function handOver(c: Conversation, round: Round): Promise<boolean> {
  const [made, ...others] = round.handoffs
  if (!made) return false
  if (others.length > 0) {
    const names = round.handoffs.map(nameOf).join(' and ')
    for (const each of round.handoffs)
      refuseCall(c, each, `Not run: only one of ${names} can take over at a time. Call one of them again.`)
    return false
  }
  let live = false
  let from = 0
  const hand: Hand = {
    begin(work, input) {
      live = true
      from = leave(c, round, made, work, input)
    },
    again: () => dropSystem(c, from),
    end: (work, outcome) => handBack(c, round, made, work, outcome, from),
  }
  const working = call(c, made, hand)
  c.watch.leave()
  try {
    made.outcome = await working
  } finally {
    c.watch.enter()
  }
  c.repeats.count(made.found.call, made.outcome.text)
  const { rows } = made.outcome
  if (!rows) return false
  if (!live) c.thread.restore(await c.place.rows(rows.thread, rows.from, rows.to))
  return true
}

/** The call leaves the thread, the results of the others join it, and a message says that the handoff begins. */
function leave(c: Conversation, round: Round, made: Made, work: Work, input: unknown): number {
  const from = c.thread.rows
  const [, message] = c.thread.since(round.row)[0]!
  const staying = round.plain.map(each => each.call)
  show(c, round.row, withCalls(message, staying))
  postResults(c, inOrder(round.plain))
  const name = nameOf(made)
  post(c, marker('assistant', name, `[dispatching ${name}: ${JSON.stringify(input)}]`))
  work.takeOver(c.thread)
  return from
}

/** The system messages of the body leave, and the thread ends with the answer, or a message hands back to the model. */
function handBack(
  c: Conversation,
  round: Round,
  made: Made,
  work: Work,
  given: Outcome,
  from: number,
): Outcome {
  const { thread } = c
  const name = nameOf(made)
  const structured = work.structured === thread.rows
  dropSystem(c, from)
  const verdict = judge(c.output, round, made, given)
  if (verdict && 'ends' in verdict) closeThread(c, name, verdict.ends.text, from, structured)
  else post(c, marker('user', name, said(name, given), given.images))
  return { ...given, rows: { thread: thread.id, from, to: thread.rows } }
}

function dropSystem(c: Conversation, from: number): void {
  for (const [row, message] of c.thread.since(from)) if (message.role === 'system') show(c, row)
}

function said(name: string, given: Outcome): string {
  if (given.failed) return `[${name} failed. ${plain(given.text)}] Continue with the user's request.`
  if (given.handBack?.trim()) return given.handBack
  return `[${name} finished. ${plain(given.text)}] Continue with the user's request.`
}
