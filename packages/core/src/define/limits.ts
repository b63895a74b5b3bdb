// Limits as people write them ('10 minutes', '1 MB', numbers), read once into plain numbers.
import type { Fault } from '../errors.ts'

/** Milliseconds, or a text such as '90 seconds', '10 minutes', '7 days', '1.5 hours'. */
export type Duration = number | string
/** Bytes, or a text such as '1 MB', '512 kB' (1 kB is 1000 bytes). */
export type Size = number | string

/** The limits of an agent, as stated. What is left out has the default in brackets; without one there is no limit. */
export interface LimitsStated {
  /** Rounds of a run: turns that call tools, with those calls [16]. */
  steps?: number
  perRun?: {
    /** Tokens that the models of one run write. */
    tokensOut?: number
    /** Turns of a model. */
    calls?: number
    /** US dollars, where a model says what its turns cost. */
    cost?: number
  }
  /** How long a run may work; waiting for a person does not count. */
  time?: Duration
  /** Tool calls of one run. */
  toolCalls?: number
  /** How many tools work at once [8], of each agent and of each `llm` call. */
  toolsAtOnce?: number
  /** The size of one tool's result as it is told to the model ['1 MB']. */
  result?: Size
  /** How long a person has to answer an ask ['7 days']. */
  ask?: Duration
  /** How often one run, its children included, may ask a person [20]. */
  asks?: number
  /** How often one call with the same arguments may give the same result [8]. */
  repeats?: number
  /** How long a provider may be down before a run of an app fails ['1 hour']. */
  outage?: Duration
  /** How deep agents may stand in agents [8]. */
  depth?: number
  /** A sequence's own computing ['5 seconds']. */
  pass?: Duration
}

/** The limits as numbers: ms, bytes, counts; Infinity where there is none. */
export interface Limits {
  steps: number
  tokensOut: number
  calls: number
  cost: number
  time: number
  toolCalls: number
  toolsAtOnce: number
  result: number
  ask: number
  asks: number
  repeats: number
  outage: number
  depth: number
  pass: number
}

/** Which limit ended a run. */
export type LimitName = 'steps' | 'tokensOut' | 'calls' | 'cost' | 'time' | 'toolCalls'

const SECOND = 1000
const units: Record<string, number> = {
  ms: 1,
  millisecond: 1,
  s: SECOND,
  second: SECOND,
  min: 60 * SECOND,
  minute: 60 * SECOND,
  h: 3600 * SECOND,
  hour: 3600 * SECOND,
  d: 86_400 * SECOND,
  day: 86_400 * SECOND,
  week: 7 * 86_400 * SECOND,
}
const sizes: Record<string, number> = {
  b: 1,
  byte: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
}

export const defaults: Limits = {
  steps: 16,
  tokensOut: Number.POSITIVE_INFINITY,
  calls: Number.POSITIVE_INFINITY,
  cost: Number.POSITIVE_INFINITY,
  time: Number.POSITIVE_INFINITY,
  toolCalls: Number.POSITIVE_INFINITY,
  toolsAtOnce: 8,
  result: 1_000_000,
  ask: 7 * 86_400 * SECOND,
  asks: 20,
  repeats: 8,
  outage: 3600 * SECOND,
  depth: 8,
  pass: 5 * SECOND,
}

/** A duration in ms, or nothing where it is none. */
export function duration(stated: unknown): number | undefined {
  return quantity(stated, units)
}

/** A size in bytes, or nothing where it is none. */
export function size(stated: unknown): number | undefined {
  return quantity(stated, sizes)
}

function quantity(stated: unknown, table: Record<string, number>): number | undefined {
  if (typeof stated === 'number') return stated > 0 ? stated : undefined
  if (typeof stated !== 'string') return undefined
  const [, digits, word] = /^\s*(\d+(?:\.\d+)?)\s*([A-Za-z]+)\s*$/.exec(stated) ?? []
  if (digits === undefined || word === undefined) return undefined
  const lower = word.toLowerCase()
  const unit =
    own(table, lower) ??
    (lower.length > 2 && lower.endsWith('s') ? own(table, lower.slice(0, -1)) : undefined)
  const value = unit === undefined ? 0 : Number(digits) * unit
  return value > 0 ? value : undefined
}

function own(table: Record<string, number>, key: string): number | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}

type Reader = (stated: unknown) => number | undefined
const count: Reader = n =>
  typeof n === 'number' && (n === Number.POSITIVE_INFINITY || Number.isSafeInteger(n)) && n > 0
    ? n
    : undefined
const countOrNone: Reader = n => (n === 0 ? 0 : count(n))
const money: Reader = n => (typeof n === 'number' && n > 0 ? n : undefined)

const time: [Reader, string] = [duration, "a time: a number of ms above 0, or a text such as '10 minutes'"]
const bytes: [Reader, string] = [size, "a size: a number of bytes above 0, or a text such as '1 MB'"]
const whole: [Reader, string] = [count, 'a whole number above 0']
const wholeOrNone: [Reader, string] = [countOrNone, 'a whole number, 0 or above']

const readers: Record<string, [Reader, string]> = {
  steps: wholeOrNone,
  time,
  toolCalls: wholeOrNone,
  toolsAtOnce: whole,
  result: bytes,
  ask: time,
  asks: wholeOrNone,
  repeats: whole,
  outage: time,
  depth: wholeOrNone,
  pass: time,
}
const perRun: Record<string, [Reader, string]> = {
  tokensOut: whole,
  calls: whole,
  cost: [money, 'an amount of US dollars above 0'],
}

/** Reads stated limits; every fault is added to `faults`, and the limit it is in keeps its default. */
export function readLimits(stated: unknown, faults: Fault[]): Limits {
  const limits = { ...defaults }
  if (stated === undefined) return limits
  if (!isRecord(stated)) {
    faults.push({
      option: 'limits',
      problem: 'is no record',
      fix: "write limits: { steps: 12, time: '10 minutes' }",
    })
    return limits
  }
  for (const [key, value] of Object.entries(stated)) {
    if (value === undefined) continue
    if (key === 'perRun') readEach('limits.perRun', value, perRun, limits, faults)
    else readOne(`limits.${key}`, key, value, readers, limits, faults)
  }
  return limits
}

function readEach(
  option: string,
  stated: unknown,
  table: Record<string, [Reader, string]>,
  limits: Limits,
  faults: Fault[],
): void {
  if (!isRecord(stated)) {
    faults.push({ option, problem: 'is no record', fix: 'write perRun: { tokensOut: 50000 }' })
    return
  }
  for (const [key, value] of Object.entries(stated))
    if (value !== undefined) readOne(`${option}.${key}`, key, value, table, limits, faults)
}

function readOne(
  option: string,
  key: string,
  value: unknown,
  table: Record<string, [Reader, string]>,
  limits: Limits,
  faults: Fault[],
): void {
  const reader = Object.hasOwn(table, key) ? table[key] : undefined
  if (!reader) {
    faults.push({ option, problem: 'is no limit', fix: `the limits are ${Object.keys(table).join(', ')}` })
    return
  }
  const read = reader[0](value)
  if (read === undefined) faults.push({ option, problem: `is ${shown(value)}`, fix: `state ${reader[1]}` })
  else limits[key as keyof Limits] = read
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
