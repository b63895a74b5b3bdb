// Ending the turn from a tool: what it gave becomes the answer, and the model is not asked to restate it.

import type { Outcome } from '../engine/place.ts'
import type { Shape } from '../value/shape.ts'
import { type Conversation, type Ending, log, post, show } from './conversation.ts'
import { inOrder, type Made, nameOf, type Round } from './made.ts'
import { keepValues, postResults } from './round.ts'
import { fromEnding, fromModel, type Thread } from './thread.ts'

/** How the turn ends, or why a mark to end it does not count; nothing where no tool that counts made a mark. */
export type Verdict = { ends: Ending } | { ignored: string } | undefined

/** Judges the mark of `made`, whose outcome is `outcome`. Pure: a replay judges the same. */
export function judge(output: Shape | undefined, round: Round, made: Made, outcome: Outcome): Verdict {
  const { ended } = outcome
  if (!ended) return undefined
  const handoff = round.handoffs.includes(made)
  if (!handoff && round.turn.calls.length > 1)
    return { ignored: 'it ran beside other calls and never saw their results' }
  if (outcome.failed) return { ignored: 'the call failed' }
  const attached = [...round.plain, made].some(each => (each === made ? outcome : each.outcome)?.images)
  if (attached) return { ignored: 'a picture was attached, which the model has yet to see' }
  const value = 'value' in outcome ? outcome.value : outcome.nothing ? undefined : outcome.text
  if (value === undefined || value === null || value === '') return { ignored: 'the call gave nothing' }
  if (output) {
    const read = output.read(value)
    if (!read.ok) return { ignored: `what it gave does not read as the output: ${read.faults.join('; ')}` }
    const text = typeof read.value === 'string' ? read.value : JSON.stringify(read.value)
    return { ends: { ended: 'turn', scope: ended, text, output: read.value } }
  }
  if (typeof value !== 'string') return { ignored: 'what it gave is no text' }
  return { ends: { ended: 'turn', scope: ended, text: value } }
}

/** How the turn ends, where a tool of the round ended it and may; what does not count is a warning in the log. */
export function endsTurn(c: Conversation, round: Round, handed: boolean): Ending | undefined {
  let end: Ending | undefined
  for (const made of inOrder(round.plain, round.handoffs)) {
    const verdict = judge(c.output, round, made, made.outcome!)
    if (verdict && 'ends' in verdict) end = verdict.ends
    else if (verdict) ignore(c, 'endTurn', made, verdict.ignored)
    if (made.outcome!.handBack === undefined) continue
    const why = notHandedBack(made, made.outcome!.handBack, handed && round.handoffs.includes(made), verdict)
    if (why) ignore(c, 'handBack', made, why)
  }
  return end
}

function notHandedBack(
  { outcome }: Made,
  message: string,
  handoff: boolean,
  verdict: Verdict,
): string | undefined {
  if (!handoff) return 'only a handoff hands back'
  if (outcome!.failed) return 'the call failed'
  if (message.trim() === '') return 'the message is empty'
  return verdict && 'ends' in verdict ? 'the turn was ended' : undefined
}

function ignore(c: Conversation, what: string, made: Made, why: string): void {
  log(c, c.span, c.parent, { kind: 'warning', text: `${what} of ${nameOf(made)} is ignored: ${why}` })
}

/**
 * Puts what a round gave on the thread: all results in the order of the calls, and behind them the answer where the
 * turn was ended. A handoff put its own there already; then an answer made beside it comes after what it added.
 */
export function postRound(c: Conversation, round: Round, handed: boolean, turned: Ending | undefined): void {
  if (!handed) {
    postResults(c, inOrder(round.plain, round.handoffs, round.answers))
    if (turned) post(c, fromEnding(nameOf(round.plain[0]!), turned.text))
  } else if (!turned && round.answers.length > 0) {
    post(c, fromModel({ ...nothingSaid, calls: round.answers.map(each => each.call) }, c.model.name))
    postResults(c, round.answers)
  }
  keepValues(c, inOrder(round.plain, round.handoffs))
}

const nothingSaid = { text: '', reasoning: '', details: [], tokens: 0, input: 0, window: 0 }

/**
 * Closes the thread of a handoff with the answer. A structured answer with which its body ended is replaced by it,
 * and an answer that the body's last message gives already is not said again.
 */
export function closeThread(
  c: Conversation,
  tool: string,
  answer: string,
  from: number,
  structured: boolean,
): void {
  const { thread } = c
  const said = fromEnding(tool, answer)
  const rows = thread.since(from)
  const last = rows.at(-1)
  if (
    last?.[1].role === 'assistant' &&
    last[1].calls.length === 0 &&
    (structured || last[1].text === said.text)
  ) {
    if (last[1].text !== said.text) show(c, last[0], said)
    return
  }
  const asking = structured ? answerRows(thread, from) : undefined
  if (!asking) return void post(c, said)
  for (const row of asking.results) show(c, row)
  show(c, asking.row, said)
}

/** The message at the end of the thread that only calls `answer`, with its results. */
function answerRows(thread: Thread, from: number): { row: number; results: number[] } | undefined {
  const rows = thread.since(from)
  const results: number[] = []
  for (let i = rows.length - 1; i >= 0; i--) {
    const [row, message] = rows[i]!
    if (message.role === 'tool') results.push(row)
    else return message.calls.length === results.length && results.length > 0 ? { row, results } : undefined
  }
  return undefined
}
