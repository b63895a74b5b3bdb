// What is left of a message that is far back in a long conversation, in several degrees.
import type { Call, Message } from '../define/records.ts'
import { pictureNote } from '../model/picture.ts'

/** How much of a long result is left, in characters. */
const FEW = 200

/** A message as it is told in a degree; itself where that changes nothing, nothing where it leaves. */
export type Degree = (message: Message) => Message | undefined

/** The beginning of a long result, and of its pictures what they were. */
export function shortened(message: Message): Message {
  if (message.images && message.origin.from !== 'person') return withoutPictures(message)
  return message.role === 'tool' ? beginning(message, FEW) : message
}

function beginning(message: Message, most: number): Message {
  const { text } = message
  if (text.length <= 2 * most) return message
  const begin = text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
  return { ...message, text: `${begin}\n[Shortened: the first ${most} of ${text.length} characters.]` }
}

function withoutPictures(message: Message): Message {
  const { images, ...rest } = message
  return {
    ...rest,
    text: [message.text, ...images!.map(image => pictureNote(image, 'too long ago'))].join('\n'),
  }
}

/** What is left of what was said, by people too: `most` characters of a text, no picture, no thoughts. */
export function ofWords(most: number): Degree {
  return message => {
    if (message.role !== 'user' && message.role !== 'assistant') return message
    const plain = message.images ? withoutPictures(message) : message
    if (message.origin.from === 'system') return plain
    const spoken = beginning(plain, most)
    if (spoken.calls.length > 0 || (spoken.reasoning === '' && spoken.details.length === 0)) return spoken
    return { ...spoken, reasoning: '', details: [] }
  }
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

/** Nothing of what was said. */
export function unsaid(message: Message): Message | undefined {
  const said = message.role === 'user' || message.role === 'assistant'
  return said && message.calls.length === 0 && message.origin.from !== 'system' ? undefined : message
}

/** Where the first calls or words are missing, the model is told so. */
export function noted(message: Message): Message {
  const text =
    message.calls.length > 0
      ? [message.text, '[Earlier calls and their results are left out here.]'].filter(Boolean).join('\n')
      : '[Earlier messages are left out here.]'
  const { images, ...rest } = message
  return { ...rest, text, calls: [], details: [], reasoning: '', origin: { from: 'system' } }
}
