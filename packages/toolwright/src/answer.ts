// One message, answered on the terminal: what `run` does once and `chat` again and again.

import { type Agent, type Ask, type LogEvent, run } from '@toolwright/core'
import { escapeText } from './escape.ts'
import { jsonLine } from './json.ts'
import { askDetails, type Shower, shower } from './lines.ts'
import type { Terminal } from './terminal.ts'
import { errorText } from './trouble.ts'

export interface AnswerOptions {
  /** Asks before every call that is not read-only. */
  ask: boolean
  /** Pieces as JSON lines on stdout, and nothing else there. */
  json: boolean
  /** Nothing on stderr but questions and what went wrong. */
  quiet: boolean
}

/** How it ended, as an exit code: answered, failed, stopped by ctrl-C. */
export type Ended = 0 | 1 | 130

/**
 * Asks `agent` for an answer to `message` and shows it as it comes. The first ctrl-C stops the run and keeps what was
 * written; the second leaves at once. Every event of the run joins `log`.
 */
export async function answer(
  agent: Agent,
  message: string,
  options: AnswerOptions,
  terminal: Terminal,
  log: LogEvent[],
): Promise<Ended> {
  const show = shower(terminal, { quiet: options.quiet || options.json })
  const stopping = new AbortController()
  let interrupts = 0
  const interrupt = () => {
    interrupts++
    if (interrupts > 1) return terminal.leave(130)
    stopping.abort()
    if (!options.quiet) show.note(terminal.style('yellow', 'stopping; ctrl-C again leaves at once'))
  }
  const asker = (question: Ask) => decide(question, terminal, show, stopping.signal, interrupt)
  const interruptNoMore = terminal.onInterrupt(interrupt)
  try {
    const { ended, limit } = await run(agent, message, {
      nested: true,
      approver: asker,
      asksEach: options.ask,
      signal: stopping.signal,
      each: piece => {
        if (options.json) terminal.out(`${jsonLine(piece)}\n`)
        else show.piece(piece)
      },
      log: event => {
        log.push(event)
        if (!options.json) show.event(event)
      },
    }).result
    show.clear()
    if (ended === 'stopped') return 130
    if (ended === 'limit') show.note(terminal.style('yellow', `The limit ${limit} was reached.`))
    return 0
  } catch (error) {
    show.clear()
    if (interrupts > 0) return 130
    show.note(`${terminal.style('red', 'error')} ${errorText(error)}`)
    return 1
  } finally {
    interruptNoMore()
  }
}

async function decide(
  ask: Ask,
  terminal: Terminal,
  show: Shower,
  signal: AbortSignal,
  interrupt: () => void,
): Promise<boolean> {
  if (!terminal.person) {
    show.note(
      `${terminal.style('yellow', '!')} ${escapeText(ask.call.tool)} was declined: it asks a person, and there is no terminal to ask on.`,
    )
    return false
  }
  show.clear()
  const answered = await terminal.confirm(askDetails(ask, terminal), 'Let it run?', signal)
  if (answered !== 'interrupt') return answered
  show.note(`${terminal.style('yellow', '!')} ${escapeText(ask.call.tool)} was declined.`)
  if (!signal.aborted) interrupt()
  return false
}
