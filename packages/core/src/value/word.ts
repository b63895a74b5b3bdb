// What a value word is, and the making of one.

import type { JsonSchema } from '../define/records.ts'
import { type Fault, refuse } from '../errors.ts'
import { quoted } from './faults.ts'
import { field } from './json.ts'
import { nearest } from './nearest.ts'
import { check, readFaults, wrongIn } from './read.ts'
import type { Standard, StandardResult, StandardTarget } from './standard.ts'

/** Whether a field must be given, may be left out, or is filled where it is left out. */
export type Presence = 'required' | 'optional' | 'default'

/** The `vendor` of value words. */
export const VENDOR = 'toolwright'

/**
 * A value word: a JSON Schema (draft 2020-12) with its TypeScript type, and a Standard Schema. Immutable.
 * `Value` is what is read, `Given` what may be given: they differ where a field has a default.
 */
export interface Word<out Value = unknown, out Given = Value, out P extends Presence = Presence> {
  readonly schema: JsonSchema
  readonly presence: P
  readonly '~standard': WordStandard<Given, Value>
}

/** A word's Standard Schema; it answers at once. */
export interface WordStandard<out Given, out Value> extends Standard<Given, Value> {
  readonly vendor: typeof VENDOR
  readonly validate: (value: unknown) => StandardResult<Value>
}

/** What every word takes as its last argument. */
export interface WordOptions<Value> {
  /** What it is, as a model is told; the same as a text before the options. */
  about?: string
  /** What it is where it is left out of a record. */
  default?: Value
}

/** The presence of a word with these options. */
export type PresenceOf<O> = O extends { default: NonNullable<unknown> | null } ? 'default' : 'required'

/** What the arguments `(about?, options?)` of a word state. */
export function settle<O extends WordOptions<unknown>>(
  about: string | O | undefined,
  options: O | undefined,
): O {
  if (typeof about === 'object' && about !== null) return about
  return (about === undefined ? (options ?? {}) : { about, ...options }) as O
}

/**
 * A word called `name` of the schema `keywords`. `known` maps each further option to its keyword.
 * Throws one `T2002` that lists every fault.
 */
export function makeWord<Value, Given, P extends Presence>(
  name: string,
  keywords: Record<string, unknown>,
  options: WordOptions<unknown>,
  known: Readonly<Record<string, string>> = {},
  found: readonly Fault[] = [],
): Word<Value, Given, P> {
  const faults = [...found]
  const schema: Record<string, unknown> = { ...keywords }
  for (const [option, value] of Object.entries(options ?? {})) {
    if (value === undefined) continue
    const keyword =
      option === 'about' ? 'description' : option === 'default' ? 'default' : field(known, option)
    if (typeof keyword !== 'string') faults.push(unknownOption(option, Object.keys(known)))
    else if (option === 'about' && typeof value !== 'string') {
      faults.push({ option, problem: `is ${typeof value}`, fix: 'write a text that says what the value is' })
    } else schema[keyword] = value
  }
  if (faults.length === 0) faults.push(...schemaFaults(schema, known))
  refuse(
    `the value word ${name}()`,
    faults.map(fault => ({ code: 'T2002', ...fault })),
  )
  return wordOf(freeze(schema), (schema['default'] === undefined ? 'required' : 'default') as P)
}

function unknownOption(option: string, known: readonly string[]): Fault {
  const all = [...known, 'about', 'default']
  const near = nearest(option, all)
  return {
    option,
    problem: 'is no option of it',
    fix: near ? `did you mean ${near}?` : `it takes ${all.join(', ')}`,
  }
}

// Only the word's own keywords: the words inside it were checked when they were made.
function schemaFaults(schema: Record<string, unknown>, known: Readonly<Record<string, string>>): Fault[] {
  const faults: Fault[] = []
  const optionOf = (keyword: string) =>
    Object.keys(known).find(option => known[option] === keyword) ?? keyword
  const own = Object.fromEntries(Object.values(known).flatMap(k => (k in schema ? [[k, schema[k]]] : [])))
  for (const [keyword, value] of Object.entries(own)) {
    const rule = rules[keyword]
    if (rule !== undefined && !rule.holds(value)) {
      faults.push({ option: optionOf(keyword), problem: `is ${String(value)}`, fix: `write ${rule.words}` })
    }
  }
  for (const [least, most] of pairs) {
    const [low, high] = [own[least], own[most]]
    if (typeof low === 'number' && typeof high === 'number' && low > high) {
      faults.push({ option: optionOf(least), problem: `is more than ${optionOf(most)}: nothing would fit` })
    }
  }
  if (faults.length === 0) {
    for (const { problem } of wrongIn({ type: 'string', ...own })) faults.push({ option: 'pattern', problem })
  }
  if (faults.length === 0 && schema['default'] !== undefined) {
    const fits = check(schema, schema['default'], { formats: true })
    if (!fits.ok) faults.push({ option: 'default', problem: `does not fit: ${fits.faults[0]}` })
  }
  return faults
}

const natural = {
  holds: (v: unknown) => Number.isSafeInteger(v) && (v as number) >= 0,
  words: 'a whole number, 0 or more',
}
const number = { holds: (v: unknown) => typeof v === 'number' && Number.isFinite(v), words: 'a number' }
const rules: Readonly<Record<string, { holds(value: unknown): boolean; words: string }>> = {
  minLength: natural,
  maxLength: natural,
  minItems: natural,
  maxItems: natural,
  minimum: number,
  maximum: number,
  multipleOf: { holds: v => number.holds(v) && (v as number) > 0, words: 'a number above 0' },
  pattern: { holds: v => typeof v === 'string', words: 'a regular expression as a text' },
  uniqueItems: { holds: v => typeof v === 'boolean', words: 'true or false' },
}
const pairs = [
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minimum', 'maximum'],
] as const

/** The word of a schema. */
export function wordOf<Value, Given, P extends Presence>(
  schema: JsonSchema,
  presence: P,
): Word<Value, Given, P> {
  return Object.freeze({
    schema,
    presence,
    '~standard': Object.freeze({
      version: 1 as const,
      vendor: VENDOR,
      validate: (value: unknown) => validate<Value>(schema, value),
      jsonSchema: Object.freeze({
        input: ({ target }: StandardTarget) => inTarget(schema, target),
        output: ({ target }: StandardTarget) => inTarget(outputOf(schema), target),
      }),
    }),
  })
}

function validate<Value>(schema: JsonSchema, value: unknown): StandardResult<Value> {
  const read = readFaults(schema, value, { formats: true })
  if (read.ok) return { value: read.value as Value }
  return { issues: read.faults.map(({ path, problem }) => ({ message: problem, path: [...path] })) }
}

// The keywords of value words mean the same in both drafts and in OpenAPI 3.0.
const targets = ['draft-2020-12', 'draft-07', 'openapi-3.0']

function inTarget(schema: JsonSchema, target: string): Record<string, unknown> {
  if (!targets.includes(target))
    throw new Error(`JSON Schema is given as ${targets.join(', ')}, not as ${quoted(target)}`)
  return { ...(schema as Record<string, unknown>) }
}

/** What is read of a record has the fields that have a default. */
function outputOf(schema: JsonSchema): JsonSchema {
  if (typeof schema === 'boolean') return schema
  const { items, properties } = schema
  if (typeof items === 'object') return { ...schema, items: outputOf(items as JsonSchema) }
  if (typeof properties !== 'object') return schema
  const fields = Object.entries(properties as Record<string, Record<string, unknown>>)
  const needed = schema['required'] as readonly string[]
  return {
    ...schema,
    properties: Object.fromEntries(fields.map(([key, one]) => [key, outputOf(one)])),
    required: fields.flatMap(([key, one]) =>
      needed.includes(key) || one['default'] !== undefined ? [key] : [],
    ),
  }
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const one of Object.values(value)) freeze(one)
  return Object.freeze(value)
}
