// The walk: one value through one node. Steps check it and, where the run says so, mend it and fill defaults;
// each gives the value as it goes on, the same one where nothing changed.

import type { Key, ValueFault } from './faults.ts'
import { MAX_LINES } from './faults.ts'
import { ALL, FRACTION, INTEGER, kindOf, STRING } from './kinds.ts'
import { mended } from './mend.ts'
import type { Node, Resource } from './resource.ts'
import { typeFault } from './wording.ts'

/** A step of a node. Its value is of the kind that the step was made for. */
export type Step = (value: never, run: Run, seen: Seen | null) => unknown

/** What the steps of a node, and those of nodes applied to the same value, have looked at (for `unevaluated…`). */
export interface Seen {
  fields: Set<string>
  allFields: boolean
  /** So many items from the beginning. */
  items: number
  /** Further items, each by its place. */
  picked: Set<number>
}

/** The digits of numbers as they were written, where a number does not keep them: by holder, by key. */
export type Digits = Map<object, Map<string, string>>

/** One reading of one value. */
export interface Run {
  /** Stop at the first fault, and keep none. */
  quiet: boolean
  fill: boolean
  mend: boolean
  formats: boolean
  /** A default was filled in, if only in a branch that was not taken then. */
  filled: boolean
  /** How many faults there were. */
  count: number
  /** The first of them. */
  faults: ValueFault[]
  path: Key[]
  /** Walks that may still be made, and how many stand in one another. */
  left: number
  depth: number
  /** How many unions are being explained inside one another. */
  explaining: number
  scope: Scope
  /** Where the value at hand stands, to find its digits. */
  holder: object
  key: Key
  digits: Digits | null
  /** A fault is an integer that is not the one that was written: whatever else may take the value, it is wrong. */
  rounded: boolean
}

/** The resources that were entered on the way to a node, innermost first (for `$dynamicRef`). */
export interface Scope {
  resource: Resource
  outer: Scope | null
}

/** Thrown by a walk that goes too deep or on for too long; `read` and `check` tell it as a fault. */
export class Endless extends Error {}

/** How many nodes may stand in one another. */
export const MAX_DEPTH = 1000
/** How many nodes one reading may pass. */
const MAX_WALKS = 10_000_000

// A quiet run keeps no faults and no path, and there is one for every small value: it gets no lists of its own.
const none: never[] = []
Object.freeze(none)

/** A run that begins in `scope`. */
export function newRun(
  scope: Scope,
  {
    quiet = false,
    fill = false,
    mend = false,
    formats = false,
  }: Partial<Pick<Run, 'quiet' | 'fill' | 'mend' | 'formats'>>,
): Run {
  return {
    quiet,
    fill,
    mend,
    formats,
    filled: false,
    count: 0,
    faults: quiet ? none : [],
    path: quiet ? none : [],
    left: MAX_WALKS,
    depth: 0,
    explaining: 0,
    scope,
    holder: none,
    key: '',
    digits: null,
    rounded: false,
  }
}

export function newSeen(): Seen {
  return { fields: new Set(), allFields: false, items: 0, picked: new Set() }
}

/** The value as a node reads it. It is good exactly where the run has no further fault. */
export function walk(node: Node, value: unknown, run: Run, seen: Seen | null): unknown {
  if (run.depth >= MAX_DEPTH) throw new Endless('is nested too deeply to be read')
  if (run.left-- <= 0) throw new Endless('takes too long to be read')
  node.steps ??= node.resource.document.compile(node)
  const outer = run.scope
  if (outer.resource !== node.resource) run.scope = { resource: node.resource, outer }
  run.depth++
  const read = pass(node, node.steps, value, run, seen)
  run.depth--
  run.scope = outer
  return read
}

type Table = readonly (readonly Step[])[]

function pass(node: Node, table: Table, value: unknown, run: Run, seen: Seen | null): unknown {
  let kind = kindOf(value)
  let now = value
  if (((node.types >> kind) & 1) === 0) {
    if (run.mend) now = mended(node.types, value, run)
    if (Object.is(now, value)) {
      fault(run, () => typeFault(node, value))
      return value
    }
    kind = kindOf(now)
  } else if (kind === INTEGER && run.digits !== null && node.types !== ALL) {
    const digits = run.digits.get(run.holder)?.get(String(run.key))
    if (digits !== undefined && isRounded(digits)) {
      if ((node.types >> STRING) & 1) {
        now = digits
        kind = STRING
      } else if (((node.types >> FRACTION) & 1) === 0) {
        run.rounded = true
        fault(run, () => `expected an integer that a number holds exactly, came ${digits}`)
        return value
      }
    }
  }
  let restarted = false
  let steps = table[kind]!
  for (let i = 0; i < steps.length; i++) {
    const next = steps[i]!(now as never, run, seen)
    if (run.quiet && run.count > 0) return value
    if (next === now) continue
    now = next
    const changed = kindOf(now)
    if (changed === kind) continue
    // A reference or a branch mended the value into another kind: its steps begin once more, for that kind.
    // Where they mend it back, one of them wants a text and another a number.
    if (restarted) {
      fault(run, () => typeFault(node, value))
      return value
    }
    restarted = true
    kind = changed
    steps = table[kind]!
    i = -1
  }
  return now
}

/** Whether these are the digits of an integer that no number holds exactly: 9007199254740993. */
export function isRounded(digits: string): boolean {
  return (
    /^-?\d+$/.test(digits) && Number.isFinite(Number(digits)) && BigInt(digits) !== BigInt(Number(digits))
  )
}

/** Walks a child of the value at hand, which stands in `holder` under `key`. */
export function walkChild(node: Node, item: unknown, holder: object, key: Key, run: Run): unknown {
  if (run.quiet && !run.mend && run.digits === null) return walk(node, item, run, null)
  run.holder = holder
  run.key = key
  run.path.push(key)
  const read = walk(node, item, run, null)
  run.path.pop()
  return read
}

/** Adds a fault at the place of the run; it is worded only where it will be shown. */
export function fault(run: Run, problem: () => string, key?: Key): void {
  run.count++
  if (run.quiet || run.faults.length >= MAX_LINES) return
  run.faults.push({ path: key === undefined ? [...run.path] : [...run.path, key], problem: problem() })
}

/** What {@link attempt} gives where the node refuses the value. */
export const REFUSED: unique symbol = Symbol('refused')

/** The value as a node reads it, or {@link REFUSED}; the run's own faults stay as they are. */
export function attempt(
  node: Node,
  value: unknown,
  run: Run,
  seen: Seen | null,
  how: { fill: boolean; mend: boolean },
): unknown {
  const { quiet, fill, mend, count, holder, key } = run
  const mine = seen === null ? null : newSeen()
  run.quiet = true
  run.fill = how.fill
  run.mend = how.mend
  run.count = 0
  const read = walk(node, value, run, mine)
  const good = run.count === 0
  run.quiet = quiet
  run.fill = fill
  run.mend = mend
  run.count = count
  run.holder = holder
  run.key = key
  if (good && mine !== null && seen !== null) merge(seen, mine)
  return good ? read : REFUSED
}

const asItIs = { fill: false, mend: false }

/** Whether a node accepts a value as it stands. */
export function fits(node: Node, value: unknown, run: Run, seen: Seen | null = null): boolean {
  return attempt(node, value, run, seen, asItIs) !== REFUSED
}

/** The faults that a node finds in a value, apart from the run's own, and how many there are in all. */
export function faultsIn(node: Node, value: unknown, run: Run): { faults: ValueFault[]; total: number } {
  const { count, faults, holder, key } = run
  run.count = 0
  run.faults = []
  walk(node, value, run, null)
  const found = { faults: run.faults, total: run.count }
  run.count = count
  run.faults = faults
  run.holder = holder
  run.key = key
  return found
}

/** Adds faults that {@link faultsIn} found to the run's own. */
export function adopt(run: Run, found: { faults: readonly ValueFault[]; total: number }): void {
  run.count += found.total
  run.faults.push(...found.faults.slice(0, MAX_LINES - run.faults.length))
}

/** Notes that a copy of a holder now stands in its place, so that digits are still found. */
export function follows(copy: object, original: object, run: Run): void {
  const digits = run.digits?.get(original)
  if (digits !== undefined) run.digits!.set(copy, digits)
}

/** Adds what `from` has looked at. */
export function merge(into: Seen, from: Seen): void {
  for (const name of from.fields) into.fields.add(name)
  for (const place of from.picked) into.picked.add(place)
  into.allFields ||= from.allFields
  into.items = Math.max(into.items, from.items)
}
