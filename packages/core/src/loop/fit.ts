// Makes a conversation fit the model's window before it is asked: shortens old results, then, where the agent says
// so, has the model sum up what lies further back.
import type { Message } from '../define/records.ts'
import { type Conversation, log } from './conversation.ts'
import { fromSystem } from './thread.ts'

/** How the conversation is summed up where it grew too long. */
export interface Compact {
  /** The words that ask for the summary. */
  prompt: string
  /** How many of the last messages are told as they are. */
  keep: number
}

/** Shortens what is told of the thread, if it has to be; `n` numbers the turn that is asked for next. */
export async function fit(c: Conversation, n: number): Promise<void> {
  const { thread } = c
  const excess = thread.told.excess(thread, c.tools.size)
  if (excess === 0) return
  const changed = thread.told.shorten(thread, excess)
  if (changed > 0) warn(c, `the conversation filled the window: ${changed} old messages are told shortened`)
  if (c.compact && thread.told.excess(thread, c.tools.size) > 0) await compact(c, c.compact, n)
}

async function compact(c: Conversation, { prompt, keep }: Compact, n: number): Promise<void> {
  const { thread } = c
  const upTo = cutPoint(thread.messages, keep)
  if (upTo === 0) return
  const before = thread.told.messages(thread.messages.slice(0, upTo))
  const summary = await c.place.step(`compact ${n}`, async () => {
    const request = {
      instructions: prompt,
      messages: [fromSystem(transcript(before))],
      tools: [],
      answer: true,
    }
    const turn = await c.model.turn(request, () => !c.stop.stopped, c.stop.signal)
    return { text: turn.text, used: { calls: 1, tokens: turn.tokens, input: turn.input } }
  })
  c.budget.charge(summary.used)
  if (summary.text.trim() === '') return
  thread.told.compact(thread, upTo, fromSystem(`What was said before, summed up:\n${summary.text}`))
  warn(c, `the conversation filled the window: its first ${upTo} messages are told as a summary`)
}

/** Where the part begins that is told as it is: never between a call and its result. */
function cutPoint(messages: readonly Message[], keep: number): number {
  let at = Math.max(0, messages.length - keep)
  while (at > 0 && messages[at]?.role === 'tool') at--
  return at
}

function transcript(messages: readonly Message[]): string {
  return messages
    .map(
      ({ role, text, calls }) =>
        `${role}: ${[text, ...calls.map(call => `${call.tool}(${call.arguments})`)].filter(Boolean).join('\n')}`,
    )
    .join('\n\n')
}

function warn(c: Conversation, text: string): void {
  log(c, c.span, c.parent, { kind: 'warning', text })
}
