// Marks for a prompt cache, where a provider wants to be told up to where a prompt comes again: Anthropic, and those
// who stand between. Four are allowed: the tools, the instructions, the last message, and the one that was the last
// in the request before, so that what was written to the cache then is found again, however much came since.
import type { Json, Message } from '../define/records.ts'
import { type Fields, fields, list } from './json.ts'

export const MARK = { cache_control: { type: 'ephemeral' } } as const

/** Which messages are marked: the last of a person or a tool, and the last before the model's last turn. */
export function markedMessages(messages: readonly Message[]): Set<Message> {
  const marked = new Set<Message>()
  const says = (message: Message) => message.role === 'user' || message.role === 'tool'
  const markable = (message: Message) => says(message) && (message.text !== '' || !!message.images?.length)
  const last = messages.findLast(markable)
  if (last) marked.add(last)
  const turn = messages.findLastIndex(message => message.role === 'assistant')
  const before = messages.slice(0, Math.max(turn, 0)).findLast(markable)
  if (before) marked.add(before)
  return marked
}

/** A message as it goes over the wire, marked: its last part is, and a text becomes a part for it. */
export function markedWire(wire: Fields): Record<string, Json> {
  const content = wire['content']
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : list(content)
  const last = fields(parts.at(-1))
  if (!last || last['text'] === '') return { ...wire } as Record<string, Json>
  return { ...wire, content: [...parts.slice(0, -1), { ...last, ...MARK }] } as Record<string, Json>
}
