// A shape: what a tool takes or gives, made from whatever it was stated by.

import type { JsonSchema } from '../define/records.ts'
import type { Fault } from '../errors.ts'
import { linesOf } from './faults.ts'
import { openForeign, type ReadValue } from './foreign.ts'
import { deeperThan } from './json.ts'
import { isRecord } from './kinds.ts'
import { rawSchemaFaults } from './raw.ts'
import type { Read } from './read.ts'
import { readFaults } from './read.ts'
import { type StandardSchema, standardOf } from './standard.ts'
import { parseText } from './text.ts'
import type { AnyWord, Fields, GivenOf, Infer, InferGiven, RecordOf } from './words.ts'
import { fieldFaults, isWord, record } from './words.ts'

/** What a shape is stated by: a value word, a record of them, a schema of another library, or a raw JSON Schema. */
export type Statement = AnyWord | Fields | StandardSchema | JsonSchema

/** What a value is read by. */
export interface Shape<out T = unknown> {
  /** As it is told to a model. */
  readonly schema: JsonSchema
  /** Reads a value: checked, mended where that is exact, defaults filled in. Never throws. */
  read(value: unknown): Read<T>
  /** Reads the arguments of a call: a JSON text, an object as it is; blank, null and undefined are `{}`, and so is
   * the text `null` where a record is wanted. */
  readText(text: string | object | null | undefined): Read<T>
}

/** The type of what a statement is read as: what a tool's function is given. Of a raw JSON Schema, any record. */
export type InferInput<S> = S extends AnyWord
  ? Infer<S>
  : S extends StandardSchema<unknown, infer Value>
    ? Value
    : S extends Fields
      ? RecordOf<S>
      : Record<string, unknown>

/** The type of what may be given where a statement stands: fields that have a default may be left out. */
export type InferArguments<S> = S extends AnyWord
  ? InferGiven<S>
  : S extends StandardSchema<infer Given>
    ? Given
    : S extends Fields
      ? GivenOf<S>
      : Record<string, unknown>

export type { Read } from './read.ts'

/** A shape, or every fault of the statement; a fault's `option` is a path inside the statement, '' for all of it. */
export type Shaped<T> = { ok: true; shape: Shape<T> } | { ok: false; faults: Fault[] }

/** How deep arrays and objects of arguments may stand in one another. */
const MAX_NESTING = 500

/** The shape that a statement states. What is wrong with it is given, not thrown: a definition lists all its faults. */
export function shape<const S>(statement: S): Shaped<InferInput<S>> {
  const made = schemaOf(statement)
  return Array.isArray(made)
    ? { ok: false, faults: made }
    : { ok: true, shape: shapeOf(made.schema, made.read) }
}

/** The schema of a statement and what reads by it, where that is not the schema alone; or its faults. */
function schemaOf(statement: unknown): { schema: JsonSchema; read?: ReadValue } | Fault[] {
  // Before all else, and of functions too: an arktype schema is one.
  const standard = standardOf(statement)
  if (standard !== undefined)
    return isWord(statement) ? ofWord(statement) : openForeign(statement as object, standard)
  if (typeof statement === 'boolean') return { schema: statement }
  if (!isRecord(statement)) return [noStatement(statement)]
  if (isFields(statement)) {
    const faults = fieldFaults(statement)
    if (faults.length > 0) return faults.map(fault => ({ ...fault, code: 'T2003' }))
    return { schema: record(statement as Fields).schema }
  }
  const faults = rawSchemaFaults(statement)
  return faults.length > 0 ? faults : { schema: statement }
}

function ofWord(word: AnyWord): { schema: JsonSchema } | Fault[] {
  if (word.presence !== 'optional') return { schema: word.schema }
  const fix = 'optional() stands directly in a record; leave it out here'
  return [{ option: '', problem: 'is optional()', fix, code: 'T2003' }]
}

// A record of words, an empty one, or one of things that were meant to be words: schemas of another library, or no
// keyword of JSON Schema in it.
function isFields(statement: Record<string, unknown>): boolean {
  const values = Object.values(statement)
  return (
    values.some(one => standardOf(one) !== undefined) ||
    !Object.keys(statement).some(key => keywords.has(key))
  )
}

const keywords = new Set(
  (
    '$schema $id $ref $defs $comment $anchor $dynamicAnchor $dynamicRef type properties required ' +
    'additionalProperties patternProperties items prefixItems enum const anyOf oneOf allOf not if definitions title ' +
    'description default examples format'
  ).split(' '),
)

function noStatement(statement: unknown): Fault {
  const what = statement === null ? 'null' : Array.isArray(statement) ? 'an array' : `a ${typeof statement}`
  return {
    option: '',
    problem: `is ${what}`,
    fix: 'write a record of value words, { name: text() }, a JSON Schema, or a schema of zod, valibot or arktype',
    code: 'T2003',
  }
}

/**
 * The shape of a JSON Schema that is known to be right, or is only read when it is needed. Formats are checked.
 * `readValue` reads in place of the schema, where more than that is checked.
 */
export function shapeOf<T>(schema: JsonSchema, readValue: ReadValue = readBy(schema)): Shape<T> {
  const readIt = readValue as (...given: Parameters<ReadValue>) => Read<T>
  return {
    schema,
    read: value => readIt(value),
    readText(text) {
      if (text === null || text === undefined) return readIt({})
      if (typeof text === 'object') return deeperThan(text, MAX_NESTING) ? tooDeep() : readIt(text)
      const parsed = parseText(text)
      if (!parsed.ok) return { ok: false, faults: [parsed.fault] }
      // So deep takes two characters a level at least.
      if (text.length > MAX_NESTING * 2 && deeperThan(parsed.value, MAX_NESTING)) return tooDeep()
      // A model that has nothing to say may write null, where a record is wanted.
      if (parsed.value === null && isRecord(schema) && schema['type'] === 'object') return readIt({})
      return readIt(parsed.value, parsed.again, parsed.rounds)
    },
  }
}

function readBy(schema: JsonSchema): ReadValue {
  return (value, again, rounds) => {
    const read = readFaults(schema, value, { formats: true, again, rounds })
    return read.ok ? read : { ok: false, faults: linesOf(read.faults, read.total) }
  }
}

function tooDeep(): { ok: false; faults: string[] } {
  return { ok: false, faults: [`the arguments are nested more than ${MAX_NESTING} deep`] }
}
