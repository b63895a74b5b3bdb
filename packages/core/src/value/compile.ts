// Makes the steps of a node from its keywords. Called when a walk first comes to the node, and by nothing else.

import { shown } from './faults.ts'
import { arraySteps, unevaluatedItemsStep } from './keywords/array.ts'
import { branchSteps, dependentSteps } from './keywords/combine.ts'
import { fieldSteps, unevaluatedFieldsStep } from './keywords/fields.ts'
import { objectSteps } from './keywords/object.ts'
import { referenceSteps } from './keywords/reference.ts'
import { numberSteps, stringSteps, valueSteps } from './keywords/scalar.ts'
import { ALL, ARRAY, BOOLEAN, FRACTION, INTEGER, isRecord, maskOf, NULL, OBJECT, STRING } from './kinds.ts'
import type { Node } from './resource.ts'
import { nodeOf } from './resource.ts'
import type { Run, Seen, Step } from './walk.ts'
import { fault, merge, newSeen } from './walk.ts'

/** The steps of a node, by the kind of value. What is wrong with its schema goes to `node.wrong`. */
export function compile(node: Node): readonly (readonly Step[])[] {
  const { schema } = node
  node.types = ALL
  if (!isRecord(schema)) return table(schema === false ? [refuse] : [])
  const { draft } = node.resource
  const onlyReference = draft === 7 && schema['$ref'] !== undefined
  if (!onlyReference) node.types = maskOf(schema['type'])

  const child = (one: unknown, place: string): Node => {
    const made = nodeOf(one, node.resource, `${node.at}/${place}`)
    node.next.push(made)
    return made
  }
  const through = [...referenceSteps(schema, node), ...(onlyReference ? [] : branchSteps(schema, child))]
  const made = table(onlyReference ? through : [])
  if (!onlyReference) {
    const takes = (kind: number) => ((node.types >> kind) & 1) === 1
    // A scalar is mended by references and branches before it is compared; a record's fields before its branches.
    const value = valueSteps(schema)
    const scalar = [...through, ...value]
    made[NULL] = made[BOOLEAN] = scalar
    if (takes(STRING)) made[STRING] = [...scalar, ...stringSteps(schema, node)]
    if (takes(INTEGER)) made[INTEGER] = made[FRACTION] = [...scalar, ...numberSteps(schema)]
    if (takes(ARRAY)) {
      const steps = [...arraySteps(schema, child, draft), ...through, ...value]
      made[ARRAY] = last(steps, schema['unevaluatedItems'], draft, one =>
        unevaluatedItemsStep(child(one, 'unevaluatedItems')),
      )
    }
    if (takes(OBJECT)) {
      const steps = [
        ...fieldSteps(schema, node, child),
        ...through,
        ...dependentSteps(schema, child, draft),
        ...value,
        ...objectSteps(schema, child, draft),
      ]
      made[OBJECT] = last(steps, schema['unevaluatedProperties'], draft, one =>
        unevaluatedFieldsStep(child(one, 'unevaluatedProperties'), schema),
      )
    }
  }
  return node.wrong.length === 0 ? made : made.map(steps => [wrongStep(node), ...steps])
}

const nothing: readonly Step[] = []

function table(steps: readonly Step[]): (readonly Step[])[] {
  const all = steps.length === 0 ? nothing : steps
  return [all, all, all, all, all, all, all, all]
}

const refuse: Step = (value: unknown, run) => {
  fault(run, () => `expected nothing here, came ${shown(value)}`)
  return value
}

// A value is never said to fit a schema that could not be read.
function wrongStep(node: Node): Step {
  const { keyword, problem } = node.wrong[0]!
  return (value: unknown, run) => {
    fault(run, () => `cannot be read, its schema is wrong: ${keyword} ${problem}`)
    return value
  }
}

// An `unevaluated…` keyword comes last, and what the steps before it look at is noted for it: what schemas beside
// this one have looked at does not count here, but they may count on what was looked at here.
function last(
  steps: readonly Step[],
  unevaluated: unknown,
  draft: 7 | 2020,
  make: (unevaluated: unknown) => Step,
): readonly Step[] {
  if (draft === 7 || unevaluated === undefined) return steps
  const all = [...steps, make(unevaluated)]
  return [
    (value: unknown, run: Run, outer: Seen | null) => {
      const seen = newSeen()
      let now: unknown = value
      for (const step of all) {
        now = step(now as never, run, seen)
        if (run.quiet && run.count > 0) return value
      }
      if (outer !== null) merge(outer, seen)
      return now
    },
  ]
}
