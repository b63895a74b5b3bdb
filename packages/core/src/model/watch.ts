// One exchange with a server is given up when its caller stops it, or when the server is silent for too long.
import { type ApiClock, apiClock } from './clock.ts'

export interface Watch {
  /** Aborts when the exchange is given up. */
  readonly signal: AbortSignal
  /** Why it was given up: 'stopped' by its caller, or 'silent' for too long. */
  readonly why: 'stopped' | 'silent' | undefined
  /** Resolves with `undefined` when it is given up: to be raced against whatever may hang. */
  readonly given: Promise<undefined>
  /** A byte came; from now on the server may be silent for `idle` ms (0: for ever). */
  touch(idle: number): void
  /** The exchange is over, one way or the other: nothing is left running. */
  end(): void
}

/** Watches an exchange that begins now. */
export function watch(outer: AbortSignal, idle: number, clock: ApiClock = apiClock): Watch {
  const own = new AbortController()
  let why: Watch['why']
  let resolve: (value: undefined) => void = () => {}
  const given = new Promise<undefined>(r => {
    resolve = r
  })
  let since = clock.now()
  let allowed = idle
  let sleeping: AbortController | undefined
  let over = false
  let guarding = false

  function giveUp(reason: 'stopped' | 'silent'): void {
    if (over) return
    why = reason
    close()
    own.abort()
    resolve(undefined)
  }
  const stop = () => giveUp('stopped')

  function close(): void {
    over = true
    outer.removeEventListener('abort', stop)
    sleeping?.abort()
  }

  // One timer for the whole exchange: it wakes, looks when the last byte came, and sleeps for the rest.
  async function guard(): Promise<void> {
    guarding = true
    while (!over && allowed > 0) {
      const left = since + allowed - clock.now()
      if (left <= 0) return giveUp('silent')
      sleeping = new AbortController()
      await clock.sleep(left, sleeping.signal)
    }
    guarding = false
  }

  outer.addEventListener('abort', stop)
  if (outer.aborted) stop()
  else void guard()
  return {
    signal: own.signal,
    given,
    get why() {
      return why
    },
    touch(next) {
      since = clock.now()
      if (next === allowed) return
      allowed = next
      if (guarding) sleeping?.abort()
      else if (!over) void guard()
    },
    end: close,
  }
}
