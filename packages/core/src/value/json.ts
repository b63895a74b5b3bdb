// Plain work on JSON values: equality as JSON Schema means it, copies, and fields of any name.

/** Whether two JSON values are equal: the order of fields does not matter, 1 is 1.0, and 1 is not true. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
    return a.every((item, i) => equal(item, b[i]))
  }
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  return keys.every(key => Object.hasOwn(b, key) && equal(field(a, key), field(b, key)))
}

/** A text that two JSON values share exactly when they are {@link equal}. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '0' : JSON.stringify(value)
  const keys = Object.keys(value).sort()
  return `{${keys.map(key => `${JSON.stringify(key)}:${canonical(field(value, key))}`).join()}}`
}

/** A deep copy of a JSON value. */
export function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf)
  if (typeof value !== 'object' || value === null) return value
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) setField(copy, key, copyOf(field(value, key)))
  return copy
}

/** An own field of a record, whatever its name; undefined where there is none. */
export function field(record: object, key: string): unknown {
  return Object.hasOwn(record, key) ? (record as Record<string, unknown>)[key] : undefined
}

/** Sets a field as plain data: the name `__proto__` is a field like any other. */
export function setField(record: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true })
  } else {
    record[key] = value
  }
}

/** How many code points a text has. */
export function lengthOf(text: string): number {
  let pairs = 0
  for (let i = 0; i < text.length - 1; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      pairs++
      i++
    }
  }
  return text.length - pairs
}

/** Whether a number is a multiple of another, computed on their decimal digits, so that 0.3 is one of 0.1. */
export function isMultiple(value: number, of: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(of)) return value % of === 0
  const [a, b] = [digitsOf(value), digitsOf(of)]
  const shift = Math.min(a.exponent, b.exponent)
  const scale = (n: { digits: bigint; exponent: number }) => n.digits * 10n ** BigInt(n.exponent - shift)
  return scale(a) % scale(b) === 0n
}

function digitsOf(value: number): { digits: bigint; exponent: number } {
  const [mantissa = '0', power = '0'] = value.toExponential().split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length }
}

/** Whether arrays and objects stand in one another more than `limit` deep. Needs no stack, and ends in a circle too. */
export function deeperThan(value: unknown, limit: number): boolean {
  let level = new Set([value])
  for (let depth = 0; level.size > 0; depth++) {
    if (depth > limit) return true
    const next = new Set<unknown>()
    for (const one of level) {
      if (typeof one !== 'object' || one === null) continue
      for (const child of Object.values(one)) if (typeof child === 'object' && child !== null) next.add(child)
    }
    level = next
  }
  return false
}
