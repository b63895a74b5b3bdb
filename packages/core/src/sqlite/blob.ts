// Large values: kept once a run, and referred to by their hash.
import { createHash } from 'node:crypto'
import type { Base, Line } from './base.ts'

/** Values of more bytes stand in a table of their own. */
const LARGE = 256 * 1024

/** Where a value stands: itself, or the hash under which it is kept. */
export function place(
  base: Base,
  run: string,
  value: string,
): [value: string | null, blob: Uint8Array | null] {
  if (value.length * 3 <= LARGE || Buffer.byteLength(value) <= LARGE) return [value, null]
  const hash = createHash('sha256').update(value).digest()
  base.run('insert or ignore into blobs (run, hash, value) values (?, ?, ?)', run, hash, value)
  return [null, hash]
}

/** The value of a line that was read together with its blob. */
export function valueIn(line: Line): string {
  return String(line['value'] ?? line['large'])
}
