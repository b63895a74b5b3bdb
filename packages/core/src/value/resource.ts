// The inside of a schema: its documents, resources ($id), anchors, and where a reference leads.
// References are looked up in the schema itself and among the metaschemas; nothing is ever fetched.

import type { JsonSchema } from '../define/records.ts'
import { quoted } from './faults.ts'
import { type Glance, glanceOf } from './glance.ts'
import { isRecord } from './kinds.ts'
import { metaschemaOf } from './metaschema.ts'
import type { Scope, Step } from './walk.ts'

export type Draft = 7 | 2020

/** One schema as it was handed in, with everything that was found in it. */
export interface Document {
  readonly root: Resource
  /** The node of the whole schema, and the scope that every walk of it begins in. */
  readonly start: { readonly node: Node; readonly scope: Scope }
  /** Whether a value fits at once; nothing where the schema asks for more than a glance. */
  readonly glance: Glance | undefined
  readonly resources: Map<string, Resource>
  /** The resource of every schema that begins one. */
  readonly owners: Map<object, Resource>
  /** Fills a node's steps; called when a walk first comes to it. */
  readonly compile: (node: Node) => readonly (readonly Step[])[]
  indexed: boolean
}

/** A part of a document with a URI of its own. */
export interface Resource {
  readonly document: Document
  readonly uri: string
  readonly draft: Draft
  readonly schema: JsonSchema
  readonly anchors: Map<string, JsonSchema>
  readonly dynamic: Map<string, JsonSchema>
  /** The nodes of its schemas. One schema object may stand in several documents, as value words do. */
  readonly nodes: Map<JsonSchema, Node>
}

/** A schema at its place. Its steps are made when they are first needed, so a schema costs nothing at start. */
export interface Node {
  readonly schema: JsonSchema
  readonly resource: Resource
  /** Where it stands, as a JSON pointer, for faults of the schema. */
  readonly at: string
  /** What is done with a value, by its kind. */
  steps: readonly (readonly Step[])[] | null
  /** The kinds that `type` allows. */
  types: number
  /** The nodes that its steps go to. */
  readonly next: Node[]
  /** What is wrong with the schema itself. */
  readonly wrong: { keyword: string; problem: string }[]
}

/** Where a reference leads. `name` is the anchor it names, if it names one. */
export interface Target {
  node: Node
  name: string | undefined
}

const anonymous = 'schema:/'

/** Opens a schema; nothing of it is read yet but its `$schema` and `$id`. */
export function openDocument(schema: JsonSchema, compile: Document['compile']): Document {
  const document = {
    resources: new Map(),
    owners: new Map(),
    compile,
    indexed: false,
  } as unknown as Mutable<Document>
  const uri = isRecord(schema) ? (uriOf(schema['$id'], anonymous)?.uri ?? anonymous) : anonymous
  document.root = addResource(document, schema, uri, draftOf(schema, 2020))
  document.glance = glanceOf(schema)
  document.start = {
    node: nodeOf(schema, document.root, ''),
    scope: { resource: document.root, outer: null },
  }
  return document
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

function addResource(document: Document, schema: JsonSchema, uri: string, draft: Draft): Resource {
  const resource: Resource = {
    document,
    uri,
    draft,
    schema,
    anchors: new Map(),
    dynamic: new Map(),
    nodes: new Map(),
  }
  if (!document.resources.has(uri)) document.resources.set(uri, resource)
  if (typeof schema === 'object') document.owners.set(schema, resource)
  return resource
}

/** The draft that a schema states, else that of what it stands in. */
export function draftOf(schema: JsonSchema, outer: Draft): Draft {
  const stated = isRecord(schema) ? schema['$schema'] : undefined
  if (typeof stated !== 'string') return outer
  return /\/draft-0[3-7]\//.test(stated) ? 7 : 2020
}

/** The node of a schema that stands in `resource`. What is no schema at all allows everything. */
export function nodeOf(schema: unknown, resource: Resource, at: string): Node {
  const known = typeof schema === 'boolean' || isRecord(schema) ? schema : true
  const owner =
    known !== resource.schema && isRecord(known) && beginsResource(known, resource)
      ? ownerOf(known, resource)
      : resource
  let node = owner.nodes.get(known)
  if (node === undefined) {
    node = { schema: known, resource: owner, at, steps: null, types: 0, next: [], wrong: [] }
    owner.nodes.set(known, node)
  }
  return node
}

function beginsResource(schema: Record<string, unknown>, resource: Resource): boolean {
  const id = schema['$id']
  if (typeof id !== 'string' || id.startsWith('#')) return false
  return resource.draft === 2020 || schema['$ref'] === undefined
}

function ownerOf(schema: object, resource: Resource): Resource {
  index(resource.document)
  return resource.document.owners.get(schema) ?? resource
}

/** Where `ref` leads from `resource`, or why it leads nowhere. */
export function resolve(ref: string, resource: Resource): Target | string {
  const target = uriOf(ref, resource.uri)
  if (target === undefined) return `${quoted(ref)} is no URI`
  const owner = target.uri === resource.uri ? resource : find(target.uri, resource.document)
  if (owner === undefined) return `${quoted(ref)} is outside of the schema, and nothing is fetched`
  const { fragment } = target
  if (fragment === '') return { node: nodeOf(owner.schema, owner, ''), name: undefined }
  if (fragment.startsWith('/')) {
    const node = follow(fragment, owner)
    return node === undefined ? `nothing stands at ${quoted(ref)}` : { node, name: undefined }
  }
  index(owner.document)
  const schema = owner.anchors.get(fragment)
  if (schema === undefined) return `there is no anchor ${quoted(fragment)}`
  return { node: nodeOf(schema, owner, `#${fragment}`), name: fragment }
}

function find(uri: string, document: Document): Resource | undefined {
  index(document)
  const known = document.resources.get(uri)
  if (known !== undefined) return known
  const bundled = metaschemaOf(uri)
  if (bundled === undefined) return undefined
  const resource = addResource(document, bundled, uri, draftOf(bundled, 2020))
  scan(resource)
  return resource
}

function follow(pointer: string, from: Resource): Node | undefined {
  let here: unknown = from.schema
  let owner = from
  for (const token of pointer.slice(1).split('/')) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined
    here = (here as Record<string, unknown>)[key]
    if (isRecord(here) && beginsResource(here, owner)) owner = ownerOf(here, owner)
  }
  return typeof here === 'boolean' || isRecord(here) ? nodeOf(here, owner, pointer) : undefined
}

function uriOf(ref: unknown, base: string): { uri: string; fragment: string } | undefined {
  if (typeof ref !== 'string') return undefined
  const hash = ref.indexOf('#')
  const written = hash < 0 ? '' : ref.slice(hash + 1)
  try {
    const fragment = decodeURIComponent(written)
    if (hash === 0) return { uri: base, fragment }
    const url = new URL(hash < 0 ? ref : ref.slice(0, hash), base)
    return { uri: url.href, fragment }
  } catch {
    return undefined
  }
}

// Only what stands where a schema stands is one: an $id inside a const, an enum or an unknown keyword is data.
const single = new Set(
  (
    'items additionalItems unevaluatedItems contains additionalProperties unevaluatedProperties propertyNames ' +
    'not if then else contentSchema'
  ).split(' '),
)
const listed = new Set(['items', 'prefixItems', 'allOf', 'anyOf', 'oneOf'])
const named = new Set(
  'properties patternProperties dependentSchemas dependencies $defs definitions'.split(' '),
)

/** The schemas that stand directly in a schema, each with its place. */
export function* childrenOf(schema: Record<string, unknown>): Iterable<[place: string, child: unknown]> {
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword]
    if (typeof value !== 'object' || value === null) continue
    if (Array.isArray(value)) {
      if (listed.has(keyword)) for (const [i, one] of value.entries()) yield [`${keyword}/${i}`, one]
    } else if (named.has(keyword)) {
      for (const [name, one] of Object.entries(value)) yield [`${keyword}/${name}`, one]
    } else if (single.has(keyword)) yield [keyword, value]
  }
}

function index(document: Document): void {
  if (document.indexed) return
  document.indexed = true
  scan(document.root)
}

// With a stack of its own: a schema can be nested deeper than the engine's stack.
function scan(root: Resource): void {
  const open: [schema: unknown, resource: Resource][] = [[root.schema, root]]
  const done = new Set<unknown>()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [schema, outer] = next
    if (!isRecord(schema) || done.has(schema)) continue
    done.add(schema)
    const resource = enter(schema, outer)
    for (const [, child] of childrenOf(schema)) open.push([child, resource])
  }
}

function enter(schema: Record<string, unknown>, outer: Resource): Resource {
  const id = schema['$id']
  let resource = outer
  if (schema !== outer.schema && beginsResource(schema, outer)) {
    const target = uriOf(id, outer.uri)
    if (target !== undefined) {
      resource = addResource(outer.document, schema, target.uri, draftOf(schema, outer.draft))
    }
  }
  if (resource.draft === 7) {
    if (typeof id === 'string' && id.startsWith('#')) resource.anchors.set(id.slice(1), schema)
    return resource
  }
  const { $anchor, $dynamicAnchor } = schema
  if (typeof $anchor === 'string') resource.anchors.set($anchor, schema)
  if (typeof $dynamicAnchor === 'string') {
    resource.anchors.set($dynamicAnchor, schema)
    resource.dynamic.set($dynamicAnchor, schema)
  }
  return resource
}
