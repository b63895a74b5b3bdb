// A thread: the messages that a model sees. One conversation at a time writes to it, others queue.
// Messages are rows, written once; what the thread shows is the sum of its rows.
import type { Told as Told_ } from '../define/entries.ts'
import type { FileRead } from '../define/files.ts'
import type { Call, Json, Message, Origin, Turn } from '../define/records.ts'
import type { Place, Row } from '../engine/place.ts'
import { Queue } from './queue.ts'
import { nameIn } from './variables.ts'
import { Told } from './window.ts'

const none: readonly never[] = Object.freeze([])

/** A thread. `messages` is what the model sees, by reference: it is never copied. */
export class Thread {
  readonly id: string
  readonly messages: Message[]
  /** How many rows it has; a row keeps its number for ever. */
  rows: number
  /** What each row shows that was written since `base`. */
  private readonly shown: (Message | undefined)[] = []
  private readonly base: number
  private readonly queue = new Queue()
  /** The first row that was of a run that is deleted. */
  private gone = Number.POSITIVE_INFINITY
  /** The files that people gave with its messages; tools and agents name them. */
  readonly files: FileRead[] = []
  /** Values that no model is told, by key. */
  readonly kept = new Map<string, Json>()
  /** Tools that come with its files. */
  readonly extra: Told_[] = []
  /** What is told of it where it grew longer than the model's window. */
  readonly told: Told

  constructor(id: string, messages: Message[] = []) {
    this.id = id
    this.messages = messages
    this.rows = messages.length
    this.base = this.rows
    this.told = new Told(messages)
  }

  /** Adds a message; the journal of `place` keeps it as the next row, whose number is given. */
  add(place: Place, message: Message): number {
    const { rows } = this
    const row: Row = { kind: 'add', message }
    place.write(this.id, rows, row)
    this.take(row)
    return rows
  }

  /** From here on, shows `message` in place of what row `row` shows, or nothing. */
  show(place: Place, row: number, message?: Message): void {
    const change: Row = message ? { kind: 'show', row, message } : { kind: 'show', row }
    place.write(this.id, this.rows, change)
    this.take(change)
  }

  /** Takes rows that a journal kept, in place of the work that wrote them. */
  restore(rows: readonly Row[]): void {
    for (const row of rows) this.take(row)
  }

  /** The rows from `from` on that show a message, with it. */
  since(from: number): [row: number, message: Message][] {
    return this.shown
      .slice(from - this.base)
      .flatMap((message, i): [number, Message][] => (message ? [[from + i, message]] : []))
  }

  /** A file that came with a message; the journal of `place` keeps it as a row. */
  addFile(place: Place, file: FileRead): void {
    const row: Row = { kind: 'file', file }
    place.write(this.id, this.rows, row)
    this.take(row)
  }

  /** From here on, `summary` is told in place of the first `upTo` messages that are told; later runs begin with it. */
  sumUp(place: Place, upTo: number, summary: Message): void {
    const first = this.told.standsAt(upTo)
    const before = first ? this.base + Math.max(0, this.shown.lastIndexOf(first)) : this.rows
    place.write(this.id, this.rows, { kind: 'summary', before, message: summary })
    this.rows++
    this.shown.push(undefined)
    this.told.compact(upTo, summary)
  }

  private takeSummary(before: number, summary: Message): void {
    // It may tell what a run said that was deleted since.
    if (this.gone < before) return
    const first = this.shown.slice(before - this.base).find(message => message)
    this.told.compact(this.told.placeOf(first), summary)
  }

  /** Keeps values for later calls of the conversation. */
  keep(place: Place, values: Readonly<Record<string, Json>>, stated = false): void {
    const row: Row = { kind: 'keep', values, ...(stated ? { stated } : {}) }
    place.write(this.id, this.rows, row)
    this.take(row)
  }

  private takeKept(values: Readonly<Record<string, Json>>, stated: boolean): void {
    const names = new Set(stated ? Object.keys(values).map(nameIn) : [])
    if (stated) for (const key of [...this.kept.keys()]) if (names.has(nameIn(key))) this.kept.delete(key)
    for (const [key, value] of Object.entries(values)) this.kept.set(key, value)
  }

  private take(row: Row): void {
    this.rows++
    if (row.kind === 'keep') {
      this.shown.push(undefined)
      this.takeKept(row.values, row.stated === true)
      return
    }
    if (row.kind === 'summary') {
      this.takeSummary(row.before, row.message)
      this.shown.push(undefined)
      return
    }
    if (row.kind === 'gone' || row.kind === 'file') {
      this.shown.push(undefined)
      if (row.kind === 'gone') this.gone = Math.min(this.gone, this.rows - 1)
      if (row.kind === 'file' && !this.files.some(file => file.name === row.file.name))
        this.files.push(row.file)
      return
    }
    if (row.kind === 'add') {
      this.shown.push(row.message)
      this.messages.push(row.message)
      this.told.add(row.message)
      return
    }
    this.shown.push(undefined)
    const before = this.shown[row.row - this.base]
    const at = before ? this.messages.lastIndexOf(before) : -1
    this.shown[row.row - this.base] = row.message
    if (at < 0) return
    this.messages.splice(at, 1, ...(row.message ? [row.message] : []))
    this.told.show(before!, row.message)
  }

  /** Mends what was cut off or put together by hand, so that a conversation can go on from here. See {@link mend}. */
  settle(): void {
    mend(this.messages)
    this.told.settle(this.messages)
  }

  /** Waits until nobody writes to the thread, then lets `work` write to it. In the order of the calls. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    return this.queue.add(work)
  }
}

class Itself {
  constructor(messages: Message[]) {
    // biome-ignore lint/correctness/noConstructorReturn: it is how a class adds its private fields to what is there
    return messages as unknown as Itself
  }
}

/**
 * Marks messages with the thread that stands on them, in a private field of theirs that nobody else sees. A WeakMap
 * says the same, but what it holds outlives every collection of the young, so each short run would fill the old heap.
 */
class Stamp extends Itself {
  readonly #on: Thread

  constructor(messages: Message[], on: Thread) {
    super(messages)
    this.#on = on
  }

  static of(messages: object): Thread | undefined {
    return #on in messages ? messages.#on : undefined
  }
}

/** The thread that stands on `messages` (by reference): always the same one, so that its writers queue. */
export function thread(messages: Message[] = []): Thread {
  let on = Stamp.of(messages)
  if (!on) {
    on = new Thread('main', messages)
    new Stamp(messages, on)
  }
  return on
}

/** What a person says. */
export function fromPerson(text: string, images?: readonly string[]): Message {
  return user(text, { from: 'person' }, images)
}

/** What the code or the loop itself says to the model, as a "user" message. */
export function fromSystem(text: string): Message {
  return user(text, { from: 'system' })
}

/** What a tool's function, or the model that called an agent, says to a model. */
export function fromInside(text: string, origin: Origin, images?: readonly string[]): Message {
  return user(plain(text), origin, images)
}

function user(text: string, origin: Origin, images?: readonly string[]): Message {
  const said = origin.from === 'person' ? plain(text) : text
  const message: Message = {
    role: 'user',
    text: said,
    reasoning: '',
    calls: none,
    call: '',
    details: none,
    origin,
  }
  return images === undefined || images.length === 0 ? message : { ...message, images }
}

/** A system message that a body puts on the thread. */
export function systemMessage(text: string): Message {
  return {
    role: 'system',
    text,
    reasoning: '',
    calls: none,
    call: '',
    details: none,
    origin: { from: 'system' },
  }
}

/** What a model said in a turn, with the calls of it that stand. */
export function fromModel(turn: Turn, model: string): Message {
  return {
    role: 'assistant',
    text: plain(turn.text),
    reasoning: turn.reasoning,
    calls: turn.calls.length === 0 ? none : turn.calls,
    call: '',
    details: turn.details.length === 0 ? none : turn.details,
    origin: { from: 'model', model },
  }
}

/** What a call answered. */
export function fromTool(call: Call, tool: string, text: string): Message {
  return {
    role: 'tool',
    text: plain(text),
    reasoning: '',
    calls: none,
    call: call.id,
    details: none,
    origin: { from: 'tool', tool },
  }
}

/** The two messages by which a thread tells that a handoff took place. */
export function marker(
  role: 'assistant' | 'user',
  tool: string,
  text: string,
  images?: readonly string[],
): Message {
  const message: Message = {
    role,
    text,
    reasoning: '',
    calls: none,
    call: '',
    details: none,
    origin: { from: 'marker', tool },
  }
  return images === undefined || images.length === 0 ? message : { ...message, images }
}

/** The answer of a turn that a tool ended: what it gave, said in the model's place. */
export function fromEnding(tool: string, text: string): Message {
  return {
    role: 'assistant',
    text: plain(text),
    reasoning: '',
    calls: none,
    call: '',
    details: none,
    origin: { from: 'tool', tool },
  }
}

/** Pictures that tools attached to their results, for a model to see. */
export function fromPictures(tools: readonly string[], images: readonly string[]): Message {
  const text =
    images.length === 1
      ? `The picture that ${tools[0]} attached:`
      : `The pictures that ${tools.join(', ')} attached:`
  return { ...fromSystem(text), images }
}

/** An assistant message with only some of its calls; what a provider wants back goes with the last of them. */
export function withCalls(message: Message, calls: readonly Call[]): Message | undefined {
  if (calls.length > 0) return { ...message, calls }
  if (message.text === '') return undefined
  return { ...message, calls: none, details: none, reasoning: '' }
}

const MARKER = /^([\s\p{Cf}]*)\[(?=dispatching [^\n"[\]]*?:|[^\n"[\]]*? (?:finished|failed)\.)/gmu

/**
 * A line that a person, a tool or a model wrote and that begins like a marker of a handoff is told with a
 * backslash before it, so that nobody can pretend that a handoff began or ended.
 */
export function plain(text: string): string {
  return text.includes('[') ? text.replace(MARKER, '$1\\[') : text
}

/** What a call is told whose result was lost when its run was cut off. */
export const CUT_OFF = 'Cancelled: it is unknown whether this call ran.'

/**
 * Gives every call exactly one result, where a conversation was cut off or put together by hand: a missing one is
 * told as cut off, one without a call is left out. Gives true where it changed something; `messages` is changed in place.
 */
export function mend(messages: Message[]): boolean {
  if (whole(messages)) return false
  const mended: Message[] = []
  for (let i = 0; i < messages.length; i++) {
    const message = messages[i]!
    if (message.role === 'tool') continue
    mended.push(message)
    if (message.calls.length === 0) continue
    const results: Message[] = []
    while (messages[i + 1]?.role === 'tool') results.push(messages[++i]!)
    for (const call of message.calls) {
      const at = results.findIndex(r => r.call === call.id)
      mended.push(at < 0 ? fromTool(call, call.tool, CUT_OFF) : results.splice(at, 1)[0]!)
    }
  }
  messages.splice(0, messages.length, ...mended)
  return true
}

/** True where each call is followed by exactly its result, in the order of the calls. */
function whole(messages: readonly Message[]): boolean {
  for (let i = 0; i < messages.length; i++) {
    const message = messages[i]!
    if (message.role === 'tool') return false
    for (const call of message.calls) {
      const result = messages[++i]
      if (result?.role !== 'tool' || result.call !== call.id) return false
    }
  }
  return true
}
