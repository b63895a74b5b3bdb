// Who works next: runs wake in order, so many at once, spread over time, and those under suspicion alone.
import type { Clock } from './clock.ts'
import type { Wakeable } from './store.ts'

/** After so many deaths in one step a run is parked. */
export const DEATHS = 3

/** How long a run that died all but once too often works alone, in ms. */
const PROBATION = 2000

export interface CrowdOptions {
  clock: Clock
  /** How many runs work at once. */
  most: number
  /** Up to how many ms pass between two runs that wake in a crowd. */
  jitter: number
  /** 0 to 1, for the jitter. */
  random: () => number
  /** Lets a run work. */
  begin: (run: Wakeable) => void
}

export class Crowd {
  private readonly o: CrowdOptions
  private queue: (Wakeable & { spread: boolean })[] = []
  private readonly ids = new Set<string>()
  private working = 0
  private spreading = false
  private alone: string | undefined
  private closed = false

  constructor(o: CrowdOptions) {
    this.o = o
  }

  get length(): number {
    return this.queue.length
  }

  /** How many more may work. */
  get room(): number {
    return this.closed ? 0 : this.o.most - this.working
  }

  /** Queues a run, once. `spread`: it wakes together with others, which need not all start in the same moment. */
  add(run: Wakeable, spread: boolean): void {
    if (this.ids.has(run.id)) return
    this.ids.add(run.id)
    // A run that kills its process does so before the others have begun, and so it is the only one that is counted.
    if (run.deaths >= DEATHS - 1) this.queue.unshift({ ...run, spread })
    else this.queue.push({ ...run, spread })
  }

  /** Begins whom it may. */
  next(): void {
    while (!this.closed && !this.spreading && this.alone === undefined && this.working < this.o.most) {
      const run = this.queue.shift()
      if (!run) return
      this.ids.delete(run.id)
      this.working++
      if (run.deaths === DEATHS - 1) this.isolate(run.id)
      else if (run.spread && this.queue.length > 0) this.pause()
      this.o.begin(run)
    }
  }

  /** Works again after it waited: it is not held up, even where there are too many for a moment. */
  entered(): void {
    this.working++
  }

  /** Waits or has ended. */
  left(run: string): void {
    this.working--
    if (this.alone === run) this.alone = undefined
    this.next()
  }

  close(): void {
    this.closed = true
    this.queue = []
  }

  private pause(): void {
    this.spreading = true
    this.o.clock.after(this.o.random() * this.o.jitter, () => {
      this.spreading = false
      this.next()
    })
  }

  private isolate(run: string): void {
    this.alone = run
    this.o.clock.after(PROBATION, () => {
      if (this.alone !== run) return
      this.alone = undefined
      this.next()
    })
  }
}
