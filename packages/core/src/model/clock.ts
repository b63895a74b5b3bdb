// Time, as the models' side sees it, so that a test can hold it in its hand.

/** What time it is, and waiting. */
export interface ApiClock {
  /** ms since 1970. */
  now(): number
  /** Resolves after `ms`, or as soon as `signal` aborts. It never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** The clock of this computer. */
export const apiClock: ApiClock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise(resolve => {
      if (signal?.aborted) return resolve()
      const timer = setTimeout(over, ms)
      signal?.addEventListener('abort', over)
      function over(): void {
        clearTimeout(timer)
        signal?.removeEventListener('abort', over)
        resolve()
      }
    }),
}
