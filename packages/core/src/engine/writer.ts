// Group commit: what all runs of a process write until the next commit is one commit.
import type { Clock } from './clock.ts'
import { Lost, type Store, type Write } from './store.ts'

/** How long to wait before a commit that failed is tried again, in ms. */
const AGAIN = 500

/** Gathers writes, commits them together, in order, and says when they are durable. */
export class Writer {
  private readonly store: Store
  private readonly clock: Clock
  private readonly trouble: (error: unknown) => void
  private readonly lostRun: (run: string) => void
  private queue: Write[] = []
  private waiting: (() => void)[] = []
  /** Writes that nobody waits for and that are not needed where what they tell of ends before the next commit. */
  private lazy = new Set<() => Write>()
  private due = false
  private committing: Promise<void> | undefined
  private closed = false

  /**
   * `trouble` is told of each commit that failed, {@link Lost} included; any other is tried again by itself. `lostRun`
   * is told of each run that is another's now, before anybody goes on who waited for that commit.
   */
  constructor(store: Store, clock: Clock, trouble: (error: unknown) => void, lostRun: (run: string) => void) {
    this.store = store
    this.clock = clock
    this.trouble = trouble
    this.lostRun = lostRun
  }

  add(write: Write): void {
    this.addWithNext(write)
    if (!this.closed) this.schedule()
  }

  /** Adds what nobody needs before something else is written: it is committed with that. */
  addWithNext(write: Write): void {
    if (!this.closed) this.queue.push(write)
  }

  /** Resolves when all that was added until now is durable; never where the writer was closed before. */
  durable(): Promise<void> {
    return new Promise(resolve => {
      if (this.closed) return
      if (this.queue.length === 0 && !this.committing) return resolve()
      this.waiting.push(resolve)
      this.schedule()
    })
  }

  /** Adds a write when the next commit comes, unless it is called off before. */
  lazily(write: () => Write): () => void {
    this.lazy.add(write)
    this.schedule()
    return () => {
      this.lazy.delete(write)
    }
  }

  /** Nothing is written from here on; what was not durable is dropped. */
  close(): void {
    this.closed = true
    this.queue = []
    this.waiting = []
    this.lazy.clear()
  }

  private schedule(): void {
    if (this.due || this.committing) return
    this.due = true
    this.store.soon(() => {
      this.due = false
      this.flush()
    })
  }

  private flush(): void {
    if (this.closed) return
    for (const write of this.lazy) this.queue.push(write())
    this.lazy.clear()
    const writes = this.queue
    const waiting = this.waiting
    this.queue = []
    this.waiting = []
    try {
      const committing = writes.length > 0 ? this.store.commit(writes) : undefined
      if (!committing) settle(waiting)
      else
        this.committing = committing.then(
          lost => this.settled(waiting, lost ?? []),
          error => this.failed(error, writes, waiting),
        )
    } catch (error) {
      this.failed(error, writes, waiting)
    }
  }

  private settled(waiting: (() => void)[], lost: readonly string[]): void {
    this.committing = undefined
    for (const run of lost) this.lostRun(run)
    settle(waiting)
    if (this.queue.length > 0 || this.waiting.length > 0 || this.lazy.size > 0) this.schedule()
  }

  /** The results are held and written again: no step is done anew because its store had no room for a while. */
  private failed(error: unknown, writes: Write[], waiting: (() => void)[]): void {
    this.committing = undefined
    if (this.closed) return
    if (!(error instanceof Lost)) {
      this.queue = [...writes, ...this.queue]
      this.waiting = [...waiting, ...this.waiting]
      this.due = true
      this.clock.after(AGAIN, () => {
        this.due = false
        this.schedule()
      })
    }
    this.trouble(error)
  }
}

function settle(waiting: readonly (() => void)[]): void {
  for (const resolve of waiting) resolve()
}
