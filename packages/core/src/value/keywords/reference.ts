// `$ref` and `$dynamicRef`. A reference that leads nowhere is a fault of the schema.

import type { Node } from '../resource.ts'
import { nodeOf, resolve } from '../resource.ts'
import type { Scope, Step } from '../walk.ts'
import { walk } from '../walk.ts'
import { throughStep } from './combine.ts'

type Schema = Readonly<Record<string, unknown>>

/** The steps of a node's references. */
export function referenceSteps(schema: Schema, node: Node): Step[] {
  const steps: Step[] = []
  const { $ref, $dynamicRef } = schema
  if (typeof $ref === 'string') {
    const target = resolve($ref, node.resource)
    if (typeof target === 'string') node.wrong.push({ keyword: '$ref', problem: target })
    else {
      node.next.push(target.node)
      steps.push(throughStep(target.node))
    }
  }
  if (typeof $dynamicRef === 'string' && node.resource.draft === 2020)
    steps.push(...dynamicSteps($dynamicRef, node))
  return steps
}

function dynamicSteps(ref: string, node: Node): Step[] {
  const target = resolve(ref, node.resource)
  if (typeof target === 'string') {
    node.wrong.push({ keyword: '$dynamicRef', problem: target })
    return []
  }
  node.next.push(target.node)
  const { name } = target
  // Only a name that is a $dynamicAnchor where it first leads is looked up by the way that was taken here.
  if (name === undefined || !target.node.resource.dynamic.has(name)) return [throughStep(target.node)]
  if (target.node.resource.dynamic.get(name) !== target.node.schema) return [throughStep(target.node)]
  return [(value: unknown, run, seen) => walk(outermost(run.scope, name) ?? target.node, value, run, seen)]
}

function outermost(scope: Scope, name: string): Node | undefined {
  let found: Node | undefined
  for (let one: Scope | null = scope; one !== null; one = one.outer) {
    const schema = one.resource.dynamic.get(name)
    if (schema !== undefined) found = nodeOf(schema, one.resource, `#${name}`)
  }
  return found
}
