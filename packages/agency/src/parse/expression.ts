// Expressions: by precedence, low to high: `|>`, assignment and `catch`, the binary operators, unary, what stands behind.
import type { Assign, Binary, BinaryOperator, Expression, Span } from '../syntax/ast.ts'
import { call, index, member } from './behind.ts'
import { arrow, tryBlock } from './habits.ts'
import { primary } from './primary.ts'
import { deeper, giveUp, isMark, isWord, next, type Parser, peek, remark, take } from './state.ts'

/** How long a chain like `a + b + c …` may be: the tree of it is as deep. */
const LONGEST = 250

export function expression(p: Parser): Expression {
  return deeper(
    p,
    () => pipe(p),
    () => nothing(p),
  )
}

/** Something stood here that is no expression. */
export function nothing(p: Parser, span?: Span): Expression {
  const { start } = peek(p)
  return { kind: 'wrong', start: span?.start ?? start, end: span?.end ?? start }
}

function pipe(p: Parser): Expression {
  let left = assignment(p)
  for (let n = 0; isMark(p, '|>') && chain(p, n); n++) {
    next(p)
    const right = assignment(p)
    left = { kind: 'binary', operator: '|>', raw: '|>', left, right, start: left.start, end: right.end }
  }
  return left
}

const ASSIGNING = new Set(['=', '+=', '-=', '*=', '/=', '%=', '**=', '??=', '||=', '&&='])

function assignment(p: Parser): Expression {
  let left = ternary(p, binary(p, 1))
  const token = peek(p)
  if (token.kind === 'mark' && ASSIGNING.has(token.text) && !(p.arm && token.text === '=')) {
    if (left.kind !== 'name' && left.kind !== 'member' && left.kind !== 'index' && left.kind !== 'wrong')
      remark(p, 'A2004', left, 'this cannot be assigned to', 'a name, a field or an entry of a list can')
    next(p)
    const value = deeper(
      p,
      () => assignment(p),
      () => nothing(p),
    )
    const operator = token.text as Assign['operator']
    return { kind: 'assign', operator, target: left, value, start: left.start, end: value.end }
  }
  for (let n = 0; isWord(p, 'catch') && chain(p, n); n++) {
    next(p)
    const right = binary(p, 1)
    left = { kind: 'binary', operator: 'catch', raw: 'catch', left, right, start: left.start, end: right.end }
  }
  return left
}

/** `c ? a : b`, which is a habit of another language. */
function ternary(p: Parser, condition: Expression): Expression {
  if (!isMark(p, '?') || peek(p).line) return condition
  const at = next(p)
  remark(p, 'A1003', at, 'there is no `? :`', 'write if condition then a else b')
  const yes = deeper(
    p,
    () => assignment(p),
    () => nothing(p),
  )
  const no = take(p, ':')
    ? deeper(
        p,
        () => assignment(p),
        () => nothing(p),
      )
    : nothing(p)
  return { kind: 'choice', condition, yes, no, start: condition.start, end: no.end }
}

const POWER = 7
const PRECEDENCE: { readonly [operator: string]: number } = {
  '||': 1,
  '??': 1,
  '&&': 2,
  '==': 3,
  '!=': 3,
  '===': 3,
  '!==': 3,
  '<': 4,
  '>': 4,
  '<=': 4,
  '>=': 4,
  in: 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
  '%': 6,
  '**': POWER,
} // prettier

export function precedence(operator: string): number {
  return PRECEDENCE[operator] ?? 0
}

/** Binary operators of at least the precedence `least`. */
export function binary(p: Parser, least: number): Expression {
  let left = unary(p)
  for (let n = 0; ; n++) {
    const token = peek(p)
    if (token.kind === 'end' || token.kind === 'text' || token.kind === 'number') return left
    if (token.kind === 'name' && token.text !== 'in') return left
    const level = Object.hasOwn(PRECEDENCE, token.text) ? PRECEDENCE[token.text]! : 0
    if (level === 0 || level < least) return left
    // A line that begins with a minus is a statement of its own.
    if (token.line && p.enclosed === 0 && token.text === '-') return left
    if (!chain(p, n)) return left
    next(p)
    const right =
      level === POWER
        ? deeper(
            p,
            () => binary(p, POWER),
            () => nothing(p),
          )
        : binary(p, level + 1)
    const operator = plainOperator(token.text)
    left = {
      kind: 'binary',
      operator,
      raw: token.text,
      left,
      right,
      start: left.start,
      end: right.end,
    } satisfies Binary
  }
}

function plainOperator(raw: string): BinaryOperator {
  return (raw === '===' ? '==' : raw === '!==' ? '!=' : raw) as BinaryOperator
}

function chain(p: Parser, n: number): boolean {
  if (n < LONGEST) return true
  giveUp(p, 'this chain is too long')
  return false
}

export function unary(p: Parser): Expression {
  const token = peek(p)
  if (token.kind === 'mark' && (token.text === '!' || token.text === '-')) {
    next(p)
    const value = deeper(
      p,
      () => unary(p),
      () => nothing(p),
    )
    return { kind: 'unary', operator: token.text, value, start: token.start, end: value.end }
  }
  if (token.kind === 'mark' && (token.text === '++' || token.text === '--')) {
    next(p)
    remark(p, 'A1003', token, `there is no \`${token.text}\``, `write x ${token.text[0]}= 1`)
    return deeper(
      p,
      () => unary(p),
      () => nothing(p),
    )
  }
  if (isWord(p, 'try')) {
    next(p)
    const block = tryBlock(p, token)
    if (block) return block
    const value = deeper(
      p,
      () => binary(p, 1),
      () => nothing(p),
    )
    return { kind: 'try', value, start: token.start, end: value.end }
  }
  if (isWord(p, 'await') && peek(p, 1).kind === 'name' && !peek(p, 1).line) {
    next(p)
    remark(p, 'A1003', token, 'there is no `await`', 'a call is waited for by itself: leave it out')
    return deeper(
      p,
      () => unary(p),
      () => nothing(p),
    )
  }
  return operand(p)
}

/** A value with the calls, fields and entries behind it. */
export function operand(p: Parser): Expression {
  let of = (p.arm ? undefined : arrow(p)) ?? primary(p)
  for (let n = 0; ; n++) {
    const token = peek(p)
    if (token.kind !== 'mark') return of
    const more =
      token.text === '.' || token.text === '?.'
        ? member(p, of)
        : token.line
          ? undefined
          : token.text === '('
            ? call(p, of, false)
            : token.text === '['
              ? index(p, of, false)
              : undefined
    if (!more || !chain(p, n)) return of
    of = more
  }
}
