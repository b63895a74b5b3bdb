// Reading the keys of an object of a document: those that are none, that are missing, and of the wrong kind.
import { below, type Faults, kindOf, short } from './faults.ts'

export type Fields = { readonly [key: string]: unknown }

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object at `pointer`, or a fault. Keys that `known` does not list are faults; `mends` answers habits. */
export function objectAt(
  value: unknown,
  pointer: string,
  known: readonly string[],
  faults: Faults,
  mends: Readonly<Record<string, string>> = {},
): Fields | undefined {
  if (!isObject(value)) {
    const code = pointer === '' ? 'T4001' : value === undefined ? 'T4003' : 'T4004'
    faults.add(pointer, code, `is ${kindOf(value)}, not an object`, `write { ${known[0]}: … }`)
    return undefined
  }
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue
    const mend = Object.hasOwn(mends, key) ? mends[key]! : nearest(key, known)
    faults.add(below(pointer, key), 'T4002', `${short(key)} is no key here`, mend)
  }
  return value
}

function nearest(key: string, known: readonly string[]): string {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '')
  const near = known.find(one => plain(one) === plain(key) || distance(plain(one), plain(key)) <= 2)
  return near ? `did you mean ${near}?` : `the keys are ${known.join(', ')}`
}

function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 9
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    row = next
  }
  return row[b.length]!
}

/** The choice at `key`: one of `choices`, or a fault. */
export function choiceAt<const T extends string>(
  object: Fields,
  key: string,
  pointer: string,
  choices: readonly T[],
  faults: Faults,
): T | undefined {
  const value = object[key]
  if (choices.includes(value as T)) return value as T
  const list = choices.map(one => JSON.stringify(one)).join(', ')
  if (value === undefined) faults.add(pointer, 'T4003', `${key} is missing`, `write "${key}": one of ${list}`)
  else faults.add(below(pointer, key), 'T4004', `is ${kindOf(value)}`, `write one of ${list}`)
  return undefined
}

/** true or false at `key`; `otherwise` where it is absent. */
export function flagAt(
  object: Fields,
  key: string,
  pointer: string,
  otherwise: boolean,
  faults: Faults,
): boolean {
  const value = object[key]
  if (value === undefined) return otherwise
  if (typeof value === 'boolean') return value
  faults.add(below(pointer, key), 'T4004', `is ${kindOf(value)}`, 'write true or false')
  return otherwise
}

/** The list at `key`; undefined with a fault where it is none, and [] where it may be and is absent. */
export function listAt(
  object: Fields,
  key: string,
  pointer: string,
  faults: Faults,
  required = false,
): readonly unknown[] | undefined {
  const value = object[key]
  if (Array.isArray(value)) return value
  // Editors write null for what is empty.
  if ((value === undefined || value === null) && !required) return []
  if (value === undefined) faults.add(pointer, 'T4003', `${key} is missing`, `write "${key}": []`)
  else faults.add(below(pointer, key), 'T4004', `is ${kindOf(value)}, not a list`, 'write a list: [ … ]')
  return undefined
}
