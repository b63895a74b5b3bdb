// Long conversations: what is told of them so that they fit the model's window. The history itself stays whole.
import type { Message } from '../define/records.ts'
import { type Degree, gone, leftOut, noted, ofWords, shortened, unsaid } from './shorten.ts'

/** Above this part of the window a conversation is shortened, down to the lower one, so that it happens seldom. */
const HIGH = 0.8
const LOW = 0.5
/** A thread of less characters fits any window. */
export const SHORT = 12_000
/** What a message, a call and a picture weigh beside their texts, in characters. */
const MESSAGE = 60
const CALL = 80
const PICTURE = 4000

/** Results and calls: in this order what is far back is told shorter. */
const results: readonly Degree[] = [shortened, leftOut, gone]
/** After these, and before the model would refuse it all, what was said. */
const words: readonly Degree[] = [ofWords(1000), ofWords(200), unsaid]

/** How large a message is, in characters. */
export function sizeOf(message: Message): number {
  let size = message.text.length + message.reasoning.length + MESSAGE
  for (const call of message.calls) size += call.tool.length + call.arguments.length + CALL
  return message.images ? size + message.images.length * PICTURE : size
}

function sizeOfAll(messages: readonly Message[]): number {
  let size = 0
  for (const message of messages) size += sizeOf(message)
  return size
}

/** How many tokens a character is, and how many tokens a model takes. */
export interface Measure {
  rate: number
  window: number
}

/** What is told of a thread in place of its messages. What it costs depends on what is told, not on how long the thread is. */
export class Told {
  /** As the last turn had it; a rate or a window of 0: not known yet. */
  private measure: Measure = { rate: 0, window: 0 }
  /** What is told: the very messages of the thread while nothing had to be shortened. */
  private list: Message[]
  /** The message of the thread that each in `list` stands for; absent while that is the thread's own. */
  private of: Message[] | undefined
  /** Those that are not told at all any more; absent while there are none. */
  private left: WeakSet<Message> | undefined
  /** The model is told that earlier calls are missing. */
  private notes = false
  /** Characters of what is told. */
  size: number
  /** How many messages of the thread `size` counts, and the last of them. */
  private counted: number
  private last: Message | undefined

  constructor(messages: Message[]) {
    this.list = messages
    this.size = sizeOfAll(messages)
    this.counted = messages.length
    this.last = messages.at(-1)
  }

  /** What the model is sent. */
  get messages(): readonly Message[] {
    return this.list
  }

  /** True where it has to be looked at before the next turn, the `first` of its run or a later one. */
  mayNotFit(first: boolean, fixed: number): boolean {
    return this.knows ? this.excess(fixed) > 0 : first && this.size > SHORT
  }

  /** True once a window is known. */
  get knows(): boolean {
    return this.measure.window > 0
  }

  /** The thread has one message more. */
  add(message: Message): void {
    this.size += sizeOf(message)
    this.counted++
    this.last = message
    if (!this.of) return
    this.of.push(message)
    this.list.push(message)
  }

  /** The thread shows `after` in place of `before`, or nothing. */
  show(before: Message, after: Message | undefined): void {
    if (!after) this.counted--
    if (before === this.last) this.last = after
    if (!this.of) {
      this.size += (after ? sizeOf(after) : 0) - sizeOf(before)
      return
    }
    const at = this.of.lastIndexOf(before)
    if (at < 0) {
      if (after) this.leave(after)
      return
    }
    this.size += (after ? sizeOf(after) : 0) - sizeOf(this.list[at]!)
    this.of.splice(at, 1, ...(after ? [after] : []))
    this.list.splice(at, 1, ...(after ? [after] : []))
  }

  /** The thread's messages may have been changed by hand since: what is told is told anew where they were. */
  settle(messages: Message[]): void {
    const same = messages.length === this.counted && messages.at(-1) === this.last
    if (this.of ? !this.standsFor(messages) : !same) this.begin(messages)
  }

  private begin(messages: Message[]): void {
    this.list = messages
    this.of = undefined
    this.left = undefined
    this.notes = false
    this.size = sizeOfAll(messages)
    this.counted = messages.length
    this.last = messages.at(-1)
  }

  private standsFor(messages: readonly Message[]): boolean {
    let at = 0
    for (const message of messages)
      if (message === this.of![at]) at++
      else if (!this.left?.has(message)) return false
    return at === this.of!.length
  }

  private leave(message: Message): void {
    this.left ??= new WeakSet()
    this.left.add(message)
  }

  /** What is known before any turn told it. */
  expect(measure: Measure): void {
    this.measure = measure
  }

  /** Learns from a turn how many tokens the characters of its request were. */
  learn(size: number, input: number, window: number): Measure {
    const rate = input > 0 && size > 0 ? input / size : this.measure.rate
    this.measure = { rate, window }
    return this.measure
  }

  /** How many characters are too many by now, `fixed` of them beside the messages; 0: it fits, or no window is known. */
  excess(fixed: number): number {
    const { rate, window } = this.measure
    if (rate === 0 || window === 0) return 0
    const tokens = (this.size + fixed) * rate
    return tokens <= HIGH * window ? 0 : Math.ceil((tokens - LOW * window) / rate)
  }

  /**
   * Shortens the results of the oldest calls first, then leaves results and inputs out, then whole calls; gives how
   * many messages it changed. The last round is told whole: it is not answered yet.
   */
  fit(fixed: number): number {
    if (this.of) return this.shorten(this.excess(fixed), results)
    // A long thread that is new here is shortened as it would have been while it grew, so that each run on it begins alike.
    const all = this.list
    this.begin([])
    this.of = []
    let changed = 0
    for (const message of all) {
      if (message.role === 'assistant') changed += this.shorten(this.excess(fixed), results)
      this.add(message)
    }
    return changed + this.shorten(this.excess(fixed), results)
  }

  /** Where that does not suffice: shortens what was said far back, by people too. Gives how many messages it changed. */
  fitWords(fixed: number): number {
    return this.of ? this.shorten(this.excess(fixed), words) : 0
  }

  private shorten(excess: number, degrees: readonly Degree[]): number {
    if (excess === 0) return 0
    const list: (Message | undefined)[] = this.list
    const last = this.list.findLastIndex(message => message.role === 'assistant')
    const asked = this.list.findLastIndex(({ role }, i) => role === 'user' && i < last)
    let left = excess
    let changed = 0
    const put = (i: number, after: Message | undefined): void => {
      const saved = sizeOf(list[i]!) - (after ? sizeOf(after) : 0)
      list[i] = after
      if (!after) this.leave(this.of![i]!)
      this.size -= saved
      left -= saved
    }
    for (const by of degrees)
      for (let i = 0; i < last && left > 0; i++) {
        const before = list[i]
        // Some models want a person to speak first: what was asked last stays.
        if (!before || (by === unsaid && i === asked)) continue
        let after = by(before)
        if (after === before) continue
        const first = (by === gone || by === unsaid) && !this.notes
        if (first) after = noted(before)
        this.notes ||= first
        put(i, after)
        changed++
        // A call leaves together with its results.
        if (by === gone) while (list[i + 1]?.role === 'tool') put(++i, undefined)
      }
    this.of = this.of!.filter((_, i) => list[i])
    this.list = list.filter(message => message !== undefined)
    return changed
  }

  /**
   * Where the part ends that is to be summed up: it leaves `keep` messages as they are, and fits the window itself.
   * Never between a call and its result.
   */
  cutPoint(keep: number): number {
    const { rate, window } = this.measure
    let left = (HIGH * window) / rate
    let at = 0
    while (at < this.list.length - keep && left >= sizeOf(this.list[at]!)) left -= sizeOf(this.list[at++]!)
    while (at > 0 && this.list[at]?.role === 'tool') at--
    return at
  }

  /** The message of the thread that is told at this place. */
  standsAt(at: number): Message | undefined {
    return (this.of ?? this.list)[at]
  }

  /** The place where a message of the thread is told; behind all where it is none. */
  placeOf(message: Message | undefined): number {
    const at = message ? (this.of ?? this.list).lastIndexOf(message) : -1
    return at < 0 ? this.list.length : at
  }

  /**
   * From here on, `summary` is told in place of the first `upTo` messages: it stands in the place of the first of
   * them, and the others are left out, so that it stays right whatever else leaves the thread. System messages stay.
   */
  compact(upTo: number, summary: Message): void {
    const of = this.of ?? [...this.list]
    const list = [...this.list]
    const first = list.findIndex(message => message.role !== 'system')
    const stays = list.map((message, i) => i >= upTo || i === first || message.role === 'system')
    if (first >= 0 && first < upTo) list[first] = summary
    stays.forEach((stay, i) => {
      if (!stay) this.leave(of[i]!)
    })
    this.of = of.filter((_, i) => stays[i])
    this.list = list.filter((_, i) => stays[i])
    this.size = sizeOfAll(this.list)
    this.notes = false
  }
}
