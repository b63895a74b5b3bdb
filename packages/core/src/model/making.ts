// A turn in the making, whatever its wire: what of it was shown, whether it was stopped, and how it ended.
import type { Turn, TurnPiece } from '../define/records.ts'
import type { Used } from './usage.ts'

/** What both readers know of a turn while it comes. `Failure` is how the wire tells of trouble. */
export class Making<Failure> {
  /** Whether anything of a turn came at all. */
  begun = false
  /** Whether the server said how the turn ended. */
  finished = false
  /** Whether any piece was shown. */
  shown = false
  /** Whether `each` asked to stop. */
  stopped = false
  /** What the server says went wrong. */
  failure: Failure | undefined
  /** What ended it before its time. */
  cut: 'length' | 'filter' | undefined
  readonly used: Used = { input: 0, tokens: 0 }
  private readonly each: (piece: TurnPiece) => boolean
  private readonly window: number

  constructor(each: (piece: TurnPiece) => boolean, window: number) {
    this.each = each
    this.window = window
  }

  show(piece: TurnPiece): void {
    if (this.stopped || piece.text === '') return
    this.shown = true
    if (!this.each(piece)) this.stopped = true
  }

  /** The turn of what was said, by now; `byForce`: it was stopped from outside. */
  made(byForce: boolean, said: Pick<Turn, 'text' | 'reasoning' | 'calls' | 'details'>): Turn {
    const turn: Turn = { ...said, window: this.window, ...this.used }
    if (byForce || this.stopped) turn.cut = 'stopped'
    else if (this.cut) turn.cut = this.cut
    return turn
  }
}
