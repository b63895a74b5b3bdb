// The keywords of arrays.

import { count } from '../faults.ts'
import { canonical } from '../json.ts'
import type { Node } from '../resource.ts'
import type { Run, Seen, Step } from '../walk.ts'
import { fault, fits, follows, walkChild } from '../walk.ts'
import { expectedBy } from '../wording.ts'

type Schema = Readonly<Record<string, unknown>>
type Child = (schema: unknown, place: string) => Node

/** `prefixItems`, `items` (in draft 7 its array form with `additionalItems`), `contains`, counts, `uniqueItems`. */
export function arraySteps(schema: Schema, child: Child, draft: 7 | 2020): Step[] {
  const steps: Step[] = []
  const items = itemsStep(schema, child, draft)
  if (items !== undefined) steps.push(items)
  if (schema['contains'] !== undefined)
    steps.push(containsStep(schema, child(schema['contains'], 'contains'), draft))
  const { minItems: least, maxItems: most } = schema
  if (typeof least === 'number') {
    steps.push((value: unknown[], run) => {
      if (value.length < least)
        fault(run, () => `expected at least ${count(least, 'item')}, came ${value.length}`)
      return value
    })
  }
  if (typeof most === 'number') {
    steps.push((value: unknown[], run) => {
      if (value.length > most)
        fault(run, () => `expected at most ${count(most, 'item')}, came ${value.length}`)
      return value
    })
  }
  if (schema['uniqueItems'] === true) steps.push(uniqueStep)
  return steps
}

// An array form of `items` is draft 7's; many schemas that state no draft have it, so it is read in both.
function itemsStep(schema: Schema, child: Child, draft: 7 | 2020): Step | undefined {
  const tuple = Array.isArray(schema['items'])
  const prefix = tuple ? schema['items'] : draft === 2020 ? schema['prefixItems'] : undefined
  const place = tuple ? 'items' : 'prefixItems'
  const first = Array.isArray(prefix) ? prefix.map((one, i) => child(one, `${place}/${i}`)) : []
  const keyword = tuple ? 'additionalItems' : 'items'
  const rest = schema[keyword] === undefined ? undefined : child(schema[keyword], keyword)
  if (first.length === 0 && rest === undefined) return undefined
  return (value: unknown[], run, seen) => {
    let out = value
    const end = rest === undefined ? Math.min(first.length, value.length) : value.length
    for (let i = 0; i < end; i++) {
      out = readItem(out, value, i, first[i] ?? rest!, run)
      if (run.quiet && run.count > 0) return value
    }
    if (seen !== null) seen.items = Math.max(seen.items, end)
    return out
  }
}

function readItem(out: unknown[], value: unknown[], i: number, node: Node, run: Run): unknown[] {
  const item = out[i]
  const read = walkChild(node, item, value, i, run)
  if (read === item) return out
  const copy = out === value ? [...value] : out
  if (copy !== out) follows(copy, value, run)
  copy[i] = read
  return copy
}

function containsStep(schema: Schema, node: Node, draft: 7 | 2020): Step {
  const { minContains, maxContains } = schema
  const least = draft === 2020 && typeof minContains === 'number' ? minContains : 1
  const most = draft === 2020 && typeof maxContains === 'number' ? maxContains : Number.POSITIVE_INFINITY
  return (value: unknown[], run, seen) => {
    let found = 0
    for (const [i, item] of value.entries()) {
      if (!fits(node, item, run)) continue
      found++
      seen?.picked.add(i)
    }
    const what = () => (found === 0 ? 'none' : String(found))
    if (found < least) {
      fault(run, () => `expected at least ${count(least, 'item')} that ${is(node)}, came ${what()}`)
    }
    if (found > most)
      fault(run, () => `expected at most ${count(most, 'item')} that ${is(node)}, came ${what()}`)
    return value
  }
}

function is(node: Node): string {
  const expected = expectedBy(node)
  return expected === 'a value' ? 'fits its "contains"' : `is ${expected}`
}

const uniqueStep: Step = (value: unknown[], run) => {
  const places = new Map<unknown, number>()
  for (const [i, item] of value.entries()) {
    const key =
      typeof item === 'object' && item !== null
        ? canonical(item)
        : typeof item === 'string'
          ? `"${item}`
          : item
    const before = places.get(key)
    if (before !== undefined) {
      fault(run, () => `expected items that differ, came equal ones at [${before}] and [${i}]`)
      return value
    }
    places.set(key, i)
  }
  return value
}

/** `unevaluatedItems`: what no other keyword has looked at. Comes after all others. */
export function unevaluatedItemsStep(node: Node): Step {
  return (value: unknown[], run, seen: Seen | null) => {
    let out = value
    for (let i = seen?.items ?? 0; i < value.length; i++) {
      if (seen?.picked.has(i)) continue
      out = readItem(out, value, i, node, run)
      if (run.quiet && run.count > 0) return value
    }
    if (seen !== null) seen.items = Math.max(seen.items, value.length)
    return out
  }
}
