// A schema as a tree that dialects are made of: draft 2020-12 whatever it was, each reference a name of its `$defs`,
// nothing in it that no dialect tells. It is a copy: the schema itself is never written to.

import type { JsonSchema } from '../../define/records.ts'
import { copyOf, setField } from '../json.ts'
import { isRecord, maskOf, namesOf } from '../kinds.ts'
import { openPattern } from '../pattern.ts'
import { documentOf } from '../read.ts'
import { type Node, nodeOf, resolve } from '../resource.ts'

/** A schema of the tree. What allows all is `{}`, what allows nothing {@link NEVER}. */
export type Tree = { [keyword: string]: unknown }

/** A whole schema: `$ref` is always `#/$defs/NAME`, a name of `defs`. */
export interface Whole {
  root: Tree
  defs: ReadonlyMap<string, Tree>
}

/** Thrown where a schema cannot be told at all; the message is what is wrong, to follow the words "its input". */
export class Untellable extends Error {}

export const NEVER: Tree = Object.freeze({ not: Object.freeze({}) })

/** Whether it allows nothing. */
export function isNever(tree: Tree): boolean {
  return isRecord(tree['not']) && Object.keys(tree['not']).length === 0
}

const MAX_NODES = 20_000
const MAX_DEPTH = 64

/** The tree of a schema. Throws {@link Untellable} where it is too large, or where a reference leads nowhere. */
export function treeOf(schema: JsonSchema): Whole {
  const names = new Map<Node, string>()
  const taken = new Set<string>()
  const waits: Node[] = []
  let left = MAX_NODES

  function nameOf(node: Node): string {
    let name = names.get(node)
    if (name === undefined) {
      const base = (node.at.split(/[/#]/).at(-1) ?? '').replace(/[^\w-]/g, '_') || 'root'
      name = base
      for (let n = 2; taken.has(name); n++) name = `${base}_${n}`
      taken.add(name)
      names.set(node, name)
      waits.push(node)
    }
    return name
  }

  function reference(ref: string, node: Node): Tree {
    const target = resolve(ref, node.resource)
    if (typeof target === 'string') throw new Untellable(`refers to what is not in its schema: ${target}`)
    return { $ref: `#/$defs/${nameOf(target.node)}` }
  }

  function convert(node: Node, depth: number): Tree {
    if (left-- <= 0) throw new Untellable('has a schema that is too large')
    if (depth > MAX_DEPTH) throw new Untellable('has a schema that is nested too deeply')
    const { schema } = node
    if (!isRecord(schema)) return schema ? {} : NEVER
    const seven = node.resource.draft === 7
    const tree: Tree = {}
    const child = (one: unknown, place: string) =>
      convert(nodeOf(one, node.resource, `${node.at}/${place}`), depth + 1)
    for (const [keyword, value] of Object.entries(seven ? modern(schema) : schema)) {
      if (keyword === '$ref' || (keyword === '$dynamicRef' && !seven)) {
        if (typeof value !== 'string') continue
        const made = reference(value, node)
        if (tree['$ref'] === undefined) Object.assign(tree, made)
        else tree['allOf'] = [...((tree['allOf'] as Tree[] | undefined) ?? []), made]
      } else if (closing.has(keyword)) {
        // Written as true, it says what is so anyway.
        if (value === false) tree[keyword] = false
        else if (isRecord(value)) tree[keyword] = child(value, keyword)
      } else if (single.has(keyword)) {
        if (isRecord(value) || typeof value === 'boolean') tree[keyword] = child(value, keyword)
      } else if (listed.has(keyword)) {
        if (!Array.isArray(value) || value.length === 0) continue
        const all = value.map((one, i) => child(one, `${keyword}/${i}`))
        tree[keyword] = keyword === 'allOf' ? [...((tree['allOf'] as Tree[]) ?? []), ...all] : all
      } else if (named.has(keyword)) {
        if (!isRecord(value)) continue
        const all: Tree = {}
        for (const [name, one] of Object.entries(value)) setField(all, name, child(one, `${keyword}/${name}`))
        tree[keyword] = all
      } else {
        const right = Object.hasOwn(plain, keyword) ? plain[keyword]!(value) : undefined
        if (right !== undefined) tree[keyword] = right
      }
    }
    return tree
  }

  const defs = new Map<string, Tree>()
  const root = convert(documentOf(schema).start.node, 0)
  for (let node = waits.shift(); node !== undefined; node = waits.shift())
    defs.set(names.get(node)!, convert(node, 0))
  return { root, defs }
}

const closing = new Set(['additionalProperties', 'unevaluatedProperties', 'items', 'unevaluatedItems'])
const single = new Set(['contains', 'propertyNames', 'not', 'if', 'then', 'else'])
const listed = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const named = new Set(['properties', 'patternProperties', 'dependentSchemas'])

/** Draft 7 in the words of 2020-12. Beside its `$ref` nothing counts there but what describes it. */
function modern(schema: Tree): Tree {
  const { $ref, title, description } = schema
  if (typeof $ref === 'string') return { $ref, title, description }
  const { items, additionalItems, dependencies, ...rest } = schema
  const tree: Tree = rest
  if (Array.isArray(items)) {
    tree['prefixItems'] = items
    if (additionalItems !== undefined) tree['items'] = additionalItems
  } else if (items !== undefined) tree['items'] = items
  if (isRecord(dependencies)) {
    const entries = Object.entries(dependencies)
    tree['dependentRequired'] = Object.fromEntries(entries.filter(([, one]) => Array.isArray(one)))
    tree['dependentSchemas'] = Object.fromEntries(entries.filter(([, one]) => !Array.isArray(one)))
  }
  return tree
}

// The keywords without schemas in them, each with what is right of its value. A provider refuses a whole request for
// one `required: true`; here that keyword is left out, as reading ignores it too.
const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
const flag = (value: unknown) => (value === true ? true : undefined)
const number = (value: unknown) => (Number.isFinite(value) ? value : undefined)
const count = (value: unknown) => (Number.isInteger(value) && (value as number) >= 0 ? value : undefined)
const any = (value: unknown) => copyOf(value)
const values = (value: unknown) => (Array.isArray(value) && value.length > 0 ? copyOf(value) : undefined)
const strings = (value: unknown) =>
  Array.isArray(value) ? [...new Set(value.filter(one => typeof one === 'string'))] : undefined

const plain: Readonly<Record<string, (value: unknown) => unknown>> = {
  type(value) {
    const mask = maskOf(value)
    if (mask === maskOf(undefined)) return undefined
    // In the order that they are stated in, without those that are none or are said twice.
    const stated = Array.isArray(value)
      ? new Set(value.filter(one => namesOf(mask).includes(one)))
      : namesOf(mask)
    const types = [...stated] as string[]
    return types.length === 1 ? types[0] : types
  },
  enum: values,
  const: any,
  default: any,
  examples: values,
  title: text,
  description: text,
  deprecated: flag,
  readOnly: flag,
  writeOnly: flag,
  // Of OpenAPI: a remark here, as reading has it too.
  nullable: flag,
  format: text,
  contentEncoding: text,
  contentMediaType: text,
  pattern: value => (typeof value === 'string' && typeof openPattern(value) !== 'string' ? value : undefined),
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: value => (Number.isFinite(value) && (value as number) > 0 ? value : undefined),
  minLength: count,
  maxLength: count,
  minItems: count,
  maxItems: count,
  minContains: count,
  maxContains: count,
  minProperties: count,
  maxProperties: count,
  uniqueItems: flag,
  required: strings,
  dependentRequired: value =>
    isRecord(value)
      ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, strings(one) ?? []]))
      : undefined,
}
