// The type of an expression, and what is wrong with it.
import type { Expression, Span } from '../syntax/ast.ts'
import { assignable, misfit } from './assign.ts'
import { checkCall } from './call.ts'
import { type Checker, inScope, tell } from './checker.ts'
import { expectedItem, listType, recordType } from './literals.ts'
import { memberOf } from './members.ts'
import { literalOf, pathOf, said, withSaid } from './narrow.ts'
import { assignType, binaryType } from './operators.ts'
import { checkLambda, checkMatch, checkThread, elementOf, take } from './parts.ts'
import { find, nearest, type Sym, scope, visible } from './scope.ts'
import {
  ANY,
  BOOLEAN,
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
  widen,
} from './type.ts'

/** The type of `e`, where `expected` is asked for: what is written as a literal is checked part by part. */
export function infer(c: Checker, e: Expression, expected?: Ty): Ty {
  const type = inferred(c, e, expected)
  c.types.set(e, type)
  return type
}

/** Tells where `e` is no `to`; `what` names what it is for. */
export function need(c: Checker, e: Expression, to: Ty, what: string): Ty {
  const type = infer(c, e, to)
  fits(c, e, type, to, what)
  return type
}

export function fits(c: Checker, at: Span, type: Ty, to: Ty, what: string): boolean {
  if (assignable(type, to)) return true
  const inner = misfit(type, to)
  const where = inner
    ? inner.from
      ? `: its field \`${inner.field}\` is ${show(inner.from)}, not ${show(inner.to)}`
      : `: its field \`${inner.field}\` is missing`
    : ''
  const hint =
    mayBeNull(type) && assignable(present(type), to)
      ? 'it may be null: test it first, or write ?? with a default'
      : undefined
  tell(c, 'A3001', at, `${what} is ${show(to)}, and this is ${show(type)}${where}`, hint)
  return false
}

function inferred(c: Checker, e: Expression, expected: Ty | undefined): Ty {
  switch (e.kind) {
    case 'name':
      return nameType(c, e)
    case 'number':
    case 'boolean':
      return { kind: 'literal', value: e.value }
    case 'null':
      return NULL
    case 'text':
      for (const part of e.parts) if (typeof part !== 'string') infer(c, part)
      return literalOf(e) ?? STRING
    case 'list':
      return listType(c, e, expected)
    case 'comprehension': {
      const over = elementOf(c, e.over, infer(c, e.over), e.second !== undefined)
      const inner = scope(c.scope)
      return inScope(c, inner, e, () => {
        take(c, e.item, over.first, 'const')
        if (e.second) take(c, e.second, over.second, 'const')
        const { facts } = c
        if (e.condition) {
          infer(c, e.condition)
          c.facts = withSaid(facts, said(c, e.condition, true))
        }
        const of = infer(c, e.value, expectedItem(expected))
        c.facts = facts
        return listOf(widen(of))
      })
    }
    case 'record':
      return recordType(c, e, expected)
    case 'member': {
      const path = pathOf(c, e)
      const of = infer(c, e.of)
      const known = path === undefined ? undefined : c.facts.get(path)
      const type = memberOf(c, e, of)
      return known ?? type
    }
    case 'index':
      return indexType(c, e, infer(c, e.of))
    case 'slice': {
      const of = infer(c, e.of)
      for (const each of [e.from, e.to]) if (each) need(c, each, NUMBER, 'the end of a slice')
      const kinds = members(of)
      if (!kinds.every(t => ['list', 'string', 'literal', 'any', 'param'].includes(t.kind)))
        tell(c, 'A3001', e.of, `only a list or a string can be sliced, and this is ${show(of)}`)
      return widen(of)
    }
    case 'call':
      return checkCall(c, e, expected)
    case 'unary': {
      if (e.operator === '!') {
        infer(c, e.value)
        return BOOLEAN
      }
      const literal = literalOf(e)
      need(c, e.value, NUMBER, 'what `-` turns')
      return literal ?? NUMBER
    }
    case 'binary':
      return binaryType(c, e, expected)
    case 'assign':
      return assignType(c, e)
    case 'try':
      return { kind: 'result', of: tried(infer(c, e.value, expected && resultOf(expected))) }
    case 'choice': {
      infer(c, e.condition)
      const { facts } = c
      c.facts = withSaid(facts, said(c, e.condition, true))
      const yes = infer(c, e.yes, expected)
      c.facts = withSaid(facts, said(c, e.condition, false))
      const no = infer(c, e.no, expected)
      c.facts = facts
      return union([yes, no])
    }
    case 'match':
      return checkMatch(c, e, expected)
    case 'lambda':
      return checkLambda(c, e, expected)
    case 'thread':
      return checkThread(c, e)
    case 'wrong':
      return ANY
  }
}

export function tried(t: Ty): Ty {
  const of = members(t)
  if (!of.some(each => each.kind === 'result')) return widen(t)
  return union(of.map(each => (each.kind === 'result' ? each.of : each)))
}

function resultOf(t: Ty): Ty | undefined {
  const whole = expand(t)
  return whole.kind === 'result' ? whole.of : undefined
}

const MEANT = new Map(
  Object.entries({
    console: 'there is no console: write print(…)',
    JSON: 'write printJSON(…) to print; a record in a string is written as JSON',
    undefined: 'write null',
    this: 'there is no `this`',
    require: 'write import { name } from "module"',
    len: 'write list.length',
    println: 'write print(…)',
    process: 'import a function from a TypeScript module',
  }),
) // prettier

/** The symbol that a name stands for; tells where there is none. */
export function symbolOf(c: Checker, name: Extract<Expression, { kind: 'name' }>): Sym | undefined {
  const sym = find(c.scope, name.text)
  if (!sym) {
    if (name.text === '') return undefined
    const near = nearest(name.text, visible(c.scope).keys())
    tell(
      c,
      'A2001',
      name,
      `there is no \`${name.text}\` here`,
      MEANT.get(name.text) ?? (near && `did you mean \`${near}\`?`),
    )
    return undefined
  }
  sym.uses.push(name)
  c.symbols.set(name, sym)
  return sym
}

function nameType(c: Checker, e: Extract<Expression, { kind: 'name' }>): Ty {
  const sym = symbolOf(c, e)
  if (!sym) return ANY
  const path = pathOf(c, e)
  return (path !== undefined && c.facts.get(path)) || sym.type()
}

function indexType(c: Checker, e: Extract<Expression, { kind: 'index' }>, of: Ty): Ty {
  const types = members(of).map((t): Ty => {
    switch (t.kind) {
      case 'list':
        need(c, e.at, NUMBER, 'the place in a list')
        return t.of
      case 'string':
      case 'literal':
        need(c, e.at, NUMBER, 'the place in a string')
        return STRING
      case 'map':
        infer(c, e.at)
        return t.value
      case 'object': {
        const at = infer(c, e.at)
        const keys = members(at)
        if (!keys.every(k => k.kind === 'literal')) return ANY
        return union(
          keys.map(k => {
            const name = String((k as Ty & { kind: 'literal' }).value)
            const field = t.fields.get(name)
            if (!field) {
              tell(c, 'A3002', e.at, `${show(t)} has no field \`${name}\``)
              return ANY
            }
            return field.optional ? union([field.type, NULL]) : field.type
          }),
        )
      }
      case 'null':
      case 'void':
        infer(c, e.at)
        if (e.optional) return NULL
        tell(c, 'A3002', e.of, 'this may be null', 'test it first, or write ?.[')
        return ANY
      case 'any':
      case 'record':
      case 'param':
      case 'never':
        infer(c, e.at)
        return ANY
      default:
        infer(c, e.at)
        tell(c, 'A3002', e.of, `${show(t)} has no entries`)
        return ANY
    }
  })
  if (types.length === 0) infer(c, e.at)
  return union(types)
}
