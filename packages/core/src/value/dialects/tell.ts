// Tells a tree in a dialect: what the provider takes stays, the rest goes into descriptions as notes.

import { setField } from '../json.ts'
import { FRACTION, INTEGER, isRecord, kindOf } from '../kinds.ts'
import { both, typeFrom } from './merge.ts'
import { type Note, withNotes, wordsFor } from './notes.ts'
import { type Defs, nameIn, open, parted } from './root.ts'
import { isNever, NEVER, type Tree } from './tree.ts'

/** What a provider takes. */
export interface Takes {
  /** The keywords that may stay; the others become notes. */
  keywords: ReadonlySet<string>
  /** Whether a keyword of {@link keywords} may stay with this value; left out: always. */
  keeps?(keyword: string, value: unknown): boolean
  /** Which references stay: all, those of schemas that stand in themselves, or none. */
  refs: 'all' | 'recursive' | 'none'
  /** A union stands alone, without type or fields beside it, and is an `anyOf`. */
  plainUnions?: boolean
  /** Puts a schema right before its parts are told. */
  prepare?(tree: Tree): Tree
  /** Puts a schema right whose parts are told; `source` is what it was. `lost` is called where a value is lost. */
  finish?(told: Tree, source: Tree, site: Site): Tree
}

/** Where {@link Takes.finish} stands. */
export interface Site {
  defs: Defs
  root: boolean
  /** Says that some value of the full schema has no counterpart in what is told. */
  lose(): void
  note(text: string): void
}

/** What {@link tell} gives. */
export interface Telling {
  schema: Tree
  notes: Note[]
  /** A value that the full schema takes has no counterpart here. */
  lost: boolean
}

/** How many schemas are told before references are no longer written out. */
const MAX_INLINED = 2000

/** Tells `root`, which is a plain record or anything else that stands there itself. */
export function tell(root: Tree, defs: Defs, takes: Takes): Telling {
  const notes: Note[] = []
  const told = new Map<string, Tree>()
  const waits: string[] = []
  let lost = false
  let left = MAX_INLINED

  /** Whether the reference to `name` stays one. */
  function stays(name: string): boolean {
    if (takes.refs === 'all') return true
    return takes.refs === 'recursive' && (left <= 0 || isCyclic(name, defs))
  }

  function keep(name: string): Tree {
    if (!told.has(name)) {
      told.set(name, {})
      waits.push(name)
    }
    return { $ref: `#/$defs/${name}` }
  }

  /** `inside` are the names of the references that were written out around it. */
  function one(tree: Tree, place: string, inside: readonly string[], root = false): Tree {
    left--
    const name = tree['$ref'] === undefined ? undefined : nameIn(tree['$ref'])
    const { $ref, ...beside } = tree
    if (name !== undefined && stays(name)) {
      const [, bounds] = parted(beside)
      if (!takes.plainUnions || Object.keys(bounds).length === 0)
        return finished({ ...shallow(beside, place, inside), ...keep(name) }, tree, place, root)
    }
    if (name !== undefined && (inside.includes(name) || left <= 0)) return cut(name, beside, place)
    const opened = [...inside]
    let whole = tree
    if (name !== undefined || (tree['allOf'] !== undefined && !takes.keywords.has('allOf')))
      whole =
        name !== undefined && takes.keywords.has('allOf') ? openRef(tree, opened) : open(tree, defs, opened)
    if (isNever(whole)) return finished(NEVER, whole, place, root)
    if (takes.plainUnions) whole = plainUnion(whole)
    if (isNever(whole)) return finished(NEVER, whole, place, root)
    if (takes.prepare !== undefined) whole = takes.prepare(whole)
    return finished(shallow(whole, place, opened), whole, place, root)
  }

  /** The schema with its own reference written out, where the `allOf` can stay. */
  function openRef({ $ref, ...beside }: Tree, opened: string[]): Tree {
    const name = nameIn($ref)
    opened.push(name)
    const target = defs.get(name)!
    if (target['$ref'] === undefined) return both(beside, target)
    // A reference to a reference, and so on; each is opened once.
    const next = nameIn(target['$ref'])
    if (opened.includes(next)) return beside
    return both(beside, openRef(target, opened))
  }

  /** A schema inside of itself, where it cannot be told by a reference. */
  function cut(name: string, beside: Tree, place: string): Tree {
    const { type } = open({ $ref: `#/$defs/${name}` }, defs, [])
    const text = `${name} again, as described around it`
    notes.push({ place, text })
    const [{ description }] = parted(beside)
    return finished(
      { ...(type !== undefined && { type }), description: withNotes(description, [text]) },
      {},
      place,
      false,
    )
  }

  /** The keywords of a schema told, each by itself. */
  function shallow(tree: Tree, place: string, inside: readonly string[]): Tree {
    const made: Tree = {}
    const said: string[] = []
    for (const [keyword, value] of Object.entries(asList(withType(tree), takes.keywords))) {
      if (keyword === 'description' || keyword === '$ref') continue
      const stays = takes.keywords.has(keyword) && (takes.keeps?.(keyword, value) ?? true)
      if (stays) made[keyword] = inner(keyword, value, place, inside)
      else {
        const words = wordsFor(keyword, value)
        if (words !== '' && !said.includes(words)) said.push(words)
      }
    }
    notes.push(...said.map(text => ({ place, text })))
    const description = withNotes(tree['description'], said)
    return description === undefined ? made : { description, ...made }
  }

  function inner(keyword: string, value: unknown, place: string, inside: readonly string[]): unknown {
    const at = (key: string) => (place === '' ? key : `${place}.${key}`)
    if (keyword === 'properties' || keyword === 'patternProperties' || keyword === 'dependentSchemas') {
      const made: Tree = {}
      for (const [key, schema] of Object.entries(value as Tree)) {
        const whole = schema as Tree
        if (keyword === 'properties' && takes.plainUnions && isNever(whole)) continue
        setField(made, key, one(whole, keyword === 'dependentSchemas' ? place : at(key), inside))
      }
      return made
    }
    if (lists.has(keyword))
      return (value as Tree[]).map(schema =>
        one(schema, keyword === 'prefixItems' ? `${place}[]` : place, inside),
      )
    if (singles.has(keyword) && isRecord(value))
      return one(value, keyword === 'items' ? `${place}[]` : place, inside)
    return value
  }

  function finished(made: Tree, source: Tree, place: string, root: boolean): Tree {
    if (takes.finish === undefined) return made
    const site: Site = {
      defs,
      root,
      lose() {
        lost = true
      },
      note(text) {
        notes.push({ place, text })
      },
    }
    return takes.finish(made, source, site)
  }

  const schema = one(root, '', [], true)
  for (let name = waits.shift(); name !== undefined; name = waits.shift())
    told.set(name, one(defs.get(name)!, name, []))
  if (told.size > 0) schema['$defs'] = Object.fromEntries(told)
  return { schema, notes, lost }
}

const lists = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const singles = new Set(
  'items additionalProperties unevaluatedProperties unevaluatedItems contains propertyNames not if then else'.split(
    ' ',
  ),
)

/** A constant as a list of one value, where lists are taken and constants are not. */
function asList(tree: Tree, keywords: ReadonlySet<string>): Tree {
  const { const: value, ...rest } = tree
  if (value === undefined || keywords.has('const') || rest['enum'] !== undefined) return tree
  return { ...rest, enum: [value] }
}

/** A schema of listed values with the `type` that they have. */
function withType(tree: Tree): Tree {
  if (tree['type'] !== undefined) return tree
  const values = tree['const'] !== undefined ? [tree['const']] : (tree['enum'] as unknown[] | undefined)
  if (values === undefined) return tree
  const mask = values.reduce<number>((mask, value) => mask | (1 << kindOf(value)), 0)
  // Numbers with a fraction are of the type that whole ones have too.
  return { type: typeFrom(mask & (1 << FRACTION) ? mask | (1 << INTEGER) : mask), ...tree }
}

/** A union that stands alone: what stands beside it holds in each of its branches. */
function plainUnion(tree: Tree): Tree {
  const { anyOf, oneOf, ...rest } = tree
  if (anyOf === undefined && oneOf === undefined) return tree
  const [said, bounds] = parted(rest)
  const beside: Tree = anyOf === undefined || oneOf === undefined ? bounds : { ...bounds, oneOf }
  const branches = ((anyOf ?? oneOf) as readonly Tree[])
    .map(branch => (Object.keys(beside).length === 0 ? branch : both(branch, beside)))
    .filter(branch => !isNever(branch))
  return branches.length === 0 ? NEVER : { ...said, anyOf: branches }
}

const cycles = new WeakMap<Defs, Map<string, boolean>>()

/** Whether a schema of `defs` stands in itself. */
function isCyclic(name: string, defs: Defs): boolean {
  let known = cycles.get(defs)
  if (known === undefined) {
    known = new Map()
    cycles.set(defs, known)
  }
  let cyclic = known.get(name)
  if (cyclic === undefined) {
    const reached = new Set<string>()
    const open = namesOf(defs.get(name) ?? {})
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (reached.has(next)) continue
      reached.add(next)
      open.push(...namesOf(defs.get(next) ?? {}))
    }
    cyclic = reached.has(name)
    known.set(name, cyclic)
  }
  return cyclic
}

/** The names that the references in a tree name. */
function namesOf(tree: Tree): string[] {
  const names: string[] = []
  const open: unknown[] = [tree]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue
    const ref = (next as Tree)['$ref']
    if (typeof ref === 'string' && ref.startsWith('#/$defs/')) names.push(nameIn(ref))
    open.push(...Object.values(next))
  }
  return names
}
