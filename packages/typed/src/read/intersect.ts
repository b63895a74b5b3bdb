// Intersections: records are merged, a primitive with a brand is the primitive, unions are gone through.
import { type Reader, refused } from './reader.ts'
import type { Scope } from './scope.ts'
import {
  type Field,
  membersOf,
  once,
  plain,
  type RecordType,
  type Thunk,
  type Type,
  unionOf,
} from './types.ts'

type Span = { start: number; end: number }

/** The intersection of types. */
export function intersectionOf(_r: Reader, types: readonly Thunk[], scope: Scope, node: Span): Type {
  return types.map(each => each()).reduce((a, b) => intersect(a, b, scope, node))
}

function intersect(a: Type, b: Type, scope: Scope, node: Span): Type {
  const left = plain(a)
  const right = plain(b)
  if (left.kind === 'refused') return left
  if (right.kind === 'refused') return right
  if (left.kind === 'loose' || left.kind === 'unknown') return b
  if (right.kind === 'loose' || right.kind === 'unknown') return a
  if (left.kind === 'union' || right.kind === 'union')
    return unionOf(membersOf(a).flatMap(x => membersOf(b).map(y => intersect(x, y, scope, node))))
  if (left.kind === 'never' || right.kind === 'never') return { kind: 'never' }
  if (left.kind === 'record' && right.kind === 'record') {
    const merged = intersectRecords(left, right, 'both', scope, node)
    // Two records whose tags differ have no value in common.
    return [...merged.fields].some(([name, field]) => impossible(left, right, name, field))
      ? { kind: 'never' }
      : merged
  }
  if (left.kind === 'object') return b
  if (right.kind === 'object') return a
  // A brand: `string & { readonly brand: 'UserId' }` is a text in JSON.
  if (isScalar(left) && right.kind === 'record') return a
  if (isScalar(right) && left.kind === 'record') return b
  if (isScalar(left) && isScalar(right)) return narrower(left, right)
  if (isScalar(left) || isScalar(right)) return { kind: 'never' }
  if (
    left.kind === 'null' ||
    right.kind === 'null' ||
    left.kind === 'undefined' ||
    right.kind === 'undefined'
  )
    return left.kind === right.kind ? a : { kind: 'never' }
  const lists = intersectLists(left, right, (x, y) => lazily(x, y, scope, node))
  if (lists) return lists
  return refused(
    'T2102',
    'this intersection is not read',
    'write out the type that it gives, or intersect records only',
    scope,
    node,
  )
}

/**
 * One record of two: of 'both', each field as both say it; of 'either', the fields that both have, as either says it.
 */
export function intersectRecords(
  a: RecordType,
  b: RecordType,
  of: 'both' | 'either',
  scope?: Scope,
  node?: Span,
): RecordType {
  const fields = new Map<string, Field>()
  for (const [name, field] of a.fields) {
    const other = b.fields.get(name)
    if (!other) {
      if (of === 'both') fields.set(name, field)
      continue
    }
    const type =
      field.type.key === other.type.key
        ? field.type
        : of === 'both'
          ? lazily(field.type, other.type, scope!, node!)
          : once(`(${field.type.key}|${other.type.key})`, () => unionOf([field.type(), other.type()]))
    fields.set(name, {
      type,
      optional: of === 'both' ? field.optional && other.optional : field.optional || other.optional,
      doc: field.doc.text === '' && field.doc.tags.length === 0 ? other.doc : field.doc,
    })
  }
  if (of === 'both') for (const [name, field] of b.fields) if (!a.fields.has(name)) fields.set(name, field)
  return { kind: 'record', fields, index: of === 'both' ? (a.index ?? b.index) : a.index && b.index }
}

function lazily(a: Thunk, b: Thunk, scope: Scope, node: Span): Thunk {
  return a.key === b.key ? a : once(`(${a.key}&${b.key})`, () => intersect(a(), b(), scope, node))
}

/** The list that two lists say; nothing where one is none, or where it takes a type checker. */
function intersectLists(a: Type, b: Type, both: (x: Thunk, y: Thunk) => Thunk): Type | undefined {
  if (a.kind === 'array' && b.kind === 'array') return { kind: 'array', item: both(a.item, b.item) }
  if (a.kind === 'array' && b.kind === 'tuple') return intersectLists(b, a, both)
  if (a.kind !== 'tuple') return undefined
  if (b.kind === 'array') {
    const items = a.items.map(each => ({ ...each, type: both(each.type, b.item) }))
    return { kind: 'tuple', items, rest: a.rest && both(a.rest, b.item) }
  }
  if (b.kind !== 'tuple' || a.rest || b.rest || a.items.length !== b.items.length) return undefined
  const items = a.items.map((each, i) => {
    const other = b.items[i]!
    return { ...each, type: both(each.type, other.type), optional: each.optional && other.optional }
  })
  return { kind: 'tuple', items, rest: undefined }
}

function impossible(a: RecordType, b: RecordType, name: string, field: Field): boolean {
  if (field.optional || !a.fields.has(name) || !b.fields.has(name)) return false
  const tags = [a, b].map(each => plain(each.fields.get(name)!.type()))
  return tags.every(each => each.kind === 'literal') && plain(field.type()).kind === 'never'
}

function isScalar(type: Type): boolean {
  return ['string', 'number', 'boolean', 'literal', 'template'].includes(type.kind)
}

function narrower(a: Type, b: Type): Type {
  if (a.kind === 'literal' && b.kind === 'literal') return a.value === b.value ? a : { kind: 'never' }
  const [wide, narrow] = a.kind === 'literal' || b.kind === a.kind || b.kind === 'string' ? [b, a] : [a, b]
  const kind =
    narrow.kind === 'literal' ? typeof narrow.value : narrow.kind === 'template' ? 'string' : narrow.kind
  if (wide.kind === 'template' && narrow.kind === 'literal')
    return new RegExp(wide.pattern, 'u').test(String(narrow.value)) ? narrow : { kind: 'never' }
  return wide.kind === kind || wide.kind === narrow.kind ? narrow : { kind: 'never' }
}
