// The engine without durability: for scripts and tests. A place does what it is asked at once and keeps nothing.
import type { Piece } from '../define/records.ts'
import type { Clock } from './clock.ts'
import type { Ask, Decision, Outcome, Place, Row, StepContext } from './place.ts'
import type { Soon } from './soon.ts'
import type { Stop } from './stop.ts'

/** What a run in memory is given from outside. */
export interface MemoryRun {
  /** The run's id: the key of its root place. */
  id: string
  clock: Clock
  stop: Stop
  /** Asks a person; left out: nobody is there, and every ask is declined at once. */
  asks?: (ask: Ask) => Decision | boolean | Promise<Decision | boolean>
  /** `nested`: the piece is of work inside of a call. */
  emit: (piece: Piece, nested: boolean) => void
  /** What was refused for the rest of the run, by definition. */
  refused?: Map<string, Decision & { approved: false }>
}

/** The root place of a run in memory. */
export function memory(run: MemoryRun): Place {
  return new MemoryPlace(run)
}

class MemoryPlace implements Place {
  private readonly run: MemoryRun
  private readonly around: MemoryPlace | undefined
  private readonly number: string
  private readonly name: string

  constructor(run: MemoryRun, around?: MemoryPlace, number = '', name = '') {
    this.run = run
    this.around = around
    this.number = number
    this.name = name
  }

  // Put together only where somebody asks: most calls do not.
  get path(): string {
    return this.around ? pathOf(this.around.path, this.number, this.name) : ''
  }

  get key(): string {
    return this.around ? `${this.around.key}/${this.number}` : this.run.id
  }

  get stop(): Stop {
    return this.run.stop
  }

  step<T>(name: string, fn: (s: StepContext) => Promise<T>): Promise<T> {
    return fn(new MemoryStep(this, name))
  }

  branch(number: string, name: string, body: (place: Place) => Soon<Outcome>): Soon<Outcome> {
    return body(new MemoryPlace(this.run, this, number, name))
  }

  kept(): undefined {}
  asked(): undefined {}
  drop(): void {}

  refused(definition: string): (Decision & { approved: false }) | undefined {
    return this.run.refused?.get(definition)
  }

  async decide(_name: string, ask: Ask, until: number): Promise<Decision> {
    const { asks, clock, stop } = this.run
    if (!asks) return { approved: false, nobody: true }
    return await new Promise<Decision>((resolve, reject) => {
      const expire = clock.after(Math.max(0, until - clock.now()), () =>
        end(resolve, { approved: false, expired: true }),
      )
      const end = <T>(settle: (value: T) => void, value: T): void => {
        expire()
        unlisten()
        settle(value)
      }
      const unlisten = stop.listen(() => end(resolve, { approved: false, why: 'the run was stopped' }))
      Promise.resolve()
        .then(() => asks(ask))
        .then(
          said => end(resolve, this.noted(decisionOf(said))),
          error => end(reject, error),
        )
    })
  }

  private noted(decision: Decision): Decision {
    if (decision.approved || decision.forRun === undefined) return decision
    this.run.refused ??= new Map()
    this.run.refused.set(decision.forRun, decision)
    return decision
  }

  sleep(_name: string, ms: number): Promise<void> {
    const { clock, stop } = this.run
    return new Promise(resolve => {
      if (stop.stopped) return resolve()
      const end = (): void => {
        callOff()
        unlisten()
        resolve()
      }
      const callOff = clock.after(ms, end)
      const unlisten = stop.listen(end)
    })
  }

  async now(): Promise<number> {
    return this.run.clock.now()
  }

  emit(piece: Piece): void {
    this.run.emit(piece, this.around !== undefined)
  }

  write(_thread: string, _row: number, _content: Row): void {}

  async rows(): Promise<readonly Row[]> {
    return []
  }
}

class MemoryStep implements StepContext {
  readonly attempt = 1
  private readonly place: Place
  private readonly name: string

  constructor(place: Place, name: string) {
    this.place = place
    this.name = name
  }

  get key(): string {
    return `${this.place.key}/${this.name}`
  }
}

/** Only a plain true agrees: whatever else an approver gives is a no. */
function decisionOf(said: Decision | boolean): Decision {
  if (typeof said !== 'object' || said === null) return { approved: said === true }
  return said.approved === true ? said : { ...said, approved: false }
}

/** How a branch is listed: 'tool 1.1 tidy', or its number alone where it has no name; behind a slash where it is nested. */
export function pathOf(around: string, number: string, name: string): string {
  const own = name === '' ? number : `tool ${number} ${name}`
  return around === '' ? own : `${around}/${own}`
}
