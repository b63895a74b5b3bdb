// The runs in memory: taken up when they want to work, left when they wait, and how they end.
import type { Json } from '../define/records.ts'
import { ToolwrightError } from '../errors.ts'
import type { Clock } from './clock.ts'
import { Crowd, DEATHS } from './crowd.ts'
import type { Flow } from './engine.ts'
import { Diverged } from './journal.ts'
import { KeptPlace } from './kept.ts'
import { Life } from './life.ts'
import { Pieces } from './pieces.ts'
import { listed } from './steps.ts'
import { type Claimed, Lost, type State, type Store, type Wakeable } from './store.ts'
import { Writer } from './writer.ts'

export interface LivesOptions {
  clock: Clock
  runsAtOnce: number
  leaveAfter: number
  jitter: number
  random: () => number
  warn: (error: unknown) => void
  /** Told when a run has settled. */
  settled: (run: string) => void
  /** Told when another process owns the store: no run lives any more. */
  lost: () => void
}

export class Lives {
  readonly shown: Pieces
  private readonly store: Store
  private readonly o: LivesOptions
  private readonly clock: Clock
  private readonly writer: Writer
  private readonly crowd: Crowd
  private readonly lives = new Map<string, Life>()
  private readonly leaving = new Map<Life, () => void>()
  /** Runs that are being taken up, and those of them for which something came meanwhile. */
  private readonly claiming = new Set<string>()
  private readonly missed = new Set<string>()
  private readonly begun = new Set<Promise<void>>()
  private flows: Readonly<Record<string, Flow>> = {}
  private names: string[] = []
  private open = false
  private looking: Promise<void> | undefined
  private lookAgain = false
  private more = false
  private timer: () => void = () => {}

  constructor(store: Store, o: LivesOptions) {
    this.store = store
    this.o = o
    this.clock = o.clock
    this.writer = new Writer(
      store,
      o.clock,
      error => this.trouble(error),
      run => this.lostRun(run),
    )
    this.shown = new Pieces(o.clock)
    this.crowd = new Crowd({ ...o, most: o.runsAtOnce, begin: run => this.beginning(run) })
  }

  /** The store is ours. */
  async begins(flows: Readonly<Record<string, Flow>>): Promise<void> {
    this.flows = flows
    this.names = Object.keys(flows)
    this.open = true
    await this.look(true)
  }

  /** Ends what is under way within `grace` ms, cuts off the rest, and leaves a store that counts nobody as dead. */
  async ends(grace: number): Promise<void> {
    if (!this.open) return
    this.shut()
    await this.looking
    await Promise.all(this.begun)
    for (const life of this.lives.values()) life.closing = true
    const until = this.clock.now() + grace
    const inStep = () => [...this.lives.values()].some(life => life.isInStep)
    while (inStep() && this.clock.now() < until) await new Promise<void>(done => this.clock.after(20, done))
    for (const life of this.lives.values()) if (!life.isWaiting) this.state(life.run.id, { status: 'ready' })
    await this.written()
    this.drop()
  }

  /** Another process owns the store: nothing that is under way here may be kept, so nothing of it goes on. */
  lost(): void {
    if (!this.open) return
    this.shut()
    this.drop()
    this.o.lost()
    this.o.warn(
      new ToolwrightError('T6002', 'another process took the store over; this one has stopped all its runs'),
    )
  }

  /** Another process has taken this run up: it is dropped, and nothing is said about it here. */
  lostRun(run: string): void {
    const life = this.lives.get(run)
    if (!life || life.over) return
    const waited = life.isWaiting
    this.leave(life)
    life.stop.stop()
    this.shown.leave(run)
    if (!waited) this.crowd.left(run)
  }

  /** How many more runs may work here. */
  get room(): number {
    return this.open ? this.crowd.room : 0
  }

  /** Waits until all is durable, but not for ever: the disk may be full. */
  private async written(): Promise<void> {
    let callOff = (): void => {}
    const late = new Promise<void>(resolve => {
      callOff = this.clock.after(1000, resolve)
    })
    await Promise.race([this.writer.durable(), late])
    callOff()
  }

  private trouble(error: unknown): void {
    if (error instanceof Lost) this.lost()
    else this.o.warn(error)
  }

  private shut(): void {
    this.open = false
    this.timer()
    this.crowd.close()
  }

  private drop(): void {
    this.writer.close()
    for (const callOff of this.leaving.values()) callOff()
    for (const life of this.lives.values()) {
      life.leave()
      life.stop.stop()
    }
    this.lives.clear()
    this.shown.close()
  }

  /** Looks for runs that want to work and for what came for those that do. */
  look(spread: boolean): Promise<void> | undefined {
    if (!this.open) return undefined
    if (this.looking) {
      this.lookAgain = true
      return this.looking
    }
    this.looking = this.lookOnce(spread)
      .catch(error => this.trouble(error))
      .then(() => {
        this.looking = undefined
        if (!this.lookAgain) return
        this.lookAgain = false
        this.look(spread)
      })
    return this.looking
  }

  private async lookOnce(spread: boolean): Promise<void> {
    // One moment for both questions: between two, a run could be due and be in neither answer.
    const now = this.clock.now()
    const found = await this.store.wakeable(this.names, now)
    this.more = found.length >= 1000
    for (const run of found) {
      const life = this.lives.get(run.id)
      if (this.claiming.has(run.id)) this.missed.add(run.id)
      else if (!life) this.crowd.add(run, spread)
      else if (!life.leaving) {
        life.reading = true
        const news = await this.store.news(run.id, life.last).finally(() => {
          life.reading = false
        })
        // What came for a run that left in this very moment is read again when it is taken up.
        if (life.over) this.crowd.add(run, spread)
        else if (news) life.hear(news)
        else this.lostRun(run.id)
      }
    }
    this.crowd.next()
    const due = await this.store.nextDue(this.names, now)
    this.timer()
    if (due !== undefined && this.open)
      this.timer = this.clock.after(Math.max(0, due - this.clock.now()), () => this.look(true))
  }

  private beginning(run: Wakeable): void {
    const begun = this.begin(run).finally(() => this.begun.delete(begun))
    this.begun.add(begun)
  }

  private async begin({ id }: Wakeable): Promise<void> {
    try {
      const claimed = await this.claim(id)
      const dead = claimed !== undefined && claimed.run.deaths >= DEATHS
      if (dead) await this.park(claimed)
      else if (claimed && this.open) this.live(claimed)
      // Taken up in the moment of a close: it goes on when the store is opened again.
      else if (claimed) this.state(id, { status: 'ready' })
      // What came after the rows were read is not among them.
      if (this.missed.delete(id)) this.look(false)
      if (claimed && !dead && this.open) return
    } catch (error) {
      this.trouble(error)
      if (!this.open) return
      // It is still wakeable: a later look finds it.
      this.clock.after(1000, () => this.look(true))
    }
    this.crowd.left(id)
  }

  private async claim(id: string): Promise<Claimed | undefined> {
    this.claiming.add(id)
    try {
      return await this.store.claim(id)
    } finally {
      this.claiming.delete(id)
    }
  }

  private live(claimed: Claimed): void {
    const { run } = claimed
    const life = new Life(claimed, {
      store: this.store,
      writer: this.writer,
      clock: this.clock,
      emit: piece => (this.store.shown ?? this.shown).emit(run.id, piece),
      waiting: (life, waits) => this.waiting(life, waits),
      trouble: error => this.trouble(error),
      diverged: (life, error) => void this.stuck(life, error),
    })
    this.lives.set(run.id, life)
    const place = new KeptPlace(life, life.open(true), '', '')
    Promise.resolve()
      .then(() => this.flows[run.flow]!(place, run))
      .then(
        output => this.ended(life, output),
        error => this.failed(life, error),
      )
      .catch(this.o.warn)
  }

  private async ended(life: Life, output: Json): Promise<void> {
    if (life.over) return
    const left = life.journal.left('')
    if (left.length > 0) return life.diverge(new Diverged(left))
    const status = life.stop.stopped ? 'stopped' : 'done'
    await this.settle(life, { status, output: JSON.stringify(output ?? null), at: this.clock.now() })
  }

  private async failed(life: Life, error: unknown): Promise<void> {
    if (life.over) return
    const status = life.stop.stopped ? 'stopped' : 'failed'
    await this.settle(life, { status, error: told(error), at: this.clock.now() })
  }

  private async stuck(life: Life, error: Diverged): Promise<void> {
    if (await this.refused(life)) return
    const why = new ToolwrightError('T6006', error.message, {
      fix: 'resume the run under code that does these steps, or stop it',
    })
    await this.settle(life, { status: 'stuck', error: told(why), at: this.clock.now() })
  }

  /** Left to a process whose code may follow it. */
  private async refused(life: Life): Promise<boolean> {
    const { id } = life.run
    await this.writer.durable()
    if (!this.store.refuse || !(await this.untilDone(() => this.store.refuse!(id)))) return false
    const waited = life.isWaiting
    this.leave(life)
    life.stop.end()
    this.shown.leave(id)
    if (!waited) this.crowd.left(id)
    return true
  }

  /** What the store cannot do for now is tried again, as long as runs work here. */
  private async untilDone<T>(fn: () => Promise<T>): Promise<T | undefined> {
    while (this.open)
      try {
        return await fn()
      } catch (error) {
        this.trouble(error)
        await new Promise<void>(resolve => this.clock.after(1000, resolve))
      }
    return undefined
  }

  private async park({ run: { id }, records }: Claimed): Promise<void> {
    const begun = listed(records)
      .filter(step => step.status === 'begun')
      .map(step => step.name)
    const where = begun.length > 0 ? ` in ${begun.join(', ')}` : ''
    const why = new ToolwrightError('T6009', `the process died ${DEATHS} times${where}`, {
      fix: 'resume the run when the cause is gone, or stop it',
    })
    this.state(id, { status: 'parked', error: told(why), at: this.clock.now() })
    await this.writer.durable()
    this.o.settled(id)
  }

  private async settle(life: Life, state: State): Promise<void> {
    const { id } = life.run
    await this.store.shown?.flush(id)
    this.state(id, state)
    await this.writer.durable()
    // Another process has taken it up, and ends it.
    if (this.lives.get(id) !== life) return
    const waited = life.isWaiting
    this.leave(life)
    life.stop.end()
    this.shown.end(id)
    if (!waited) this.crowd.left(id)
    if (this.more && this.crowd.length === 0) this.look(true)
    this.o.settled(id)
  }

  private waiting(life: Life, waits: boolean): void {
    const { id } = life.run
    this.leaving.get(life)?.()
    this.leaving.delete(life)
    if (!waits) {
      this.crowd.entered()
      this.state(id, { status: 'running' })
      return
    }
    this.wait(life)
    this.crowd.left(id)
    this.leaveLater(life)
  }

  private leaveLater(life: Life): void {
    this.leaving.set(
      life,
      this.clock.after(this.o.leaveAfter, () => void this.evict(life)),
    )
  }

  /**
   * A run that waits costs no more than its row. It leaves only when that row says durably that it waits: one that
   * left before could not be taken up by what comes in between, and nothing would look for it again.
   */
  private async evict(life: Life): Promise<void> {
    if (!this.open || !life.mayLeave) return
    const mine = this.leaving.get(life)
    // What was read meanwhile used up its wake: the wait is written anew, with the time when it is due.
    if (life.touched) this.wait(life)
    await this.writer.durable()
    // It worked in between, and waits anew: that wait has an eviction of its own.
    if (!this.open || !life.mayLeave || this.leaving.get(life) !== mine) return
    if (life.touched || life.reading) return this.leaveLater(life)
    if (this.store.release && !(await this.released(life, mine))) return
    this.leave(life)
    this.shown.leave(life.run.id)
    this.look(false)
  }

  /** Whether no process has this run any more; where something came, it is read and the run stays for a while. */
  private async released(life: Life, mine: unknown): Promise<boolean> {
    life.leaving = true
    try {
      if (await this.store.release!(life.run.id)) return true
    } catch (error) {
      this.trouble(error)
    }
    life.leaving = false
    if (this.open && !life.over && this.leaving.get(life) === mine) this.leaveLater(life)
    this.look(false)
    return false
  }

  private wait(life: Life): void {
    life.touched = false
    this.state(life.run.id, { status: 'waiting', due: life.due })
  }

  private leave(life: Life): void {
    life.leave()
    this.leaving.get(life)?.()
    this.leaving.delete(life)
    if (this.lives.get(life.run.id) === life) this.lives.delete(life.run.id)
  }

  private state(run: string, state: State): void {
    this.writer.add({ what: 'state', run, state })
  }
}

/** Why a run did not end well, as its row keeps it. */
function told(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return JSON.stringify(error instanceof ToolwrightError ? { code: error.code, message } : { message })
}
