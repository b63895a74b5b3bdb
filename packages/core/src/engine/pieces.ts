// What runs show, for those who watch them in this process.
import type { Piece } from '../define/records.ts'
import type { Clock } from './clock.ts'

/** How many pieces of a run, and of how many settled runs, can be had again. */
const PIECES = 10_000
const SETTLED = 100

interface Shown {
  first: number
  pieces: Piece[]
  settled: boolean
  readers: Set<() => void>
}

export class Pieces {
  private readonly clock: Clock
  private readonly runs = new Map<string, Shown>()
  private readonly settled: string[] = []

  constructor(clock: Clock) {
    this.clock = clock
  }

  emit(run: string, piece: Piece): void {
    const shown = this.open(run)
    shown.settled = false
    shown.pieces.push(piece)
    if (shown.pieces.length >= 2 * PIECES) {
      shown.pieces.splice(0, PIECES)
      shown.first += PIECES
    }
    wake(shown)
  }

  /** The run has settled: its readers end. */
  end(run: string): void {
    const shown = this.runs.get(run)
    if (!shown || shown.settled) return
    shown.settled = true
    wake(shown)
    this.settled.push(run)
    if (this.settled.length > SETTLED) this.runs.delete(this.settled.shift()!)
  }

  /** The run is no longer in memory, and what nobody watches is not kept for it. */
  leave(run: string): void {
    if (this.runs.get(run)?.readers.size === 0) this.runs.delete(run)
  }

  async *read(run: string, from: number): AsyncGenerator<{ at: number; piece: Piece }> {
    const shown = this.open(run)
    let at = Math.max(from, shown.first)
    let wakeUp = (): void => {}
    const reader = (): void => wakeUp()
    shown.readers.add(reader)
    try {
      for (;;) {
        at = Math.max(at, shown.first)
        const piece = shown.pieces[at - shown.first]
        if (piece) yield { at: at++, piece }
        else if (shown.settled) return
        else
          await new Promise<void>(resolve => {
            wakeUp = resolve
          })
      }
    } finally {
      shown.readers.delete(reader)
    }
  }

  /** Ends all readers. */
  close(): void {
    for (const shown of this.runs.values()) {
      shown.settled = true
      wake(shown)
    }
  }

  /**
   * From here on, pieces of the run are gathered. Positions begin at the time, so that they only grow, however often
   * a run leaves memory and comes back.
   */
  open(run: string): Shown {
    const known = this.runs.get(run)
    if (known) return known
    const shown = {
      first: this.clock.now() * 1000,
      pieces: [],
      settled: false,
      readers: new Set<() => void>(),
    }
    this.runs.set(run, shown)
    return shown
  }
}

function wake(shown: Shown): void {
  for (const reader of [...shown.readers]) reader()
}
