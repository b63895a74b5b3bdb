// Long conversations: what is told of them so that they fit the model's window. The history itself stays whole.
import type { Call, Message } from '../define/records.ts'

/** Above this part of the window a conversation is shortened, down to the lower one, so that it happens seldom. */
const HIGH = 0.8
const LOW = 0.5
/** What a message, a call and a picture weigh beside their texts, in characters. */
const MESSAGE = 60
const CALL = 80
const PICTURE = 4000
/** How much of a long result is left, in characters. */
const FEW = 200

/** How large a message is, in characters. */
export function sizeOf(message: Message): number {
  let size = message.text.length + message.reasoning.length + MESSAGE
  for (const call of message.calls) size += call.tool.length + call.arguments.length + CALL
  return message.images ? size + message.images.length * PICTURE : size
}

/** The messages of a thread, and how large they are together. */
interface Whole {
  readonly messages: readonly Message[]
  readonly size: number
}

/** What is told of a thread in place of its messages. */
export class Told {
  /** Tokens a character, as the last turn had it; 0: not known yet. */
  private rate = 0
  private window = 0
  /** What is told in place of a message; nothing: it is left out. */
  private readonly short = new Map<Message, Message | undefined>()
  /** Characters that were saved so. */
  private saved = 0

  /** What the model is sent: the very messages while nothing had to be shortened. */
  messages(all: readonly Message[]): readonly Message[] {
    if (this.short.size === 0) return all
    const told: Message[] = []
    for (const message of all) {
      const now = this.now(message)
      if (now) told.push(now)
    }
    return told
  }

  /** True once a window is known. */
  get knows(): boolean {
    return this.window > 0
  }

  /** Learns from a turn how many tokens the characters of its request were. */
  learn(size: number, input: number, window: number): void {
    if (input > 0 && size > 0) this.rate = input / size
    this.window = window
  }

  /** How many characters are too many by now, `fixed` of them beside the messages; 0: it fits, or no window is known. */
  excess(whole: Whole, fixed: number): number {
    if (this.rate === 0 || this.window === 0) return 0
    const tokens = (this.size(whole) + fixed) * this.rate
    return tokens <= HIGH * this.window ? 0 : Math.ceil((tokens - LOW * this.window) / this.rate)
  }

  /** Characters of what is told. */
  size(whole: Whole): number {
    return whole.size - this.saved
  }

  /**
   * Shortens the results of the oldest calls first, then leaves results and inputs out, then whole calls; gives how
   * many messages it changed. What a person said stays, and the last round is told whole: it is not answered yet.
   */
  shorten({ messages }: Whole, excess: number): number {
    const last = messages.findLastIndex(message => message.role === 'assistant')
    let left = excess
    let changed = 0
    let noted = false
    for (const by of [shortened, leftOut, gone])
      for (let i = 0; i < last && left > 0; i++) {
        const message = messages[i]!
        const before = this.now(message)
        if (!before || (by === gone && message.role === 'assistant' && messages[i + 1]?.role !== 'tool'))
          continue
        const first = by === gone && !noted && before.origin.from !== 'system'
        const after = first ? note(before) : by(before)
        if (after === before) continue
        noted ||= by === gone
        left -= this.tell(message, before, after)
        changed++
        // A call leaves together with its results.
        if (by === gone) while (messages[i + 1]?.role === 'tool') left -= this.leave(messages[++i]!)
      }
    return changed
  }

  /**
   * From here on, `summary` is told in place of the messages before `upTo`: it stands in the place of the first of
   * them, and the others are left out, so that it stays right whatever else leaves the thread.
   */
  compact({ messages }: Whole, upTo: number, summary: Message): void {
    const first = messages.findIndex((message, i) => i < upTo && message.role !== 'system')
    for (let i = 0; i < upTo; i++) {
      const message = messages[i]!
      const before = this.now(message)
      const after = i === first ? summary : undefined
      if (before || after) this.tell(message, before, after)
    }
  }

  private now(message: Message): Message | undefined {
    return this.short.has(message) ? this.short.get(message) : message
  }

  private leave(message: Message): number {
    const before = this.now(message)
    return before ? this.tell(message, before, undefined) : 0
  }

  private tell(message: Message, before: Message | undefined, after: Message | undefined): number {
    const saved = (before ? sizeOf(before) : 0) - (after ? sizeOf(after) : 0)
    this.short.set(message, after)
    this.saved += saved
    return saved
  }
}

function shortened(message: Message): Message {
  if (message.role !== 'tool' || message.text.length <= 2 * FEW) return message
  const begin = message.text.slice(0, FEW).replace(/[\ud800-\udbff]$/, '')
  return { ...message, text: `${begin}\n[Shortened: the first ${FEW} of ${message.text.length} characters.]` }
}

function leftOut(message: Message): Message {
  if (message.role === 'tool')
    return message.text.length > 24 ? { ...message, text: '[Left out: too long ago.]' } : message
  const calls = message.calls.map(withoutInput)
  return calls.every((call, i) => call === message.calls[i]) ? message : { ...message, calls }
}

function withoutInput(call: Call): Call {
  return call.arguments.length <= FEW ? call : { ...call, arguments: '{"left_out":"too long ago"}' }
}

/** A message that calls, without what it called; nothing where it said nothing. */
function gone(message: Message): Message | undefined {
  if (message.calls.length === 0) return message
  return message.text === '' ? undefined : { ...message, calls: [], details: [], reasoning: '' }
}

/** Where the first calls are missing, the model is told so. */
function note(message: Message): Message {
  if (message.calls.length === 0) return message
  const text = [message.text, '[Earlier calls and their results are left out here.]']
    .filter(Boolean)
    .join('\n')
  return { ...message, text, calls: [], details: [], reasoning: '' }
}
