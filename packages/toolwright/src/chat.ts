// `toolwright chat FILE`: a conversation that the agent's own history keeps, until ctrl-D or /exit.
import type { Agent, LogEvent } from '@toolwright/core'
import { answer } from './answer.ts'
import type { RunOptions } from './run.ts'
import type { Terminal } from './terminal.ts'
import { tree } from './tree.ts'

/**
 * Reads messages and answers each, until there are no more. Ctrl-C stops the answer that is being written, and the
 * conversation goes on. Piped in, each line is a message. Gives the exit code: 1 where a message that was piped in
 * failed, else 0, for a person has seen what failed.
 */
export async function chatCommand(agent: Agent, options: RunOptions, terminal: Terminal): Promise<0 | 1> {
  const log: LogEvent[] = []
  let failed = false
  if (terminal.person && !options.quiet)
    terminal.err(`${terminal.style('dim', 'ctrl-D or /exit leaves, ctrl-C stops an answer')}\n`)
  for (;;) {
    const typed = await terminal.read('> ')
    if (typed === 'end') break
    if (typed === 'interrupt') {
      terminal.err('\n')
      continue
    }
    const message = typed.text.trim()
    if (message === '/exit') break
    if (message === '') continue
    const ended = await answer(agent, message, options, terminal, log)
    failed ||= ended === 1
  }
  if (terminal.person) terminal.err('\n')
  if (options.tree) terminal.out(`\n${tree(log)}\n`)
  return failed && !terminal.person ? 1 : 0
}
