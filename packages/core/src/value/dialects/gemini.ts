// Gemini's functions (https://ai.google.dev/api/caching#Schema): a part of OpenAPI 3.0. One type a schema, `nullable`
// in place of null, lists of values only of texts, `anyOf` with nothing beside it, no references.

import { either } from './merge.ts'
import { withNotes, wordsFor } from './notes.ts'
import type { Site, Takes } from './tell.ts'
import { isNever, type Tree } from './tree.ts'

const ofType: Readonly<Record<string, readonly string[]>> = {
  string: ['enum', 'format', 'pattern', 'minLength', 'maxLength'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  boolean: [],
  array: ['items', 'minItems', 'maxItems'],
  object: ['properties', 'required', 'minProperties', 'maxProperties'],
  null: [],
}

export const gemini: Takes = {
  keywords: new Set(['type', 'nullable', 'anyOf', ...Object.values(ofType).flat()]),
  keeps: (keyword, value) =>
    keyword === 'format' ? value === 'date-time' : keyword !== 'items' || value !== false,
  refs: 'none',
  plainUnions: true,
  prepare: itemsSaid,
  finish,
}

/** Lists with one schema for all of their items; the note on a tuple says which is which. */
function itemsSaid(tree: Tree): Tree {
  const { prefixItems, items } = tree
  if (prefixItems === undefined)
    return items === undefined && tree['type'] === 'array' ? { ...tree, items: {} } : tree
  const rest = items === false ? [] : [(items ?? {}) as Tree]
  return { ...tree, items: either([...(prefixItems as Tree[]), ...rest]) }
}

/** Any value, as near as it can be told: a list there must say of what it is. */
const anything: readonly string[] = ['string', 'number', 'boolean', 'object', 'array']

function finish(told: Tree, source: Tree, site: Site): Tree {
  if (isNever(source)) return { type: 'string', description: 'is never given' }
  if (told['anyOf'] !== undefined) return union(told, told['anyOf'] as readonly Tree[])
  const { type, nullable, ...given } = told
  const rest = withTexts(given, site)
  const types = [type ?? anything].flat() as string[]
  const kinds = types.filter(one => one !== 'null')
  const mayBeNull = nullable === true || type === undefined || kinds.length < types.length
  if (kinds.length === 0) return { ...said(rest), type: 'null' }
  const branches = kinds.map(kind => ofKind(kind, rest))
  const beside = { ...said(rest), ...(mayBeNull && { nullable: true }) }
  return branches.length === 1 ? { ...beside, ...branches[0] } : union(beside, branches)
}

function said(tree: Tree): Tree {
  return tree['description'] === undefined ? {} : { description: tree['description'] }
}

/** A list of values is taken where all of them are texts; else it is said. */
function withTexts(given: Tree, site: Site): Tree {
  const { enum: listed, ...rest } = given
  if (listed === undefined) return given
  const values = (listed as unknown[]).filter(one => one !== null)
  if (values.length > 0 && values.every(one => typeof one === 'string')) return { ...rest, enum: values }
  if (values.length === 0) return rest
  const text = wordsFor('enum', values)
  site.note(text)
  return { ...rest, description: withNotes(rest['description'], [text]) }
}

function ofKind(kind: string, rest: Tree): Tree {
  const made: Tree = { type: kind }
  for (const keyword of ofType[kind] ?? []) if (rest[keyword] !== undefined) made[keyword] = rest[keyword]
  // A list in what may be anything; something has to be said of its items.
  if (kind === 'array') made['items'] ??= { type: 'string' }
  if (kind === 'object' && made['required'] !== undefined) {
    const fields = (made['properties'] ?? {}) as Tree
    const required = (made['required'] as string[]).filter(name => Object.hasOwn(fields, name))
    if (required.length > 0) made['required'] = required
    else delete made['required']
  }
  return made
}

function union({ description, nullable }: Tree, branches: readonly Tree[]): Tree {
  const all = branches.flatMap(one => (one['anyOf'] as Tree[] | undefined) ?? [one])
  const real = all.filter(one => one['type'] !== 'null')
  const mayBeNull = nullable === true || real.length < all.length
  const put = (one: Tree): Tree => ({
    ...(description !== undefined && { description }),
    ...one,
    ...(mayBeNull && { nullable: true }),
  })
  if (real.length === 0) return { ...(description !== undefined && { description }), type: 'null' }
  return real.length === 1 ? put(real[0]!) : { anyOf: real.map(put) }
}
