// Two schemas in one: both of them, or either. What comes out allows at least what the two allow together, so that
// nothing a tool takes is kept from a model; its arguments are read against the full schema anyway.

import { canonical, equal, field, setField } from '../json.ts'
import { maskOf, namesOf } from '../kinds.ts'
import { isNever, NEVER, type Tree } from './tree.ts'

const lowest = new Set('minimum exclusiveMinimum minLength minItems minContains minProperties'.split(' '))
const highest = new Set('maximum exclusiveMaximum maxLength maxItems maxContains maxProperties'.split(' '))
const rests = new Set('items additionalProperties unevaluatedProperties unevaluatedItems'.split(' '))
// What means something only with one another: those of the first schema are told.
const together = [['if', 'then', 'else'], ['contains', 'minContains', 'maxContains'], ['prefixItems']]
const remarks = new Set('title description default examples deprecated readOnly writeOnly'.split(' '))

/** Whether it says nothing but what it is. */
export function isRemark(keyword: string): boolean {
  return remarks.has(keyword)
}

/** One schema for what fits both. Remarks of `a` come before those of `b`; of `$ref`s there is one at most. */
export function both(a: Tree, b: Tree): Tree {
  if (isNever(a) || isNever(b)) return NEVER
  const made: Tree = { ...a }
  const kept = together.filter(group => group.some(keyword => a[keyword] !== undefined)).flat()
  for (const [keyword, value] of Object.entries(b)) {
    if (kept.includes(keyword)) continue
    const own = made[keyword]
    if (own === undefined) made[keyword] = value
    else if (keyword === 'type') {
      const mask = maskOf(own) & maskOf(value)
      if (mask === 0) return NEVER
      made['type'] = typeFrom(mask)
    } else if (keyword === 'required') made['required'] = [...new Set([...(own as []), ...(value as [])])]
    else if (keyword === 'allOf') made['allOf'] = [...(own as []), ...(value as [])]
    else if (keyword === 'enum')
      made['enum'] = (own as unknown[]).filter(one => (value as unknown[]).some(two => equal(one, two)))
    else if (lowest.has(keyword)) made[keyword] = Math.max(own as number, value as number)
    else if (highest.has(keyword)) made[keyword] = Math.min(own as number, value as number)
    else if (keyword === 'patternProperties') made[keyword] = bothMaps(own as Tree, value as Tree)
    else if (rests.has(keyword)) made[keyword] = bothOf(own, value)
    else if (keyword === 'const' && !equal(own, value)) return NEVER
    else if (keyword === 'anyOf' || keyword === 'oneOf') made[keyword] = bothUnions(own as [], value as [])
    // Two patterns, two formats: the first is told. Reading goes by both.
  }
  for (const keyword of ['enum', 'anyOf', 'oneOf'])
    if (Array.isArray(made[keyword]) && made[keyword].length === 0) return NEVER
  if (a['properties'] !== undefined || b['properties'] !== undefined) made['properties'] = bothFields(a, b)
  return made
}

/** The `type` of a mask of kinds. */
export function typeFrom(mask: number): string | string[] {
  const types = namesOf(mask)
  return types.length === 1 ? types[0]! : types
}

function bothOf(a: unknown, b: unknown): unknown {
  return a === false || b === false ? false : both(a as Tree, b as Tree)
}

function bothMaps(a: Tree, b: Tree): Tree {
  const made: Tree = { ...a }
  for (const [key, two] of Object.entries(b)) {
    const one = field(a, key) as Tree | undefined
    setField(made, key, one === undefined ? two : both(one, two as Tree))
  }
  return made
}

function bothUnions(a: readonly Tree[], b: readonly Tree[]): readonly Tree[] {
  if (a.length * b.length > 16 || equal(a, b)) return a
  return a.flatMap(one => b.map(two => both(one, two))).filter(one => !isNever(one))
}

function bothFields(a: Tree, b: Tree): Tree {
  const [ones, twos] = [(a['properties'] ?? {}) as Tree, (b['properties'] ?? {}) as Tree]
  const made: Tree = {}
  for (const name of new Set([...Object.keys(ones), ...Object.keys(twos)])) {
    const [one, two] = [field(ones, name), field(twos, name)] as (Tree | undefined)[]
    if (one !== undefined && two !== undefined) setField(made, name, both(one, two))
    // A field that the other one does not let in.
    else if (isClosed(one === undefined ? a : b)) continue
    else setField(made, name, one ?? two)
  }
  return made
}

function isClosed(tree: Tree): boolean {
  return tree['additionalProperties'] === false && tree['patternProperties'] === undefined
}

/** One record for what is one of several records: all their fields, and required what all of them require. */
export function eitherRecord(records: readonly Tree[]): Tree {
  const [first, ...rest] = records
  if (first === undefined) return NEVER
  if (rest.length === 0) return first
  const made: Tree = {}
  for (const [keyword, value] of Object.entries(first)) {
    if (!isRemark(keyword) && rest.every(one => equal(one[keyword] ?? null, value))) made[keyword] = value
  }
  made['type'] = 'object'
  const names = new Set(records.flatMap(one => Object.keys((one['properties'] ?? {}) as Tree)))
  const fields: Tree = {}
  for (const name of names) {
    const all = records.map(one => field((one['properties'] ?? {}) as Tree, name) as Tree | undefined)
    setField(fields, name, either(all.filter(one => one !== undefined)))
  }
  made['properties'] = fields
  const required = records.map(one => (one['required'] ?? []) as string[])
  made['required'] = required[0]!.filter(name => required.every(names => names.includes(name)))
  return made
}

/** One schema for what fits one of several: values that are listed join in one list, others in an `anyOf`. */
export function either(trees: readonly Tree[]): Tree {
  const distinct = [...new Map(trees.map(tree => [canonical(withoutRemarks(tree)), tree])).values()]
  if (distinct.length === 1) return trees[0]!
  const values = distinct.map(listedValues)
  if (values.every(one => one !== undefined)) {
    const all = [...new Map(values.flat().map(value => [canonical(value), value])).values()]
    const description = trees.find(tree => tree['description'] !== undefined)?.['description']
    return { enum: all, ...(description !== undefined && { description }) }
  }
  return { anyOf: distinct }
}

function withoutRemarks(tree: Tree): Tree {
  return Object.fromEntries(Object.entries(tree).filter(([keyword]) => !isRemark(keyword)))
}

function listedValues(tree: Tree): unknown[] | undefined {
  if (Object.keys(tree).some(keyword => !['type', 'enum', 'const'].includes(keyword) && !isRemark(keyword)))
    return undefined
  if (tree['const'] !== undefined) return [tree['const']]
  return tree['enum'] as unknown[] | undefined
}
