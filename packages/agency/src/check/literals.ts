// The types of lists and records that are written out, checked part by part.
import type { Expression, RecordLiteral } from '../syntax/ast.ts'
import { assignable } from './assign.ts'
import { type Checker, tell } from './checker.ts'
import { fits, infer, need } from './expression.ts'
import { literalOf } from './narrow.ts'
import { elementOf } from './parts.ts'
import { nearest } from './scope.ts'
import {
  ANY,
  expand,
  type FieldTy,
  listOf,
  mayBeNull,
  members,
  NULL,
  type ObjectTy,
  STRING,
  show,
  type Ty,
  union,
  widen,
} from './type.ts'

/** What the entries of a list are hoped to be. */
export function expectedItem(expected: Ty | undefined): Ty | undefined {
  const lists = expected ? members(expected).filter(t => t.kind === 'list') : []
  return lists.length === 1 && lists[0]!.kind === 'list' ? lists[0]!.of : undefined
}

export function listType(c: Checker, e: Extract<Expression, { kind: 'list' }>, expected: Ty | undefined): Ty {
  const item = expectedItem(expected)
  const types = e.items.map(each => {
    if (each.kind === 'splat') {
      const of = infer(c, each.value, expected)
      return elementOf(c, each.value, of, false).first
    }
    return item && item.kind !== 'any' && item.kind !== 'param'
      ? need(c, each, item, 'an entry of the list')
      : infer(c, each)
  })
  if (item && item.kind !== 'param') return listOf(item)
  return listOf(types.length === 0 ? ANY : union(types.map(widen)))
}

export function recordType(c: Checker, e: RecordLiteral, expected: Ty | undefined): Ty {
  const whole = expected && shapeFor(e, expected)
  if (whole?.kind === 'object') return checkedRecord(c, e, whole, expected!)
  const value = whole?.kind === 'map' ? whole.value : undefined
  const fields = new Map<string, FieldTy>()
  let open = false
  for (const entry of e.entries) {
    if (entry.kind === 'splat') {
      const of = expand(infer(c, entry.value))
      if (of.kind === 'object') for (const [name, field] of of.fields) fields.set(name, field)
      else open = true
      continue
    }
    const name = keyOf(entry.key)
    if (entry.computed || entry.key.kind === 'text')
      if (entry.key.kind !== 'name' || entry.computed) infer(c, entry.key)
    const of = entry.value ?? (entry.key.kind === 'name' ? entry.key : undefined)
    const type = of
      ? value && value.kind !== 'param'
        ? need(c, of, value, `\`${name ?? 'the field'}\``)
        : infer(c, of)
      : ANY
    if (name === undefined || entry.computed) open = true
    else {
      if (fields.has(name) && !e.entries.some(each => each.kind === 'splat'))
        tell(c, 'A2002', entry.key, `the field \`${name}\` is stated twice`)
      fields.set(name, { type: widen(type), optional: false })
    }
  }
  if (whole?.kind === 'map') return whole
  if (open || e.entries.length === 0) return { kind: 'map', key: STRING, value: open ? ANY : ANY }
  return { kind: 'object', fields }
}

export function keyOf(key: Expression): string | undefined {
  if (key.kind === 'name') return key.text
  const text = literalOf(key)
  return text?.kind === 'literal' ? String(text.value) : undefined
}

/** Of what is expected, the record that this literal is meant as. */
function shapeFor(e: RecordLiteral, expected: Ty): Ty | undefined {
  const of = members(expected).filter(t => t.kind === 'object' || t.kind === 'map')
  if (of.length <= 1) return of[0]
  const tagged = of.filter(
    t =>
      t.kind === 'object' &&
      e.entries.every(entry => {
        if (entry.kind === 'splat' || !entry.value) return true
        const field = t.fields.get(keyOf(entry.key) ?? '')
        const value = literalOf(entry.value)
        return (
          !field ||
          !value ||
          !members(field.type).every(m => m.kind === 'literal') ||
          assignable(value, field.type)
        )
      }),
  )
  if (tagged.length === 1) return tagged[0]
  const named = tagged.filter(
    t =>
      t.kind === 'object' &&
      e.entries.every(entry => entry.kind === 'splat' || t.fields.has(keyOf(entry.key) ?? '')),
  )
  return named.length === 1 ? named[0] : undefined
}

function checkedRecord(c: Checker, e: RecordLiteral, shape: ObjectTy, expected: Ty): Ty {
  const given = new Set<string>()
  let open = false
  for (const entry of e.entries) {
    if (entry.kind === 'splat') {
      const of = expand(infer(c, entry.value))
      if (of.kind === 'object')
        for (const [name, field] of of.fields) {
          const own = shape.fields.get(name)
          if (own && !e.entries.some(other => other.kind === 'entry' && keyOf(other.key) === name))
            fits(
              c,
              entry.value,
              field.type,
              own.optional ? union([own.type, NULL]) : own.type,
              `the field \`${name}\``,
            )
          if (!field.optional) given.add(name)
        }
      else open = true
      continue
    }
    const name = keyOf(entry.key)
    if (entry.key.kind === 'text' || entry.computed) infer(c, entry.key)
    const of = entry.value ?? (entry.key.kind === 'name' ? entry.key : undefined)
    if (name === undefined || entry.computed) {
      open = true
      if (of) infer(c, of)
      continue
    }
    if (given.has(name) && !e.entries.some(each => each.kind === 'splat'))
      tell(c, 'A2002', entry.key, `the field \`${name}\` is stated twice`)
    given.add(name)
    const field = shape.fields.get(name)
    if (!field) {
      const near = nearest(name, shape.fields.keys())
      tell(
        c,
        'A3002',
        entry.key,
        `${show(expected)} has no field \`${name}\``,
        near && `did you mean \`${near}\`?`,
      )
      if (of) infer(c, of)
    } else if (of)
      need(c, of, field.optional ? union([field.type, NULL]) : field.type, `the field \`${name}\``)
  }
  const missing = [...shape.fields].filter(
    ([name, field]) => !field.optional && !given.has(name) && !mayBeNull(field.type),
  )
  if (!open && missing.length > 0) {
    const names = missing.map(([name]) => `\`${name}\``).join(', ')
    tell(c, 'A3001', e, `${show(expected)} needs the field${missing.length > 1 ? 's' : ''} ${names}`)
  }
  return members(expected).length > 1 || expected.kind === 'alias' ? expected : shape
}
