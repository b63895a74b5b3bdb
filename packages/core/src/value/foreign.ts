// Schemas of other libraries (zod, valibot, arktype and others): any Standard Schema that gives its JSON Schema.
// A model is told that JSON Schema, values are mended by it, and the library's own `validate` has the last word.

import type { JsonSchema } from '../define/records.ts'
import type { Fault } from '../errors.ts'
import { escaped, type Key, linesOf, placeOf } from './faults.ts'
import { isRecord } from './kinds.ts'
import { type Found, type Read, readFaults, type Written } from './read.ts'
import type { Standard, StandardIssue } from './standard.ts'

/** What reads the values of a schema: see {@link readForeign}. */
export type ReadValue = (value: unknown, again?: () => Written, rounds?: boolean) => Read<unknown>

/** A schema of another library, or why a tool cannot be stated by it. */
export type Foreign = { schema: JsonSchema; read: ReadValue } | Fault[]

const known = new WeakMap<object, Foreign>()

/** Opens the schema `statement` of another library, which has `standard` under `~standard`. Done once for each. */
export function openForeign(statement: object, standard: Partial<Standard>): Foreign {
  let foreign = known.get(statement)
  if (foreign === undefined) {
    foreign = open(statement, standard)
    known.set(statement, foreign)
  }
  return foreign
}

function open(statement: object, standard: Partial<Standard>): Foreign {
  const vendor = standard.vendor ?? 'another library'
  const fault = (problem: string, fix: string, code = 'T2007') => [{ option: '', problem, fix, code }]
  const { validate } = standard
  if (typeof validate !== 'function')
    return fault(`is a schema of ${vendor} without validate`, 'write value words, or its JSON Schema')
  // valibot says so itself; of other libraries it is seen when an answer comes later.
  if (Reflect.get(statement, 'async') === true)
    return fault(`is a schema of ${vendor} that answers later`, LATER, 'T2008')
  const made = jsonSchemaOf(standard)
  if (typeof made === 'string') return fault(`is a schema of ${vendor} that ${made}`, mendOf(standard))
  return { schema: made, read: readForeign(vendor, made, value => validate(value)) }
}

const LATER = 'arguments are read at once: leave asynchronous checks out, and make them in run'

/** The JSON Schema of what may be given, or why there is none. */
function jsonSchemaOf({ jsonSchema }: Partial<Standard>): JsonSchema | string {
  if (typeof jsonSchema?.input !== 'function') return 'gives no JSON Schema'
  let why = ''
  for (const target of ['draft-2020-12', 'draft-07']) {
    try {
      const made: unknown = jsonSchema.input({ target })
      if (isRecord(made)) return withoutDefaultDraft(made)
    } catch (error) {
      why ||= error instanceof Error ? error.message : String(error)
    }
  }
  return `gives no JSON Schema${why && `: ${oneLine(why)}`}`
}

// A schema that states no draft is read as 2020-12, and to a model the line says nothing.
function withoutDefaultDraft({ $schema, ...rest }: Record<string, unknown>): JsonSchema {
  return $schema === undefined || $schema === 'https://json-schema.org/draft/2020-12/schema'
    ? rest
    : { $schema, ...rest }
}

function mendOf({ vendor, jsonSchema }: Partial<Standard>): string {
  if (jsonSchema !== undefined)
    return 'state what JSON can hold, and make dates and the like of it in a transform or in run'
  if (vendor === 'zod')
    return 'use zod 4.2 or later; of zod/mini, write z.toJSONSchema(schema, { io: "input" })'
  if (vendor === 'valibot') return 'write toStandardJsonSchema(schema), of @valibot/to-json-schema'
  if (vendor === 'arktype') return 'use arktype 2.1.28 or later'
  return 'use a version of it with Standard JSON Schema (`~standard.jsonSchema`), or write its JSON Schema'
}

/**
 * Reads by `schema` what `validate` then checks: it gets the value as it was mended, and what it gives (defaults,
 * transforms) is the value. A schema may say less than its library does: where a value does not fit `schema`,
 * `validate` is asked all the same (of a text that it trims first, say), and the faults are those of `schema`
 * only where it refuses too. Defaults are left to it. Never throws.
 */
function readForeign(vendor: string, schema: JsonSchema, validate: Standard['validate']): ReadValue {
  return (value, again, rounds) => {
    const read = readFaults(schema, value, { formats: true, fill: false, again, rounds })
    if (!read.ok && read.rounded) return { ok: false, faults: linesOf(read.faults, read.total) }
    const refused = (issues: readonly StandardIssue[]): Read<unknown> => {
      const { faults, total } = read.ok ? foundIn(issues) : read
      return { ok: false, faults: linesOf(faults, total) }
    }
    try {
      const given = validate(read.ok ? read.value : read.mended)
      if (given instanceof Promise) {
        given.catch(() => {})
        return { ok: false, faults: [`T2008: the schema of ${vendor} answers later (${LATER})`] }
      }
      return given.issues === undefined ? { ok: true, value: given.value } : refused(given.issues)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      return refused([{ message: `cannot be checked by ${vendor}: ${why}` }])
    }
  }
}

function foundIn(issues: readonly StandardIssue[]): Omit<Found, 'ok' | 'mended'> {
  return { faults: issues.map(faultOf), total: issues.length }
}

function faultOf({ message, path = [] }: StandardIssue): Found['faults'][number] {
  const keys = path.map((step): Key => {
    const key = typeof step === 'object' ? step.key : step
    return typeof key === 'number' ? key : String(key)
  })
  // arktype begins its messages with the path, as we do our lines.
  const line = oneLine(message)
  const place = `${placeOf(keys)} `
  return { path: keys, problem: line.startsWith(place) ? line.slice(place.length) : line }
}

function oneLine(text: string): string {
  return escaped(text.replace(/[\s\p{Cc}]+/gu, ' ').trim())
}
