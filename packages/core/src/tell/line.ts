// A tool as one line of a list: its name, its input as compact types, what it gives, and what it does.
import type { Told } from '../define/entries.ts'
import type { JsonSchema } from '../define/records.ts'

/** How long a line may be, in characters. */
export const LONGEST = 200

/** `crm.find(email: string, limit?: integer) -> Customer[]: finds a customer`, quoted, on one line, at most 200 characters. */
export function lineOf(told: Told): string {
  const { input, output } = told.definition
  const signature = `${told.name}(${fieldsOf(input.schema)})${output ? ` -> ${typeOf(output.schema)}` : ''}`
  return JSON.stringify(clip(clean(`${signature}: ${told.about}`), LONGEST))
}

/** A foreign text on one line: no breaks, no control characters, nothing invisible. */
export function clean(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
}

/** At most `most` characters, whole ones, with a mark where something was left out. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text
  const points = [...text]
  return points.length <= most ? text : `${points.slice(0, most - 1).join('')}…`
}

type Fields = { [keyword: string]: unknown }

function fieldsOf(schema: JsonSchema): string {
  if (typeof schema !== 'object' || !isFields(schema['properties'])) return ''
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(schema['properties'])
    .map(([name, field]) => `${name}${required.includes(name) ? '' : '?'}: ${typeOf(field, 0)}`)
    .join(', ')
}

/** A schema as a compact type; what stands deeper than three levels is told as its kind. */
export function typeOf(schema: unknown, depth = 0): string {
  if (!isFields(schema)) return 'any'
  const { title, $ref, const: only, items, type } = schema
  const choices = schema['enum']
  const branches = schema['anyOf'] ?? schema['oneOf']
  if (only !== undefined) return literal(only)
  if (Array.isArray(choices)) return clip(choices.map(literal).join('|'), 60)
  if (typeof $ref === 'string') return $ref.split('/').at(-1) || 'any'
  if (Array.isArray(branches)) return [...new Set(branches.map(b => typeOf(b, depth + 1)))].join('|')
  if (Array.isArray(type)) return type.map(t => typeOf({ ...schema, type: t }, depth)).join('|')
  if (type === 'array' || items !== undefined) {
    const inner = typeOf(items, depth + 1)
    return inner.includes('|') ? `(${inner})[]` : `${inner}[]`
  }
  if (type === 'object' || schema['properties'] !== undefined) {
    if (typeof title === 'string' && /^\w{1,40}$/.test(title)) return title
    const fields = depth < 3 ? fieldsOf(schema) : ''
    return fields === '' ? 'object' : `{ ${fields} }`
  }
  return typeof type === 'string' ? type : 'any'
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value)
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
