// The entries of a list of tools: a tool, or { tool, tries, about, line, name } that tells it otherwise.
import type { Fault } from '../errors.ts'
import { nameFault, reserved, type Telling, unknownOptions } from './names.ts'
import type { Call } from './records.ts'
import { type Served, type Serving, servingOf } from './serving.ts'
import {
  checkLine,
  type Definition,
  definitionOf,
  type Line,
  plainTool,
  readTries,
  TOOL,
  type Usable,
} from './tool.ts'
import { type Expanded, loading, type Plain } from './typed.ts'

/** A tool as it may stand in a list: as it is, or with what is told of it here. */
export type Entry =
  | Usable
  /** An outside server, which stands for each of its tools. */
  | Served
  /** A plain function, whose types say the rest (`@toolwright/typed`). */
  | Plain
  | {
      tool: Usable | Plain | Served
      /** How often a failing call is tried in all. */
      tries?: number
      /** What the model is told that it does. */
      about?: string
      /** What a person is told while it runs; false: nothing. */
      line?: string | false
      /** Another name under which the model is told it. */
      name?: string
    }

/** A tool as one agent tells it. */
export interface Told {
  readonly name: string
  readonly about: string
  readonly line: Line | undefined
  readonly tries: number
  readonly definition: Definition
}

/** What a call of the model means. */
export interface Found {
  /** The tool; absent where there is none of that name. */
  told: Told | undefined
  /** The call as people see it: of a tool called through another, the inner one. */
  call: Call
  /** What is wrong with the call itself, where something is. */
  fault?: string
}

const OPTIONS = ['tool', 'tries', 'about', 'line', 'name']

/** Reads a list of tools; every fault is added to `faults`. */
export function readEntries(
  stated: unknown,
  option: string,
  telling: Telling,
  faults: Fault[],
  typed: Expanded['tools'] = {},
  services: Serving[] = [],
): readonly Told[] {
  if (!Array.isArray(stated)) {
    const problem = stated === undefined ? 'is missing' : 'is no list'
    faults.push({ option, problem, fix: `write ${option}: [], or the tools in it` })
    return []
  }
  const told: Told[] = []
  const places = new Map<string, number>()
  stated.forEach((entry: unknown, i) => {
    const at = `${option}[${i}]`
    const serving = servingIn(entry)
    if (serving) {
      services.push(serving)
      for (const each of readServing(serving, entry, at, faults)) place(each, i)
      return
    }
    const one = readEntry(entry, at, faults, typed[i] ?? typed[i - stated.length])
    if (one) place(one, i)
  })
  return told

  function place(one: Told, i: number): void {
    const at = `${option}[${i}]`
    for (const { option: of, ...fault } of one.definition.unfit ?? [])
      faults.push({ option: at, ...fault, problem: `is a ${of} that ${fault.problem}` })
    const why = reserved(one.name, telling)
    if (why)
      faults.push({
        option: at,
        problem: why,
        fix: `tell it under another name: { tool, name: '…' }`,
        code: 'T1009',
      })
    const before = places.get(one.name)
    if (before === undefined) places.set(one.name, i)
    else
      faults.push({
        option: at,
        problem: `is told as ${JSON.stringify(one.name)}, and so is ${option}[${before}]`,
        fix: `give one of them another name: { tool, name: '…' }`,
      })
    told.push(one)
  }
}

/** The server that an entry is, or tells otherwise. */
function servingIn(entry: unknown): Serving | undefined {
  const itself = servingOf(entry)
  if (itself || typeof entry !== 'object' || entry === null || !('tool' in entry)) return itself
  return servingOf(entry.tool)
}

/** The tools that a server stands for; `tries` and `line` count for each of them. */
function readServing(serving: Serving, entry: unknown, at: string, faults: Fault[]): Told[] {
  const stated = (servingOf(entry) ? {} : entry) as { tries?: unknown; line?: unknown }
  for (const fault of unknownOptions(stated, ['tool', 'tries', 'line'], SERVED_MENDS))
    faults.push({ ...fault, option: `${at}.${fault.option}` })
  checkLine(stated.line, `${at}.line`, faults)
  const tries = stated.tries === undefined ? undefined : readTries(stated.tries, `${at}.tries`, faults)
  return serving.definitions.map(definition => ({
    name: definition.name,
    about: definition.about,
    line: stated.line === undefined ? definition.line : (stated.line as Line),
    tries: tries ?? definition.tries,
    definition,
  }))
}

const ONE_BY_ONE = 'a server stands for several tools: leave it out'
const SERVED_MENDS = { about: ONE_BY_ONE, name: ONE_BY_ONE }

function readEntry(
  entry: unknown,
  at: string,
  faults: Fault[],
  typed: Expanded | undefined,
): Told | undefined {
  const itself = definitionIn(entry, typed)
  if (itself)
    return {
      name: itself.name,
      about: itself.about,
      line: itself.line,
      tries: itself.tries,
      definition: itself,
    }
  if (typeof entry === 'function') {
    const problem = `is the function ${entry.name || 'without a name'}, whose types nobody read`
    const fix = `${loading()}, or write tool('${entry.name || 'name'}', { about, input, run })`
    faults.push({ option: at, problem, fix, code: 'T2108' })
    return undefined
  }
  if (typeof entry !== 'object' || entry === null || !('tool' in entry)) {
    faults.push({
      option: at,
      problem: `is ${kind(entry)}, and no tool`,
      fix: "write tool('name', { about, input, run }), or { tool, … }",
    })
    return undefined
  }
  const stated = entry as { tool: unknown; tries?: unknown; about?: unknown; line?: unknown; name?: unknown }
  for (const fault of unknownOptions(entry, OPTIONS))
    faults.push({ ...fault, option: `${at}.${fault.option}` })
  const definition = definitionIn(stated.tool, typed)
  if (!definition)
    faults.push({
      option: `${at}.tool`,
      problem: `is ${kind(stated.tool)}, and no tool`,
      fix: 'name a tool or an agent',
    })
  if (stated.name !== undefined) {
    const wrong = nameFault(stated.name)
    if (wrong) faults.push({ option: `${at}.name`, problem: wrong })
  }
  if (stated.about !== undefined && (typeof stated.about !== 'string' || stated.about.trim() === ''))
    faults.push({
      option: `${at}.about`,
      problem: 'is no text',
      fix: 'say what the tool does, or leave it out',
    })
  checkLine(stated.line, `${at}.line`, faults)
  const tries = readTries(stated.tries, `${at}.tries`, faults)
  if (!definition) return undefined
  return {
    name: typeof stated.name === 'string' ? stated.name : definition.name,
    about: typeof stated.about === 'string' ? stated.about : definition.about,
    line: stated.line === undefined ? definition.line : (stated.line as Line),
    tries: stated.tries === undefined ? definition.tries : tries,
    definition,
  }
}

/** A list in which the plain functions whose types are told are tools. */
export function toldPlain(
  entries: readonly Entry[],
  typed: NonNullable<Expanded['tools']>,
): readonly Entry[] {
  return entries.map((entry, i) => {
    const its = typed[i] ?? typed[i - entries.length]
    const isRecord = typeof entry === 'object' && 'tool' in entry
    const definition = definitionIn(isRecord ? entry.tool : entry, its)
    if (its === undefined || definition === undefined) return entry
    const usable = { [TOOL]: definition }
    return isRecord ? { ...entry, tool: usable } : usable
  })
}

/** The definition that an entry carries, or that is made of a plain function and what its types say. */
function definitionIn(entry: unknown, typed: Expanded | undefined): Definition | undefined {
  const itself = definitionOf(entry)
  if (itself || typed === undefined || typeof entry !== 'function') return itself
  return plainTool(entry as Plain, typed)[TOOL]
}

function kind(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') {
    const keys = Object.keys(value).slice(0, 5).join(', ')
    return keys ? `a record with ${keys}` : 'an empty record'
  }
  return typeof value === 'string' ? `the text ${JSON.stringify(value.slice(0, 40))}` : String(value)
}
