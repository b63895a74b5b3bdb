// Types as they are written.
import type { Schema, Type, TypeField, TypeFunction, TypeRecord } from '../syntax/ast.ts'
import { expression } from './expression.ts'
import {
  DEEPEST,
  deeper,
  endOf,
  expect,
  expected,
  giveUp,
  isMark,
  isWord,
  list,
  name,
  next,
  type Parser,
  peek,
  plainText,
  take,
  takeWord,
  tell,
  word,
} from './state.ts'

/** A whole type: a union, or a function type. */
export function type(p: Parser): Type {
  return deeper(
    p,
    () => union(p),
    () => wrong(p),
  )
}

function wrong(p: Parser): Type {
  const { start } = peek(p)
  return { kind: 'typeWrong', start, end: start }
}

function union(p: Parser): Type {
  const { start } = peek(p)
  take(p, '|')
  const of = [both(p)]
  while (take(p, '|')) of.push(both(p))
  return of.length === 1 ? of[0]! : { kind: 'typeUnion', of, start, end: endOf(p, start) }
}

function both(p: Parser): Type {
  const { start } = peek(p)
  take(p, '&')
  const of = [postfix(p)]
  while (take(p, '&')) of.push(postfix(p))
  return of.length === 1 ? of[0]! : { kind: 'typeBoth', of, start, end: endOf(p, start) }
}

function postfix(p: Parser): Type {
  const { start } = peek(p)
  if (isWord(p, 'keyof') && (peek(p, 1).kind !== 'mark' || isMark(p, '{', 1) || isMark(p, '(', 1))) {
    next(p)
    const of = deeper(
      p,
      () => postfix(p),
      () => wrong(p),
    )
    return { kind: 'typeKeyof', of, start, end: of.end }
  }
  let of = primary(p)
  for (let n = 0; isMark(p, '[') && !peek(p).line && isMark(p, ']', 1); n++) {
    if (n === DEEPEST) {
      giveUp(p, 'this is nested too deeply')
      break
    }
    p.at += 2
    of = { kind: 'typeList', of, start, end: endOf(p, start) }
  }
  return of
}

function primary(p: Parser): Type {
  const token = peek(p)
  const { start, end } = token
  if (token.kind === 'text') {
    const text = plainText(p, 'the text of a type')
    return { kind: 'typeLiteral', value: text.parts.join(''), start, end }
  }
  if (token.kind === 'number') {
    next(p)
    return { kind: 'typeLiteral', value: Number(token.text.replaceAll('_', '')), start, end }
  }
  if (isMark(p, '-') && peek(p, 1).kind === 'number') {
    next(p)
    const number = next(p)
    return { kind: 'typeLiteral', value: -Number(number.text.replaceAll('_', '')), start, end: number.end }
  }
  if (token.kind === 'name') return named(p)
  if (take(p, '{')) return record(p, start)
  if (take(p, '(')) return isParams(p) ? functionType(p, start) : group(p)
  if (take(p, '[')) {
    list(p, ']', () => type(p))
    const of = { start, end: endOf(p, start) }
    tell(p, 'A1003', of, 'there are no tuples', 'a list of one kind is written T[]')
    return { kind: 'typeWrong', ...of }
  }
  expected(p, 'a type')
  return { kind: 'typeWrong', start, end: start }
}

function named(p: Parser): Type {
  const { start, end, text } = peek(p)
  if (text === 'true' || text === 'false' || text === 'null' || text === 'undefined') {
    next(p)
    const value = text === 'true' ? true : text === 'false' ? false : null
    return { kind: 'typeLiteral', value, start, end }
  }
  const of = name(p, 'a type')
  if (of.text === '') {
    next(p)
    return { kind: 'typeWrong', start, end }
  }
  const args = isMark(p, '<') && !peek(p).line && take(p, '<') ? list(p, '>', () => type(p)) : []
  return { kind: 'typeName', name: of, args, start, end: endOf(p, start) }
}

/** Behind `(`: whether the parameters of a function type follow. */
function isParams(p: Parser): boolean {
  let depth = 0
  for (let i = p.at; i < p.tokens.length; i++) {
    const token = p.tokens[i]!
    if (token.kind !== 'mark') continue
    if ('([{'.includes(token.text)) depth++
    else if (')]}'.includes(token.text) && depth-- === 0) {
      const after = p.tokens[i + 1]
      return after?.kind === 'mark' && (after.text === '->' || after.text === '=>')
    }
  }
  return false
}

function functionType(p: Parser, start: number): TypeFunction {
  const params = list(p, ')', () => {
    const rest = take(p, '...')
    const isNamed = peek(p).kind === 'name' && (isMark(p, ':', 1) || (isMark(p, '?', 1) && isMark(p, ':', 2)))
    const of = isNamed ? name(p, 'a parameter') : undefined
    const optional = isNamed && take(p, '?')
    if (isNamed) take(p, ':')
    return { name: of, optional, rest, type: type(p) }
  })
  if (!take(p, '->') && !take(p, '=>')) expected(p, '`->`')
  const returns = type(p)
  return { kind: 'typeFunction', params, returns, start, end: returns.end }
}

function group(p: Parser): Type {
  p.enclosed++
  const of = type(p)
  p.enclosed--
  expect(p, ')', 'behind the type')
  return of
}

function record(p: Parser, start: number): TypeRecord {
  const fields: TypeField[] = []
  let index: TypeRecord['index']
  const around = p.enclosed
  p.enclosed = 0
  while (!isMark(p, '}') && peek(p).kind !== 'end') {
    const from = p.at
    if (isMark(p, '[')) index = indexed(p) ?? index
    else fields.push(field(p))
    if (take(p, ',') || take(p, ';') || isMark(p, '}') || peek(p).line) {
      if (p.at === from) next(p)
      continue
    }
    expected(p, '`,`, `;` or a line end behind a field')
    break
  }
  p.enclosed = around
  expect(p, '}', 'at the end of the type')
  return { kind: 'typeRecord', fields, index, start, end: endOf(p, start) }
}

function indexed(p: Parser): TypeRecord['index'] {
  take(p, '[')
  const key = name(p, 'the name of the key')
  expect(p, ':', 'behind the name of the key')
  const of = type(p)
  expect(p, ']', 'behind the type of the key')
  expect(p, ':', 'before the type of the values')
  return { key, of, value: type(p) }
}

function field(p: Parser): TypeField {
  const { start } = peek(p)
  const schemas = annotations(p)
  const quoted = peek(p).kind === 'text'
  const of = quoted ? textName(p) : word(p, 'the name of a field')
  const optional = take(p, '?')
  if (isMark(p, '(')) {
    tell(p, 'A1003', peek(p), 'a type has no methods', `write ${of.text || 'name'}: (A, B) -> R`)
  }
  expect(p, ':', 'and the type of the field')
  const stated = type(p)
  return { kind: 'typeField', schemas, name: of, quoted, optional, type: stated, start, end: endOf(p, start) }
}

function textName(p: Parser): TypeField['name'] {
  const text = plainText(p, 'the name of a field')
  return { kind: 'name', text: text.parts.join(''), start: text.start, end: text.end }
}

/** `@jsonSchema({ … })` lines. */
export function annotations(p: Parser): Schema[] {
  const schemas: Schema[] = []
  while (isMark(p, '@')) {
    const { start } = next(p)
    const of = word(p, 'jsonSchema')
    if (of.text !== 'jsonSchema' && of.text !== '')
      tell(p, 'A1001', of, `\`@${of.text}\` is not known`, 'there is @jsonSchema({ … })')
    let value: Schema['value']
    if (expect(p, '(', 'behind @jsonSchema')) {
      p.enclosed++
      value = expression(p)
      p.enclosed--
      take(p, ',')
      expect(p, ')', 'behind the schema')
    }
    schemas.push({ kind: 'schema', name: of, value, start, end: endOf(p, start) })
  }
  return schemas
}

/** `: T` where it stands. */
export function annotation(p: Parser): Type | undefined {
  return take(p, ':') ? type(p) : undefined
}

/** `<A, B>` behind the name of a declaration. */
export function typeParams(p: Parser): ReturnType<typeof name>[] {
  if (!isMark(p, '<')) return []
  next(p)
  return list(p, '>', () => {
    const of = name(p, 'the name of a type parameter')
    if (takeWord(p, 'extends')) {
      tell(p, 'A1003', of, 'type parameters have no bounds', `write <${of.text}>`)
      type(p)
    }
    return of
  })
}
