// The body of an answer as a value: JSON by its content, whatever its header says.

/** A value, nothing, or what is there in place of JSON. */
export type Parsed = { kind: 'json'; value: unknown } | { kind: 'nothing' } | { kind: 'other'; text: string }

const MAX_DEPTH = 200

/** Reads a body. A byte order mark is passed over; integers beyond 2^53 come as bigint. */
export function parsed(bytes: Uint8Array, contentType: string | undefined): Parsed {
  const text = decoded(bytes, contentType)
  if (text.trim() === '') return { kind: 'nothing' }
  try {
    const value = exact(text)
    return tooDeep(value)
      ? { kind: 'other', text: `JSON that is nested more than ${MAX_DEPTH} deep` }
      : { kind: 'json', value }
  } catch {
    return { kind: 'other', text }
  }
}

function decoded(bytes: Uint8Array, contentType: string | undefined): string {
  const charset = /charset\s*=\s*"?([\w:.-]+)/i.exec(contentType ?? '')?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown

function exact(text: string): unknown {
  // The reviver costs; only so many digits can be beyond 2^53.
  if (!/\d{16}/.test(text)) return JSON.parse(text)
  const reviver: Reviver = (_key, value, { source }) =>
    typeof value === 'number' &&
    !Number.isSafeInteger(value) &&
    source !== undefined &&
    /^-?\d+$/.test(source)
      ? BigInt(source)
      : value
  return (JSON.parse as (text: string, reviver: Reviver) => unknown)(text, reviver)
}

function tooDeep(value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true
    level = level.flatMap(one => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return false
}

/** A short excerpt of a foreign text: one line, at most `most` characters. */
export function excerpt(text: string, most = 300): string {
  const line = text
    .replace(/<(script|style)\b[\s\S]*?(?:<\/\1>|$)/gi, ' ')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .toWellFormed()
  return line.length <= most ? line : `${line.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`
}
