// What is left of a message that is far back in a long conversation, in three degrees.
import type { Call, Message } from '../define/records.ts'

/** How much of a long result is left, in characters. */
const FEW = 200

/** The beginning of a long result. */
export function shortened(message: Message): Message {
  if (message.role !== 'tool' || message.text.length <= 2 * FEW) return message
  const begin = message.text.slice(0, FEW).replace(/[\ud800-\udbff]$/, '')
  return { ...message, text: `${begin}\n[Shortened: the first ${FEW} of ${message.text.length} characters.]` }
}

/** Nothing of a result, and nothing of a long input. */
export function leftOut(message: Message): Message {
  if (message.role === 'tool')
    return message.text.length > 24 ? { ...message, text: '[Left out: too long ago.]' } : message
  const calls = message.calls.map(withoutInput)
  return calls.every((call, i) => call === message.calls[i]) ? message : { ...message, calls }
}

function withoutInput(call: Call): Call {
  return call.arguments.length <= FEW ? call : { ...call, arguments: '{"left_out":"too long ago"}' }
}

/** A message that calls, without what it called; nothing where it said nothing. The results leave with it. */
export function gone(message: Message): Message | undefined {
  if (message.calls.length === 0) return message
  return message.text === '' ? undefined : { ...message, calls: [], details: [], reasoning: '' }
}

/** Where the first calls are missing, the model is told so. */
export function noted(message: Message): Message {
  const text = [message.text, '[Earlier calls and their results are left out here.]']
    .filter(Boolean)
    .join('\n')
  return { ...message, text, calls: [], details: [], reasoning: '' }
}
