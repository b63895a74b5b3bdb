// The slots of `toolsAtOnce`: so many tools of a conversation work at once, the others wait their turn.

import type { Soon } from '../engine/soon.ts'

/** Hands out slots, first come first served. */
export class Slots {
  private free: number
  private readonly waiting: (() => void)[] = []

  constructor(count: number) {
    this.free = count
  }

  /** Nothing where a slot was free; else a promise that resolves when one is. */
  take(): Soon<void> {
    if (this.free > 0) {
      this.free--
      return
    }
    return new Promise(resolve => this.waiting.push(resolve))
  }

  give(): void {
    const next = this.waiting.shift()
    if (next) next()
    else this.free++
  }
}
