// The keywords of an object as a whole: how many fields, under which names, and which need others beside them.

import { count, quoted, shown } from '../faults.ts'
import { field } from '../json.ts'
import type { Node } from '../resource.ts'
import type { Step } from '../walk.ts'
import { fault, faultsIn, fits } from '../walk.ts'
import { listOfTexts, recordAt } from './fields.ts'

type Schema = Readonly<Record<string, unknown>>
type Child = (schema: unknown, place: string) => Node
type Fields = Readonly<Record<string, unknown>>

/** `minProperties`, `maxProperties`, `propertyNames`, `dependentRequired` and the array form of `dependencies`. */
export function objectSteps(schema: Schema, child: Child, draft: 7 | 2020): Step[] {
  const steps: Step[] = []
  const { minProperties: least, maxProperties: most } = schema
  if (typeof least === 'number') {
    steps.push((value: Fields, run) => {
      const n = sizeOf(value)
      if (n < least) fault(run, () => `expected at least ${count(least, 'field')}, came ${n}`)
      return value
    })
  }
  if (typeof most === 'number') {
    steps.push((value: Fields, run) => {
      const n = sizeOf(value)
      if (n > most) fault(run, () => `expected at most ${count(most, 'field')}, came ${n}`)
      return value
    })
  }
  if (schema['propertyNames'] !== undefined)
    steps.push(namesStep(child(schema['propertyNames'], 'propertyNames')))
  const dependent = {
    ...recordAt(schema, 'dependencies'),
    ...(draft === 2020 && recordAt(schema, 'dependentRequired')),
  }
  const needs = Object.entries(dependent).filter(([, names]) => Array.isArray(names))
  if (needs.length > 0) steps.push(dependentStep(needs.map(([key, names]) => [key, listOfTexts(names)])))
  return steps
}

function sizeOf(value: Fields): number {
  let n = 0
  for (const key of Object.keys(value)) if (value[key] !== undefined) n++
  return n
}

function namesStep(node: Node): Step {
  return (value: Fields, run) => {
    for (const key of Object.keys(value)) {
      if (fits(node, key, run)) continue
      fault(
        run,
        () => {
          const why = faultsIn(node, key, { ...run, quiet: false, mend: false, path: [] }).faults[0]?.problem
          return `has a name that is not allowed: ${why ?? `came ${shown(key)}`}`
        },
        key,
      )
    }
    return value
  }
}

function dependentStep(needs: readonly (readonly [string, readonly string[]])[]): Step {
  return (value: Fields, run) => {
    for (const [key, names] of needs) {
      if (field(value, key) === undefined) continue
      for (const name of names) {
        if (field(value, name) === undefined) {
          fault(run, () => `is missing: expected beside ${quoted(key)}`, name)
        }
      }
    }
    return value
  }
}
