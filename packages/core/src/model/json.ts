// Looking into JSON that a stranger wrote.
import type { Json } from '../define/records.ts'

export type Fields = { readonly [key: string]: Json | undefined }

/** The value as a record, or undefined where it is none. */
export function fields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}

/** The value as a list; a single record counts as a list of one. */
export function list(value: unknown): readonly Json[] {
  if (Array.isArray(value)) return value
  return fields(value) ? [value as Json] : []
}

/** The value as a finite number that is not negative, also where it is written as a text; else undefined. */
export function count(value: unknown): number | undefined {
  const n = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof n === 'number' && Number.isFinite(n) && n >= 0 ? n : undefined
}

/** The text as JSON, or undefined where it is none. */
export function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Adds `from` to `to`, records within records too. A null never replaces anything. */
export function merge(to: Record<string, Json>, from: Fields): void {
  for (const key of Object.keys(from)) {
    const value = from[key]
    if (value === undefined || key === '__proto__') continue
    const there = to[key]
    const inner = fields(value)
    if (inner && fields(there)) merge(there as Record<string, Json>, inner)
    else if (value !== null || there === undefined) to[key] = value
  }
}

/** Half a surrogate pair is no Unicode: strict servers refuse the whole request for it. */
export function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed()
}
