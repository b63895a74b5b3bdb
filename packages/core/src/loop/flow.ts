// Runs a flow at a place: of a run of its own, or in the call of an agent or of another flow.

import { readEntries } from '../define/entries.ts'
import type { FlowContext, FlowDefinition, StepOptions } from '../define/flow.ts'
import { type Duration, duration } from '../define/limits.ts'
import type { Call, Json } from '../define/records.ts'
import { decode, encode } from '../engine/codec.ts'
import type { RunPlace } from '../engine/engine.ts'
import type { Outcome, Place } from '../engine/place.ts'
import type { Soon } from '../engine/soon.ts'
import { Stop } from '../engine/stop.ts'
import { type Fault, refuse, ToolwrightError } from '../errors.ts'
import { makeCall } from './call.ts'
import { type Conversation, listed } from './conversation.ts'
import { reason } from './outcome.ts'
import { Slots } from './slots.ts'
import { Kept, withKept } from './variables.ts'

/** Runs `flow` on `input` in the place of `c`, and gives its output, as it reads. Rejects where it fails. */
export async function runFlow(flow: FlowDefinition, input: unknown, c: Conversation): Promise<unknown> {
  const given = await flow.run(new FlowHands(flow, input, c, c.place))
  if (!flow.output) return given ?? null
  const read = flow.output.read(given)
  if (read.ok) return read.value
  throw new ToolwrightError(
    'T7015',
    `the flow ${flow.name} gave what its output does not allow: ${read.faults.join('; ')}`,
    { fix: 'give what `output` states, or state what it gives' },
  )
}

/** Names that a call and a run use themselves in their place: a step that has one is listed as 'step ask'. */
const TAKEN =
  /^(ask|rule|begins|history|files|prompt|thread|model|mail|tool|try|pause|llm|step)( |$)|^\d|^all\[/

/** What a flow is handed. Its functions are its own, so that they can be taken apart: `({ step }) => …`. */
class FlowHands implements FlowContext {
  readonly input: unknown
  readonly step: FlowContext['step']
  readonly sleep: FlowContext['sleep']
  readonly wait: FlowContext['wait']
  readonly all: FlowContext['all']
  readonly call: (usable: unknown, input?: unknown) => Promise<never>
  readonly progress: FlowContext['progress']
  private readonly flow: FlowDefinition
  private readonly c: Conversation
  private readonly place: Place
  private readonly names = new Map<string, number>()
  private busy: string | undefined
  private calls = 0

  constructor(flow: FlowDefinition, input: unknown, c: Conversation, place: Place) {
    this.flow = flow
    this.input = input
    this.c = c
    this.place = place
    this.step = (name, fn, options) => this.alone(name, own => this.doStep(own, fn, options ?? {}))
    this.sleep = time => this.alone('sleep', own => this.doSleep(own, time))
    this.wait = ((name: string, options?: { until?: Date | Duration }) =>
      this.alone(name, own => this.doWait(own, name, options?.until))) as FlowContext['wait']
    this.all = (list, fn, options) =>
      this.alone('all', own => this.doAll(own, list, fn, options?.atOnce ?? 8))
    this.call = (usable, input) => this.alone('call', () => this.doCall(usable, input)) as Promise<never>
    this.progress = text => {
      const call: Call = { id: '', tool: flow.name, arguments: '{}' }
      place.emit({ kind: 'step', text, step: place.path, attempt: 1, call })
    }
  }

  get person(): string | undefined {
    return this.c.session.person
  }

  get deps(): unknown {
    return this.c.session.deps
  }

  get run(): string {
    return this.c.session.id
  }

  get signal(): AbortSignal {
    return this.c.stop.signal
  }

  /** One thing at a time, on every engine, under a name that no other has. */
  private async alone<T>(name: string, work: (own: string) => Promise<T>): Promise<T> {
    if (this.busy !== undefined)
      throw new ToolwrightError(
        'T7005',
        `step ${JSON.stringify(name)} began before ${JSON.stringify(this.busy)} of the flow ${this.flow.name} had ended`,
        { fix: 'await each step before the next; for parallel work write all(list, fn)' },
      )
    if (typeof name !== 'string' || name === '')
      throw new ToolwrightError('T1001', `a step of the flow ${this.flow.name} has no name`, {
        fix: "write step('load', () => …)",
      })
    this.busy = name
    try {
      return await work(this.unused(TAKEN.test(name) ? `step ${name}` : name))
    } finally {
      this.busy = undefined
    }
  }

  private unused(name: string): string {
    let n = (this.names.get(name) ?? 0) + 1
    let own = n === 1 ? name : `${name} ${n}`
    while (n > 1 && this.names.has(own)) own = `${name} ${++n}`
    this.names.set(name, n)
    if (n > 1) this.names.set(own, 1)
    return own
  }

  private async doStep<T>(
    name: string,
    fn: Parameters<FlowContext['step']>[1],
    { tries = 1, timeout }: StepOptions,
  ): Promise<T> {
    const ms = timeout === undefined ? Number.POSITIVE_INFINITY : duration(timeout)
    if (ms === undefined || !Number.isSafeInteger(tries) || tries < 1)
      throw new ToolwrightError(
        'T1001',
        `step ${JSON.stringify(name)}: tries is ${String(tries)} and timeout is ${String(timeout)}`,
        { fix: "write whole tries above 0, and a timeout in ms or as '10 minutes'" },
      )
    for (let n = 1; ; n++) {
      const own = n === 1 ? name : this.unused(`${name} try ${n}`)
      try {
        const kept = await this.place.step(own, async ({ key, attempt }) =>
          encode(await this.inTime(name, fn, ms, key, attempt), name),
        )
        return decode(kept) as T
      } catch (error) {
        if (n >= tries || this.c.stop.stopped) throw error
        await this.doSleep(this.unused(`${name} pause ${n}`), Math.min(500 * 2 ** (n - 1), 30_000))
      }
    }
  }

  private async inTime(
    name: string,
    fn: Parameters<FlowContext['step']>[1],
    ms: number,
    key: string,
    attempt: number,
  ): Promise<unknown> {
    const stop = new Stop(this.c.stop)
    const hands = {
      key,
      attempt,
      get signal() {
        return stop.signal
      },
    }
    let callOff = (): void => {}
    const late = new Promise<never>((_, reject) => {
      callOff = this.c.session.clock.after(ms, () => {
        stop.stop()
        reject(
          new ToolwrightError('T7016', `step ${JSON.stringify(name)} did not end in ${ms} ms`, {
            fix: 'give it more time: step(name, fn, { timeout }), or let it do less',
          }),
        )
      })
    })
    try {
      return await Promise.race([fn(hands), late])
    } finally {
      callOff()
      stop.end()
    }
  }

  private async doSleep(name: string, time: Duration): Promise<void> {
    const ms = duration(time)
    if (ms === undefined)
      throw new ToolwrightError('T1001', `sleep(${JSON.stringify(time)}) is no time`, {
        fix: "write ms above 0, or '10 minutes'",
      })
    await this.resting(() => this.place.sleep(name, ms))
  }

  private async doWait(own: string, name: string, until: Date | Duration | undefined): Promise<unknown> {
    const place = this.place as Place & Partial<RunPlace>
    if (!place.wait)
      throw new ToolwrightError(
        'T7017',
        `wait(${JSON.stringify(name)}) waits for a signal, and this is no run of an app`,
        {
          fix: 'start it with app(…).runs.start',
        },
      )
    const { clock } = this.c.session
    const ms =
      until === undefined
        ? Number.POSITIVE_INFINITY
        : until instanceof Date
          ? until.getTime()
          : duration(until)
    if (ms === undefined || Number.isNaN(ms))
      throw new ToolwrightError('T1001', `wait(${JSON.stringify(name)}): until is no time`, {
        fix: "write a Date, or how long from now: '2 days'",
      })
    const at = until === undefined || until instanceof Date ? ms : clock.now() + ms
    const brought = await this.resting(() => place.wait!(own, signalOf(name), at))
    return brought === undefined ? undefined : decode(brought)
  }

  /** Waiting is no work. */
  private async resting<T>(wait: () => Soon<T>): Promise<T> {
    this.c.watch.leave()
    try {
      return await wait()
    } finally {
      this.c.watch.enter()
    }
  }

  private async doAll<T, R>(
    own: string,
    list: readonly T[],
    fn: (entry: T, flow: FlowContext, index: number) => Promise<R>,
    atOnce: number,
  ): Promise<R[]> {
    const slots = new Slots(Math.max(1, Math.floor(atOnce)))
    const child = { flow: this.flow.name, input: null }
    const one = async (entry: T, i: number): Promise<Outcome> => {
      const slot = slots.take()
      if (slot) await slot
      try {
        return await this.place.branch(`${own}[${i}]`, '', place => this.branched(place, entry, i, fn), child)
      } finally {
        slots.give()
      }
    }
    const outcomes = await Promise.all(list.map(one))
    for (const { remembered } of outcomes) if (remembered) this.c.kept.add(remembered)
    return outcomes.map(({ failed, value }) => {
      if (failed) throw decode(value as Json)
      return decode(value as Json) as R
    })
  }

  private async branched<T, R>(
    place: Place,
    entry: T,
    i: number,
    fn: (entry: T, flow: FlowContext, index: number) => Promise<R>,
  ): Promise<Outcome> {
    const name = `${this.flow.name}[${i}]`
    const kept = new Kept(this.c.kept)
    const c: Conversation = { ...this.c, place, kept, span: place.path }
    try {
      const given = await fn(entry, new FlowHands(this.flow, this.input, c, place), i)
      return withKept({ text: '', value: encode(given, name) }, kept)
    } catch (error) {
      const told = error instanceof Error ? error : new Error(reason(error))
      return withKept({ text: reason(error), failed: true, value: encode(told, name) }, kept)
    }
  }

  private async doCall(usable: unknown, input: unknown): Promise<unknown> {
    const faults: Fault[] = []
    const [told] = readEntries([usable], 'tools', { list: false, sequence: false, output: false }, faults)
    // A flow that code calls need not be fit for a model.
    const wrong = faults.filter(fault => fault.code !== 'T7009' && fault.code !== 'T7012')
    refuse(`call of the flow ${this.flow.name}`, wrong)
    const number = `${++this.calls}`
    const made: Call = { id: '', tool: told!.name, arguments: JSON.stringify(input ?? {}) }
    const outcome = await this.resting(() => makeCall({ ...this.c, place: this.place }, number, made, told))
    if (outcome.failed)
      throw new ToolwrightError(
        'T7018',
        `${listed(this.c, `tool ${number} ${told!.name}`)} failed: ${outcome.text}`,
      )
    return 'value' in outcome ? outcome.value : outcome.nothing ? undefined : outcome.text
  }
}

/** The channel on which the signals of that name come. */
export function signalOf(name: string): string {
  return `signal ${name}`
}
