// Blocks, arms of a match, threads, and what patterns take apart.
import type { Expression, Lambda, Match, MatchPattern, Pattern, ThreadBlock } from '../syntax/ast.ts'
import { assignable } from './assign.ts'
import { type Checker, declare, inScope, tell, type Within } from './checker.ts'
import { typeOf } from './declare.ts'
import { fits, infer, symbolOf } from './expression.ts'
import { discriminated, joined, lasting, literalOf, only, pathOf, said, withSaid } from './narrow.ts'
import { find, type SymbolKind, scope } from './scope.ts'
import { checkBlock, checkStatement } from './statement.ts'
import {
  ANY,
  expand,
  listOf,
  mayBeNull,
  members,
  NULL,
  NUMBER,
  present,
  STRING,
  show,
  type Ty,
  union,
  VOID,
  widen,
} from './type.ts'

/** What a loop over `of` gives: one name (`first`), or two. */
export function elementOf(c: Checker, at: Expression, of: Ty, two: boolean): { first: Ty; second: Ty } {
  if (mayBeNull(of))
    tell(
      c,
      'A3001',
      at,
      `only a list or a record can be gone through, and this is ${show(of)}`,
      'it may be null: write ?? [] behind it',
    )
  const firsts: Ty[] = []
  const seconds: Ty[] = []
  for (const t of members(present(of))) {
    if (t.kind === 'list') {
      firsts.push(t.of)
      seconds.push(NUMBER)
    } else if (t.kind === 'map') {
      firsts.push(t.key)
      seconds.push(t.value)
    } else if (t.kind === 'object') {
      firsts.push(STRING)
      seconds.push(union([...t.fields.values()].map(f => (f.optional ? union([f.type, NULL]) : f.type))))
    } else if (t.kind === 'string' || (t.kind === 'literal' && typeof t.value === 'string')) {
      firsts.push(STRING)
      seconds.push(NUMBER)
    } else if (t.kind === 'any' || t.kind === 'record' || t.kind === 'never' || t.kind === 'param') {
      firsts.push(ANY)
      seconds.push(ANY)
    } else {
      const hint = t.kind === 'number' || t.kind === 'literal' ? 'write range(n) to count' : undefined
      tell(c, 'A3001', at, `only a list or a record can be gone through, and this is ${show(of)}`, hint)
      firsts.push(ANY)
      seconds.push(ANY)
    }
  }
  return { first: union(firsts), second: two ? union(seconds) : NUMBER }
}

/** Declares what a pattern takes from a value of the type `of`. */
export function take(c: Checker, p: Pattern, given: Ty | (() => Ty), kind: SymbolKind): void {
  if (p.kind === 'name') {
    declare(c, p, { kind, type: typeof given === 'function' ? given : () => given })
    return
  }
  const of = typeof given === 'function' ? given() : given
  const or = (type: Ty, value: Expression | undefined): Ty => {
    if (!value) return type
    const other = infer(c, value, present(type))
    return mayBeNull(type) || type.kind === 'any' ? union([present(type), widen(other)]) : type
  }
  if (p.kind === 'listPattern') {
    const item = elementOf(c, { ...p, kind: 'wrong' }, of, false).first
    for (const each of p.items) if (each) take(c, each.pattern, or(item, each.default), kind)
    if (p.rest) declare(c, p.rest, { kind, type: () => listOf(item) })
    return
  }
  const types = members(of)
  for (const each of p.fields) {
    const field = (t: Ty): Ty => {
      if (t.kind === 'object') {
        const own = t.fields.get(each.key.text)
        if (own) return own.optional ? union([own.type, NULL]) : own.type
        if (!each.default) tell(c, 'A3002', each.key, `${show(t)} has no field \`${each.key.text}\``)
        return ANY
      }
      if (t.kind === 'map') return t.value
      if (t.kind === 'null' || t.kind === 'void')
        tell(c, 'A3002', each.key, `this may be null, and null has no field \`${each.key.text}\``)
      return ANY
    }
    const type = or(union(types.map(field)), each.default)
    take(c, each.pattern ?? each.key, type, kind)
  }
  if (p.rest) declare(c, p.rest, { kind, type: () => ANY })
}

/** Reads a body whose returns are its own. */
export function inFunction<T>(c: Checker, within: Within, read: () => T): T {
  const { within: around, facts } = c
  c.within = within
  c.facts = lasting(c)
  const result = read()
  c.within = around
  c.facts = facts
  return result
}

export function checkLambda(c: Checker, e: Lambda, expected: Ty | undefined): Ty {
  const asked = expected && members(expected).find(t => t.kind === 'function')
  const wanted = asked?.kind === 'function' ? asked : undefined
  if (wanted && e.params.length > wanted.params.length && !wanted.params.some(p => p.rest)) {
    const at = e.params[wanted.params.length]!
    const count = wanted.params.length
    const many = count === 0 ? 'nothing' : count === 1 ? 'one value' : `${count} values`
    tell(c, 'A2003', at, `this block is given ${many}, and it takes ${e.params.length}`)
  }
  const inner = scope(c.scope, ++c.levels)
  const within: Within = { of: e, returns: undefined, given: [], loops: 0 }
  const returns = wanted && usable(wanted.returns) ? wanted.returns : undefined
  within.returns = returns
  const params = inScope(c, inner, e, () =>
    e.params.map((p, i) => {
      const stated = p.type ? typeOf(p.type, c.declared) : undefined
      const given = wanted?.params[i] ?? wanted?.params.find(each => each.rest)
      const type = stated ?? (given && usable(given.type) ? given.type : ANY)
      take(c, p.pattern, type, 'param')
      return {
        name: p.pattern.kind === 'name' ? p.pattern.text : '',
        type,
        optional: false,
        rest: false,
        default: false,
      }
    }),
  )
  const before = c.faults.length
  let gives = inScope(c, inner, e, () =>
    inFunction(c, within, (): Ty => {
      if (e.body.kind !== 'block') {
        c.alone.add(e.body)
        const type = infer(c, e.body, returns)
        if (returns && returns.kind !== 'void') fits(c, e.body, type, returns, 'what the block gives')
        return returns ? type : widen(type)
      }
      const done = checkBlock(c, e.body)
      const given = returns ? within.given : within.given.map(widen)
      return given.length === 0 ? VOID : union([...given, ...(done ? [] : [NULL])])
    }),
  )
  if (
    returns &&
    returns.kind !== 'void' &&
    returns.kind !== 'any' &&
    e.body.kind === 'block' &&
    within.given.length === 0 &&
    !mayBeNull(returns)
  )
    tell(
      c,
      'A3001',
      { start: e.start, end: e.start + 1 },
      `the block is to give ${show(returns)}, and it gives nothing`,
      'write return before the value',
    )
  // What is wrong inside of it is told there, not once more for the whole.
  if (returns && c.faults.length > before) gives = returns
  // What is given too much was told above.
  const taken = wanted && !wanted.params.some(p => p.rest) ? params.slice(0, wanted.params.length) : params
  return { kind: 'function', params: taken, returns: gives, generics: [] }
}

/** A type parameter that stands for nothing yet says nothing. */
function usable(t: Ty): boolean {
  if (t.kind === 'param') return false
  if (t.kind === 'list') return usable(t.of)
  if (t.kind === 'union') return t.of.every(usable)
  return t.kind !== 'any'
}

/** Does `read` with what is known of whether `e` can be left by a return, or a break. */
function apart<T>(c: Checker, e: Expression, read: () => T): T {
  const { within } = c
  if (!c.alone.has(e)) c.within = { ...within, loops: 0, apart: true }
  const result = read()
  c.within = within
  return result
}

export function checkThread(c: Checker, e: ThreadBlock): Ty {
  apart(c, e, () => checkBlock(c, e.body))
  return listOf({
    kind: 'object',
    fields: new Map([
      ['role', { type: STRING, optional: false }],
      ['content', { type: STRING, optional: false }],
    ]),
  })
}

export function checkMatch(c: Checker, e: Match, expected: Ty | undefined): Ty {
  return apart(c, e, () => matchType(c, e, expected))
}

function matchType(c: Checker, e: Match, expected: Ty | undefined): Ty {
  const given = infer(c, e.value)
  // A const that holds one literal is looked at as what it may hold: an arm for another is no fault.
  const of = members(given).length === 1 ? widen(given) : given
  const path = pathOf(c, e.value)
  const before = c.facts
  let rest = of
  /** What no arm before takes for sure. */
  let left = members(of).flatMap(t => (t.kind === 'boolean' ? BOTH : [t]))
  let after = new Map() as typeof before | undefined
  let first = true
  const types: Ty[] = []
  for (const arm of e.arms) {
    const inner = scope(c.scope)
    inScope(c, inner, arm, () => {
      const taken = arm.patterns.map(p => takenBy(p, rest))
      const takesAll = !arm.guard && arm.patterns.some(p => takesAny(c, p))
      c.facts = before
      for (const [i, p] of arm.patterns.entries()) bindPattern(c, p, taken[i]!)
      if (path !== undefined) c.facts = withSaid(before, [[path, union(taken)]])
      // The tag of a union says which of its members it is.
      const tags = members(union(taken))
      const tagged = discriminated(c, e.value, t =>
        tags.some(tag => assignable(t, tag) || assignable(tag, t)),
      )
      c.facts = withSaid(c.facts, tagged)
      if (arm.guard) {
        infer(c, arm.guard)
        c.facts = withSaid(c.facts, said(c, arm.guard, true))
      } else {
        rest = only(rest, t => !arm.patterns.some(p => certain(p, t)))
        left = takesAll ? [] : left.filter(t => !arm.patterns.some(p => certain(p, expand(t))))
      }
      let ends = false
      if (arm.body.kind === 'block') {
        ends = checkBlock(c, arm.body)
        if (!ends) types.push(NULL)
      } else if (arm.body.kind === 'expression') {
        if (c.alone.has(e)) c.alone.add(arm.body.value)
        types.push(infer(c, arm.body.value, expected))
      } else ends = checkStatement(c, arm.body)
      if (!ends) {
        after = first ? c.facts : joined(after ?? c.facts, c.facts)
        first = false
      }
    })
  }
  const whole = left.every(t => t.kind === 'never' || takesAnyList(e, expand(t)))
  if (whole) wholes.add(e)
  if (!whole) after = first ? before : joined(after ?? before, before)
  c.facts = first && whole ? before : (after ?? before)
  if (!whole) types.push(NULL)
  return union(types)
}

const BOTH: readonly Ty[] = [true, false].map(value => ({ kind: 'literal', value }))

/** The matches one of whose arms takes whatever comes. */
export const wholes = new WeakSet<Match>()

/** Whether anything fits: `_`, or a name that nothing is called. */
function takesAny(c: Checker, p: MatchPattern): boolean {
  if (p.kind !== 'valuePattern') return p.kind === 'anyPattern'
  return p.value.kind === 'name' && (p.binds || !find(c.scope, p.value.text))
}

/** Whether the arms take a list of type `t` however long it is. */
function takesAnyList(e: Match, t: Ty): boolean {
  if (t.kind !== 'list') return false
  const item = t.of
  const lists = e.arms
    .flatMap(arm => (arm.guard ? [] : arm.patterns))
    .filter(p => p.kind === 'matchList')
    .filter(p => p.items.every(each => members(item).every(t => certain(each, t))))
  const open = Math.min(...lists.filter(p => p.rest).map(p => p.items.length))
  if (!Number.isFinite(open)) return false
  return Array.from({ length: open }, (_, n) => n).every(n =>
    lists.some(p => !p.rest && p.items.length === n),
  )
}

/** What a value of `rest` is known to be where it fits the pattern. */
function takenBy(p: MatchPattern, rest: Ty): Ty {
  const taken = only(rest, t => possible(p, t))
  const value = p.kind === 'valuePattern' && !p.binds ? literalOf(p.value) : undefined
  if (!value) return taken
  return union(members(taken).map(t => (t.kind !== 'any' && assignable(value, t) ? value : t)))
}

/** Whether a value of `t` can fit the pattern. */
function possible(p: MatchPattern, t: Ty): boolean {
  if (t.kind === 'any' || t.kind === 'record' || t.kind === 'param') return true
  switch (p.kind) {
    case 'anyPattern':
      return true
    case 'valuePattern': {
      const value = literalOf(p.value)
      return p.binds || !value || assignable(value, t)
    }
    case 'matchList':
      return t.kind === 'list'
    case 'matchRecord':
      if (t.kind === 'map' || t.kind === 'result') return true
      return (
        t.kind === 'object' &&
        p.fields.every(({ key, pattern }) => {
          const field = t.fields.get(key.text)
          if (!field) return false
          return !pattern || members(field.type).some(each => possible(pattern, each))
        })
      )
  }
}

/** Whether every value of `t` fits the pattern. */
function certain(p: MatchPattern, t: Ty): boolean {
  switch (p.kind) {
    case 'anyPattern':
      return true
    case 'valuePattern': {
      const value = literalOf(p.value)
      if (p.binds) return true
      return value?.kind === 'null'
        ? t.kind === 'null' || t.kind === 'void'
        : value?.kind === 'literal' && t.kind === 'literal' && value.value === t.value
    }
    case 'matchList':
      return t.kind === 'list' && p.items.length === 0 && p.rest !== undefined
    case 'matchRecord':
      return (
        t.kind === 'object' &&
        p.fields.every(({ key, pattern }) => {
          const field = t.fields.get(key.text)
          return (
            field !== undefined &&
            !field.optional &&
            (!pattern || members(field.type).every(each => certain(pattern, each)))
          )
        })
      )
  }
}

/** Declares the names that a pattern fills, and reads the values that it compares with. */
function bindPattern(c: Checker, p: MatchPattern, of: Ty): void {
  switch (p.kind) {
    case 'anyPattern':
      return
    case 'valuePattern': {
      const { value } = p
      if (value.kind === 'name' && (p.binds || !find(c.scope, value.text))) {
        if (c.scope.names.has(value.text)) c.symbols.set(value, c.scope.names.get(value.text)!)
        else declare(c, value, { kind: 'const', type: () => of })
      } else if (value.kind === 'name') {
        c.types.set(value, symbolOf(c, value)?.type() ?? ANY)
      } else {
        const type = infer(c, value)
        if (members(of).length === 1 && members(of)[0]!.kind === 'never' && type.kind === 'literal')
          tell(c, 'A3001', value, `this is never ${show(type)}`)
      }
      return
    }
    case 'matchList': {
      const item = union(members(of).map(t => (t.kind === 'list' ? t.of : ANY)))
      for (const each of p.items) bindPattern(c, each, item)
      if (p.rest) declare(c, p.rest, { kind: 'const', type: () => listOf(item) })
      return
    }
    case 'matchRecord':
      for (const { key, pattern } of p.fields) {
        const type = union(
          members(of).map(t => {
            const whole = expand(t)
            if (whole.kind === 'object') {
              const field = whole.fields.get(key.text)
              return field ? (field.optional ? union([field.type, NULL]) : field.type) : ANY
            }
            return whole.kind === 'map' ? whole.value : ANY
          }),
        )
        if (pattern)
          bindPattern(c, pattern, pattern.kind === 'valuePattern' && literalOf(pattern.value) ? ANY : type)
        else if (!c.scope.names.has(key.text)) declare(c, key, { kind: 'const', type: () => type })
      }
  }
}
