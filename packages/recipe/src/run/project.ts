// What the agent sees of an answer: the fields that the recipe names, cut to its limit, and nothing else.
import type { Plan } from '../document/plan.ts'
import { part, setField } from './paths.ts'

/** What is known of a source when the agent is told. */
export interface Seen {
  status: number
  value: unknown
  /** There was no body. */
  nothing: boolean
  /** A loop that was cut: how many entries it went through, of how many. */
  cut?: { shown: number; total: number }
  /** Entries of a loop whose requests failed. */
  failed?: number
}

/** How long a text may be that the agent sees, in characters. */
const LONGEST = 2_000

/** What the agent is told of the answers. */
export function project(plan: Plan, seen: ReadonlyMap<string, Seen>): Record<string, unknown> {
  const letters = [...new Set(plan.fields.map(({ source }) => source))]
    .filter(letter => seen.has(letter))
    .sort()
  const last = plan.sources.at(-1)!.letter
  const about = notes(seen)
  if (letters.length === 0) return { ok: true, ...statusOf(seen.get(last)), ...about }
  const shown = letters.map(letter => [letter, showSource(plan, letter, seen.get(letter)!)] as const)
  const cuts = shown.flatMap(([, { cut }]) => cut ?? [])
  const told = { ...about, ...(cuts[0] ? cutOf(cuts[0], about) : {}) }
  const [[first, only] = [undefined, undefined]] = shown
  if (shown.length === 1 && (first === last || plan.fields.every(({ source }) => source === first))) {
    const whole = only!.nothing ? { ok: true, ...statusOf(seen.get(first!)) } : only!.value
    return { ...(isRecord(whole) ? whole : whole === undefined ? {} : { items: whole }), ...told }
  }
  return { ...Object.fromEntries(shown.map(([letter, { value }]) => [letter, value ?? null])), ...told }
}

function cutOf(
  cut: { shown: number; total: number },
  about: { total?: number },
): { shown: number; total: number } {
  return { shown: cut.shown, total: Math.max(cut.total, about.total ?? 0) }
}

function statusOf(seen: Seen | undefined): { status?: number } {
  return seen?.nothing ? { status: seen.status } : {}
}

function notes(seen: ReadonlyMap<string, Seen>): { shown?: number; total?: number; failed?: number } {
  const all = [...seen.values()]
  const cut = all.find(one => one.cut)?.cut
  const failed = all.reduce((sum, one) => sum + (one.failed ?? 0), 0)
  return { ...cut, ...(failed > 0 ? { failed } : {}) }
}

interface Shown {
  value: unknown
  nothing: boolean
  cut?: { shown: number; total: number }
}

function showSource(plan: Plan, letter: string, { value, nothing }: Seen): Shown {
  if (nothing) return { value: undefined, nothing: true }
  const paths = plan.fields.filter(({ source }) => source === letter).map(({ keys }) => keys)
  const found = part(value, paths)
  if (plan.limit === null) return { value: clean(found), nothing: false }
  const { value: short, cut } = limited(found, paths, plan.limit)
  return { value: clean(short), nothing: false, ...(cut ? { cut } : {}) }
}

/** Cuts the outermost list on each path. */
function limited(
  value: unknown,
  paths: readonly (readonly string[])[],
  limit: number,
): { value: unknown; cut?: { shown: number; total: number } } {
  let cut: { shown: number; total: number } | undefined
  const along = (now: unknown, keys: readonly (readonly string[])[]): unknown => {
    if (Array.isArray(now)) {
      if (now.length <= limit) return now
      // Of several lists the longest says how much there is.
      if (!cut || now.length > cut.total) cut = { shown: limit, total: now.length }
      return now.slice(0, limit)
    }
    if (!isRecord(now)) return now
    const copy: Record<string, unknown> = {}
    for (const [key, one] of Object.entries(now)) {
      const below = keys.filter(path => path[0] === key).map(path => path.slice(1))
      setField(copy, key, below.length > 0 ? along(one, below) : one)
    }
    return copy
  }
  const result = along(value, paths)
  return cut ? { value: result, cut } : { value: result }
}

/** A foreign value without what could mislead: control characters, marks that turn text around, endless texts. */
export function clean(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value, LONGEST)
  if (Array.isArray(value)) return value.map(clean)
  if (!isRecord(value)) return value
  const copy: Record<string, unknown> = {}
  for (const [key, one] of Object.entries(value)) setField(copy, cleanText(key, 200), clean(one))
  return copy
}

function cleanText(text: string, most: number): string {
  const plain = text
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu, '')
    .toWellFormed()
  return plain.length <= most ? plain : `${plain.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
