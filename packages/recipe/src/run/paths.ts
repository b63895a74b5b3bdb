// Dot paths through an answer: through a list a path maps, a number picks an entry.
import { isIndex } from '../document/dotted.ts'

/** A record without names of its own, so that a field of any name is a field. */
type Branch = { children: Map<string, Branch>; whole: boolean }

function branchOf(paths: readonly (readonly string[])[]): Branch {
  const root: Branch = { children: new Map(), whole: false }
  for (const path of paths) {
    let now = root
    for (const key of path) {
      const next = now.children.get(key) ?? { children: new Map(), whole: false }
      now.children.set(key, next)
      now = next
    }
    now.whole = true
  }
  return root
}

/** What is not there. */
const NONE: unique symbol = Symbol('none')

/**
 * The part of a value that paths reach, its structure kept: lists stay lists, and with `places` the entries that no
 * path reaches keep their place as null, so that the same paths reach the same values again.
 */
export function part(value: unknown, paths: readonly (readonly string[])[], places = false): unknown {
  const found = select(value, branchOf(paths), places)
  return found === NONE ? undefined : found
}

function select(value: unknown, branch: Branch, places: boolean): unknown | typeof NONE {
  if (branch.whole) return value
  if (typeof value !== 'object' || value === null) return NONE
  if (Array.isArray(value)) return selectList(value, branch, places)
  const record: Record<string, unknown> = {}
  for (const [key, child] of branch.children) {
    if (!Object.hasOwn(value, key)) continue
    const found = select((value as Record<string, unknown>)[key], child, places)
    if (found !== NONE) setField(record, key, found)
  }
  return record
}

function selectList(list: readonly unknown[], branch: Branch, places: boolean): unknown {
  const mapped = [...branch.children].filter(([key]) => !isIndex(key))
  const picked = [...branch.children].filter(([key]) => isIndex(key))
  const through: Branch = { children: new Map(mapped), whole: false }
  const entries = list.map((entry, i) => {
    const own = picked.find(([key]) => Number(key) === i)?.[1]
    if (!own) return mapped.length > 0 ? select(entry, through, places) : NONE
    if (mapped.length === 0) return select(entry, own, places)
    return select(entry, merged(own, through), places)
  })
  return entries.flatMap(entry => (entry === NONE ? (places ? [null] : []) : [entry]))
}

function merged(a: Branch, b: Branch): Branch {
  const children = new Map(a.children)
  for (const [key, child] of b.children) {
    const other = children.get(key)
    children.set(key, other ? merged(other, child) : child)
  }
  return { children, whole: a.whole || b.whole }
}

/** Sets a field as plain data: `__proto__` is a field like any other. */
export function setField(record: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true })
}

/** Every value that a path reaches, in order: many where it goes through a list. */
export function reached(value: unknown, keys: readonly string[]): unknown[] {
  const [key, ...rest] = keys
  if (key === undefined) return [value]
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value))
    return isIndex(key)
      ? Number(key) < value.length
        ? reached(value[Number(key)], rest)
        : []
      : value.flatMap(entry => reached(entry, keys))
  return Object.hasOwn(value, key) ? reached((value as Record<string, unknown>)[key], rest) : []
}

/** Whether a path goes through a list other than by a number. */
export function mapsList(value: unknown, keys: readonly string[]): boolean {
  const [key, ...rest] = keys
  if (key === undefined || typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return !isIndex(key) || mapsList(value[Number(key)], rest)
  return Object.hasOwn(value, key) && mapsList((value as Record<string, unknown>)[key], rest)
}
