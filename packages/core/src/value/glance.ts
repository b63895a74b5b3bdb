// A glance: most arguments are a record of plain texts and numbers that fits as it stands, and that is seen at once.
// It only ever says yes where the walk would give the very same value; all else goes the long way.

import type { JsonSchema } from '../define/records.ts'
import { isRecord } from './kinds.ts'

/** True only of a value that fits as it stands, with nothing to mend or to fill in. */
export type Glance = (value: unknown) => boolean

/** Deeper schemas are read the long way; so one that leads in a circle ends here. */
const DEEPEST = 8

const scalars: Readonly<Record<string, Glance>> = {
  string: value => typeof value === 'string',
  number: value => Number.isFinite(value),
  integer: value => Number.isInteger(value),
  boolean: value => typeof value === 'boolean',
}

/** The glance of a schema; nothing where it says more than types, fields and texts to choose from. */
export function glanceOf(schema: JsonSchema | undefined, depth = 0): Glance | undefined {
  if (!isRecord(schema) || depth > DEEPEST) return undefined
  const { title, description, type, ...more } = schema
  if (typeof type !== 'string') return undefined
  const keywords = Object.keys(more)
  const only = (...allowed: string[]): boolean => keywords.every(keyword => allowed.includes(keyword))
  if (type === 'object') return only(...FIELDS) ? fields(more, depth) : undefined
  if (type === 'array')
    return only('items') ? list(glanceOf(more['items'] as JsonSchema, depth + 1)) : undefined
  if (type === 'string' && 'enum' in more) return only('enum') ? oneOf(more['enum']) : undefined
  return only() && Object.hasOwn(scalars, type) ? scalars[type] : undefined
}

const FIELDS = ['properties', 'required', 'additionalProperties']

function fields(schema: Readonly<Record<string, unknown>>, depth: number): Glance | undefined {
  const { properties, required = [] } = schema
  if (!isRecord(properties) || !Array.isArray(required)) return undefined
  const known = new Map<string, Glance>()
  for (const [key, one] of Object.entries(properties)) {
    const glance = glanceOf(one as JsonSchema, depth + 1)
    if (!glance) return undefined
    known.set(key, glance)
  }
  return value => {
    if (!isRecord(value)) return false
    // A field that is not known goes the long way, whether more fields are allowed or not.
    for (const key of Object.keys(value)) if (known.get(key)?.(value[key]) !== true) return false
    for (const key of required) if (!Object.hasOwn(value, key)) return false
    return true
  }
}

function list(item: Glance | undefined): Glance | undefined {
  if (!item) return undefined
  return value => {
    if (!Array.isArray(value)) return false
    // By place, because `every` would pass over holes.
    for (let i = 0; i < value.length; i++) if (!item(value[i])) return false
    return true
  }
}

function oneOf(stated: unknown): Glance | undefined {
  if (!Array.isArray(stated) || !stated.every(one => typeof one === 'string')) return undefined
  const texts = new Set<unknown>(stated)
  return value => texts.has(value)
}
