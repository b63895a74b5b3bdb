// The story of a run: the model speaks, its calls are made at once, their results join the thread, and it speaks
// again, until it answers, a limit ends it, or a person stops it. Everything else is a door to this.

import type { LimitName } from '../define/limits.ts'
import type { Turn } from '../define/records.ts'
import { ToolwrightError } from '../errors.ts'
import { nudge, readText, takeAnswers } from './answer.ts'
import { type Conversation, type Ending, hear, log, post } from './conversation.ts'
import { endsTurn, postRound } from './ending.ts'
import { handOver } from './handoff.ts'
import { inOrder } from './made.ts'
import { reason } from './outcome.ts'
import { atOnce, refuseAll, sort } from './round.ts'
import { speak } from './speak.ts'
import { fromModel, fromSystem } from './thread.ts'

/** Runs the conversation to its end. It rejects where the model cannot be had, or gives no answer. */
export async function loop(c: Conversation): Promise<Ending> {
  const begun = c.session.clock.now()
  c.watch.enter()
  log(c, c.span, c.parent, { kind: 'conversation', agent: c.label ?? c.agent, model: c.model.name })
  let end: { ended: Ending['ended'] | 'error'; limit?: string; error?: string } = { ended: 'error' }
  try {
    const ending = await rounds(c)
    end = ending
    return ending
  } catch (error) {
    end = { ended: 'error', error: reason(error) }
    throw error
  } finally {
    c.watch.leave()
    c.stop.end()
    const { ended, limit, error } = end
    const ms = c.watch.worked()
    const waited = c.session.clock.now() - begun - ms
    const which = { ...(limit === undefined ? {} : { limit }), ...(error === undefined ? {} : { error }) }
    log(c, c.span, c.parent, { kind: 'end', ended, ...which, ms, waited, usage: c.budget.usage() })
  }
}

async function rounds(c: Conversation): Promise<Ending> {
  let written = ''
  let nudged = false
  let made = 0
  for (let n = 1; ; n++) {
    const said = await speak(c, n, made)
    if ('over' in said) throw spent(said.over, 'in the run around this one')
    const { turn, last } = said
    if (turn.text !== '') written = turn.text
    const row = says(turn) ? post(c, fromModel(turn, turn.model ?? c.model.name)) : -1
    if (turn.cut === 'stopped') return { ended: 'stopped', text: written }

    if (turn.calls.length === 0) {
      const end = conclude(c, turn, last, nudged)
      if (end && (last || !c.hears || !(await hear(c, `after ${n}`)))) return end
      nudged = !end
      continue
    }

    made++
    const round = sort(c, n, turn, row)
    if (last) refuseAll(c, inOrder(round.plain, round.handoffs), last)
    else await atOnce(c, round.plain)
    const handed = !last && round.handoffs.length > 0 && (await handOver(c, round))
    const turned = endsTurn(c, round, handed)
    const given = turned ? undefined : takeAnswers(c, round, last !== undefined)
    postRound(c, round, handed, turned)

    if (turned) return turned
    if (given) return ending({ ...text(given.value), output: given.value }, last)
    if (last) {
      if (turn.text !== '' && !c.output) return ending({ text: turn.text }, last)
      throw spent(last, 'and the last turn gave no answer')
    }
  }
}

/** An empty turn is no message. */
function says(turn: Turn): boolean {
  return turn.text !== '' || turn.reasoning !== '' || turn.calls.length > 0
}

/** The end, where a turn without calls is one; nothing where the model is asked once more to call `answer`. */
function conclude(
  c: Conversation,
  turn: Turn,
  last: LimitName | undefined,
  nudged: boolean,
): Ending | undefined {
  if (!c.output) return ending({ text: turn.text }, last)
  const read = readText(c.output, turn.text, c.format !== undefined)
  if (read.ok) return ending({ ...text(read.value), output: read.value }, last)
  if (last) throw spent(last, 'and the last turn gave no answer that reads')
  if (nudged)
    throw new ToolwrightError('T7001', `the model gave no answer that reads:\n${read.faults.join('\n')}`, {
      fix: 'state a simpler output, or use a model that calls functions well',
    })
  post(c, fromSystem(nudge(read.faults, c.format !== undefined)))
  return undefined
}

function ending(answer: { text: string; output?: unknown }, last: LimitName | undefined): Ending {
  return last ? { ended: 'limit', limit: last, ...answer } : { ended: 'answer', ...answer }
}

function text(value: unknown): { text: string } {
  return { text: typeof value === 'string' ? value : JSON.stringify(value) }
}

function spent(limit: LimitName, why: string): ToolwrightError {
  const fix = `raise the limit ${limit}, or give the agent less to do`
  return new ToolwrightError('T7002', `the limit ${limit} is spent ${why}`, { fix })
}
