// One text for one JSON value, whatever the order of its keys, and the hash of it: what a lock pins.
import { createHash } from 'node:crypto'

/** The canonical JSON of a parsed value: keys sorted by code unit, no space. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const record = value as Record<string, unknown>
  const pairs = Object.keys(record)
    .filter(key => record[key] !== undefined)
    .sort()
    .map(key => `${JSON.stringify(key)}:${canonical(record[key])}`)
  return `{${pairs.join(',')}}`
}

/** SHA-256 over the canonical JSON of `value`. */
export function hashOf(value: unknown): string {
  return `sha256-${createHash('sha256').update(canonical(value)).digest('hex')}`
}
