// The text of a call's arguments: parsed, with the digits of its numbers where they matter, or what is wrong with it.

import { quoted } from './faults.ts'
import type { Written } from './read.ts'
import { type Digits, isRounded } from './walk.ts'

/** A text that was parsed; `again` parses it once more and keeps the digits, which `rounds` says are needed. */
export type Parsed =
  | { ok: true; value: unknown; again: () => Written; rounds: boolean }
  | { ok: false; fault: string }

/** Parses a JSON text; a blank one is `{}`. */
export function parseText(text: string): Parsed {
  const trimmed = text.trim()
  if (trimmed === '')
    return { ok: true, value: {}, again: () => ({ value: {}, digits: null, holder: {} }), rounds: false }
  try {
    const value: unknown = JSON.parse(trimmed)
    return {
      ok: true,
      value,
      again: () => parseAgain(trimmed),
      rounds: LONG.test(trimmed) && rounds(trimmed),
    }
  } catch {
    const { reason, at } = findFault(trimmed)
    const before = text.slice(0, text.indexOf(trimmed) + at).split('\n')
    const where = `line ${before.length}, column ${before.at(-1)!.length + 1}`
    return { ok: false, fault: `the arguments are not valid JSON (${where}): ${reason}` }
  }
}

/** Every integer that a number cannot hold has so many digits. */
const LONG = /\d{16}/

/** Whether a number of the text is an integer that no number holds exactly. */
function rounds(text: string): boolean {
  for (const known of parseAgain(text).digits!.values())
    for (const digits of known.values()) if (isRounded(digits)) return true
  return false
}

// The third argument of the reviver has the number as it was written. Only those are kept that a number does not
// give back: 12345678901234567890, 1.10, 1e3.
function parseAgain(text: string): Written {
  const digits: Digits = new Map()
  let holder: object = {}
  const revive = function (
    this: object,
    key: string,
    value: unknown,
    context?: { source?: string },
  ): unknown {
    holder = this
    const source = context?.source
    if (typeof value !== 'number' || source === undefined || source === String(value)) return value
    const known = digits.get(this) ?? new Map<string, string>()
    digits.set(this, known.set(key, source))
    return value
  }
  const value: unknown = JSON.parse(text, revive)
  return { value, digits, holder }
}

interface TextFault {
  reason: string
  at: number
}

interface Token {
  kind: 'string' | 'scalar' | 'mark' | 'none'
  text: string
  at: number
  end: number
}

type Wants = 'value' | 'first' | 'key' | 'firstKey' | 'colon' | 'more' | 'end'

/** Where a text stops being JSON, and why. The engines' own messages differ, and quote the text at length. */
function findFault(text: string): TextFault {
  const open: string[] = []
  let wants: Wants = 'value'
  let end = 0
  for (;;) {
    const token = nextToken(text, end)
    const next: Wants | undefined = token.kind === 'none' ? undefined : after(wants, token, open)
    if (next === undefined) return { at: token.at, reason: reasonOf(text, token, expected(wants, open)) }
    wants = next
    end = token.end
  }
}

/** What may come after a token, or undefined where the token may not stand here. `open` are the open brackets. */
function after(wants: Wants, { kind, text }: Token, open: string[]): Wants | undefined {
  const inner = open.at(-1)
  const done = (): Wants => (open.length === 0 ? 'end' : 'more')
  if (kind === 'mark' && (text === '}' || text === ']')) {
    const closes = wants === 'more' || (text === '}' ? wants === 'firstKey' : wants === 'first')
    if (!closes || (inner === '{') !== (text === '}')) return undefined
    open.pop()
    return done()
  }
  if (wants === 'value' || wants === 'first') {
    if (kind !== 'mark') return done()
    if (text !== '{' && text !== '[') return undefined
    open.push(text)
    return text === '{' ? 'firstKey' : 'first'
  }
  if (wants === 'key' || wants === 'firstKey') return kind === 'string' ? 'colon' : undefined
  if (wants === 'colon') return text === ':' ? 'value' : undefined
  if (wants === 'more' && text === ',') return inner === '{' ? 'key' : 'value'
  return undefined
}

const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/y

function nextToken(text: string, from: number): Token {
  let at = from
  while (' \t\r\n'.includes(text[at] ?? '-')) at++
  const token = (kind: Token['kind'], end: number): Token => ({ kind, text: text.slice(at, end), at, end })
  const c = text[at] ?? ''
  if (c !== '' && '{}[],:'.includes(c)) return token('mark', at + 1)
  if (c === '"') return stringToken(text, at, token)
  scalar.lastIndex = at
  return scalar.test(text) ? token('scalar', scalar.lastIndex) : token('none', at)
}

function stringToken(text: string, at: number, token: (kind: Token['kind'], end: number) => Token): Token {
  for (let i = at + 1; i < text.length; i++) {
    const c = text[i]!
    if (c === '"') return token('string', i + 1)
    if (c < ' ')
      return { kind: 'none', text: 'a line end or another control character inside of a text', at: i, end: i }
    if (c !== '\\') continue
    const known = /^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.exec(text.slice(i, i + 6))
    if (known === null)
      return { kind: 'none', text: `the escape ${quoted(text.slice(i, i + 2))}`, at: i, end: i }
    i += known[0].length - 1
  }
  return { kind: 'none', text: 'a text that is not closed', at, end: at }
}

function reasonOf(text: string, token: Token, wanted: string): string {
  if (token.at >= text.length) return `it ends where ${wanted} is expected`
  if (token.kind === 'none' && token.text !== '') return `there is ${token.text}`
  const came =
    token.kind === 'none' ? text.slice(token.at).split(/[\s,:{}[\]]/, 1)[0]! || text[token.at]! : token.text
  return `expected ${wanted}, came ${token.kind === 'string' ? 'a text' : quoted(came, 20)}`
}

function expected(wants: Wants, open: readonly string[]): string {
  const close = open.at(-1) === '{' ? '}' : ']'
  const words: Record<Wants, string> = {
    value: 'a value',
    first: "a value or ']'",
    key: 'a name in double quotes',
    firstKey: "a name in double quotes or '}'",
    colon: "':'",
    more: `',' or '${close}'`,
    end: 'the end',
  }
  return words[wants]
}
