// A clock for tests: time stands still until nothing else can happen, then it jumps to whatever is due next.
import type { Clock } from '../../src/engine/clock.ts'

interface Timer {
  due: number
  fn: () => void
}

/** Time that moves by itself, but only when every promise has settled that can. Nobody sleeps. */
export function jumpingClock(start = Date.UTC(2026, 0, 1)): Clock & { advance(ms: number): void } {
  let now = start
  let armed = false
  const timers = new Set<Timer>()
  const jump = (): void => {
    armed = false
    let next: Timer | undefined
    for (const timer of timers) if (!next || timer.due < next.due) next = timer
    if (!next) return
    timers.delete(next)
    now = Math.max(now, next.due)
    next.fn()
    arm()
  }
  // Two turns of the event loop: whatever is settled by then settles by itself.
  const arm = (): void => {
    if (armed || timers.size === 0) return
    armed = true
    setImmediate(() => setImmediate(jump))
  }
  return {
    now: () => now,
    after(ms, fn) {
      if (ms === Number.POSITIVE_INFINITY) return () => {}
      const timer = { due: now + ms, fn }
      timers.add(timer)
      arm()
      return () => timers.delete(timer)
    },
    advance(ms) {
      now += ms
    },
  }
}
