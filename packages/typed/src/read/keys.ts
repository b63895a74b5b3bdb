// `keyof T` and `T[K]`.
import { refused } from './reader.ts'
import { viewOf } from './record.ts'
import type { Scope } from './scope.ts'
import { literal, membersOf, plain, type Type, unionOf } from './types.ts'

type Span = { start: number; end: number }

/** The names of a record's fields, as a union of texts. */
export function keysOf(type: Type, scope: Scope, node: Span): Type {
  const bare = plain(type)
  if (bare.kind === 'refused') return bare
  const record = viewOf(type)
  if (!record)
    return refused(
      'T2102',
      'keyof is read of records only',
      'write the union of texts that is meant',
      scope,
      node,
    )
  const names = [...record.fields.keys()].filter(name => !/^[[(]/.test(name)).map(literal)
  return record.index ? { kind: 'string' } : unionOf(names)
}

/** The type of what stands under the keys `key` of `type`. */
export function indexed(type: Type, key: Type, scope: Scope, node: Span): Type {
  const bare = plain(key)
  if (bare.kind === 'refused') return bare
  const objects = membersOf(type).map(plain)
  return unionOf(objects.flatMap(each => membersOf(key).map(one => under(each, plain(one), scope, node))))
}

function under(type: Type, key: Type, scope: Scope, node: Span): Type {
  const no = (problem: string, fix: string): Type => refused('T2102', problem, fix, scope, node)
  if (type.kind === 'refused' || type.kind === 'loose') return type
  if (type.kind === 'record') {
    const name = key.kind === 'literal' ? String(key.value) : undefined
    const field = name === undefined ? undefined : type.fields.get(name)
    if (field) return field.optional ? unionOf([field.type(), { kind: 'undefined' }]) : field.type()
    if (type.index) return type.index.value()
    if (name === undefined) return no('this key is no name of a field', "write T['name']")
    return no(`there is no field ${JSON.stringify(name)} in this type`, 'write the name of a field')
  }
  if (type.kind === 'array' && (key.kind === 'number' || typeof literalIn(key) === 'number'))
    return type.item()
  if (type.kind === 'tuple') {
    const at = Number(literalIn(key))
    if (key.kind === 'number')
      return unionOf([...type.items.map(each => each.type()), ...(type.rest ? [type.rest()] : [])])
    const item = type.items[at]?.type ?? type.rest
    if (item) return item()
  }
  return no('this part of a type is not read', 'write out the type that is meant')
}

function literalIn(key: Type): unknown {
  return key.kind === 'literal' ? key.value : undefined
}
