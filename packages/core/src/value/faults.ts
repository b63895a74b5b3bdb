// The words of faults: one line each, short whatever came, and on one line whatever stands in it.

/** A step of a path: the name of a field, or the place in a list. */
export type Key = string | number

/** What is wrong at a place of a value. */
export interface ValueFault {
  path: readonly Key[]
  problem: string
}

/** The most lines that a bad value of any size gives. */
export const MAX_LINES = 20

const valueCap = 60
const pathCap = 160
const lineCap = 600
const listCap = 12

// Control characters, line ends and marks that turn text around, which JSON.stringify leaves as they are.
const unsafe = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** A text in quotes, escaped, cut at `cap` characters. */
export function quoted(text: string, cap = valueCap): string {
  const shown = text.length > cap ? `${text.slice(0, cap)}…` : text
  return escaped(JSON.stringify(shown)) + (text.length > cap ? ` (${text.length} characters)` : '')
}

/** A text on one line: what could break out of it is written as an escape. */
export function escaped(text: string): string {
  return text.replace(unsafe, c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** A value as a fault shows it. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value))
    return value.length === 0 ? 'an empty array' : `an array of ${count(value.length, 'item')}`
  if (typeof value === 'object' && value !== null) return value instanceof Date ? 'a Date' : 'an object'
  if (typeof value === 'bigint' || typeof value === 'function' || typeof value === 'symbol')
    return `a ${typeof value}`
  return value === undefined ? 'nothing' : String(value)
}

/** A value that a schema states (a const, one of an enum), as a fault shows it. */
export function stated(value: unknown): string {
  if (typeof value !== 'object' || value === null) return shown(value)
  const text = escaped(JSON.stringify(value) ?? '')
  return text.length > valueCap ? `${text.slice(0, valueCap)}…` : text
}

/** `a or b`, `a, b or c`; of many the first ones and how many more. */
export function oneOf(texts: readonly string[]): string {
  if (texts.length > listCap) return `${texts.slice(0, listCap).join(', ')} or ${texts.length - listCap} more`
  if (texts.length < 2) return texts[0] ?? 'nothing'
  return `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}`
}

/** `1 item`, `2 items`. */
export function count(n: number, thing: string): string {
  return `${n} ${thing}${n === 1 ? '' : 's'}`
}

const plainName = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u

/** A path as `list[0].y`; the value itself is `the value`, and of a long path the end is shown. */
export function placeOf(path: readonly Key[]): string {
  let text = ''
  let first = path.length
  while (first > 0 && text.length < pathCap) {
    const key = path[--first]!
    text = (typeof key === 'number' ? `[${key}]` : nameOf(key, first === 0)) + text
  }
  return first > 0 ? `…${text}` : text || 'the value'
}

function nameOf(key: string, first: boolean): string {
  if (key.length > valueCap || !plainName.test(key)) return `[${quoted(key)}]`
  return first ? key : `.${key}`
}

/** A fault as one line. */
export function lineOf(fault: ValueFault): string {
  const line = `${placeOf(fault.path)}: ${fault.problem}`
  return line.length > lineCap ? `${line.slice(0, lineCap)}…` : line
}

/** Faults as at most {@link MAX_LINES} lines; `total` counts those that were not kept too. */
export function linesOf(faults: readonly ValueFault[], total: number): string[] {
  if (total <= MAX_LINES) return faults.slice(0, MAX_LINES).map(lineOf)
  const kept = faults.slice(0, MAX_LINES - 1).map(lineOf)
  return [...kept, `… and ${total - kept.length} more`]
}
