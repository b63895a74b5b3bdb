// The one retry layer: nothing above it asks a model twice for one turn.
import type { ToolwrightError } from '../errors.ts'
import type { ApiClock } from './clock.ts'
import { count } from './json.ts'

/** The longest wait that a server may ask for, in ms. Asked for more, the turn fails at once with the server's words. */
export const LONGEST_WAIT = 60_000

/** What became of one try: its value, or the error and whether another try may help (after `wait` ms, where the server said so). */
export type Tried<T> = { value: T } | { error: ToolwrightError; again: boolean; wait?: number | undefined }

/** Tries up to `tries` times. Answers undefined where `signal` aborts a wait; throws the last error. */
export async function retried<T>(
  attempt: (n: number) => Promise<Tried<T>>,
  { tries, clock, signal }: { tries: number; clock: ApiClock; signal: AbortSignal },
): Promise<T | undefined> {
  for (let n = 1; ; n++) {
    const tried = await attempt(n)
    if ('value' in tried) return tried.value
    const wait = tried.wait ?? 0
    if (!tried.again || n >= tries || wait > LONGEST_WAIT) throw tried.error
    await clock.sleep(Math.max(wait, backoff(n)), signal)
    if (signal.aborted) return undefined
  }
}

/** 0.5 s, 1 s, 2 s … at most 8 s, less a random part of up to a half, so that many clients do not come back at once. */
export function backoff(n: number, random: () => number = Math.random): number {
  return Math.min(500 * 2 ** (n - 1), 8_000) * (1 - random() / 2)
}

/** How long a server asks to wait, in ms: retry-after-ms, or Retry-After in seconds or as an HTTP date. Undefined where it does not say. */
export function askedWait(headers: Headers, now: number): number | undefined {
  const exact = count(headers.get('retry-after-ms') ?? undefined)
  if (exact !== undefined) return exact
  const said = headers.get('retry-after')?.trim()
  if (!said) return undefined
  const seconds = count(said)
  if (seconds !== undefined) return seconds * 1000
  // A number that is no wait (negative, infinite) must not be read as a year.
  const date = /[a-z]/i.test(said) ? Date.parse(said) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
