// OpenAI's functions. Strict (https://platform.openai.com/docs/guides/structured-outputs, "Supported schemas"): every
// field is required, an optional one takes null in place of being left out, and nothing but what is named is let in.

import { field } from '../json.ts'
import { check } from '../read.ts'
import type { Defs } from './root.ts'
import type { Site, Takes } from './tell.ts'
import { isNever, type Tree } from './tree.ts'

const formats = new Set('date-time time date duration email hostname ipv4 ipv6 uuid'.split(' '))

export const strict: Takes = {
  keywords: new Set(
    (
      'type properties required additionalProperties items enum const anyOf pattern format multipleOf minimum ' +
      'maximum exclusiveMinimum exclusiveMaximum minItems maxItems'
    ).split(' '),
  ),
  keeps(keyword, value) {
    if (keyword === 'format') return formats.has(value as string)
    // Their patterns know no lookaround and no backreference.
    if (keyword === 'pattern') return !/\(\?(?!:)|\\[1-9k]/.test(value as string)
    return keyword !== 'additionalProperties' || value === false
  },
  refs: 'all',
  plainUnions: true,
  finish,
}

function finish(told: Tree, source: Tree, site: Site): Tree {
  if (told['$ref'] !== undefined) {
    const { $ref, ...beside } = told
    return Object.keys(beside).length === 0 ? told : { ...beside, anyOf: [{ $ref }] }
  }
  if (told['anyOf'] !== undefined) return told
  const types = [told['type'] ?? []].flat()
  const values = (told['enum'] ?? [told['const'] ?? null]) as unknown[]
  if (types.length === 0 || isNever(source) || values.some(one => typeof one === 'object' && one !== null))
    site.lose()
  if (types.includes('array') && (told['items'] === undefined || source['prefixItems'] !== undefined))
    site.lose()
  if (types.includes('array') && told['items'] === false) site.lose()
  return types.includes('object') ? closedRecord(told, source, site) : told
}

function closedRecord(told: Tree, source: Tree, site: Site): Tree {
  const fields = (source['properties'] ?? {}) as Tree
  const given = (told['properties'] ?? {}) as Tree
  const required = (source['required'] ?? []) as readonly string[]
  if (!isClosed(source) || required.some(name => !Object.hasOwn(given, name))) site.lose()
  const properties = Object.fromEntries(
    Object.entries(given).map(([name, one]) => {
      if (required.includes(name)) return [name, one]
      // A null counts as a field for these, where they stand apart from the fields and are looked at first.
      if (counting.some(keyword => source[keyword] !== undefined)) site.lose()
      // Left out and null are two things there, and only one of them can be told.
      if (takesNull(field(fields, name) as Tree, site.defs)) site.lose()
      return [name, orNull(one as Tree)]
    }),
  )
  return { ...told, properties, required: Object.keys(properties), additionalProperties: false }
}

const counting = ['maxProperties', 'propertyNames', 'dependentRequired', 'dependentSchemas', 'not', 'if']

function isClosed(source: Tree): boolean {
  if (source['patternProperties'] !== undefined) return false
  if (source['additionalProperties'] === false) return true
  // Fields that others look at are let in as well.
  const others = ['then', 'else', 'dependentSchemas', 'if'].some(keyword => source[keyword] !== undefined)
  return source['unevaluatedProperties'] === false && source['additionalProperties'] === undefined && !others
}

function takesNull(tree: Tree, defs: Defs): boolean {
  return check(defs.size === 0 ? tree : { ...tree, $defs: Object.fromEntries(defs) }, null).ok
}

function orNull(told: Tree): Tree {
  const { type, enum: values, const: value, ...rest } = told
  if (told['anyOf'] !== undefined) {
    const branches = told['anyOf'] as Tree[]
    return branches.some(one => one['type'] === 'null')
      ? told
      : { ...told, anyOf: [...branches, { type: 'null' }] }
  }
  if (told['$ref'] !== undefined) return { anyOf: [told, { type: 'null' }] }
  if (type === undefined) return told
  const types = [type].flat() as string[]
  const listed = (values ?? (value === undefined ? undefined : [value])) as unknown[] | undefined
  return {
    ...rest,
    type: types.includes('null') ? typeFromList(types) : [...types, 'null'],
    ...(listed && { enum: listed.includes(null) ? listed : [...listed, null] }),
  }
}

function typeFromList(types: string[]): string | string[] {
  return types.length === 1 ? types[0]! : types
}

/** Whether it is small enough for strict: 5,000 fields, 10 levels, 1,000 listed values, 120,000 characters. */
export function fitsStrict(schema: Tree): boolean {
  let [fields, values, characters, deepest] = [0, 0, 0, 0]
  const open: [one: unknown, depth: number][] = [[schema, 0]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [one, depth] = next
    if (typeof one !== 'object' || one === null) continue
    deepest = Math.max(deepest, depth)
    const { properties, items, anyOf, $defs, enum: listed, const: value } = one as Tree
    for (const map of [properties, $defs] as (Tree | undefined)[]) {
      for (const [name, inner] of Object.entries(map ?? {})) {
        if (map === properties) fields++
        characters += name.length
        open.push([inner, map === properties ? depth + 1 : 0])
      }
    }
    open.push([items, depth + 1])
    for (const branch of (anyOf ?? []) as unknown[]) open.push([branch, depth])
    for (const entry of [...((listed ?? []) as unknown[]), ...(value === undefined ? [] : [value])]) {
      values++
      if (typeof entry === 'string') characters += entry.length
    }
  }
  return fields <= 5000 && deepest <= 10 && values <= 1000 && characters <= 120_000
}
