// The type of an expression, and what is wrong with it.
import type { Call, Expression, RecordLiteral, Span } from '../syntax/ast.ts'
import { assignable, misfit } from './assign.ts'
import { asks, checkCall } from './call.ts'
import { type Checker, inScope, tell } from './checker.ts'
import { memberOf } from './members.ts'
import { forget, literalOf, pathOf, said, withSaid } from './narrow.ts'
import { checkLambda, checkMatch, checkThread, elementOf, take } from './parts.ts'
import { find, nearest, type Sym, scope, visible } from './scope.ts'
import {
  ANY,
  BOOLEAN,
  expand,
  type FieldTy,
  listOf,
  mayBeNull,
  members,
  NULL,
  NUMBER,
  type ObjectTy,
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

function tried(t: Ty): Ty {
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

function expectedItem(expected: Ty | undefined): Ty | undefined {
  const lists = expected ? members(expected).filter(t => t.kind === 'list') : []
  return lists.length === 1 && lists[0]!.kind === 'list' ? lists[0]!.of : undefined
}

function listType(c: Checker, e: Extract<Expression, { kind: 'list' }>, expected: Ty | undefined): Ty {
  const item = expectedItem(expected)
  const types = e.items.map(each => {
    if (each.kind === 'splat') {
      const of = infer(c, each.value, expected)
      return elementOf(c, each.value, of, false).first
    }
    return item && item.kind !== 'any' && item.kind !== 'param'
      ? need(c, each, item, 'an entry of the list')
      : infer(c, each)
  })
  if (item && item.kind !== 'param') return listOf(item)
  return listOf(types.length === 0 ? ANY : union(types.map(widen)))
}

function recordType(c: Checker, e: RecordLiteral, expected: Ty | undefined): Ty {
  const whole = expected && shapeFor(e, expected)
  if (whole?.kind === 'object') return checkedRecord(c, e, whole, expected!)
  const value = whole?.kind === 'map' ? whole.value : undefined
  const fields = new Map<string, FieldTy>()
  let open = false
  for (const entry of e.entries) {
    if (entry.kind === 'splat') {
      const of = expand(infer(c, entry.value))
      if (of.kind === 'object') for (const [name, field] of of.fields) fields.set(name, field)
      else open = true
      continue
    }
    const name = keyOf(entry.key)
    if (entry.computed || entry.key.kind === 'text')
      if (entry.key.kind !== 'name' || entry.computed) infer(c, entry.key)
    const of = entry.value ?? (entry.key.kind === 'name' ? entry.key : undefined)
    const type = of
      ? value && value.kind !== 'param'
        ? need(c, of, value, `\`${name ?? 'the field'}\``)
        : infer(c, of)
      : ANY
    if (name === undefined || entry.computed) open = true
    else {
      if (fields.has(name) && !e.entries.some(each => each.kind === 'splat'))
        tell(c, 'A2002', entry.key, `the field \`${name}\` is stated twice`)
      fields.set(name, { type: widen(type), optional: false })
    }
  }
  if (whole?.kind === 'map') return whole
  if (open || e.entries.length === 0) return { kind: 'map', key: STRING, value: open ? ANY : ANY }
  return { kind: 'object', fields }
}

export function keyOf(key: Expression): string | undefined {
  if (key.kind === 'name') return key.text
  const text = literalOf(key)
  return text?.kind === 'literal' ? String(text.value) : undefined
}

/** Of what is expected, the record that this literal is meant as. */
function shapeFor(e: RecordLiteral, expected: Ty): Ty | undefined {
  const of = members(expected).filter(t => t.kind === 'object' || t.kind === 'map')
  if (of.length <= 1) return of[0]
  const tagged = of.filter(
    t =>
      t.kind === 'object' &&
      e.entries.every(entry => {
        if (entry.kind === 'splat' || !entry.value) return true
        const field = t.fields.get(keyOf(entry.key) ?? '')
        const value = literalOf(entry.value)
        return (
          !field ||
          !value ||
          !members(field.type).every(m => m.kind === 'literal') ||
          assignable(value, field.type)
        )
      }),
  )
  if (tagged.length === 1) return tagged[0]
  const named = tagged.filter(
    t =>
      t.kind === 'object' &&
      e.entries.every(entry => entry.kind === 'splat' || t.fields.has(keyOf(entry.key) ?? '')),
  )
  return named.length === 1 ? named[0] : undefined
}

function checkedRecord(c: Checker, e: RecordLiteral, shape: ObjectTy, expected: Ty): Ty {
  const given = new Set<string>()
  let open = false
  for (const entry of e.entries) {
    if (entry.kind === 'splat') {
      const of = expand(infer(c, entry.value))
      if (of.kind === 'object')
        for (const [name, field] of of.fields) {
          const own = shape.fields.get(name)
          if (own && !e.entries.some(other => other.kind === 'entry' && keyOf(other.key) === name))
            fits(
              c,
              entry.value,
              field.type,
              own.optional ? union([own.type, NULL]) : own.type,
              `the field \`${name}\``,
            )
          if (!field.optional) given.add(name)
        }
      else open = true
      continue
    }
    const name = keyOf(entry.key)
    if (entry.key.kind === 'text' || entry.computed) infer(c, entry.key)
    const of = entry.value ?? (entry.key.kind === 'name' ? entry.key : undefined)
    if (name === undefined || entry.computed) {
      open = true
      if (of) infer(c, of)
      continue
    }
    if (given.has(name) && !e.entries.some(each => each.kind === 'splat'))
      tell(c, 'A2002', entry.key, `the field \`${name}\` is stated twice`)
    given.add(name)
    const field = shape.fields.get(name)
    if (!field) {
      const near = nearest(name, shape.fields.keys())
      tell(
        c,
        'A3002',
        entry.key,
        `${show(expected)} has no field \`${name}\``,
        near && `did you mean \`${near}\`?`,
      )
      if (of) infer(c, of)
    } else if (of)
      need(c, of, field.optional ? union([field.type, NULL]) : field.type, `the field \`${name}\``)
  }
  const missing = [...shape.fields].filter(
    ([name, field]) => !field.optional && !given.has(name) && !mayBeNull(field.type),
  )
  if (!open && missing.length > 0) {
    const names = missing.map(([name]) => `\`${name}\``).join(', ')
    tell(c, 'A3001', e, `${show(expected)} needs the field${missing.length > 1 ? 's' : ''} ${names}`)
  }
  return members(expected).length > 1 || expected.kind === 'alias' ? expected : shape
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

function binaryType(c: Checker, e: Extract<Expression, { kind: 'binary' }>, expected: Ty | undefined): Ty {
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

function assignType(c: Checker, e: Extract<Expression, { kind: 'assign' }>): Ty {
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
