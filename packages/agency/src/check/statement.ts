// Statements, in the order in which they run. Each check gives true where nothing behind it can be reached.
import type { Block, Expression, If, Let, Statement } from '../syntax/ast.ts'
import { asks } from './call.ts'
import { type Checker, inScope, tell } from './checker.ts'
import { typeOf } from './declare.ts'
import { fits, infer } from './expression.ts'
import { joined, lasting, pathOf, said, withSaid } from './narrow.ts'
import { elementOf, take, wholes } from './parts.ts'
import { scope } from './scope.ts'
import { ANY, members, NULL, show, type Ty, union, widen } from './type.ts'

export function checkBlock(c: Checker, block: Block): boolean {
  return inScope(c, scope(c.scope), block, () => checkStatements(c, block.body))
}

export function checkStatements(c: Checker, body: readonly Statement[]): boolean {
  let ends = false
  for (const statement of body) ends = checkStatement(c, statement) || ends
  return ends
}

export function checkStatement(c: Checker, s: Statement): boolean {
  switch (s.kind) {
    case 'let':
      checkLet(c, s)
      return false
    case 'expression':
      c.alone.add(s.value)
      infer(c, s.value)
      return ends([s])
    case 'if':
      return checkIf(c, s)
    case 'for': {
      const of = elementOf(c, s.over, infer(c, s.over), s.second !== undefined)
      loop(c, () =>
        inScope(c, scope(c.scope), s, () => {
          take(c, s.item, of.first, 'const')
          if (s.second) take(c, s.second, of.second, 'const')
          checkBlock(c, s.body)
        }),
      )
      return false
    }
    case 'while': {
      c.facts = lasting(c)
      infer(c, s.condition)
      loop(c, () => {
        c.facts = withSaid(c.facts, said(c, s.condition, true))
        checkBlock(c, s.body)
      })
      if (!breaks(s.body)) c.facts = withSaid(c.facts, said(c, s.condition, false))
      return s.condition.kind === 'boolean' && s.condition.value && !breaks(s.body)
    }
    case 'break':
    case 'continue':
      if (c.within.loops === 0) {
        const inBlock = c.within.of?.kind === 'lambda'
        tell(
          c,
          'A2005',
          s,
          c.within.apart ? LEAVING(s.kind) : `\`${s.kind}\` stands outside of a loop`,
          c.within.apart ? STORED : inBlock ? 'return ends a block' : undefined,
        )
      }
      return true
    case 'return':
      checkReturn(c, s.value, s)
      return true
    case 'goto': {
      const call = s.call
      infer(c, call)
      if (call.kind === 'call' && call.callee.kind === 'name') {
        const sym = c.symbols.get(call.callee)
        if (sym && sym.kind !== 'node' && sym.kind !== 'import')
          tell(
            c,
            'A2005',
            call.callee,
            `goto moves to a node, and \`${sym.name}\` is none`,
            'declare it with node, or call it',
          )
      }
      return true
    }
    default:
      return false
  }
}

function loop(c: Checker, read: () => void): void {
  const before = lasting(c)
  c.facts = before
  c.within.loops++
  read()
  c.within.loops--
  c.facts = before
}

function checkLet(c: Checker, s: Let): void {
  const stated = s.type ? typeOf(s.type, c.declared) : undefined
  const name = s.pattern.kind === 'name' ? `\`${s.pattern.text}\`` : 'this'
  let type = stated ?? ANY
  if (s.value) {
    asks(c, s.value)
    c.alone.add(s.value)
    const kind = s.constant ? 'const' : 'let'
    // A block may call itself by the name that it is stored under.
    const itself = s.value.kind === 'lambda' && s.pattern.kind === 'name'
    if (itself) take(c, s.pattern, () => type, kind)
    const given = infer(c, s.value, stated)
    if (stated) fits(c, s.value, given, stated, name)
    else type = held(given, s)
    if (!itself) take(c, s.pattern, type, kind)
    if (
      stated &&
      s.pattern.kind === 'name' &&
      members(stated).length > 1 &&
      given.kind !== 'any' &&
      given !== stated
    ) {
      const path = pathOf(c, s.pattern)
      if (path !== undefined && fits(c, s.value, given, stated, name))
        c.facts = withSaid(c.facts, [[path, given]])
    }
    return
  }
  take(c, s.pattern, type, s.constant ? 'const' : 'let')
}

/** What a variable without a stated type holds: what may still be filled says nothing yet. */
function held(given: Ty, s: Let): Ty {
  if (given.kind === 'void') return NULL
  if (!s.constant && given.kind === 'null') return ANY
  if (!s.constant && failing(given)) return { kind: 'result', of: ANY }
  return s.constant ? given : widen(given)
}

const LEAVING = (word: string): string => `\`${word}\` cannot leave an expression from its middle`
const STORED = 'store the value of the match or the thread first: const x = match …'

function checkReturn(c: Checker, value: Expression | undefined, at: Statement): void {
  const { within } = c
  if (within.apart) {
    tell(c, 'A2005', at, LEAVING('return'), STORED)
    if (value) infer(c, value)
    return
  }
  if (!within.of) {
    tell(c, 'A2005', at, '`return` stands outside of a function')
    if (value) infer(c, value)
    return
  }
  const to = within.returns
  const what =
    within.of.kind === 'lambda'
      ? 'what the block gives'
      : within.of.kind === 'def'
        ? `what \`${within.of.name.text}\` gives`
        : 'this'
  if (!value) {
    within.given.push(NULL)
    if (to && !members(to).some(t => ['null', 'void', 'any', 'param'].includes(t.kind)))
      tell(c, 'A3001', at, `${what} is ${show(to)}, and nothing is returned`)
    return
  }
  asks(c, value)
  c.alone.add(value)
  const type = infer(c, value, to?.kind === 'void' ? undefined : to)
  within.given.push(type)
  const rest = members(type).filter(each => !failing(each))
  if (to && to.kind !== 'void' && rest.length > 0)
    fits(c, value, rest.length === members(type).length ? type : union(rest), to, what)
  if (to?.kind === 'void' && !['void', 'null', 'any'].includes(type.kind) && within.of.kind === 'def')
    tell(
      c,
      'A3001',
      value,
      `${what} is void, and something is returned`,
      'state another type behind the parameters',
    )
}

/** A failure may be given in place of any value. */
function failing(t: Ty): boolean {
  return t.kind === 'result' && t.state === 'failure'
}

function checkIf(c: Checker, s: If): boolean {
  infer(c, s.condition)
  const before = c.facts
  c.facts = withSaid(before, said(c, s.condition, true))
  const thenEnds = checkBlock(c, s.then)
  const afterThen = c.facts
  c.facts = before
  c.facts = withSaid(before, said(c, s.condition, false))
  const elseEnds = s.else ? (s.else.kind === 'if' ? checkIf(c, s.else) : checkBlock(c, s.else)) : false
  const afterElse = c.facts
  c.facts = thenEnds ? afterElse : elseEnds ? afterThen : joined(afterThen, afterElse)
  return thenEnds && elseEnds
}

function matchEnds(e: Extract<Expression, { kind: 'match' }>): boolean {
  return wholes.has(e) && e.arms.every(a => (a.body.kind === 'block' ? ends(a.body.body) : ends([a.body])))
}

/** Whether a list of statements surely leaves. */
export function ends(body: readonly Statement[]): boolean {
  return body.some(s => {
    if (s.kind === 'return' || s.kind === 'goto' || s.kind === 'break' || s.kind === 'continue') return true
    if (s.kind === 'if')
      return (
        s.else !== undefined &&
        ends(s.then.body) &&
        (s.else.kind === 'if' ? ends([s.else]) : ends(s.else.body))
      )
    if (s.kind === 'while') return s.condition.kind === 'boolean' && s.condition.value && !breaks(s.body)
    if (s.kind !== 'expression') return false
    return s.value.kind === 'match'
      ? matchEnds(s.value)
      : s.value.kind === 'thread' && ends(s.value.body.body)
  })
}

function breaks(block: Block): boolean {
  return block.body.some(s => {
    if (s.kind === 'break') return true
    if (s.kind === 'if')
      return (
        breaks(s.then) ||
        (s.else !== undefined && breaks(s.else.kind === 'if' ? { ...s.then, body: [s.else] } : s.else))
      )
    if (s.kind === 'expression' && s.value.kind === 'match')
      return s.value.arms.some(a =>
        breaks(a.body.kind === 'block' ? a.body : { kind: 'block', body: [a.body], start: 0, end: 0 }),
      )
    return false
  })
}
