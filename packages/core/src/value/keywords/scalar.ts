// The keywords of numbers and strings, and those of any value: enum and const.

import { count, oneOf, quoted, shown, stated } from '../faults.ts'
import { formatOf } from '../formats.ts'
import { equal, isMultiple, lengthOf } from '../json.ts'
import { openPattern } from '../pattern.ts'
import type { Node } from '../resource.ts'
import type { Run, Step } from '../walk.ts'
import { fault } from '../walk.ts'

type Schema = Readonly<Record<string, unknown>>

/** `enum` and `const`. */
export function valueSteps(schema: Schema): Step[] {
  const steps: Step[] = []
  if (Array.isArray(schema['enum'])) steps.push(amongStep(schema['enum']))
  if (Object.hasOwn(schema, 'const')) {
    const wanted = schema['const']
    steps.push((value: unknown, run) => {
      if (!equal(value, wanted)) fault(run, () => `expected ${stated(wanted)}, came ${shown(value)}`)
      return value
    })
  }
  return steps
}

// Plain values are looked up, so that an enum of 100,000 costs what one of three does.
function amongStep(allowed: readonly unknown[]): Step {
  const plain = new Set(allowed.filter(one => typeof one !== 'object' || one === null))
  const records = allowed.filter(one => typeof one === 'object' && one !== null)
  return (value: unknown, run) => {
    if (!plain.has(value) && !records.some(one => equal(one, value))) {
      fault(run, () => `expected ${oneOf(allowed.map(stated))}, came ${shown(value)}`)
    }
    return value
  }
}

const bounds = [
  ['minimum', 'at least', (value: number, bound: number) => value >= bound],
  ['exclusiveMinimum', 'more than', (value: number, bound: number) => value > bound],
  ['maximum', 'at most', (value: number, bound: number) => value <= bound],
  ['exclusiveMaximum', 'less than', (value: number, bound: number) => value < bound],
  ['multipleOf', 'a multiple of', (value: number, bound: number) => bound <= 0 || isMultiple(value, bound)],
] as const

/** `minimum`, `maximum`, their exclusive forms, `multipleOf`. */
export function numberSteps(schema: Schema): Step[] {
  const steps: Step[] = []
  for (const [keyword, words, holds] of bounds) {
    const bound = schema[keyword]
    if (typeof bound !== 'number') continue
    steps.push((value: number, run) => {
      if (!holds(value, bound)) fault(run, () => `expected ${words} ${bound}, came ${value}`)
      return value
    })
  }
  return steps
}

/** `minLength`, `maxLength`, `pattern`, and `format` where the run asks for it. */
export function stringSteps(schema: Schema, node: Node): Step[] {
  const steps: Step[] = []
  const { minLength: least, maxLength: most } = schema
  if (typeof least === 'number') {
    steps.push((value: string, run) => {
      if (value.length < least || (value.length < least * 2 && lengthOf(value) < least)) {
        fault(run, () => `expected at least ${count(least, 'character')}, came ${quoted(value)}`)
      }
      return value
    })
  }
  if (typeof most === 'number') {
    steps.push((value: string, run) => {
      if (value.length > most && lengthOf(value) > most) {
        fault(
          run,
          () => `expected at most ${count(most, 'character')}, came ${lengthOf(value)}: ${quoted(value)}`,
        )
      }
      return value
    })
  }
  const format = formatOf(schema['format'])
  const misses = (value: string, run: Run) => format !== undefined && run.formats && !format.test(value)
  if (format !== undefined) {
    steps.push((value: string, run) => {
      if (misses(value, run)) fault(run, () => `expected ${format.expected}, came ${quoted(value)}`)
      return value
    })
  }
  if (typeof schema['pattern'] === 'string') {
    // Libraries give a pattern beside a format, for the same: one fault is enough.
    for (const step of patternSteps(schema['pattern'], node))
      steps.push((value: string, run, seen) => (misses(value, run) ? value : step(value as never, run, seen)))
  }
  return steps
}

function patternSteps(source: string, node: Node): Step[] {
  const pattern = openPattern(source)
  if (typeof pattern === 'string') {
    node.wrong.push({ keyword: 'pattern', problem: pattern })
    return []
  }
  return [
    (value: string, run) => {
      const found = pattern.test(value)
      if (found === 'costly') {
        fault(run, () => `is too long for its pattern to be tested: ${count(value.length, 'character')}`)
      } else if (!found) {
        fault(run, () => `expected a text that matches ${quoted(source)}, came ${quoted(value)}`)
      }
      return value
    },
  ]
}
