// Time comes from a clock that is handed in, so that tests move it and never sleep.

/** What the runtime asks of time. */
export interface Clock {
  /** ms since 1970. */
  now(): number
  /** Calls `fn` once after `ms`; gives the function that calls it off. */
  after(ms: number, fn: () => void): () => void
}

const FAR = 2 ** 31 - 1

/** The clock of the machine. Waits longer than a timer can hold are taken in slices. */
export const realClock: Clock = {
  now: () => Date.now(),
  after(ms, fn) {
    if (ms === Number.POSITIVE_INFINITY) return () => {}
    let left = ms
    let timer: ReturnType<typeof setTimeout>
    const arm = (): void => {
      const slice = Math.min(left, FAR)
      left -= slice
      timer = setTimeout(left > 0 ? arm : fn, slice)
    }
    arm()
    return () => clearTimeout(timer)
  },
}
