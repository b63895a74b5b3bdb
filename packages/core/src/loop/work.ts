// A tool at work: the context that its function is handed, its time, and what it uses.
import type { Agent } from '../define/agent.ts'
import type { Handed, Inner, Llm, LlmOptions } from '../define/context.ts'
import type { Told } from '../define/entries.ts'
import type { Call } from '../define/records.ts'
import { decode, encode } from '../engine/codec.ts'
import type { Outcome, Place } from '../engine/place.ts'
import { Stop } from '../engine/stop.ts'
import { ToolwrightError } from '../errors.ts'
import { Budget } from './budget.ts'
import { converse, llm } from './child.ts'
import type { Conversation } from './conversation.ts'
import { Queue } from './queue.ts'
import { Thread } from './thread.ts'
import { Watch } from './watch.ts'

/** How a tool's promise ended, or was given up. */
type End = { value: unknown } | { error: unknown } | { cut: 'timeout' | 'stopped' }

/** Makes a call in a conversation: `call` of call.ts, handed in because a call may make calls. */
export type MakeCall = (c: Conversation, number: string, made: Call, told: Told) => Promise<Outcome>

/** The context of one call. */
export class Work implements Inner {
  readonly conversation: Conversation
  readonly number: string
  /** The call as it was made. */
  readonly made: Call
  /** How people see it, and the log names it. */
  readonly span: string
  readonly budget: Budget
  readonly watch: Watch
  /** Asks a model on the call's own thread. */
  readonly llm: Llm
  private readonly makeCall: MakeCall
  private readonly names = new Set<string>()
  private readonly queue = new Queue()
  private readonly images: string[] = []
  private ended: 'call' | 'turn' | undefined
  private back = ''
  /** How many rows the thread had when the last `llm` call ended that gave a record. */
  structured = -1
  /** It took over the caller's thread: a handoff at work. */
  handing = false
  private placed: Place | undefined
  private key = ''
  private ending: Stop | undefined
  private own: Thread | undefined
  private inside = 0
  private stepping: string | undefined

  constructor(c: Conversation, number: string, made: Call, span: string, makeCall: MakeCall) {
    this.conversation = c
    this.number = number
    this.made = made
    this.span = span
    this.makeCall = makeCall
    this.budget = new Budget(c.budget)
    this.watch = new Watch(c.session.clock, c.watch)
    let numbered = 0
    this.llm = ((prompt: string, options?: LlmOptions) => {
      const n = ++numbered
      return this.queue.add(() => llm(this, n, prompt, options ?? {}))
    }) as Llm
  }

  /** The place in which it works now: the call's branch, or the one of a try. */
  at(place: Place): void {
    this.placed = place
    if (this.key === '') this.key = place.key
  }

  get place(): Place {
    if (!this.placed)
      throw new ToolwrightError('T7003', 'the context of a call was used before the call began')
    return this.placed
  }

  get callKey(): string {
    return this.key
  }

  get person(): string | undefined {
    return this.conversation.session.person
  }

  get deps(): unknown {
    return this.conversation.session.deps
  }

  get stop(): Stop {
    this.ending ??= new Stop(this.conversation.stop)
    return this.ending
  }

  get signal(): AbortSignal {
    return this.stop.signal
  }

  /** The thread of the call's own `llm` calls. */
  get thread(): Thread {
    this.own ??= new Thread(this.key)
    return this.own
  }

  takeOver(thread: Thread): void {
    this.own = thread
    this.handing = true
  }

  endTurn(scope: 'call' | 'turn' = 'call'): void {
    if (this.ended !== 'turn') this.ended = scope === 'turn' ? 'turn' : 'call'
  }

  handBack(message: string): void {
    this.back = message
  }

  attachToReply(image: string): void {
    if (typeof image !== 'string' || !image.startsWith('data:image/'))
      throw new ToolwrightError('T7010', 'attachToReply takes a picture as a data URL', {
        fix: "write attachToReply('data:image/png;base64,…')",
      })
    this.images.push(image)
  }

  /** The outcome with all that the call leaves behind beside its result. */
  leaves(outcome: Outcome): Outcome {
    const { ended, back, images } = this
    if (ended === undefined && back === '' && images.length === 0) return outcome
    return {
      ...outcome,
      ...(ended === undefined ? {} : { ended }),
      ...(back.trim() === '' ? {} : { handBack: back }),
      ...(images.length === 0 ? {} : { images }),
    }
  }

  progress(text: string): void {
    this.conversation.place.emit({ kind: 'step', text, step: this.span, attempt: 1, call: this.made })
  }

  async step<T>(name: string, fn: () => T | Promise<T>): Promise<T> {
    if (this.stepping !== undefined)
      throw new ToolwrightError(
        'T7005',
        `step ${JSON.stringify(name)} begins before step ${JSON.stringify(this.stepping)} has ended`,
        {
          fix: 'await each step, or make the parallel work tool calls of their own',
        },
      )
    this.stepping = name
    try {
      const kept = await this.place.step(`step ${this.unused(name)}`, async () => encode(await fn(), name))
      return decode(kept) as T
    } finally {
      this.stepping = undefined
    }
  }

  converse(agent: Agent, handed: Handed): Promise<unknown> {
    return converse(this, agent, handed)
  }

  async call(number: string, told: Told, argumentsText: string): Promise<Outcome> {
    const made: Call = { id: '', tool: told.name, arguments: argumentsText }
    const inner = {
      ...this.conversation,
      place: this.place,
      budget: this.budget,
      watch: this.watch,
      stop: this.stop,
    }
    return await this.around(() =>
      this.makeCall({ ...inner, span: this.span, parent: this.conversation.span }, number, made, told),
    )
  }

  /** While something inside the call works, the call itself only waits for it. */
  async around<T>(work: () => Promise<T>): Promise<T> {
    const begun = work()
    if (this.inside++ === 0) this.watch.leave()
    try {
      return await begun
    } finally {
      if (--this.inside === 0) this.watch.enter()
    }
  }

  /** Waits for what the tool promised, but not beyond its time or a stop. What comes later is dropped. */
  within(promise: PromiseLike<unknown>, timeout: number): Promise<End> {
    const { clock } = this.conversation.session
    const before = this.watch.worked()
    return new Promise(resolve => {
      let callOff = (): void => {}
      const unlisten = this.stop.listen(() => end({ cut: 'stopped' }))
      const end = (how: End): void => {
        callOff()
        unlisten?.()
        resolve(how)
      }
      // Waiting for a person is no work: the time that is left begins anew.
      const late = (): void => {
        const left = timeout - (this.watch.worked() - before)
        if (left > 0) callOff = clock.after(left, late)
        else {
          end({ cut: 'timeout' })
          this.stop.stop()
        }
      }
      if (!this.stop.stopped) callOff = clock.after(timeout, late)
      promise.then(
        value => end({ value }),
        error => end({ error }),
      )
    })
  }

  end(): void {
    this.watch.leave()
    this.ending?.end()
  }

  private unused(name: string): string {
    let unused = name
    for (let n = 2; this.names.has(unused); n++) unused = `${name} ${n}`
    this.names.add(unused)
    return unused
  }
}
