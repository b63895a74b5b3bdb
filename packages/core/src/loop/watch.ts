// Stopwatches: how long something worked, and how long it waited for a person. Work inside keeps what is around at work.
import type { Clock } from '../engine/clock.ts'

/** Runs while at least one worker is inside. Entering one enters all around it. */
export class Watch {
  private readonly clock: Clock
  private readonly around: Watch | undefined
  private workers = 0
  private since = 0
  private total = 0

  constructor(clock: Clock, around?: Watch) {
    this.clock = clock
    this.around = around
  }

  /** One with a worker inside already, whom `around` has counted before. */
  static running(clock: Clock, around: Watch): Watch {
    const watch = new Watch(clock, around)
    watch.workers = 1
    watch.since = clock.now()
    return watch
  }

  enter(): void {
    if (this.workers++ > 0) return
    this.since = this.clock.now()
    this.around?.enter()
  }

  leave(): void {
    if (--this.workers > 0) return
    this.total += this.clock.now() - this.since
    this.around?.leave()
  }

  /** So long was worked at least: before a restart, say. */
  atLeast(ms: number): void {
    this.total += Math.max(0, ms - this.worked())
  }

  /** Milliseconds of work so far. */
  worked(): number {
    return this.workers > 0 ? this.total + this.clock.now() - this.since : this.total
  }
}
