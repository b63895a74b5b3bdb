// The keywords that apply further schemas to the same value. Where one of several may be taken, a branch that
// accepts the value as it stands comes before any that would mend it.

import { count } from '../faults.ts'
import { equal, field } from '../json.ts'
import { isRecord } from '../kinds.ts'
import type { Node } from '../resource.ts'
import { explainUnion } from '../union.ts'
import type { Run, Seen, Step } from '../walk.ts'
import { attempt, fault, fits, REFUSED, walk } from '../walk.ts'
import { expectedBy } from '../wording.ts'

type Schema = Readonly<Record<string, unknown>>
type Child = (schema: unknown, place: string) => Node

/** `allOf`, `anyOf`, `oneOf`, `not`, `if`/`then`/`else`: for a value of any kind. */
export function branchSteps(schema: Schema, child: Child): Step[] {
  const nodes = (keyword: string): Node[] => {
    const list = schema[keyword]
    return Array.isArray(list) ? list.map((one, i) => child(one, `${keyword}/${i}`)) : []
  }
  const steps: Step[] = nodes('allOf').map(throughStep)
  const any = nodes('anyOf')
  if (any.length > 0) steps.push(anyStep(any))
  const one = nodes('oneOf')
  if (one.length > 0) steps.push(oneStep(one))
  if (schema['not'] !== undefined) steps.push(notStep(child(schema['not'], 'not')))
  if (schema['if'] !== undefined) steps.push(ifStep(schema, child))
  return steps
}

/** A step that goes through another node. */
export function throughStep(node: Node): Step {
  return (value: unknown, run, seen) => walk(node, value, run, seen)
}

const asRead = (run: Run) => ({ fill: run.fill, mend: false })
const mending = (run: Run) => ({ fill: run.fill, mend: true })

function anyStep(nodes: readonly Node[]): Step {
  return (value: unknown, run, seen) => {
    let out: unknown = REFUSED
    for (const node of nodes) {
      const read = attempt(node, value, run, seen, asRead(run))
      if (read === REFUSED) continue
      if (out === REFUSED) out = read
      // The rest is only looked at for what it has seen.
      if (seen === null) break
    }
    if (out !== REFUSED) return out
    if (run.mend) {
      for (const node of nodes) {
        const read = attempt(node, value, run, seen, mending(run))
        if (read !== REFUSED) return read
      }
    }
    return refused(nodes, value, run)
  }
}

function oneStep(nodes: readonly Node[]): Step {
  return (value: unknown, run, seen) => {
    const read = only(nodes, value, run, seen, false)
    if (read.good === 1) return read.value
    if (read.good > 1) {
      fault(
        run,
        () => `expected exactly one of ${count(nodes.length, 'shape')}, but ${read.good} of them fit`,
      )
      return value
    }
    if (run.mend) {
      const repaired = only(nodes, value, run, seen, true)
      // Two ways to mend it that differ are a guess, and a mended value must still fit only once.
      if (
        repaired.good > 0 &&
        repaired.same &&
        nodes.filter(node => fits(node, repaired.value, run)).length === 1
      ) {
        return repaired.value
      }
    }
    return refused(nodes, value, run)
  }
}

function only(nodes: readonly Node[], value: unknown, run: Run, seen: Seen | null, mend: boolean) {
  const found = { good: 0, value, same: true }
  for (const node of nodes) {
    const read = attempt(node, value, run, seen, mend ? mending(run) : asRead(run))
    if (read === REFUSED) continue
    if (found.good++ === 0) found.value = read
    else found.same &&= equal(found.value, read)
  }
  return found
}

function refused(nodes: readonly Node[], value: unknown, run: Run): unknown {
  if (run.quiet) run.count++
  else explainUnion(nodes, value, run)
  return value
}

function notStep(node: Node): Step {
  return (value: unknown, run) => {
    if (fits(node, value, run)) {
      const expected = expectedBy(node)
      fault(run, () => (expected === 'a value' ? 'is refused by "not"' : `expected anything but ${expected}`))
    }
    return value
  }
}

function ifStep(schema: Schema, child: Child): Step {
  const condition = child(schema['if'], 'if')
  const yes = schema['then'] === undefined ? null : child(schema['then'], 'then')
  const no = schema['else'] === undefined ? null : child(schema['else'], 'else')
  return (value: unknown, run, seen) => {
    const next = fits(condition, value, run, seen) ? yes : no
    return next === null ? value : walk(next, value, run, seen)
  }
}

/** `dependentSchemas` and the schema form of draft 7's `dependencies`: for objects. */
export function dependentSteps(schema: Schema, child: Child, draft: 7 | 2020): Step[] {
  const steps: Step[] = []
  for (const keyword of draft === 2020 ? ['dependencies', 'dependentSchemas'] : ['dependencies']) {
    const list = schema[keyword]
    if (!isRecord(list)) continue
    for (const [key, one] of Object.entries(list)) {
      if (Array.isArray(one)) continue
      const node = child(one, `${keyword}/${key}`)
      steps.push((value: object, run, seen) =>
        field(value, key) === undefined ? value : walk(node, value, run, seen),
      )
    }
  }
  return steps
}
