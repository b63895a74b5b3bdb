// Which branch of a union a bad value is measured by: the one that its tag names, else the one whose type it has,
// else the one that it misses least. Otherwise one line names what every branch misses.

import type { ValueFault } from './faults.ts'
import { lineOf, MAX_LINES, oneOf, shown, stated } from './faults.ts'
import { field } from './json.ts'
import { isRecord, kindOf, maskOf, OBJECT } from './kinds.ts'
import type { Node } from './resource.ts'
import { nodeOf, resolve } from './resource.ts'
import type { Run } from './walk.ts'
import { adopt, fault, faultsIn } from './walk.ts'
import { expectedBy } from './wording.ts'

// Unions in unions are measured so deep, and so many branches of each: it costs a walk a branch.
const deepest = 3
const most = 8

/** Tells why none of the branches takes the value. */
export function explainUnion(nodes: readonly Node[], value: unknown, run: Run): void {
  if (run.faults.length >= MAX_LINES || run.explaining >= deepest) {
    plainly(nodes, value, run)
    return
  }
  run.explaining++
  explain(nodes, value, run)
  run.explaining--
}

function explain(nodes: readonly Node[], value: unknown, run: Run): void {
  const kind = kindOf(value)
  let fitting = nodes.filter(node => (kindsOf(node) >> kind) & 1)
  if (kind === OBJECT && fitting.length > 1) {
    const tag = tagOf(fitting)
    if (tag !== undefined) {
      const given = field(value as object, tag.key)
      fitting = fitting.filter((_, i) => tag.values[i]!.includes(given))
      if (fitting.length === 0) {
        wrongTag(tag, given, run)
        return
      }
    }
  }
  const found = fitting.length > most ? [] : fitting.map(node => faultsIn(node, value, run))
  const least = Math.min(...found.map(one => one.total))
  const best = found.filter(one => one.total === least)
  if (best.length === 0 || least === 0) plainly(nodes, value, run)
  else if (best.length === 1) adopt(run, best[0]!)
  else {
    const reasons = new Set(best.map(one => reasonOf(one.faults[0]!, run)))
    fault(run, () => `fits none of ${nodes.length} shapes: ${[...reasons].join('; or ')}`)
  }
}

function plainly(nodes: readonly Node[], value: unknown, run: Run): void {
  fault(
    run,
    () => `expected ${oneOf([...new Set(nodes.map(node => expectedBy(node)))])}, came ${shown(value)}`,
  )
}

function reasonOf(one: ValueFault, run: Run): string {
  const path = one.path.slice(run.path.length)
  return path.length === 0 ? one.problem : lineOf({ path, problem: one.problem })
}

function wrongTag(tag: Tag, given: unknown, run: Run): void {
  const expected = () => oneOf([...new Set(tag.values.flat())].map(stated))
  if (given === undefined) fault(run, () => `is missing: expected ${expected()}`, tag.key)
  else fault(run, () => `expected ${expected()}, came ${shown(given)}`, tag.key)
}

interface Tag {
  key: string
  /** The values that name each branch. */
  values: readonly (readonly unknown[])[]
}

/** The field that tells the branches apart: in each of them a const or an enum, and not the same in all. */
function tagOf(nodes: readonly Node[]): Tag | undefined {
  const all = nodes.map(tagsOf)
  for (const [key, first] of all[0]!) {
    const values = all.map(tags => tags.get(key))
    if (values.every(one => one !== undefined) && values.some(one => one[0] !== first[0]))
      return { key, values }
  }
  return undefined
}

function tagsOf(node: Node): Map<string, readonly unknown[]> {
  const tags = new Map<string, readonly unknown[]>()
  const at = landing(node)
  const properties = isRecord(at.schema) ? at.schema['properties'] : undefined
  if (!isRecord(properties)) return tags
  for (const [key, one] of Object.entries(properties)) {
    const schema = isRecord(one) ? landing(nodeOf(one, at.resource, at.at)).schema : undefined
    if (!isRecord(schema)) continue
    if (schema['const'] !== undefined) tags.set(key, [schema['const']])
    else if (Array.isArray(schema['enum'])) tags.set(key, schema['enum'])
  }
  return tags
}

function kindsOf(node: Node): number {
  const { schema } = landing(node)
  if (!isRecord(schema)) return schema ? maskOf(undefined) : 0
  if (Array.isArray(schema['enum']))
    return schema['enum'].reduce<number>((mask, one) => mask | (1 << kindOf(one)), 0)
  if (schema['const'] !== undefined) return 1 << kindOf(schema['const'])
  return maskOf(schema['type'])
}

// Where a node's references lead.
function landing(node: Node): Node {
  let at = node
  for (let i = 0; i < 8 && isRecord(at.schema) && typeof at.schema['$ref'] === 'string'; i++) {
    const target = resolve(at.schema['$ref'], at.resource)
    if (typeof target === 'string') break
    at = target.node
  }
  return at
}
