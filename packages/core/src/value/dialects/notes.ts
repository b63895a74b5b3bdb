// What a provider's schema cannot say, in words of the description.

import { count, escaped, quoted, stated } from '../faults.ts'
import { isRecord } from '../kinds.ts'

/** What moved into the description at a place of the schema. */
export interface Note {
  /** `size.unit`, `list[]`; '' is the input itself. */
  place: string
  text: string
}

const wordings: Readonly<Record<string, (value: never) => string>> = {
  default: (value: unknown) => `default: ${stated(value)}`,
  const: (value: unknown) => `always ${stated(value)}`,
  enum: (values: unknown[]) => `one of ${listed(values)}`,
  examples: (values: unknown[]) => `for example ${listed(values)}`,
  format: (name: string) => `format: ${escaped(name)}`,
  pattern: (source: string) => `matches ${quoted(source, 200)}`,
  minLength: (n: number) => `at least ${count(n, 'character')}`,
  maxLength: (n: number) => `at most ${count(n, 'character')}`,
  minimum: (n: number) => `at least ${n}`,
  maximum: (n: number) => `at most ${n}`,
  exclusiveMinimum: (n: number) => `more than ${n}`,
  exclusiveMaximum: (n: number) => `less than ${n}`,
  multipleOf: (n: number) => `a multiple of ${n}`,
  minItems: (n: number) => `at least ${count(n, 'item')}`,
  maxItems: (n: number) => `at most ${count(n, 'item')}`,
  uniqueItems: () => 'no two items are equal',
  minProperties: (n: number) => `at least ${count(n, 'field')}`,
  maxProperties: (n: number) => `at most ${count(n, 'field')}`,
  deprecated: () => 'deprecated',
  additionalProperties: (value: unknown) => (value === false ? '' : `each further field: ${written(value)}`),
  patternProperties: (value: object) =>
    Object.entries(value)
      .map(([pattern, one]) => `each field whose name matches ${quoted(pattern)}: ${written(one)}`)
      .join('; '),
  prefixItems: (values: unknown[]) => `the first items are, in this order: ${values.map(written).join(', ')}`,
  contains: (value: unknown) => `an item of it is ${written(value)}`,
  not: (value: unknown) => `anything but ${written(value)}`,
}
// They describe nothing that a model must keep to, or mean something only beside another keyword.
const silent = new Set(
  (
    'title readOnly writeOnly contentEncoding contentMediaType items unevaluatedProperties unevaluatedItems ' +
    'minContains maxContains nullable then else'
  ).split(' '),
)

/** The words for a keyword that is left out; '' where none are needed. */
export function wordsFor(keyword: string, value: unknown): string {
  if (silent.has(keyword)) return ''
  const words = Object.hasOwn(wordings, keyword) ? wordings[keyword] : undefined
  return words === undefined ? `${keyword}: ${written(value)}` : words(value as never)
}

/** A description with notes behind it. */
export function withNotes(description: unknown, notes: readonly string[]): string | undefined {
  const said = typeof description === 'string' ? description : ''
  if (notes.length === 0) return said === '' ? undefined : said
  const joined = notes.join('; ')
  return said === '' ? joined : `${said} (${joined})`
}

function listed(values: readonly unknown[]): string {
  const shown = values.slice(0, 50).map(stated)
  return values.length > 50 ? `${shown.join(', ')} and ${values.length - 50} more` : shown.join(', ')
}

/** A schema as a note says it: its type where that is all, else its JSON. */
function written(schema: unknown): string {
  if (isRecord(schema)) {
    const { type, ...rest } = schema
    if (typeof type === 'string' && Object.keys(rest).length === 0) return type
    if (Object.keys(schema).length === 0) return 'anything'
  }
  const text = escaped(JSON.stringify(schema) ?? '')
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
