// The value words: what a tool takes and gives, in the words of the person who writes it. Each takes a text that
// describes it, and a last record of options.

import type { Fault } from '../errors.ts'
import { shown } from './faults.ts'
import { setField } from './json.ts'
import { standardOf } from './standard.ts'
import type { Presence, PresenceOf, Word, WordOptions } from './word.ts'
import { makeWord, settle, VENDOR, wordOf } from './word.ts'

export interface TextOptions extends WordOptions<string> {
  /** Counted in characters (code points). */
  minLength?: number
  maxLength?: number
  /** A regular expression that is found in the text; write ^ and $ where it is all of it. */
  pattern?: string
}

export interface NumberOptions extends WordOptions<number> {
  /** The least, itself included. */
  min?: number
  /** The most, itself included. */
  max?: number
  /** It is a multiple of this. */
  step?: number
}

export interface ListOptions<T> extends WordOptions<readonly T[]> {
  minItems?: number
  maxItems?: number
  /** No two items are equal [false]. */
  unique?: boolean
}

export interface RecordOptions extends WordOptions<Readonly<Record<string, unknown>>> {
  /** Fields that are not named are let through [false: they are faults]. */
  open?: boolean
}

/** A word of any type. */
export type AnyWord = Word<unknown, unknown>
/** The fields of a record. */
export type Fields = { readonly [field: string]: AnyWord }

/** A text. */
export function text<const O extends TextOptions = NoOptions>(
  about?: string | O,
  options?: O,
): Word<string, string, PresenceOf<O>> {
  const known = { minLength: 'minLength', maxLength: 'maxLength', pattern: 'pattern' }
  return makeWord('text', { type: 'string' }, settle(about, options), known)
}

/** A number. */
export function number<const O extends NumberOptions = NoOptions>(
  about?: string | O,
  options?: O,
): Word<number, number, PresenceOf<O>> {
  return makeWord('number', { type: 'number' }, settle(about, options), bounds)
}

/** A whole number. */
export function integer<const O extends NumberOptions = NoOptions>(
  about?: string | O,
  options?: O,
): Word<number, number, PresenceOf<O>> {
  return makeWord('integer', { type: 'integer' }, settle(about, options), bounds)
}

/** True or false. */
export function flag<const O extends WordOptions<boolean> = NoOptions>(
  about?: string | O,
  options?: O,
): Word<boolean, boolean, PresenceOf<O>> {
  return makeWord('flag', { type: 'boolean' }, settle(about, options))
}

/** A day of the calendar as a text, YYYY-MM-DD. It is read as that text, not as a Date. */
export function date<const O extends WordOptions<string> = NoOptions>(
  about?: string | O,
  options?: O,
): Word<string, string, PresenceOf<O>> {
  return makeWord('date', { type: 'string', format: 'date' }, settle(about, options))
}

/** A list of `item`s. */
export function list<W extends AnyWord, const O extends ListOptions<Infer<W>> = NoOptions>(
  item: W,
  about?: string | O,
  options?: O,
): Word<Infer<W>[], InferGiven<W>[], PresenceOf<O>> {
  const faults = itemFaults(item)
  const known = { minItems: 'minItems', maxItems: 'maxItems', unique: 'uniqueItems' }
  const items = isWord(item) ? item.schema : true
  return makeWord('list', { type: 'array', items }, settle(about, options), known, faults)
}

/** A record of `fields`. A field that is not named is a fault, with the nearest name, unless `open` says otherwise. */
export function record<const F extends Fields, const O extends RecordOptions = NoOptions>(
  fields: F,
  about?: string | O,
  options?: O,
): Word<RecordOf<F>, GivenOf<F>, PresenceOf<O>> {
  const { open, ...rest } = settle<RecordOptions>(about, options)
  const faults = fieldFaults(fields)
  if (open !== undefined && typeof open !== 'boolean') {
    faults.push({ option: 'open', problem: `is ${shown(open)}`, fix: 'write true or false' })
  }
  const schema = faults.length > 0 ? {} : recordSchema(fields, open === true)
  return makeWord('record', schema, rest, {}, faults)
}

/** One of the values that are listed: texts or numbers. A last record of options may follow them. */
export function choice<const V extends readonly (string | number)[]>(
  ...values: V
): Word<V[number], V[number], 'required'>
export function choice<
  const V extends readonly (string | number)[],
  const O extends WordOptions<NoInfer<V>[number]>,
>(...values: readonly [...V, O]): Word<V[number], V[number], PresenceOf<O>>
export function choice(...args: readonly unknown[]): AnyWord {
  const last = args.at(-1)
  const options = typeof last === 'object' && last !== null && !Array.isArray(last) ? last : undefined
  const values = options === undefined ? args : args.slice(0, -1)
  const faults: Fault[] = values
    .filter(value => typeof value !== 'string' && !Number.isFinite(value))
    .map(value => ({
      option: 'values',
      problem: `${shown(value)} is neither a text nor a number`,
      fix: "write choice('a', 'b')",
    }))
  if (values.length === 0)
    faults.push({ option: 'values', problem: 'are missing', fix: "write choice('a', 'b')" })
  const types = [...new Set(values.map(value => (typeof value === 'string' ? 'string' : 'number')))]
  const type = types.length === 1 ? types[0] : types
  return makeWord('choice', { type, enum: [...new Set(values)] }, options ?? {}, {}, faults)
}

/** A field that may be left out. It stands directly in a record. */
export function optional<W extends AnyWord>(
  word: W,
): Word<Infer<W>, InferGiven<W>, MadeOptional<W['presence']>> {
  if (!isWord(word)) return makeWord('optional', {}, {}, {}, itemFaults(word))
  // A field with a default may be left out already, and is there when it is read.
  const presence = word.presence === 'default' ? 'default' : 'optional'
  return wordOf(word.schema, presence as MadeOptional<W['presence']>)
}

/** Any JSON value. */
export function anything<const O extends WordOptions<unknown> = NoOptions>(
  about?: string | O,
  options?: O,
): Word<unknown, unknown, PresenceOf<O>> {
  return makeWord('anything', {}, settle(about, options))
}

/** The type that a word is read as. */
export type Infer<W> = W extends Word<infer Value, unknown> ? Value : never
/** The type that may be given where a word stands: what has a default may be left out. */
export type InferGiven<W> = W extends Word<unknown, infer Given> ? Given : never

/** The type that a record of words is read as. */
export type RecordOf<F extends Fields> = Flat<
  { -readonly [K in keyof F as F[K]['presence'] extends 'optional' ? never : K]: Infer<F[K]> } & {
    -readonly [K in keyof F as F[K]['presence'] extends 'optional' ? K : never]?: Infer<F[K]>
  }
>
/** The type that may be given where a record of words stands. */
export type GivenOf<F extends Fields> = Flat<
  { -readonly [K in keyof F as F[K]['presence'] extends 'required' ? K : never]: InferGiven<F[K]> } & {
    -readonly [K in keyof F as F[K]['presence'] extends 'required' ? never : K]?: InferGiven<F[K]>
  }
>

type Flat<T> = { [K in keyof T]: T[K] }
type MadeOptional<P> = P extends 'default' ? 'default' : 'optional'
/** What the options are where none are given. */
export type NoOptions = Record<never, never>

const bounds = { min: 'minimum', max: 'maximum', step: 'multipleOf' }

/** Whether a value is a value word. */
export function isWord(value: unknown): value is AnyWord {
  return standardOf(value)?.vendor === VENDOR && typeof value === 'object'
}

function itemFaults(item: unknown): Fault[] {
  if (!isWord(item)) return [{ option: 'item', ...notAWord(item, 'item') }]
  if (item.presence !== 'optional') return []
  return [
    {
      option: 'item',
      problem: 'is optional()',
      fix: 'optional() stands directly in a record; leave it out here',
    },
  ]
}

/** The faults of the fields of a record: those that are no words. */
export function fieldFaults(fields: unknown): Fault[] {
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields) || isWord(fields)) {
    return [{ option: 'fields', problem: `are ${shown(fields)}`, fix: 'write record({ name: text() })' }]
  }
  return Object.entries(fields).flatMap(([key, one]) =>
    isWord(one) ? [] : [{ option: key, ...notAWord(one, key) }],
  )
}

/** What stands where a value word should, and the mend. */
function notAWord(value: unknown, name: string): { problem: string; fix: string } {
  const problem = (what: string, fix: string) => ({ problem: `${what}, not a value word`, fix })
  if (typeof value === 'function') {
    if (makers.has(value.name))
      return problem(`is the function ${value.name}`, `call it: ${name}: ${value.name}()`)
    const word = constructors[value.name]
    if (word !== undefined) return problem(`is ${value.name}`, `write ${name}: ${word}`)
  }
  const vendor = standardOf(value)?.vendor
  if (vendor !== undefined) {
    return problem(
      `is a schema of ${vendor}`,
      `write all of the record in ${vendor}${wholes[vendor] ?? ''}, or all of it in value words`,
    )
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const fields = Object.values(value)
    if (fields.length > 0 && fields.every(isWord))
      return problem('is a plain record', `write ${name}: record({ … })`)
    return problem('is a plain object', `write ${name}: text(), or state all of the record as a JSON Schema`)
  }
  return problem(`is ${shown(value)}`, `write ${name}: text(), or another value word`)
}

const wholes: Readonly<Record<string, string>> = {
  zod: ', z.object({ … })',
  valibot: ', v.object({ … })',
  arktype: ', type({ … })',
}
const makers = new Set('text number integer flag date list record choice optional anything'.split(' '))
const constructors: Readonly<Record<string, string>> = {
  String: 'text()',
  Number: 'number()',
  Boolean: 'flag()',
  Date: 'date()',
  Array: 'list(text())',
  Object: 'record({ … })',
}

function recordSchema(fields: Fields, open: boolean): Record<string, unknown> {
  const properties: Record<string, unknown> = {}
  const required: string[] = []
  for (const [key, word] of Object.entries(fields)) {
    setField(properties, key, word.schema)
    if (word.presence === 'required') required.push(key)
  }
  return { type: 'object', properties, required, ...(!open && { additionalProperties: false }) }
}

export type { Presence, Word, WordOptions }
