// One run while it is in memory: what of it works and what waits, and whether it may leave.
import type { Json, Piece } from '../define/records.ts'
import type { Clock } from './clock.ts'
import type { RunRecord } from './engine.ts'
import { type Diverged, Journal } from './journal.ts'
import type { Decision } from './place.ts'
import { Stop } from './stop.ts'
import type { Claimed, News, Store } from './store.ts'
import type { Writer } from './writer.ts'

/** What an open place does at the moment. */
export interface Frame {
  /** Its code may be begun anew while it waits. */
  again: boolean
  /** A step's function runs. */
  step: string | undefined
  waits: boolean
  /** Branches open in it. */
  branches: number
}

interface Wait {
  due: number
  look(): void
  callOff(): void
}

/** What a run in memory is given by its keeper. */
export interface Around {
  store: Store
  writer: Writer
  clock: Clock
  emit(piece: Piece): void
  /** Everything in it waits (true), or something works again (false). */
  waiting(life: Life, waits: boolean): void
  /** The store could not be used. */
  trouble(error: unknown): void
  /** Its code does not follow its journal. */
  diverged(life: Life, error: Diverged): void
}

export class Life {
  readonly run: RunRecord
  readonly journal: Journal
  readonly around: Around
  readonly stop = new Stop()
  readonly decisions = new Map<string, Decision>()
  /** Steps and branches are listed so that pieces of them are not shown again. */
  readonly shown = new Set<string>()
  private readonly signals: News['signals'][number][]
  private readonly taken = new Set<number>()
  /** The last signal that came. */
  last = 0
  private readonly waits = new Set<Wait>()
  private busy = 0
  private held = 0
  private told = false
  private steps = 0
  /** Something came since its wait was last written. */
  touched = false
  /** It left memory: whatever its code still does is nobody's business. */
  over = false
  /** No step begins any more. */
  closing = false
  /** It is being let go of: what it waits for is looked at when it is known that it stays. */
  private lettingGo = false
  /** What came for it is being read. */
  reading = false

  constructor(claimed: Claimed, around: Around) {
    this.run = claimed.run
    this.around = around
    this.journal = new Journal(claimed, around.writer, around.clock)
    this.signals = []
    for (const record of claimed.records) this.noteKept(record.kind, record.name, record.value)
    this.hear(claimed)
  }

  /** Takes in what came from outside. */
  hear(news: News): void {
    for (const { step, decision } of news.decisions) this.decisions.set(step, decision)
    for (const signal of news.signals)
      if (signal.id > this.last) {
        this.last = signal.id
        if (!this.taken.has(signal.id)) this.signals.push(signal)
      }
    this.touched = true
    if (news.stopping) this.stop.stop()
    for (const wait of [...this.waits]) wait.look()
  }

  /** While it is let go of nothing in it goes on, or two processes would. */
  get leaving(): boolean {
    return this.lettingGo
  }

  set leaving(leaving: boolean) {
    this.lettingGo = leaving
    if (!leaving) for (const wait of [...this.waits]) wait.look()
  }

  /** The signals of a channel that nobody took, all or the first. */
  take(channel: string, most: number): News['signals'] {
    const found = this.signals.filter(signal => signal.channel === channel).slice(0, most)
    for (const signal of found) {
      this.taken.add(signal.id)
      this.signals.splice(this.signals.indexOf(signal), 1)
    }
    return found
  }

  /** Opens the frame of a place. */
  open(again: boolean): Frame {
    this.busy++
    return { again, step: undefined, waits: false, branches: 0 }
  }

  close(frame: Frame): void {
    this.count(frame, -1)
    this.look()
  }

  /** Changes what a frame does. */
  change(frame: Frame, change: Partial<Frame>): void {
    this.count(frame, -1)
    Object.assign(frame, change)
    this.count(frame, 1)
    this.look()
  }

  private count(frame: Frame, by: 1 | -1): void {
    if (frame.step !== undefined) this.steps += by
    if (frame.step !== undefined || (!frame.waits && frame.branches === 0)) this.busy += by
    if (!frame.again && frame.branches > 0) this.held += by
  }

  /** True where nothing in it works, and nothing would be begun twice if it left. */
  get mayLeave(): boolean {
    return this.told && this.held === 0
  }

  /** Everything in it waits, and has for a moment. */
  get isWaiting(): boolean {
    return this.told
  }

  /** The function of a step runs. */
  get isInStep(): boolean {
    return this.steps > 0
  }

  /** The earliest time by which something in it wakes by itself. */
  get due(): number | undefined {
    let due = Number.POSITIVE_INFINITY
    for (const wait of this.waits) due = Math.min(due, wait.due)
    return due === Number.POSITIVE_INFINITY ? undefined : due
  }

  /** Told only when it lasts: what waits may be answered at once. */
  private look(): void {
    if (this.over) return
    const waits = this.busy === 0 && this.waits.size > 0
    if (!waits && this.told) {
      this.told = false
      this.around.waiting(this, false)
    } else if (waits && !this.told)
      this.around.store.soon(() => {
        if (this.over || this.told || this.busy > 0 || this.waits.size === 0) return
        this.told = true
        this.around.waiting(this, true)
      })
  }

  /**
   * Waits until `check` gives something: looked at when something comes from outside, when the run is stopped, and at
   * `due`. That the run works again is durable before it does.
   */
  until<T>(frame: Frame, due: number, check: () => T | undefined): Promise<T> {
    if (this.over) return new Promise(() => {})
    const found = check()
    if (found !== undefined) return Promise.resolve(found)
    return new Promise(resolve => {
      const { clock, writer } = this.around
      const look = (): void => {
        if (this.over || this.closing || this.lettingGo) return
        const value = check()
        if (value === undefined) return
        wait.callOff()
        this.waits.delete(wait)
        const told = this.told
        this.change(frame, { waits: false })
        // Where many work, what woke it wakes it again in another process, as long as nothing says that it was read.
        if (!told || this.around.store.release) resolve(value)
        else writer.durable().then(() => this.over || resolve(value))
      }
      let callOffTimer = (): void => {}
      // A timer may come a little early, and a clock may be set back: it is armed anew until the time has come.
      const arm = (): void => {
        callOffTimer = clock.after(Math.max(0, due - clock.now()), () => {
          look()
          if (!this.closing && this.waits.has(wait)) arm()
        })
      }
      const unlisten = this.stop.listen(look)
      const wait: Wait = {
        due,
        look,
        callOff: () => {
          callOffTimer()
          unlisten()
        },
      }
      this.waits.add(wait)
      arm()
      this.change(frame, { waits: true })
    })
  }

  /** Leaves memory. Its promises never settle, and nobody holds them. */
  leave(): void {
    this.over = true
    for (const wait of this.waits) wait.callOff()
    this.waits.clear()
  }

  diverge(error: Diverged): void {
    if (this.over) return
    this.leave()
    this.around.diverged(this, error)
  }

  /** Shows a piece, unless it tells of what was kept before this life. */
  emit(piece: Piece): void {
    if (this.over || this.shown.has(`${heard[piece.kind] ?? ''} ${piece.step}`)) return
    this.around.emit(piece)
  }

  private noteKept(kind: string, name: string, value: string): void {
    if (kind === 'branch') this.shown.add(`begin ${name}`).add(`branch ${name}`)
    else if (kind === 'ask') this.shown.add(`ask ${name}`)
    else if (kind === 'begin') this.shown.add(`begin ${name}`)
    else if (kind === 'signal') for (const id of (JSON.parse(value) as Signals).ids) this.taken.add(id)
  }
}

/** What a record of the kind `signal` keeps: which signals were taken, and what they brought. */
export interface Signals {
  ids: number[]
  values: Json[]
}

/** Which record tells that a piece was shown. */
const heard: Partial<Record<Piece['kind'], string>> = {
  call: 'begin',
  result: 'branch',
  failed: 'branch',
  ask: 'ask',
}
