// Types as JSON Schemas: what a model is told of a tool's parameters, and asked for.
import { schemasOf } from '../check/declare.ts'
import { type AliasTy, expand, members, type Ty } from '../check/type.ts'
import type { Expression, Schema } from '../syntax/ast.ts'

type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
type Tree = { [key: string]: Json }

/** The schema of `t`, with what recursive types need under `$defs`. */
export function schemaOf(t: Ty): Tree {
  const defs = new Map<string, Tree>()
  const schema = write(t, { defs, open: new Map(), names: new Map() })
  return defs.size === 0 ? schema : { ...schema, $defs: Object.fromEntries(defs) }
}

interface Writing {
  defs: Map<string, Tree>
  /** Named types that are being written: one that is met again is recursive. */
  open: Map<string, boolean>
  names: Map<string, string>
}

function write(t: Ty, w: Writing): Tree {
  switch (t.kind) {
    case 'alias':
      return named(t, w)
    case 'string':
    case 'number':
    case 'boolean':
      return { type: t.kind }
    case 'null':
    case 'void':
      return { type: 'null' }
    case 'literal':
      return { type: typeof t.value, const: t.value } as Tree
    case 'list':
      return { type: 'array', items: write(t.of, w) }
    case 'map':
      return { type: 'object', additionalProperties: write(t.value, w) }
    case 'record':
      return { type: 'object' }
    case 'object': {
      const fields = [...t.fields]
      const properties = Object.fromEntries(
        fields.map(([name, f]): [string, Tree] => {
          const own = f.optional ? nullable(write(f.type, w)) : write(f.type, w)
          return [name, { ...own, ...stated(f.schemas ?? []) }]
        }),
      )
      const required = fields.filter(([, f]) => !f.optional).map(([name]) => name)
      return {
        type: 'object',
        properties,
        ...(required.length > 0 ? { required } : {}),
        additionalProperties: false,
      }
    }
    case 'union':
      return unionOf(t.of, w)
    case 'result':
      return write(t.of, w)
    default:
      return {}
  }
}

function unionOf(of: readonly Ty[], w: Writing): Tree {
  const literals = of.filter(each => each.kind === 'literal')
  const rest = of.filter(each => each.kind !== 'literal')
  const kinds = new Set(literals.map(each => typeof each.value))
  const choices: Tree[] = [...kinds].map(kind => {
    const values = literals.filter(each => typeof each.value === kind).map(each => each.value)
    return values.length === 1 ? { type: kind, const: values[0]! } : { type: kind, enum: values }
  })
  const all = [...choices, ...rest.map(each => write(each, w))]
  if (all.length === 1) return all[0]!
  const plain = all.every(each => Object.keys(each).length === 1 && typeof each['type'] === 'string')
  return plain ? { type: all.map(each => each['type']!) } : { anyOf: all }
}

/** What may be missing may be null too. */
export function nullable(schema: Tree): Tree {
  if (Object.keys(schema).length === 0) return schema
  if (typeof schema['type'] === 'string' && Object.keys(schema).length === 1)
    return schema['type'] === 'null' ? schema : { type: [schema['type'], 'null'] }
  const { description, default: fallback, ...rest } = schema
  return {
    anyOf: [rest, { type: 'null' }],
    ...(description === undefined ? {} : { description }),
    ...(fallback === undefined ? {} : { default: fallback }),
  }
}

function named(t: AliasTy, w: Writing): Tree {
  // A generic type that grows in itself has no end: what lies deep may be anything.
  if (w.open.size > 40) return {}
  const key = `${t.name}<${t.args.map(each => JSON.stringify(write(each, { ...w, open: new Map(w.open) }))).join()}>`
  const own = stated(schemasOf(t))
  if (w.open.has(key)) {
    w.open.set(key, true)
    const name = nameFor(key, t.name, w)
    return { $ref: `#/$defs/${name}` }
  }
  if (w.names.has(key) && w.defs.has(w.names.get(key)!)) return { $ref: `#/$defs/${w.names.get(key)}` }
  w.open.set(key, false)
  const whole = { ...write(expand(t), w), ...own }
  const recursive = w.open.get(key) === true
  w.open.delete(key)
  if (!recursive) return whole
  const name = nameFor(key, t.name, w)
  w.defs.set(name, whole)
  return { $ref: `#/$defs/${name}` }
}

function nameFor(key: string, wanted: string, w: Writing): string {
  const known = w.names.get(key)
  if (known) return known
  const taken = new Set(w.names.values())
  let name = wanted
  for (let n = 2; taken.has(name); n++) name = `${wanted}${n}`
  w.names.set(key, name)
  return name
}

/** What `@jsonSchema` lines say, merged. */
function stated(schemas: readonly Schema[]): Tree {
  let all: Tree = {}
  for (const each of schemas) {
    const value = each.value && constant(each.value)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) all = { ...all, ...value }
  }
  return all
}

/** The value of an expression that is written out; nothing where it has to be computed. */
export function constant(e: Expression): Json | undefined {
  switch (e.kind) {
    case 'number':
    case 'boolean':
      return e.value
    case 'null':
      return null
    case 'text':
      return e.parts.every(part => typeof part === 'string') ? e.parts.join('') : undefined
    case 'unary': {
      const value = e.operator === '-' ? constant(e.value) : undefined
      return typeof value === 'number' ? -value : undefined
    }
    case 'list': {
      const items = e.items.map(each => (each.kind === 'splat' ? undefined : constant(each)))
      return items.includes(undefined) ? undefined : (items as Json[])
    }
    case 'record': {
      const all: Tree = {}
      for (const entry of e.entries) {
        if (entry.kind === 'splat' || entry.computed || !entry.value) return undefined
        const key = entry.key.kind === 'name' ? entry.key.text : constant(entry.key)
        const value = constant(entry.value)
        if (typeof key !== 'string' || value === undefined) return undefined
        all[key] = value
      }
      return all
    }
    default:
      return undefined
  }
}

export function isVoid(t: Ty): boolean {
  return members(t).every(each => each.kind === 'void')
}
