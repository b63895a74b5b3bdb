// Which functions have to be waited for: those that can reach a model, a host's function, or a function nobody knows.
// The rest is plain, which is where the speed comes from.
import type { Block, Call, Def, Expression, Lambda, Node } from '../syntax/ast.ts'
import { walk } from '../syntax/walk.ts'
import type { Checked } from './checker.ts'
import { pipedCall } from './operators.ts'
import { expand, members } from './type.ts'

export interface Colours {
  /** What has to be waited for: a def, a block, a call, a thread. */
  waits(of: Def | Lambda | Call): boolean
  /** Whether something inside of `node`, blocks within it left out, has to be waited for. */
  holds(node: Expression | Block): boolean
}

/** Of the prelude: functions that take a block, and wait where it does. */
export const TAKES_BLOCK = new Set(
  'map mapWithIndex filter reduce find findIndex flatMap every some count sortBy unique groupBy'.split(' '),
) // prettier

/** Methods of lists that take a block. */
export const METHODS = new Set(
  'map filter find findIndex findLast flatMap every some forEach reduce sort toSorted'.split(' '),
) // prettier

export function colours(checked: Checked): Colours {
  const { program, symbols, types } = checked
  const defs = program.body.filter(s => s.kind === 'def')
  const waiting = new Set<Def>(defs.filter(def => def.node))
  const lambdas = new Map<Lambda, boolean>()

  const blockWaits = (e: Expression): boolean => {
    if (e.kind === 'lambda') return lambdaWaits(e)
    const sym = e.kind === 'name' ? symbols.get(e) : undefined
    if (sym?.def && sym.kind !== 'import') return waiting.has(sym.def)
    if (sym && (sym.kind === 'prelude' || sym.kind === 'import') && sym.waits !== undefined)
      return sym.waits || TAKES_BLOCK.has(sym.name)
    const type = types.get(e)
    // Values that are no functions have nothing to wait for.
    return !type || members(type).some(t => ['function', 'any', 'param'].includes(t.kind))
  }

  const lambdaWaits = (e: Lambda): boolean => {
    const known = lambdas.get(e)
    if (known !== undefined) return known
    lambdas.set(e, false)
    const found = holds(e.body)
    lambdas.set(e, found)
    return found
  }

  const callWaits = (e: Call): boolean => {
    const { callee } = e
    const given = (): boolean => [...e.args.map(a => a.value), ...(e.block ? [e.block] : [])].some(blockWaits)
    if (callee.kind === 'name') {
      const sym = symbols.get(callee)
      if (sym?.kind === 'def' || sym?.kind === 'node') return waiting.has(sym.def!)
      if (sym?.kind === 'prelude') {
        if (sym.name === 'llm') return true
        return sym.waits === true || (TAKES_BLOCK.has(sym.name) && blocksOf(e).some(blockWaits))
      }
      if (sym?.kind === 'import') return sym.waits !== false
      return true
    }
    if (callee.kind === 'member') {
      const of = types.get(callee.of)
      const module = callee.of.kind === 'name' && symbols.get(callee.of)?.kind === 'module'
      if (module || !of) return true
      const host = callee.of.kind === 'name' && symbols.get(callee.of)?.kind === 'prelude'
      if (host) return false
      const plain = members(of).every(t =>
        ['list', 'string', 'number', 'literal', 'boolean', 'null', 'void'].includes(expand(t).kind),
      )
      return plain ? METHODS.has(callee.name.text) && given() : true
    }
    return true
  }

  const blocksOf = (e: Call): Expression[] =>
    e.block
      ? [e.block]
      : e.args.length > 0
        ? [e.args.at(-1)!.value, ...e.args.filter(a => a.name?.text === 'block').map(a => a.value)]
        : []

  const holds = (node: Expression | Block): boolean => {
    let found = false
    walk(node as Node, each => {
      if (found) return false
      if (each.kind === 'lambda' && each !== node) return false
      if (each.kind === 'thread' || each.kind === 'goto') found = true
      else if (each.kind === 'call' && callWaits(each)) found = true
      else if (each.kind === 'binary' && each.operator === '|>' && callWaits(pipedCall(each))) found = true
      return !found
    })
    return found
  }

  // A def waits where its body does; each round may find more, until none does.
  for (let more = true; more; ) {
    more = false
    lambdas.clear()
    for (const def of defs) {
      if (waiting.has(def)) continue
      const own = holds(def.body) || def.params.some(p => p.default !== undefined && holds(p.default))
      if (!own) continue
      waiting.add(def)
      more = true
    }
  }
  lambdas.clear()
  return {
    waits: of =>
      of.kind === 'def' ? waiting.has(of) : of.kind === 'lambda' ? lambdaWaits(of) : callWaits(of),
    holds,
  }
}
