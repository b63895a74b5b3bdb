// Reading a value by a JSON Schema: it is checked, mended where that is exact, and its defaults are filled in.

import type { JsonSchema } from '../define/records.ts'
import { compile } from './compile.ts'
import { linesOf, type ValueFault } from './faults.ts'
import type { Document } from './resource.ts'
import { openDocument } from './resource.ts'
import type { Digits, Run } from './walk.ts'
import { Endless, newRun, REFUSED, walk } from './walk.ts'

/** A value as it was read, or what is wrong with it: at most 20 lines, `path: what was expected, what came`. */
export type Read<T> = { ok: true; value: T } | { ok: false; faults: string[] }

export interface ReadOptions {
  /** Check `format` where it is date, time, date-time, uuid, email or uri. Default false: it is a remark only. */
  formats?: boolean
}

/** What {@link readFaults} gives: the faults with their paths, and how many there are in all. */
export interface Found {
  ok: false
  faults: readonly ValueFault[]
  total: number
  /** The value with each part mended that could be. */
  mended: unknown
  /** An integer in the text is none that a number holds: see {@link Run.rounded}. */
  rounded?: boolean
}

/** How {@link readFaults} reads. */
export interface Reading extends ReadOptions {
  /** Fill in defaults [true]. */
  fill?: boolean
  /** Gives the value once more with its digits, to be mended. */
  again?: (() => Written) | undefined
  /** The value alone is not what was written: an integer in it was rounded. */
  rounds?: boolean | undefined
}

/** A value with the digits of its numbers, and the holder under whose key '' it stands itself. */
export interface Written {
  value: unknown
  digits: Digits | null
  holder: object
}

/**
 * Reads a value by a JSON Schema (draft 2020-12, or 7 where `$schema` says so). A value that fits as it stands
 * comes back as it is, apart from defaults; another is mended where that is exact and where it fits then.
 * The value itself is never changed. Never throws. A schema must not be changed after it was first used.
 */
export function read(schema: JsonSchema, value: unknown, options: ReadOptions = {}): Read<unknown> {
  return told(readFaults(schema, value, options))
}

/** Whether a value fits a JSON Schema as it stands, with nothing mended or filled in; else its faults. */
export function check(schema: JsonSchema, value: unknown, options: ReadOptions = {}): Read<unknown> {
  return told(readAsItIs(schema, value, options.formats ?? false))
}

/** {@link check} with its faults unworded. */
export function readAsItIs(
  schema: JsonSchema,
  value: unknown,
  formats = false,
): { ok: true; value: unknown } | Found {
  try {
    const { start } = documentOf(schema)
    return accepts(start, value, formats) ? { ok: true, value } : faultsOf(start, value, formats)
  } catch (error) {
    return endless(error, value)
  }
}

function told(read: { ok: true; value: unknown } | Found): Read<unknown> {
  return read.ok ? read : { ok: false, faults: linesOf(read.faults, read.total) }
}

/** {@link read} with its faults unworded. */
export function readFaults(
  schema: JsonSchema,
  value: unknown,
  { formats = false, fill = true, again, rounds = false }: Reading = {},
): { ok: true; value: unknown } | Found {
  try {
    const { glance, start } = documentOf(schema)
    if (glance?.(value) && !rounds) return { ok: true, value }
    if (rounds && again) return mendAll(start, again(), formats, fill)
    const filled = fill ? filledIn(start, value, formats) : REFUSED
    if (filled !== REFUSED) return { ok: true, value: filled }
    // It may be that it only does not fit with its defaults (maxProperties, say): then it stays without them.
    if (accepts(start, value, formats)) return { ok: true, value }
    return mendAll(start, again?.() ?? { value, digits: null, holder: {} }, formats, fill)
  } catch (error) {
    return endless(error, value)
  }
}

type Start = Document['start']

// A default can make room for another, and what was filled in must fit as well: walked until nothing changes. A branch
// that was refused for its defaults alone may still take the value as it is, and be one too many.
function filledIn({ node, scope }: Start, value: unknown, formats: boolean): unknown {
  let now = value
  for (let i = 0; i < 8; i++) {
    const run = newRun(scope, { quiet: true, fill: true, formats })
    const next = walk(node, now, run, null)
    if (run.count > 0) return REFUSED
    if (next === now) return run.filled && !accepts({ node, scope }, now, formats) ? REFUSED : now
    now = next
  }
  return REFUSED
}

function mendAll(
  start: Start,
  { value, digits, holder }: Written,
  formats: boolean,
  mayFill: boolean,
): { ok: true; value: unknown } | Found {
  for (const fill of mayFill ? [true, false] : [false]) {
    const run = newRun(start.scope, { fill, mend: true, formats })
    Object.assign(run, { digits, holder })
    const mended = walk(start.node, value, run, null)
    if (run.count > 0) return found(run, mended)
    const filled = fill ? filledIn(start, mended, formats) : REFUSED
    if (filled !== REFUSED) return { ok: true, value: filled }
    if (!fill && accepts(start, mended, formats)) return { ok: true, value: mended }
  }
  // Each part could be mended, but the parts together do not fit: the value is told as it came.
  return faultsOf(start, value, formats)
}

function accepts({ node, scope }: Start, value: unknown, formats: boolean): boolean {
  const run = newRun(scope, { quiet: true, formats })
  walk(node, value, run, null)
  return run.count === 0
}

function faultsOf({ node, scope }: Start, value: unknown, formats: boolean): Found {
  const run = newRun(scope, { formats })
  walk(node, value, run, null)
  return found(run, value)
}

function found(run: Run, mended: unknown): Found {
  return { ok: false, faults: run.faults, total: run.count, mended, rounded: run.rounded }
}

// The engine's own stack can end before our count does, where the caller stands deep in it already.
function endless(error: unknown, value: unknown): Found {
  if (!(error instanceof Endless) && !(error instanceof RangeError)) throw error
  const problem = error instanceof Endless ? error.message : 'is nested too deeply to be read'
  return { ok: false, faults: [{ path: [], problem }], total: 1, mended: value }
}

const documents = new WeakMap<object, Document>()

export function documentOf(schema: JsonSchema): Document {
  if (typeof schema !== 'object') return openDocument(schema, compile)
  let document = documents.get(schema)
  if (document === undefined) {
    document = openDocument(schema, compile)
    documents.set(schema, document)
  }
  return document
}

/** What is wrong with a schema itself: patterns that are none, references that lead nowhere. Compiles all of it. */
export function wrongIn(schema: JsonSchema): { at: string; problem: string }[] {
  const reached = new Set([documentOf(schema).start.node])
  const wrong: { at: string; problem: string }[] = []
  // The set grows while it is gone through.
  for (const node of reached) {
    node.steps ??= compile(node)
    for (const { keyword, problem } of node.wrong) wrong.push({ at: `${node.at}/${keyword}`, problem })
    for (const next of node.next) reached.add(next)
  }
  return wrong
}
