// Stopping: a run, and every call in it, can be stopped; stopping one stops all inside it.
// An AbortSignal is made only where somebody asks for one, because making them costs more than a call.

/** Can be stopped once; tells whoever listens, and everything inside it. */
export class Stop {
  stopped: boolean
  private readonly listeners = new Set<() => void>()
  private readonly leave: (() => void) | undefined
  private controller: AbortController | undefined

  /** Inside `around`, which stops this too. */
  constructor(around?: Stop) {
    this.stopped = around?.stopped ?? false
    this.leave = this.stopped ? undefined : around?.listen(() => this.stop())
  }

  stop(): void {
    if (this.stopped) return
    this.stopped = true
    this.leave?.()
    this.controller?.abort()
    for (const listener of [...this.listeners]) listener()
    this.listeners.clear()
  }

  /** Calls `listener` when it is stopped, or soon where it already is; gives the function that ends that. */
  listen(listener: () => void): () => void {
    if (this.stopped) queueMicrotask(listener)
    else this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }

  /** Its work has ended: nothing around it needs to reach it any more. */
  end(): void {
    this.leave?.()
  }

  get signal(): AbortSignal {
    if (!this.controller) {
      this.controller = new AbortController()
      if (this.stopped) this.controller.abort()
    }
    return this.controller.signal
  }
}
