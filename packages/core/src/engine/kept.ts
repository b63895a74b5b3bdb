// A place of a run that is kept: what was kept is given, what is new is done and kept.
import type { Json, Piece } from '../define/records.ts'
import { ToolwrightError } from '../errors.ts'
import type { RecordKind, RunPlace } from './engine.ts'
import { Diverged, fromText, part, toText } from './journal.ts'
import type { Frame, Life, Signals } from './life.ts'
import { pathOf } from './memory.ts'
import type { Ask, Decision, Outcome, Row, StepContext } from './place.ts'
import type { Soon } from './soon.ts'
import type { Stop } from './stop.ts'
import type { Kept } from './store.ts'

/** How long to wait before a write that failed is tried again, in ms. */
const AGAIN = 500

const EXPIRED: Decision = { approved: false, expired: true }

export class KeptPlace implements RunPlace {
  readonly path: string
  readonly key: string
  /** Its key in the journal. */
  private readonly at: string
  private readonly life: Life
  private readonly frame: Frame
  private readonly names = new Set<string>()
  /** The last step failed: kept where the code goes on all the same, so that a replay does too. */
  private failure: { key: string; name: string; error: unknown } | undefined

  constructor(life: Life, frame: Frame, path: string, at: string) {
    this.life = life
    this.frame = frame
    this.path = path
    this.at = at
    this.key = `${life.run.id}${at}`
  }

  get stop(): Stop {
    return this.life.stop
  }

  get replaying(): boolean {
    return this.life.journal.goesOn(this.at) !== undefined
  }

  get replays(): boolean {
    return this.life.journal.ahead > 0
  }

  async step<T>(name: string, fn: (s: StepContext) => Promise<T>): Promise<T> {
    const { life, at } = this
    const key = this.enter(name)
    if (key === undefined) return await never()
    const failed = life.journal.goesOn(at)?.kind === 'failure'
    const kept = this.take(failed ? 'failure' : 'step', key)
    if (kept && failed) throw fromText(kept.value)
    if (kept) return fromText(kept.value) as T
    if (life.over || life.closing) return await never()
    const callOff = life.journal.begin(key, this.listed(name))
    life.change(this.frame, { step: name })
    try {
      const value = await fn({ attempt: life.journal.attempt(at), key: `${life.run.id}${key}` })
      const text = toText(value, name)
      callOff()
      await this.keep('step', key, this.listed(name), text)
      return fromText(text) as T
    } catch (error) {
      this.failure = { key, name, error }
      throw error
    } finally {
      callOff()
      life.change(this.frame, { step: undefined })
    }
  }

  async branch(
    number: string,
    name: string,
    body: (place: RunPlace) => Soon<Outcome>,
    again?: { flow: string; input: Json } | true,
  ): Promise<Outcome> {
    const { life, frame } = this
    if (life.over) return await never()
    const { journal } = life
    const key = this.keyOf(number)
    this.once(`branch ${number}`)
    this.goOn()
    const kept = journal.takeOutcome(key)
    if (kept) return fromText(kept.value) as Outcome
    if (life.closing) return await never()
    const path = pathOf(this.path, number, name)
    const callOff = journal.begin(key, path, again && again !== true ? toText(again, path) : '')
    const own = life.open(again !== undefined)
    life.change(frame, { branches: frame.branches + 1 })
    try {
      const outcome = await body(new KeptPlace(life, own, path, key))
      if (life.over) return await never()
      const left = journal.left(key)
      if (left.length > 0) return await this.diverge(new Diverged(left))
      const text = toText(outcome, path)
      callOff()
      await this.keep('branch', key, path, text)
      journal.forget(key)
      return fromText(text) as Outcome
    } finally {
      callOff()
      life.change(frame, { branches: frame.branches - 1 })
      life.close(own)
    }
  }

  kept(number: string): Outcome | undefined {
    const kept = this.life.journal.outcome(this.keyOf(number))
    return kept && (fromText(kept.value) as Outcome)
  }

  asked(name: string): Ask | undefined {
    const kept = this.life.journal.skipTo('ask', this.keyOf(name))
    return kept && (fromText(kept.value) as { ask: Ask }).ask
  }

  refused(definition: string): (Decision & { approved: false }) | undefined {
    for (const decision of this.life.decisions.values())
      if (!decision.approved && decision.forRun === definition) return decision
    return undefined
  }

  drop(): void {
    this.life.journal.forget(this.at)
  }

  async decide(name: string, ask: Ask, until: number): Promise<Decision> {
    const { life } = this
    const key = this.enter(name)
    if (key === undefined) return await never()
    const kept = this.take('ask', key)
    if (!kept && (life.over || life.closing)) return await never()
    const asked = kept ? (fromText(kept.value) as { ask: Ask; until: number }) : { ask, until }
    if (!kept) {
      const at = this.time()
      life.around.writer.add({ what: 'ask', run: life.run.id, ...asked, at })
      await this.keep('ask', key, ask.step, toText(asked, ask.step))
    }
    return await this.decided(asked.ask.step, asked.until)
  }

  private async decided(step: string, until: number): Promise<Decision> {
    const { life } = this
    const { clock } = life.around
    const decision = await life.until(this.frame, until, () => {
      const decision = life.decisions.get(step)
      if (decision) return decision
      if (life.stop.stopped) return { approved: false, why: 'the run was stopped' } as const
      return clock.now() >= until ? EXPIRED : undefined
    })
    if (decision !== EXPIRED) return decision
    return await this.expired(step)
  }

  /** Nobody answered in time; but whoever did at the last moment was first, and counts. Tried until it is written. */
  private async expired(step: string): Promise<Decision> {
    const { life } = this
    const { store, clock, trouble } = life.around
    while (!life.over)
      try {
        const answer = await store.decide(life.run.id, step, EXPIRED, clock.now())
        const news = answer === 'already' ? await store.news(life.run.id, life.last) : undefined
        if (news) life.hear(news)
        if (!life.over) return life.decisions.get(step) ?? EXPIRED
      } catch (error) {
        trouble(error)
        await new Promise<void>(resolve => clock.after(AGAIN, resolve))
      }
    return await never()
  }

  async sleep(name: string, ms: number): Promise<void> {
    const due = await this.due(name, this.time() + ms)
    const key = this.keyOf(name)
    if (this.take('step', key)) return
    const { life } = this
    await life.until(this.frame, due, () => (this.time() >= due || life.stop.stopped ? true : undefined))
    // Kept with what comes next, so that a clock that is set back later does not make it wait again.
    life.journal.add('step', key, this.listed(name), 'null')
  }

  async wait(name: string, channel: string, until: number): Promise<Json | undefined> {
    const due = await this.due(name, until)
    const key = this.keyOf(name)
    const kept = this.take('signal', key)
    if (kept) return (JSON.parse(kept.value) as Signals).values[0]
    const { life } = this
    const found = await life.until(this.frame, due, () => {
      const found = life.take(channel, 1)
      return found.length > 0 || this.time() >= due || life.stop.stopped ? found : undefined
    })
    const [signal] = found
    // Nothing else of the run could take it, so a replay takes the same: it is kept with what comes next.
    if (signal && this.path === '' && this.frame.branches === 0) {
      life.journal.add('signal', key, this.listed(name), signalsText(found))
      return signal.value
    }
    return (await this.signals(key, name, found)).values[0]
  }

  async receive(name: string, channel: string): Promise<readonly Json[]> {
    const { life, at } = this
    const key = this.enter(name)
    if (key === undefined) return await never()
    const next = life.journal.goesOn(at)
    if (next?.key === key) return (JSON.parse(this.take('signal', key)!.value) as Signals).values
    // The journal goes on without it: there was nothing then, whatever there is now.
    if (next) return []
    const found = life.take(channel, Number.POSITIVE_INFINITY)
    return found.length === 0 ? [] : (await this.signals(key, name, found)).values
  }

  private async signals(
    key: string,
    name: string,
    found: readonly { id: number; value: Json }[],
  ): Promise<Signals> {
    const text = signalsText(found)
    await this.keep('signal', key, this.listed(name), text)
    return JSON.parse(text) as Signals
  }

  async now(name: string): Promise<number> {
    return await this.step(name, async () => this.time())
  }

  emit(piece: Piece): void {
    this.life.emit(piece)
  }

  write(thread: string, row: number, content: Row): void {
    if (!this.life.over) this.life.journal.row(thread, row, content)
  }

  async rows(thread: string, from: number, to: number): Promise<readonly Row[]> {
    const { life } = this
    if (life.over) return await never()
    await life.around.writer.durable()
    const rows = await life.around.store.rows(thread, from, to)
    return life.over ? await never() : rows
  }

  /** Until when something waits: kept when it is first reached. */
  private async due(name: string, until: number): Promise<number> {
    const { life } = this
    const key = this.enter(name)
    if (key === undefined) return await never()
    const kept = this.take('due', key)
    if (kept) return fromText(kept.value) as number
    if (life.over || life.closing) return await never()
    // What waits is written when all of the run does, and this with it: one that dies before begins to wait anew.
    life.journal.addWithNext('due', key, this.listed(name), toText(until, name))
    return until
  }

  /** The key of what begins now; nothing where its run has left. One thing at a time, each name once. */
  private enter(name: string): string | undefined {
    const { life, frame } = this
    if (life.over) return undefined
    const busy = frame.step ?? (frame.waits ? 'a wait' : undefined)
    if (busy !== undefined)
      throw new ToolwrightError(
        'T7005',
        `step ${JSON.stringify(name)} began before ${JSON.stringify(busy)} of the same place had ended`,
        { fix: 'await each step before the next, or open a branch for each' },
      )
    this.once(name)
    this.goOn()
    return this.keyOf(name)
  }

  private goOn(): void {
    if (!this.failure) return
    const { key, name, error } = this.failure
    this.failure = undefined
    const kept = error instanceof Error ? error : new Error(String(error))
    this.life.journal.add('failure', key, this.listed(name), toText(kept, name))
  }

  private once(name: string): void {
    if (this.names.has(name))
      throw new ToolwrightError(
        'T6007',
        `${JSON.stringify(name)} is there twice in ${this.path === '' ? 'the run' : JSON.stringify(this.path)}`,
        { fix: 'give each step of a place a name of its own, the same each time the code runs' },
      )
    this.names.add(name)
  }

  private take(kind: RecordKind, key: string): Kept | undefined {
    try {
      return this.life.journal.take(kind, key)
    } catch (error) {
      if (!(error instanceof Diverged)) throw error
      this.life.diverge(error)
      return undefined
    }
  }

  /** Keeps what is given, and goes on when it is durable; not at all where the run left meanwhile. */
  private async keep(
    kind: Exclude<RecordKind, 'begin'>,
    key: string,
    name: string,
    value: string,
  ): Promise<void> {
    const { life } = this
    if (life.over) return await never()
    life.journal.add(kind, key, name, value)
    await life.around.writer.durable()
    if (life.over) await never()
  }

  private async diverge(error: Diverged): Promise<never> {
    this.life.diverge(error)
    return await never()
  }

  private listed(name: string): string {
    return this.path === '' ? name : `${this.path}/${name}`
  }

  private keyOf(name: string): string {
    return `${this.at}/${part(name)}`
  }

  private time(): number {
    return this.life.around.clock.now()
  }
}

/** A promise of its own each time: one that many wait for would hold them all. */
export function never(): Promise<never> {
  return new Promise(() => {})
}

function signalsText(found: readonly { id: number; value: Json }[]): string {
  const signals: Signals = { ids: found.map(each => each.id), values: found.map(each => each.value) }
  return JSON.stringify(signals)
}
