// `toolwright run FILE [message]`: one message, one answer.
import type { Agent, LogEvent } from '@toolwright/core'
import { type AnswerOptions, answer, type Ended } from './answer.ts'
import type { Terminal } from './terminal.ts'
import { tree } from './tree.ts'
import { CommandError } from './trouble.ts'

export interface RunOptions extends AnswerOptions {
  /** Prints the thread as a tree at the end. */
  tree: boolean
}

/**
 * Answers `message`, or what is piped in, or what the person then types. Gives the exit code.
 * Throws a {@link CommandError} where there is no message.
 */
export async function runCommand(
  agent: Agent,
  message: string | undefined,
  options: RunOptions,
  terminal: Terminal,
): Promise<Ended> {
  const asked = message ?? (await askMessage(terminal))
  if (asked === 'interrupt') return 130
  const log: LogEvent[] = []
  const ended = await answer(agent, typeof asked === 'string' ? asked : asked.text, options, terminal, log)
  if (options.tree) terminal.out(`\n${tree(log)}\n`)
  return ended
}

async function askMessage(terminal: Terminal): Promise<'interrupt' | { text: string }> {
  const typed = terminal.person ? await terminal.read('> ') : { text: await terminal.piped() }
  if (typed === 'interrupt') return typed
  if (typed === 'end' || typed.text.trim() === '')
    throw new CommandError(2, 'There is no message. Write it behind the file, or pipe it in.')
  return { text: typed.text.trim() }
}
