// A list of tools: which of its entries are plain functions, and the place that each is told by.
import type { ArrayExpression, Expression } from 'oxc-parser'
import type { TypeFault } from '../faults.ts'
import { find } from '../read/find.ts'
import { fault, type Reader } from '../read/reader.ts'
import type { Scope } from '../read/scope.ts'
import { propertyOf, type Signature, signatureOf } from './signature.ts'

/** A plain function in a list; `place` counts from the end, as -1, where a spread stands before it. */
export interface Listed {
  place: number
  signature: Signature
}

/** The plain functions of a list that is written out, in its place or as a constant of the same file. */
export function functionsOf(
  r: Reader,
  node: Expression | undefined,
  at: Scope,
  faults: TypeFault[],
): readonly Listed[] {
  const list = node && listOf(r, node, at)
  if (!list) return []
  const { elements } = list.node
  const firstSpread = elements.findIndex(each => each?.type === 'SpreadElement')
  const lastSpread = elements.findLastIndex(each => each?.type === 'SpreadElement')
  return elements.flatMap((element, i) => {
    if (!element || element.type === 'SpreadElement') return []
    const inside = element.type === 'ObjectExpression' ? propertyOf(element, 'tool')?.value : element
    const signature = inside && signatureOf(r, inside, list.scope)
    if (!signature) return []
    if (firstSpread !== -1 && i > firstSpread && i < lastSpread) {
      const problem = 'a function between two spreads has no place of its own'
      faults.push(fault('T2112', problem, 'write tool(…) around it', list.scope, element))
      return []
    }
    return [{ place: firstSpread !== -1 && i > lastSpread ? i - elements.length : i, signature }]
  })
}

function listOf(
  r: Reader,
  node: Expression,
  scope: Scope,
): { node: ArrayExpression; scope: Scope } | undefined {
  switch (node.type) {
    case 'ArrayExpression':
      return { node, scope }
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'ParenthesizedExpression':
      return listOf(r, node.expression, scope)
    case 'Identifier': {
      const found = find(r, scope, node.name)
      const variable =
        found?.kind === 'declared' ? found.declarations.find(each => each.kind === 'variable') : undefined
      if (variable?.kind !== 'variable' || variable.as !== 'const' || !variable.node.init) return undefined
      const here = variable.scope.module === scope.module && !mayChange(scope.module.source, node.name)
      return here && variable.node.init.type !== 'Identifier'
        ? listOf(r, variable.node.init, variable.scope)
        : undefined
    }
  }
  return undefined
}

// The places of a list that changes are not known.
function mayChange(source: string, name: string): boolean {
  const changes = 'push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin|length'
  return new RegExp(
    `(?<![\\w$.])${name.replaceAll('$', '\\$')}\\s*!?(?:\\.\\s*(?:${changes})\\b|\\[[^\\]]*\\]\\s*=(?!=))`,
  ).test(source)
}
