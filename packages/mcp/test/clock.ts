// Time in a test's hand.
import type { Clock } from '@toolwright/core'

export function handClock(): Clock & { move(ms: number): void } {
  let now = 1_000_000
  const due = new Set<{ at: number; fn: () => void }>()
  return {
    now: () => now,
    after(ms, fn) {
      const one = { at: now + ms, fn }
      due.add(one)
      return () => due.delete(one)
    },
    move(ms) {
      now += ms
      for (const one of [...due].sort((a, b) => a.at - b.at)) if (one.at <= now && due.delete(one)) one.fn()
    },
  }
}
