// A round: the calls of one turn, sorted by what is done with them, made, and their results put on the thread.

import type { LimitName } from '../define/limits.ts'
import { ANSWER, type Turn } from '../define/records.ts'
import type { Outcome } from '../engine/place.ts'
import type { Soon } from '../engine/soon.ts'
import { call } from './call.ts'
import { type Conversation, listed, post } from './conversation.ts'
import { CUT, cutCall, type Made, nameOf, type Round } from './made.ts'
import { failed } from './outcome.ts'
import { fromPictures, fromTool } from './thread.ts'

/** The calls of turn `n` by what is done with them, each under its number. */
export function sort(c: Conversation, n: number, turn: Turn, row: number): Round {
  const round = { turn, row, plain: [] as Made[], handoffs: [] as Made[], answers: [] as Made[] }
  const cut = cutCall(turn)
  const found = turn.calls.map(each => c.tools.find(each))
  const many = c.repeats.tooMany(found)
  turn.calls.forEach((call, i) => {
    const means = found[i]!
    const why = call === cut ? CUT : many.has(means.call) ? MANY : undefined
    const made = { call, found: means, at: i + 1, number: `${n}.${i + 1}`, cut: why, outcome: undefined }
    if (c.output && call.tool === ANSWER) round.answers.push(made)
    else if (means.told?.definition.handoff) round.handoffs.push(made)
    else round.plain.push(made)
  })
  return round
}

const MANY = 'Not run: this very call is made too often in one turn. One result of it is enough.'

/** Makes the calls at once. What one does never harms another: all have an outcome before anything goes on. */
export function atOnce(c: Conversation, calls: readonly Made[]): Soon<void> {
  const waiting: Promise<void>[] = []
  for (const made of keptFirst(c, calls)) {
    const given = begun(c, made)
    const settle = (outcome: Outcome): void => {
      made.outcome = outcome
    }
    if (given instanceof Promise) waiting.push(given.then(settle))
    else settle(given)
  }
  return waiting.length > 0 ? allDone(c, calls, waiting) : counted(c, calls)
}

async function allDone(
  c: Conversation,
  calls: readonly Made[],
  waiting: readonly Promise<void>[],
): Promise<void> {
  c.watch.leave()
  const failed = (await Promise.allSettled(waiting)).find(end => end.status === 'rejected')
  c.watch.enter()
  if (failed) throw failed.reason
  counted(c, calls)
}

function counted(c: Conversation, calls: readonly Made[]): void {
  for (const made of calls) c.repeats.count(made.found.call, made.outcome!.text)
}

/** Begins a call. What goes wrong outside of its tool waits until the other calls have ended. */
function begun(c: Conversation, made: Made): Soon<Outcome> {
  try {
    return call(c, made)
  } catch (error) {
    return Promise.reject(error)
  }
}

/** What a journal keeps counts before anything begins anew, so that a limit means the same after a kill. */
function keptFirst(c: Conversation, calls: readonly Made[]): readonly Made[] {
  const kept = calls.filter(each => c.place.kept(each.number))
  return kept.length === 0 ? calls : [...kept, ...calls.filter(each => !kept.includes(each))]
}

/** In the last turn no call runs; each is told so. */
export function refuseAll(c: Conversation, calls: readonly Made[], limit: LimitName): void {
  for (const each of calls)
    refuseCall(c, each, `Not run: the limit ${limit} is spent, and this is the last turn.`)
}

/** Settles a call without making it. */
export function refuseCall(c: Conversation, made: Made, why: string): void {
  made.outcome = failed(why)
  showCall(c, made)
}

/** Shows a call that the loop itself settled. */
export function showCall(c: Conversation, { found: { call }, number, outcome }: Made): void {
  const step = listed(c, `tool ${number} ${call.tool}`)
  c.place.emit({ kind: 'call', text: '', step, attempt: 1, call })
  c.place.emit({ kind: outcome!.failed ? 'failed' : 'result', text: outcome!.text, step, attempt: 1, call })
}

/** Keeps with the conversation what its calls kept for later ones, in the order of the calls: the last of two counts. */
export function keepValues(c: Conversation, calls: readonly Made[]): void {
  for (const { outcome } of calls) {
    if (!outcome?.remembered) continue
    c.kept.add(outcome.remembered)
    c.thread.keep(c.place, outcome.remembered)
  }
}

/** Puts the results on the thread in the order of the calls, whoever finished first, and the pictures after all of them. */
export function postResults(c: Conversation, calls: readonly Made[]): void {
  for (const each of calls) post(c, fromTool(each.call, each.found.call.tool, each.outcome!.text))
  const attached = calls.filter(each => each.outcome!.images)
  if (attached.length > 0)
    post(
      c,
      fromPictures(
        attached.map(nameOf),
        attached.flatMap(each => each.outcome!.images!),
      ),
    )
}
