// Words as they are gathered, up to a limit: what is over it is dropped, and said.
import { plain } from '../text.ts'

/** Thrown into a reader when enough is gathered. */
export class Full extends Error {}

/** Words as they are gathered. It has a life: it fills up. */
export class Sheaf {
  readonly notes: string[] = []
  length = 0
  readonly #most: number
  readonly #parts: string[] = []

  constructor(most: number) {
    this.#most = most
  }

  /** Adds words; throws {@link Full} where they are over the limit, with the beginning of them kept. */
  add(words: string): void {
    const clean = plain(words)
    const left = this.#most - this.length
    const kept = clean.length > left ? clean.slice(0, left) : clean
    this.#parts.push(kept)
    this.length += kept.length
    if (kept.length < clean.length) throw new Full()
  }

  /** Does `read`, and notes it where the words were too many. */
  fill(read: () => void): void {
    try {
      read()
    } catch (error) {
      this.overfull(error)
    }
  }

  /** Notes that the words were too many; throws any other error again. */
  overfull(error: unknown): void {
    if (!(error instanceof Full)) throw error
    const most = this.#most.toLocaleString('en')
    this.notes.push(`Only its first ${most} characters were read.`)
  }

  text(): string {
    return this.#parts.join('')
  }
}

/** '3', '3 to 5', '3 to 5 and 9': numbers in rising order. */
export function ranges(numbers: readonly number[]): string {
  const spans: [from: number, to: number][] = []
  for (const n of numbers) {
    const last = spans.at(-1)
    if (last && last[1] === n - 1) last[1] = n
    else spans.push([n, n])
  }
  const told = spans.slice(0, 20).map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`))
  if (spans.length > 20) told.push('others')
  const last = told.pop() ?? ''
  return told.length === 0 ? last : `${told.join(', ')} and ${last}`
}
