// The root of a tool's input must be one plain record: providers refuse a whole request for a union there.

import { escaped, stated } from '../faults.ts'
import { field } from '../json.ts'
import { maskOf, OBJECT } from '../kinds.ts'
import { both, eitherRecord, isRemark } from './merge.ts'
import { isNever, type Tree, Untellable } from './tree.ts'

/** Where a `$ref` of a tree leads. */
export type Defs = ReadonlyMap<string, Tree>

/** The name that a `$ref` of a tree names. */
export function nameIn(ref: unknown): string {
  return String(ref).slice('#/$defs/'.length)
}

/**
 * The schema with its `$ref` and its `allOf` opened, so that it stands there itself. `opened` is every name that was
 * opened on the way, and those that were opened already: one of them inside of itself is not opened again.
 */
export function open(tree: Tree, defs: Defs, opened: string[]): Tree {
  const { $ref, allOf, ...rest } = tree
  let made: Tree = rest
  if ($ref !== undefined) {
    const name = nameIn($ref)
    if (!opened.includes(name)) {
      opened.push(name)
      made = both(made, open(defs.get(name)!, defs, opened))
    }
  }
  for (const one of (allOf as Tree[] | undefined) ?? []) made = both(made, open(one, defs, opened))
  return made
}

/** A record at the root, and whether it was made of a union. */
export interface Root {
  record: Tree
  /** The fields that each shape of the union requires, in words; empty where it was none. */
  shapes: readonly string[]
}

const MAX_SHAPES = 200

/**
 * The one record that the root of a schema is told as, or undefined where a record never fits it. Throws
 * {@link Untellable} where it is one of more shapes than anybody could read.
 */
export function rootRecord(
  tree: Tree,
  defs: Defs,
  opened: readonly string[] = [],
  budget = { left: MAX_SHAPES },
): Root | undefined {
  if (budget.left-- <= 0) throw new Untellable('has a schema of too many shapes')
  const names = [...opened]
  const { anyOf, oneOf, ...rest } = open(tree, defs, names)
  let record: Tree = rest
  const shapes: string[] = []
  if (isNever(record) || ((maskOf(record['type']) >> OBJECT) & 1) === 0) return undefined
  for (const union of [anyOf, oneOf] as (readonly Tree[] | undefined)[]) {
    if (union === undefined) continue
    const found = union.flatMap(one => rootRecord(one, defs, names, budget) ?? [])
    if (found.length === 0) return undefined
    for (const one of found) shapes.push(...(one.shapes.length > 0 ? one.shapes : [fieldsOf(one.record)]))
    record = both(record, eitherRecord(found.map(one => one.record)))
  }
  if (isNever(record)) return undefined
  return { record: { ...record, type: 'object', properties: record['properties'] ?? {} }, shapes }
}

/** The fields that a record requires, with the value of one that has only one: `kind "circle", radius`. */
function fieldsOf(record: Tree): string {
  const fields = record['properties'] as Tree
  const names = ((record['required'] ?? []) as string[]).map(name => {
    const { const: value, enum: values } = (field(fields, name) ?? {}) as {
      const?: unknown
      enum?: unknown[]
    }
    const only = value ?? (values?.length === 1 ? values[0] : undefined)
    return only === undefined ? escaped(name) : `${escaped(name)} ${stated(only)}`
  })
  return names.join(', ') || 'none'
}

/** The remarks of a schema, and the rest of it. */
export function parted(tree: Tree): [remarks: Tree, rest: Tree] {
  const entries = Object.entries(tree)
  return [
    Object.fromEntries(entries.filter(([keyword]) => isRemark(keyword))),
    Object.fromEntries(entries.filter(([keyword]) => !isRemark(keyword))),
  ]
}
