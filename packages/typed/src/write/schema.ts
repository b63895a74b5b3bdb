import type { TypeFault } from '../faults.ts'
import { type Doc, NO_DOC } from '../read/doc.ts'
import type { Reader } from '../read/reader.ts'
import { type Field, plain, type RecordType, type Type } from '../read/types.ts'
import { settled } from './settle.ts'
import { describe, isInteger } from './tags.ts'
import { unionSchema } from './union.ts'

export type Schema = { [keyword: string]: unknown }

/** What is collected while one schema is written. */
export interface Writing {
  readonly reader: Reader
  readonly faults: TypeFault[]
  readonly warnings: TypeFault[]
  /** The named types that were met, by their keys; each is written once. */
  readonly defs: Map<string, Def>
  /** The parts without a name that are being written, and those that were met in themselves: they get a name. */
  readonly open: Map<Type, { def?: Def }>
  /** The name that is being written: of it such a part is. */
  within: string
  /** How many parts were written: a type without an end is cut off. */
  parts: number
  depth: number
}

/** A named type; without a schema it is being written, and meeting it is recursion. */
export interface Def {
  readonly name: string
  schema?: Schema
}

/** A type is too large that has more parts than a model can be told, or names in names without an end. */
const MOST_PARTS = 5000
const DEEPEST = 100

/** The schema of a type. `doc`: what is said of it where it stands, which goes before what the type says of itself. */
export function schemaOf(w: Writing, type: Type, doc: Doc = NO_DOC): Schema {
  return settled(w, write(w, type, doc), true)
}

export function writing(reader: Reader): Writing {
  return {
    reader,
    faults: [],
    warnings: [],
    defs: new Map(),
    open: new Map(),
    within: 'Part',
    parts: 0,
    depth: 0,
  }
}

/** The schema of a part of a type, in which what has a name is a `$ref`; {@link settled} decides what stays one. */
export function write(w: Writing, type: Type, doc: Doc = NO_DOC): Schema {
  if (type.kind === 'named') return named(w, type, doc)
  return describe(w, bare(w, type, isInteger(doc)), doc)
}

function named(w: Writing, type: Extract<Type, { kind: 'named' }>, doc: Doc): Schema {
  const inner = plain(type)
  // Texts and numbers have no parts to tell apart, and their docs say what kind of number they are.
  if (inner.kind !== 'record' && inner.kind !== 'union' && inner.kind !== 'array' && inner.kind !== 'tuple')
    return describe(w, written(w, type, isInteger(doc)), doc)
  const { key } = type.type
  let def = w.defs.get(key)
  if (!def) {
    def = { name: freeName(w, type.name) }
    w.defs.set(key, def)
    const outer = w.within
    w.within = type.name
    w.depth++
    def.schema = written(w, type, isInteger(doc))
    w.depth--
    w.within = outer
  }
  return describe(w, { $ref: `#/$defs/${def.name}` }, doc)
}

function written(w: Writing, type: Extract<Type, { kind: 'named' }>, integer: boolean): Schema {
  const inner = type.type()
  // An alias of another name says first what it says itself.
  if (inner.kind === 'named') return write(w, inner, type.doc)
  return describe(w, bare(w, inner, integer || isInteger(type.doc)), type.doc)
}

function freeName(w: Writing, name: string): string {
  const taken = new Set([...w.defs.values()].map(each => each.name))
  const plainName = name.replace(/[^\w.-]/g, '_')
  let free = plainName
  for (let i = 2; taken.has(free); i++) free = `${plainName}${i}`
  return free
}

function bare(w: Writing, type: Exclude<Type, { kind: 'named' }>, integer: boolean): Schema {
  if (++w.parts > MOST_PARTS || w.depth > DEEPEST) return endless(w)
  switch (type.kind) {
    case 'string':
    case 'boolean':
    case 'null':
    case 'object':
      return { type: type.kind }
    case 'number':
      return { type: integer ? 'integer' : 'number' }
    case 'template':
      return { type: 'string', pattern: type.pattern }
    case 'literal':
      return { type: typeof type.value, const: type.value }
    case 'never':
      return { not: {} }
    case 'unknown':
      return {}
    case 'loose':
      w.warnings.push(type.warning)
      return {}
    case 'refused':
      w.faults.push(type.fault)
      return {}
    case 'undefined':
      return { type: 'null' }
    case 'array':
      return opened(w, type, () => ({ type: 'array', items: write(w, type.item()) }))
    case 'tuple':
      return opened(w, type, () => tuple(w, type))
    case 'record':
      return opened(w, type, () => record(w, type))
    case 'union':
      return unionSchema(w, type.members, integer)
  }
}

// A union is its members: a name for one is gone where it stands in another (`next: Tree | null`), and what it leads
// back to is a part without a name.
function opened(w: Writing, type: Type, make: () => Schema): Schema {
  const before = w.open.get(type)
  if (before) {
    if (!before.def) {
      before.def = { name: freeName(w, w.within) }
      w.defs.set(`part ${w.defs.size}`, before.def)
    }
    return { $ref: `#/$defs/${before.def.name}` }
  }
  const here: { def?: Def } = {}
  w.open.set(type, here)
  const schema = make()
  if (!here.def) {
    w.open.delete(type)
    return schema
  }
  here.def.schema = schema
  return { $ref: `#/$defs/${here.def.name}` }
}

function tuple(w: Writing, type: Extract<Type, { kind: 'tuple' }>): Schema {
  const items = type.items.map(each => {
    const schema = write(w, withoutUndefined(each.type()))
    return each.name !== undefined && schema['title'] === undefined && schema['description'] === undefined
      ? { ...schema, description: each.name }
      : schema
  })
  const needed = type.items.filter(each => !each.optional).length
  if (items.length === 0)
    return { type: 'array', ...(type.rest ? { items: write(w, type.rest()) } : { maxItems: 0 }) }
  return {
    type: 'array',
    prefixItems: items,
    ...(needed > 0 && { minItems: needed }),
    ...(type.rest ? { items: write(w, type.rest()) } : { items: false, maxItems: items.length }),
  }
}

function record(w: Writing, type: RecordType): Schema {
  const properties: [string, Schema][] = []
  const required: string[] = []
  for (const [name, field] of type.fields) {
    const read = field.type()
    const kind = plain(read).kind
    // `field?: never` says that it must not be there, as every field that is not named.
    if (kind === 'never' || kind === 'undefined') continue
    const schema = write(w, withoutUndefined(read), field.doc)
    properties.push([name, schema])
    if (isRequired(field, read) && schema['default'] === undefined) required.push(name)
  }
  const rest = type.index && write(w, withoutUndefined(type.index.value()))
  return {
    type: 'object',
    // A record without fields of its own is told by its rest alone.
    ...((properties.length > 0 || !rest) && { properties: fromPairs(properties) }),
    ...((required.length > 0 || !rest) && { required }),
    ...(type.index?.pattern !== undefined && { patternProperties: { [type.index.pattern]: rest } }),
    additionalProperties: type.index && type.index.pattern === undefined ? rest : false,
  }
}

function isRequired(field: Field, type: Type): boolean {
  const bareType = plain(type)
  return (
    !field.optional &&
    !(bareType.kind === 'union' && bareType.members.some(each => plain(each).kind === 'undefined'))
  )
}

function withoutUndefined(type: Type): Type {
  const bareType = plain(type)
  if (bareType.kind !== 'union') return type
  const members = bareType.members.filter(each => plain(each).kind !== 'undefined')
  if (members.length === bareType.members.length) return type
  return members.length === 1 ? members[0]! : { kind: 'union', members }
}

// A field may be called __proto__, which a plain assignment would lose.
function fromPairs(pairs: readonly [string, Schema][]): Schema {
  return Object.fromEntries(pairs)
}

function endless(w: Writing): Schema {
  w.parts = Number.NEGATIVE_INFINITY
  w.depth = Number.NEGATIVE_INFINITY
  const at = { path: '', line: 1, column: 1, text: '', width: 1 }
  w.faults.push({
    code: 'T2110',
    problem: `the type has more than ${MOST_PARTS} parts, or is more than ${DEEPEST} names deep`,
    fix: 'tell the model a smaller type',
    at,
  })
  return {}
}
