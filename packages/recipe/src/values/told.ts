// What the model is told of a recipe's parameters: nested objects, and only what it fills.
import type { JsonSchema } from '@toolwright/core'
import { isIndex } from '../document/dotted.ts'
import { isTold } from '../document/params.ts'
import type { Param } from '../document/plan.ts'

/** A schema with whether its value must be there. */
interface Told {
  schema: { [keyword: string]: unknown }
  required: boolean
}

interface Level {
  children: Map<string, Level>
  told?: Told
}

/** The schema of the tool's input: of every parameter from "llm", whichever source it is for. */
export function toldInput(params: readonly Param[]): JsonSchema {
  return group(params).schema
}

function group(params: readonly Param[]): Told {
  const root: Level = { children: new Map() }
  for (const param of params) {
    if (!isTold(param)) continue
    let level = root
    for (const key of param.keys) {
      const next = level.children.get(key) ?? { children: new Map() }
      level.children.set(key, next)
      level = next
    }
    const told = one(param)
    // Several sources may ask for the same value; one that must have it is enough.
    level.told = { ...told, required: told.required || level.told?.required === true }
  }
  return record(root)
}

function one({ type, value, values, fields, required }: Param): Told {
  const description = typeof value === 'string' ? { description: value } : {}
  if (!fields) return { schema: { type, ...description, ...(values ? { enum: [...values] } : {}) }, required }
  if (type === 'object') return { schema: { ...group(fields).schema, ...description }, required }
  const entry = fields[0]?.keys.length === 0 ? one(fields[0]).schema : group(fields).schema
  const items = values ? { ...entry, enum: [...values] } : entry
  return { schema: { type, ...description, items }, required }
}

function of(level: Level): Told {
  if (level.told) return level.told
  return [...level.children.keys()].every(isIndex) ? tuple(level) : record(level)
}

function record(level: Level): Told {
  const fields = [...level.children].map(([key, child]) => [key, of(child)] as const)
  const required = fields.filter(([, told]) => told.required).map(([key]) => key)
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(fields.map(([key, { schema }]) => [key, schema])),
      ...(required.length > 0 ? { required } : {}),
      // A name that is not declared reaches nothing; told so, the model can mend it.
      additionalProperties: false,
    },
    required: required.length > 0,
  }
}

/** `items.0.sku`, `items.1.sku`: a list whose entries are told one by one. */
function tuple(level: Level): Told {
  const length = Math.max(...[...level.children.keys()].map(Number)) + 1
  // An entry of which the model fills nothing still has its place.
  const nothing: Told = { schema: { type: 'object', additionalProperties: false }, required: false }
  const entries = Array.from({ length }, (_, i) => {
    const child = level.children.get(String(i))
    return child ? of(child) : nothing
  })
  const needed = entries.findLastIndex(told => told.required) + 1
  const schemas = entries.map(({ schema }) => schema)
  const entry = length === 1 ? { items: schemas[0] } : { prefixItems: schemas, items: false }
  return {
    schema: { type: 'array', ...entry, minItems: needed, maxItems: length },
    required: needed > 0,
  }
}
