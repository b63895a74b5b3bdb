// Reads a regular expression that the engine has already accepted into parts, as far as its bounds need it.

/** A part of a regular expression. */
export type Part =
  /** One character; `source` is a regular expression that matches it, or `text` the character itself. */
  | { kind: 'one'; source: string; text: string | undefined }
  | { kind: 'edge'; at: '^' | '$' | 'b' | 'B' }
  | { kind: 'sequence'; parts: readonly Part[] }
  | { kind: 'choice'; parts: readonly Part[] }
  | { kind: 'repeat'; inner: Part; min: number; max: number }
  | { kind: 'look'; inner: Part }
  | { kind: 'back' }

/** The parts of a valid regular expression, or undefined where it has syntax that is not known here. */
export function parseRegex(source: string, unicode: boolean): Part | undefined {
  const reader = { source, at: 0, unicode }
  const part = choice(reader)
  return reader.at === source.length ? part : undefined
}

interface Reader {
  readonly source: string
  readonly unicode: boolean
  at: number
}

function choice(reader: Reader): Part | undefined {
  const parts: Part[] = []
  do {
    const part = sequence(reader)
    if (part === undefined) return undefined
    parts.push(part)
  } while (take(reader, '|'))
  return parts.length === 1 ? parts[0] : { kind: 'choice', parts }
}

function sequence(reader: Reader): Part | undefined {
  const parts: Part[] = []
  while (reader.at < reader.source.length && !'|)'.includes(reader.source[reader.at]!)) {
    const one = atom(reader)
    if (one === undefined) return undefined
    parts.push(repeated(reader, one))
  }
  return { kind: 'sequence', parts }
}

function repeated(reader: Reader, inner: Part): Part {
  const found = /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/.exec(reader.source.slice(reader.at, reader.at + 40))
  if (found === null) return inner
  reader.at += found[0].length
  const [, sign, least, comma, most] = found
  if (sign !== undefined)
    return { kind: 'repeat', inner, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity }
  const min = Number(least)
  const max = comma === undefined ? min : most === '' ? Number.POSITIVE_INFINITY : Number(most)
  return { kind: 'repeat', inner, min, max }
}

function atom(reader: Reader): Part | undefined {
  const { source, at } = reader
  const c = source[at]!
  if (c === '(') return group(reader)
  if (c === '[') return characterClass(reader)
  if (c === '\\') return escapeOf(reader)
  const text = reader.unicode ? String.fromCodePoint(source.codePointAt(at)!) : c
  reader.at += text.length
  if (c === '^' || c === '$') return { kind: 'edge', at: c }
  return c === '.' ? { kind: 'one', source: '.', text: undefined } : { kind: 'one', source: text, text }
}

function group(reader: Reader): Part | undefined {
  const opening = /^\((?:\?(?:(:)|(=|!|<=|<!)|<[^>]*>))?/.exec(reader.source.slice(reader.at))!
  if (opening[0] === '(' && reader.source[reader.at + 1] === '?') return undefined
  reader.at += opening[0].length
  const inner = choice(reader)
  if (inner === undefined || !take(reader, ')')) return undefined
  return opening[2] === undefined ? inner : { kind: 'look', inner }
}

function characterClass(reader: Reader): Part | undefined {
  const start = reader.at
  for (reader.at++; reader.at < reader.source.length; reader.at++) {
    const c = reader.source[reader.at]
    if (c === '\\') reader.at++
    else if (c === ']') {
      reader.at++
      return { kind: 'one', source: reader.source.slice(start, reader.at), text: undefined }
    }
  }
  return undefined
}

const escapes =
  /^\\(?:[pP]\{[^}]*\}|u\{[0-9a-fA-F]+\}|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[a-zA-Z]|.)/s

function escapeOf(reader: Reader): Part | undefined {
  const rest = reader.source.slice(reader.at, reader.at + 80)
  const next = rest[1]!
  if (next === 'b' || next === 'B') {
    reader.at += 2
    return { kind: 'edge', at: next }
  }
  const back = /^\\(?:[1-9]\d*|k<[^>]*>)/.exec(rest)
  if (back !== null) {
    reader.at += back[0].length
    return { kind: 'back' }
  }
  const written = escapes.exec(rest)?.[0]
  if (written === undefined) return undefined
  reader.at += written.length
  return { kind: 'one', source: written, text: undefined }
}

function take(reader: Reader, c: string): boolean {
  if (reader.source[reader.at] !== c) return false
  reader.at++
  return true
}
