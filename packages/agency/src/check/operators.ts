// What operators take and give: arithmetic, comparison, pipes, and what is set anew.
import type { Call, Expression } from '../syntax/ast.ts'
import { assignable } from './assign.ts'
import { asks, checkCall } from './call.ts'
import { type Checker, tell } from './checker.ts'
import { fits, infer, need, symbolOf, tried } from './expression.ts'
import { forget, pathOf, said, withSaid } from './narrow.ts'
import {
  ANY,
  BOOLEAN,
  expand,
  members,
  NUMBER,
  present,
  STRING,
  show,
  type Ty,
  union,
  widen,
} from './type.ts'

export function binaryType(
  c: Checker,
  e: Extract<Expression, { kind: 'binary' }>,
  expected: Ty | undefined,
): Ty {
  const { operator, left, right } = e
  switch (operator) {
    case '|>':
      return piped(c, e, expected)
    case 'catch': {
      const of = infer(c, left, expected)
      const value = tried(of)
      const other = infer(c, right, expected ?? (members(value).length === 1 ? value : undefined))
      return union([value, other].map(each => (expected ? each : widen(each))))
    }
    case '&&':
    case '||': {
      const of = infer(c, left, expected)
      const { facts } = c
      c.facts = withSaid(facts, said(c, left, operator === '&&'))
      const other = infer(c, right, expected)
      c.facts = facts
      if (operator === '&&') {
        const falsy = members(of).filter(
          t => !['object', 'list', 'map', 'function', 'result', 'record'].includes(t.kind),
        )
        return union([
          ...(falsy.every(t => t.kind === 'boolean' || t.kind === 'literal') ? [BOOLEAN] : falsy),
          other,
        ])
      }
      return union([present(of), other])
    }
    case '??': {
      const of = infer(c, left, expected)
      const other = infer(c, right, expected ?? present(of))
      return union([present(of), other])
    }
    case '==':
    case '!=': {
      infer(c, left)
      infer(c, right)
      return BOOLEAN
    }
    case 'in': {
      infer(c, left)
      const of = infer(c, right)
      if (
        !members(of).every(t =>
          t.kind === 'literal'
            ? typeof t.value === 'string'
            : ['list', 'map', 'object', 'record', 'string', 'any', 'param'].includes(t.kind),
        )
      )
        tell(c, 'A3001', right, `behind \`in\` stands a list, a record or a string, and this is ${show(of)}`)
      return BOOLEAN
    }
    case '<':
    case '>':
    case '<=':
    case '>=': {
      const a = infer(c, left)
      const b = infer(c, right)
      const ordered = (t: Ty): boolean =>
        kindsOf(t).every(k => k === 'number' || k === 'string' || k === 'any')
      for (const [at, t] of [
        [left, a],
        [right, b],
      ] as const)
        if (!ordered(t))
          tell(c, 'A3001', at, `\`${operator}\` compares numbers or strings, and this is ${show(t)}`)
      if (
        ordered(a) &&
        ordered(b) &&
        kindsOf(a).some(k => k === 'number') !== kindsOf(b).some(k => k === 'number') &&
        !kindsOf(a).includes('any') &&
        !kindsOf(b).includes('any')
      )
        tell(c, 'A3001', e, `\`${operator}\` compares two of a kind, and here ${show(a)} with ${show(b)}`)
      return BOOLEAN
    }
    case '+':
      return sum(c, e)
    default:
      need(c, left, NUMBER, `what \`${operator}\` is given`)
      need(c, right, NUMBER, `what \`${operator}\` is given`)
      return NUMBER
  }
}

function kindsOf(t: Ty): string[] {
  return members(t).map(each =>
    each.kind === 'literal'
      ? typeof each.value
      : each.kind === 'param' || each.kind === 'never'
        ? 'any'
        : each.kind,
  )
}

function sum(c: Checker, e: Extract<Expression, { kind: 'binary' }>): Ty {
  const a = kindsOf(infer(c, e.left))
  const b = kindsOf(infer(c, e.right))
  const is = (kinds: string[], kind: string): boolean => kinds.length > 0 && kinds.every(k => k === kind)
  if (is(a, 'number') && is(b, 'number')) return NUMBER
  if (a.includes('any') || b.includes('any')) return is(a, 'string') || is(b, 'string') ? STRING : ANY
  const both: [Expression, string[], string[]][] = [
    [e.left, a, b],
    [e.right, b, a],
  ] // prettier
  for (const [at, own, other] of both) {
    const wrong = own.find(
      k => !['number', 'string'].includes(k) && !(is(other, 'string') && k === 'boolean'),
    )
    if (!wrong) continue
    const hint =
      wrong === 'null' || wrong === 'void'
        ? 'it may be null: test it first, or write ?? with a default'
        : wrong === 'list'
          ? 'write [...a, ...b]'
          : 'write it inside of a string'
    tell(
      c,
      'A3001',
      at,
      `\`+\` adds numbers or joins strings, and this is ${show(c.types.get(at) ?? ANY)}`,
      hint,
    )
    return ANY
  }
  return is(a, 'string') || is(b, 'string') ? STRING : union([NUMBER, STRING])
}

/** `x |> f` is `f(x)`; `x |> f(a)` is `f(x, a)`. */
function piped(c: Checker, e: Extract<Expression, { kind: 'binary' }>, expected: Ty | undefined): Ty {
  return checkCall(c, pipedCall(e), expected)
}

const made = new WeakMap<object, Call>()

/** The call that a `|>` means. */
export function pipedCall(e: Extract<Expression, { kind: 'binary' }>): Call {
  let call = made.get(e)
  if (!call) {
    const { left, right, start, end } = e
    const first = {
      kind: 'argument' as const,
      name: undefined,
      splat: false,
      value: left,
      start: left.start,
      end: left.end,
    }
    call =
      right.kind === 'call'
        ? { ...right, args: [first, ...right.args] }
        : { kind: 'call', callee: right, optional: false, args: [first], block: undefined, start, end }
    made.set(e, call)
  }
  return call
}

export function assignType(c: Checker, e: Extract<Expression, { kind: 'assign' }>): Ty {
  const { target, operator, value } = e
  const sym = target.kind === 'name' ? symbolOf(c, target) : undefined
  if (target.kind === 'name' && sym) {
    c.types.set(target, sym.type())
    if (sym.kind === 'const' && sym.declared)
      tell(c, 'A2004', target, `\`${sym.name}\` is a const, and cannot be set anew`, 'declare it with let')
    else if (sym.kind !== 'let' && sym.kind !== 'param' && sym.kind !== 'const')
      tell(
        c,
        'A2004',
        target,
        `\`${sym.name}\` is a ${sym.kind === 'prelude' ? 'function of the language' : sym.kind}, and cannot be set`,
      )
  }
  const path = pathOf(c, target)
  const to = target.kind === 'name' ? (sym?.type() ?? ANY) : placeType(c, target, path)
  if (operator === '=') {
    if (sym?.kind === 'const') return infer(c, value)
    asks(c, value)
    const type = need(c, value, to, target.kind === 'name' ? `\`${target.text}\`` : 'this')
    if (path !== undefined) {
      c.facts = forget(c.facts, path)
      const known = members(to).length > 1 && expand(to).kind !== 'any'
      if (known && assignable(type, to)) c.facts = withSaid(c.facts, [[path, widen(type)]])
    }
    return type
  }
  if (operator === '+=') {
    const type = sum(c, { ...e, kind: 'binary', operator: '+', raw: '+=', left: target, right: value })
    fits(c, value, type, to, target.kind === 'name' ? `\`${target.text}\`` : 'this')
    return type
  }
  if (operator === '??=' || operator === '||=' || operator === '&&=') {
    need(c, value, to, 'this')
    if (path !== undefined) c.facts = forget(c.facts, path)
    return to
  }
  if (!assignable(to, NUMBER)) fits(c, target, to, NUMBER, `what \`${operator}\` changes`)
  need(c, value, NUMBER, `what \`${operator}\` is given`)
  return NUMBER
}

/** The type of a field or an entry that is set: not what is known of it by now. */
function placeType(c: Checker, target: Expression, path: string | undefined): Ty {
  const { facts } = c
  if (path !== undefined) c.facts = new Map([...facts].filter(([each]) => each !== path))
  const type = infer(c, target)
  c.facts = facts
  return type
}
