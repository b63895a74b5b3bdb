// Reading an OpenAPI document of 2.0, 3.0 or 3.1: its local references, and its schemas as far as recipes have them.
import type { Json } from '@toolwright/core'
import { isObject } from '../document/keys.ts'
import type { ParamDocument, ParamType } from '../document/types.ts'

export type Node = { readonly [key: string]: unknown }

/** Follows local references. A remote one is never loaded: it is undefined, as is one that leads in a circle. */
export function deref(root: unknown, value: unknown): Node | undefined {
  let now = value
  for (let hops = 0; hops < 20; hops++) {
    if (!isObject(now)) return undefined
    const { $ref } = now
    if (typeof $ref !== 'string') return now
    if (!$ref.startsWith('#/')) return undefined
    now = $ref
      .slice(2)
      .split('/')
      .map(key => decode(key).replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>(
        (one, key) =>
          typeof one === 'object' && one !== null && Object.hasOwn(one, key) ? (one as Node)[key] : undefined,
        root,
      )
  }
  return undefined
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A schema with its `allOf` joined, or why it cannot be. */
export function whole(root: unknown, value: unknown, depth = 0): Node | undefined {
  const schema = deref(root, value)
  if (!schema || depth > 6) return undefined
  if (!Array.isArray(schema['allOf'])) return schema
  const parts = [schema, ...schema['allOf'].map(part => whole(root, part, depth + 1) ?? {})]
  const properties = Object.assign(
    {},
    ...parts.map(part => (isObject(part['properties']) ? part['properties'] : {})),
  )
  const required = parts.flatMap(part => (Array.isArray(part['required']) ? part['required'] : []))
  const { allOf: _, ...joined } = Object.assign({}, ...parts.toReversed()) as Node
  return { ...joined, properties, required }
}

/** The one type of a schema; undefined where it has none or several. */
export function typeOf(schema: Node): ParamType | undefined {
  const { type } = schema
  const types = (Array.isArray(type) ? type : [type]).filter(one => one !== 'null' && one !== undefined)
  if (types.length === 1 && ['string', 'integer', 'number', 'boolean', 'array', 'object'].includes(types[0]))
    return types[0]
  if (types.length > 0) return undefined
  if (isObject(schema['properties'])) return 'object'
  if (isObject(schema['items'])) return 'array'
  if (Array.isArray(schema['enum']) && schema['enum'].every(one => typeof one === 'string')) return 'string'
  return undefined
}

/** How deep fields of fields go before they are left out. */
const DEPTH = 4

/** A parameter from a schema, or why there can be none. What had to be left out of it joins `notes`. */
export function paramOf(
  root: unknown,
  name: string,
  value: unknown,
  stated: { required: boolean; about?: unknown },
  notes: string[],
  depth = 0,
): ParamDocument | string {
  const schema = whole(root, value)
  if (!schema) return `${name || 'an entry'}: its schema is remote, missing or without end`
  const type = typeOf(schema)
  if (!type) return `${name || 'an entry'}: its schema has no single type`
  const about = [stated.about, schema['description'], schema['title'], readable(name)].find(
    one => typeof one === 'string' && one.trim() !== '',
  )
  const base = {
    from: 'llm' as const,
    name,
    value: `${about as string}${rulesOf(schema)}`,
    type,
    required: stated.required,
  }
  if (type === 'array') return arrayOf(root, schema, base, notes, depth)
  if (type === 'object') {
    const fields = fieldsOfSchema(root, schema, name, notes, depth)
    return typeof fields === 'string' ? fields : { ...base, fields }
  }
  const values = Array.isArray(schema['enum']) ? schema['enum'].filter(one => fits(type, one)) : []
  return values.length > 0 ? { ...base, values: values as Json[] } : base
}

/** What a recipe's types do not say, said in words: the model keeps to it, and the server checks it. */
function rulesOf({
  format,
  pattern,
  minimum,
  maximum,
  minLength,
  maxLength,
  exclusiveMinimum: above,
  exclusiveMaximum: below,
}: Node): string {
  const rules = [
    typeof format === 'string' && !/^(?:int32|int64|float|double|binary|byte)$/.test(format)
      ? `as ${format}`
      : '',
    typeof pattern === 'string' && pattern.length < 200 ? `matching ${pattern}` : '',
    // In 3.0 the exclusive ones are flags beside the others, in 3.1 numbers of their own.
    typeof minimum === 'number' ? `${above === true ? 'more than' : 'at least'} ${minimum}` : '',
    typeof maximum === 'number' ? `${below === true ? 'less than' : 'at most'} ${maximum}` : '',
    typeof above === 'number' ? `more than ${above}` : '',
    typeof below === 'number' ? `less than ${below}` : '',
    typeof minLength === 'number' && minLength > 1 ? `${minLength} characters or more` : '',
    typeof maxLength === 'number' ? `${maxLength} characters at most` : '',
  ].filter(rule => rule !== '')
  return rules.length === 0 ? '' : ` (${rules.join(', ')})`
}

function arrayOf(
  root: unknown,
  schema: Node,
  base: ParamDocument,
  notes: string[],
  depth: number,
): ParamDocument | string {
  const items = whole(root, schema['items'])
  if (!items) return `${base.name}: nothing is said of the entries of the list`
  if (typeOf(items) === 'object') {
    const fields = fieldsOfSchema(root, items, base.name, notes, depth)
    return typeof fields === 'string' ? fields : { ...base, fields }
  }
  if (typeOf(items) === 'array') return `${base.name}: is a list of lists`
  const entry = paramOf(root, '', items, { required: false, about: base.value }, notes, depth + 1)
  return typeof entry === 'string' ? `${base.name}: ${entry}` : { ...base, fields: [entry] }
}

/** The fields of an object. Optional ones that cannot be expressed are left out with a note; a required one is the fault. */
export function fieldsOfSchema(
  root: unknown,
  schema: Node,
  name: string,
  notes: string[],
  depth = 0,
): ParamDocument[] | string {
  if (depth >= DEPTH) return `${name}: is nested more than ${DEPTH} deep`
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const fields: ParamDocument[] = []
  for (const [key, value] of Object.entries(properties)) {
    if (deref(root, value)?.['readOnly'] === true) continue
    const needed = required.includes(key)
    const field =
      nameOf(key) === undefined
        ? `${key}: no parameter can be called so`
        : paramOf(root, nameOf(key)!, value, { required: needed }, notes, depth + 1)
    if (typeof field !== 'string') fields.push(field)
    else if (needed) return name === '' ? field : `${name}.${field}`
    else notes.push(`left out: ${name === '' ? field : `${name}.${field}`}`)
  }
  return fields.length > 0 ? fields : `${name || 'the body'}: is an object of which no field is stated`
}

/** A name as a recipe writes it; undefined where none can. */
export function nameOf(key: string): string | undefined {
  if (key === '' || ['__proto__', 'constructor', 'prototype'].includes(key)) return undefined
  return /[\\{}]/.test(key) ? undefined : key.replaceAll('.', '\\.')
}

function readable(name: string): string {
  return (
    name
      .replace(/\\/g, '')
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .replace(/[_-]+/g, ' ')
      .trim() || 'an entry of the list'
  )
}

function fits(type: ParamType, value: unknown): boolean {
  if (type === 'integer') return Number.isSafeInteger(value)
  return typeof value === type
}

/** The paths of an answer's schema, as `output.fields` names them; at most 60, for a person to prune. */
export function outputOf(root: unknown, value: unknown): string[] {
  const found: string[] = []
  const walk = (one: unknown, keys: readonly string[], depth: number): void => {
    const schema = whole(root, one)
    if (!schema || found.length >= 60) return
    const type = typeOf(schema)
    if (type === 'array' && depth < 5) {
      walk(schema['items'], keys, depth + 1)
      return
    }
    const properties = isObject(schema['properties']) ? Object.entries(schema['properties']) : []
    if (type === 'object' && properties.length > 0 && depth < 5)
      for (const [key, inner] of properties) {
        if (key !== '' && !key.includes('\\')) walk(inner, [...keys, key.replaceAll('.', '\\.')], depth + 1)
      }
    else if (keys.length > 0) found.push(keys.join('.'))
  }
  walk(value, [], 0)
  return [...new Set(found)].slice(0, 60)
}
