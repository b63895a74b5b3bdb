// A tool at work: the context that its function is handed, its time, and what it uses.
import type { Agent } from '../define/agent.ts'
import type { Handed, Inner, Llm, LlmOptions, Variables } from '../define/context.ts'
import type { Told } from '../define/entries.ts'
import type { Call, Message, Usage } from '../define/records.ts'
import { decode, encode } from '../engine/codec.ts'
import type { Outcome, Place } from '../engine/place.ts'
import type { Soon } from '../engine/soon.ts'
import { Stop } from '../engine/stop.ts'
import { ToolwrightError } from '../errors.ts'
import { current } from './ambient.ts'
import { Budget } from './budget.ts'
import { childFlow, converse, llm } from './child.ts'
import { type Conversation, log, post } from './conversation.ts'
import { Queue } from './queue.ts'
import { fromEnding, fromInside, systemMessage, Thread } from './thread.ts'
import { Kept, variablesOf, withKept } from './variables.ts'
import { Watch } from './watch.ts'

/** How a tool's promise ended, or was given up. */
type End = { value: unknown } | { error: unknown } | { cut: 'timeout' | 'stopped' }

/** Makes a call in a conversation: handed in because a call may make calls. */
export type MakeCall = (c: Conversation, number: string, made: Call, told: Told) => Soon<Outcome>

/**
 * The context of one call. What a function uses of it can also be taken apart (`{ step, llm }`): each is bound when
 * it is asked for, because most calls ask for none.
 */
export class Work implements Inner {
  readonly conversation: Conversation
  readonly number: string
  /** The call as it was made. */
  readonly made: Call
  /** How people see it, and the log names it. */
  readonly span: string
  readonly budget: Budget
  /** How many rows the thread had when the last `llm` call ended that gave a record. */
  structured = -1
  /** It took over the caller's thread: a handoff at work. */
  handing = false
  private readonly makeCall: MakeCall
  private ownWatch: Watch | undefined
  private names: Map<string, number> | undefined
  private queue: Queue | undefined
  private images: string[] | undefined
  private ownKept: Kept | undefined
  private ended: 'call' | 'turn' | undefined
  private back: string | undefined
  private placed: Place | undefined
  private first: Place | undefined
  private ending: Stop | undefined
  private own: Thread | undefined
  private llms = 0
  private asides = 0
  private over = false
  private running: Set<Promise<unknown>> | undefined
  private inside = 0
  private stepping: string | undefined

  /** The call begins: its conversation is at work as long as the call is. */
  constructor(c: Conversation, number: string, made: Call, span: string, makeCall: MakeCall) {
    this.conversation = c
    this.number = number
    this.made = made
    this.span = span
    this.makeCall = makeCall
    this.budget = new Budget(c.budget)
    c.watch.enter()
  }

  /** The stopwatch of the call; made when somebody looks at it, and running from then on. */
  get watch(): Watch {
    this.ownWatch ??= Watch.running(this.conversation.session.clock, this.conversation.watch)
    return this.ownWatch
  }

  /** Asks a model on the call's own thread. */
  get llm(): Llm {
    return ((prompt: string, options?: LlmOptions) => {
      if (this.over) return Promise.reject(ended('llm'))
      if (this.isAround(current())) return Promise.reject(waitsForItself('llm'))
      const n = ++this.llms
      this.queue ??= new Queue()
      return this.track(this.queue.add(() => llm(this, n, prompt, options ?? {})))
    }) as Llm
  }

  /** The place in which it works now: the call's branch, or the one of a try. */
  at(place: Place): void {
    this.placed = place
    this.first ??= place
  }

  get place(): Place {
    if (!this.placed)
      throw new ToolwrightError('T7003', 'the context of a call was used before the call began')
    return this.placed
  }

  /** The key of the call's branch: the same in each try. */
  get callKey(): string {
    return this.first?.key ?? ''
  }

  get person(): string | undefined {
    return this.conversation.session.person
  }

  get deps(): unknown {
    return this.conversation.session.deps
  }

  get variables(): Variables {
    return variablesOf(this.conversation, this.kept)
  }

  /** What it keeps for later calls, and what calls inside of it do. */
  get kept(): Kept {
    this.ownKept ??= new Kept(this.conversation.kept)
    return this.ownKept
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
    this.own ??= new Thread(this.callKey)
    return this.own
  }

  /** Another try begins: what the failed one asked for is forgotten. */
  again(): void {
    this.ended = undefined
    this.back = undefined
    this.images = undefined
  }

  takeOver(thread: Thread): void {
    this.own = thread
    this.handing = true
  }

  get endTurn(): (scope?: 'call' | 'turn') => void {
    return (scope = 'call') => {
      if (this.ended !== 'turn') this.ended = scope === 'turn' ? 'turn' : 'call'
    }
  }

  get handBack(): (message: string) => void {
    return message => {
      this.back = typeof message === 'string' ? message : ''
    }
  }

  get attachToReply(): (image: string) => void {
    return image => {
      if (typeof image !== 'string' || !image.startsWith('data:image/'))
        throw new ToolwrightError('T7010', 'attachToReply takes a picture as a data URL', {
          fix: "write attachToReply('data:image/png;base64,…')",
        })
      this.images ??= []
      this.images.push(image)
    }
  }

  /** The outcome with all that the call leaves behind beside its result. */
  leaves(given: Outcome): Outcome {
    const { ended, back, images } = this
    const outcome = this.keeps(given)
    if (ended === undefined && back === undefined && images === undefined) return outcome
    return {
      ...outcome,
      ...(ended === undefined ? {} : { ended }),
      ...(back === undefined ? {} : { handBack: back }),
      ...(images === undefined ? {} : { images: [...(outcome.images ?? []), ...images] }),
    }
  }

  /** The outcome with the values that the call keeps. */
  keeps(outcome: Outcome): Outcome {
    return this.ownKept ? withKept(outcome, this.ownKept) : outcome
  }

  get progress(): (text: string) => void {
    return text => {
      if (!this.over)
        this.conversation.place.emit({ kind: 'step', text, step: this.span, attempt: 1, call: this.made })
    }
  }

  get warn(): (text: string) => void {
    return text => log(this.conversation, this.span, this.conversation.span, { kind: 'warning', text })
  }

  get step(): Inner['step'] {
    return (name, fn) => this.doStep(name, fn)
  }

  get converse(): Inner['converse'] {
    return (agent: Agent, handed: Handed) =>
      this.over ? Promise.reject(ended('an agent')) : this.track(converse(this, agent, handed))
  }

  get flow(): Inner['flow'] {
    return (flow, input) =>
      this.over ? Promise.reject(ended('a flow')) : this.track(childFlow(this, flow, input))
  }

  get call(): Inner['call'] {
    return (number, told, argumentsText) => {
      const made: Call = { id: '', tool: told.name, arguments: argumentsText }
      return this.around(() => this.makeCall(this.asConversation(), number, made, told))
    }
  }

  /** The call as the conversation that calls inside of it belong to. */
  asConversation(): Conversation {
    const { conversation, place, budget, watch, stop, span, kept } = this
    return {
      ...conversation,
      place,
      budget,
      watch,
      stop,
      span,
      kept,
      parent: conversation.span,
      inside: this,
    }
  }

  get messages(): readonly Message[] {
    return this.thread.messages
  }

  get usage(): Usage {
    return this.budget.usage()
  }

  get say(): Inner['say'] {
    return (role, text, images) => {
      if (this.over) throw ended('say')
      const c = { ...this.asConversation(), thread: this.thread }
      if (role === 'system') post(c, systemMessage(text))
      else if (role === 'assistant') post(c, fromEnding(this.made.tool, text))
      else post(c, fromInside(text, { from: 'tool', tool: this.made.tool }, images))
    }
  }

  get aside(): Inner['aside'] {
    return copy => {
      if (this.over) throw ended('a thread')
      const { own, handing, structured } = this
      this.own = new Thread(`${this.callKey} aside ${++this.asides}`, copy ? [...this.thread.messages] : [])
      this.handing = false
      return () => {
        Object.assign(this, { own, handing, structured })
      }
    }
  }

  private async doStep<T>(name: string, fn: () => T | Promise<T>): Promise<T> {
    if (this.over) throw ended('step')
    if (this.stepping !== undefined)
      throw new ToolwrightError(
        'T7005',
        `step ${JSON.stringify(name)} begins before step ${JSON.stringify(this.stepping)} has ended`,
        { fix: 'await each step, or make the parallel work tool calls of their own' },
      )
    this.stepping = name
    try {
      const kept = await this.place.step(`step ${this.unused(name)}`, async () => encode(await fn(), name))
      return decode(kept) as T
    } finally {
      this.stepping = undefined
    }
  }

  /** While something inside the call works, the call itself only waits for it. */
  async around<T>(work: () => Soon<T>): Promise<T> {
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
      Promise.resolve(promise).then(
        value => end({ value }),
        error => end({ error }),
      )
    })
  }

  /** Waits, at most `ms`, until nothing inside the call works any more: a body may not have waited for what it began. */
  async idle(ms: number): Promise<void> {
    if (!this.running || this.running.size === 0) return
    const callOff = this.conversation.session.clock.after(ms, () => this.stop.stop())
    while (this.running.size > 0) await Promise.allSettled(this.running)
    callOff()
  }

  /** True where `inner` is a call inside of this one. */
  private isAround(inner: Inner | undefined): boolean {
    let at = inner instanceof Work ? inner.conversation.inside : undefined
    while (at && at !== this) at = at.conversation.inside
    return at === this
  }

  private track<T>(work: Promise<T>): Promise<T> {
    this.running ??= new Set()
    const { running } = this
    running.add(work)
    const done = (): void => {
      running.delete(work)
    }
    work.then(done, done)
    return work
  }

  /** The call has ended, however it did. What it began and did not wait for is stopped. */
  end(): void {
    this.over = true
    if (this.running && this.running.size > 0) this.stop.stop()
    if (this.ownWatch) this.ownWatch.leave()
    else this.conversation.watch.leave()
    this.ending?.end()
  }

  /** A name of a step that no other has: a repeated one gets a counter. */
  private unused(name: string): string {
    this.names ??= new Map()
    let n = (this.names.get(name) ?? 0) + 1
    let unused = n === 1 ? name : `${name} ${n}`
    while (n > 1 && this.names.has(unused)) unused = `${name} ${++n}`
    this.names.set(name, n)
    if (n > 1) this.names.set(unused, this.names.get(unused) ?? 0)
    return unused
  }
}

function ended(what: string): ToolwrightError {
  return new ToolwrightError('T7003', `${what} was used after its call had ended`, {
    fix: 'await it before the function of the tool returns',
  })
}

/** What would wait for something that waits for it. */
export function waitsForItself(what: string): ToolwrightError {
  return new ToolwrightError(
    'T7013',
    `${what} was asked for from inside of itself, and would wait for itself`,
    {
      fix: 'use the context of the inner call, or a thread of its own: run(agent, prompt, { thread: thread() })',
    },
  )
}
