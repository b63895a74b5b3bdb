// The smallest expressions: literals, names, lists, records, inline blocks, `if … then … else`, `match`, threads.
import type {
  Arm,
  Block,
  Entry,
  Expression,
  Lambda,
  LambdaParam,
  Name,
  Pattern,
  RecordLiteral,
  Splat,
  Statement,
  Text,
} from '../syntax/ast.ts'
import type { Token } from '../syntax/lex.ts'
import { binary, expression, nothing } from './expression.ts'
import { foreign } from './habits.ts'
import { matchPattern, pattern } from './pattern.ts'
import {
  deeper,
  endOf,
  expect,
  expected,
  isMark,
  isReserved,
  isWord,
  list,
  name,
  next,
  type Parser,
  peek,
  take,
  takeWord,
  tell,
} from './state.ts'
import { block, statement } from './statement.ts'
import { annotation } from './type.ts'

export function primary(p: Parser): Expression {
  const token = peek(p)
  const { start, end, text } = token
  switch (token.kind) {
    case 'number':
      next(p)
      return { kind: 'number', value: Number(text.replaceAll('_', '')), raw: text, start, end }
    case 'text':
      next(p)
      return textOf(p, token)
    case 'name':
      return words(p)
    case 'mark':
      if (take(p, '(')) return group(p)
      if (take(p, '[')) return bracketed(p, start)
      if (take(p, '{')) return record(p, start)
      if (take(p, '\\')) return inline(p, start)
  }
  const habit = foreign(p)
  if (habit) return habit
  expected(p, 'a value')
  return nothing(p)
}

function words(p: Parser): Expression {
  const { start, end, text } = peek(p)
  switch (text) {
    case 'true':
    case 'false':
      next(p)
      return { kind: 'boolean', value: text === 'true', start, end }
    case 'null':
    case 'undefined':
      next(p)
      return { kind: 'null', start, end }
    case 'if':
      return choice(p)
    case 'match':
      if (isMark(p, '(', 1)) return match(p)
      break
    case 'thread':
    case 'subthread':
      if (isMark(p, '{', 1) && !peek(p, 1).line) {
        next(p)
        const body = block(p, `of the ${text}`)
        return { kind: 'thread', sub: text === 'subthread', body, start, end: body.end }
      }
  }
  return foreign(p) ?? plainName(p)
}

function plainName(p: Parser): Expression {
  const { start, text } = peek(p)
  if (isReserved(text) && !['node', 'type', 'handoff', 'goto', 'def', 'match'].includes(text)) {
    expected(p, 'a value')
    return nothing(p)
  }
  const token = next(p)
  return { kind: 'name', text, start, end: token.end }
}

/** A string with its interpolations, whose tokens are read by the same parser. */
export function textOf(p: Parser, token: Token): Text {
  const parts = (token.parts ?? []).map(part => (typeof part === 'string' ? part : within(p, part)))
  return { kind: 'text', quote: token.quote ?? '"', parts, start: token.start, end: token.end }
}

function within(p: Parser, tokens: readonly Token[]): Expression {
  const { tokens: around, at, enclosed, arm } = p
  Object.assign(p, { tokens, at: 0, enclosed: 1, arm: false })
  const value = expression(p)
  if (peek(p).kind !== 'end') expected(p, '`}` behind the expression')
  Object.assign(p, { tokens: around, at, enclosed, arm })
  return value
}

function group(p: Parser): Expression {
  const { arm } = p
  p.arm = false
  p.enclosed++
  const value = expression(p)
  p.enclosed--
  p.arm = arm
  expect(p, ')', 'behind the expression')
  return value
}

/** A list, or a comprehension. */
function bracketed(p: Parser, start: number): Expression {
  let made: Expression | undefined
  const items = list(p, ']', (): Expression | Splat => {
    const from = peek(p).start
    if (take(p, '...')) {
      const value = expression(p)
      return { kind: 'splat', value, start: from, end: value.end }
    }
    const value = expression(p)
    if (!made && isWord(p, 'for')) made = comprehension(p, value, start)
    return value
  })
  const end = endOf(p, start)
  return made && items.length === 1 ? { ...made, end } : { kind: 'list', items, start, end }
}

function comprehension(p: Parser, value: Expression, start: number): Expression {
  next(p)
  const paren = take(p, '(')
  const item = pattern(p, 'a name for each entry')
  const second = take(p, ',') ? name(p, 'a name for the index') : undefined
  if (!takeWord(p, 'in')) expected(p, '`in`')
  const over = deeper(
    p,
    () => binary(p, 1),
    () => nothing(p),
  )
  if (paren) expect(p, ')', 'behind the list')
  const condition = takeWord(p, 'if') ? expression(p) : undefined
  return { kind: 'comprehension', value, item, second, over, condition, start, end: endOf(p, start) }
}

function record(p: Parser, start: number): RecordLiteral {
  const { arm } = p
  p.arm = false
  const entries = list(p, '}', (): Entry | Splat => entry(p))
  p.arm = arm
  return { kind: 'record', entries, start, end: endOf(p, start) }
}

function entry(p: Parser): Entry | Splat {
  const token = peek(p)
  const { start } = token
  if (take(p, '...')) {
    const value = expression(p)
    return { kind: 'splat', value, start, end: value.end }
  }
  const computed = take(p, '[')
  let key: Entry['key']
  if (computed) {
    key = expression(p)
    expect(p, ']', 'behind the computed name')
  } else if (token.kind === 'text') {
    next(p)
    key = textOf(p, token)
  } else if (token.kind === 'number') key = { kind: 'name', ...spanned(next(p)) }
  else key = fieldName(p)
  const shorthand = !computed && key.kind === 'name' && !isMark(p, ':')
  if (!shorthand) expect(p, ':', 'and the value of the field')
  const value = shorthand ? undefined : expression(p)
  return { kind: 'entry', key, computed, value, start, end: endOf(p, start) }
}

function spanned({ text, start, end }: Token): { text: string; start: number; end: number } {
  return { text, start, end }
}

function fieldName(p: Parser): Name {
  if (peek(p).kind === 'name') return { kind: 'name', ...spanned(next(p)) }
  expected(p, 'the name of a field')
  const { start } = peek(p)
  return { kind: 'name', text: '', start, end: start }
}

/** `\x -> e`, `\(a, b) -> e`, `\ -> e` */
function inline(p: Parser, start: number): Lambda {
  const params = isMark(p, '->') ? [] : lambdaParams(p, () => name(p, 'a name, `(` or `->`'))
  expect(p, '->', 'before what the block gives')
  const body = startsBlock(p) ? block(p, 'of the block') : expression(p)
  return { kind: 'lambda', inline: true, params, body, start, end: endOf(p, start) }
}

export function lambdaParams(p: Parser, one: () => Pattern): LambdaParam[] {
  if (!take(p, '(')) {
    const of = one()
    return [{ kind: 'lambdaParam', pattern: of, type: undefined, start: of.start, end: of.end }]
  }
  return list(p, ')', () => {
    const of = pattern(p, 'a name')
    const type = annotation(p)
    return { kind: 'lambdaParam', pattern: of, type, start: of.start, end: endOf(p, of.start) }
  })
}

const LEAVES = new Set(['break', 'continue', 'return'])

/** Whether the `{` that stands here begins a block, not a record. */
export function startsBlock(p: Parser): boolean {
  if (!isMark(p, '{')) return false
  const first = peek(p, 1)
  const second = peek(p, 2)
  // A field of that name is no statement's word.
  if (first.kind === 'name' && LEAVES.has(first.text) && second.kind === 'mark' && second.text === '}')
    return true
  if (first.kind === 'mark') return !['}', '...', '['].includes(first.text)
  if (first.kind === 'text') return !(second.kind === 'mark' && second.text === ':')
  return !(first.kind === 'name' && second.kind === 'mark' && [':', ',', '}'].includes(second.text))
}

function choice(p: Parser): Expression {
  const { start } = next(p)
  const condition = expression(p)
  return chosen(p, condition, start)
}

/** Behind the condition of `if c then a else b`. */
export function chosen(p: Parser, condition: Expression, start: number): Expression {
  if (!takeWord(p, 'then')) expected(p, '`then`', 'as a value: if condition then a else b')
  const yes = expression(p)
  if (!takeWord(p, 'else')) expected(p, '`else`', 'as a value: if condition then a else b')
  const no = p.quiet ? nothing(p) : expression(p)
  return { kind: 'choice', condition, yes, no, start, end: no.end }
}

function match(p: Parser): Expression {
  const { start } = next(p)
  next(p)
  const value = group(p)
  const opened = peek(p)
  const arms: Arm[] = []
  if (expect(p, '{', 'and the arms of the match')) {
    const { enclosed } = p
    p.enclosed = 0
    while (!isMark(p, '}') && peek(p).kind !== 'end') {
      if (take(p, ';') || take(p, ',')) continue
      const from = p.at
      arms.push(arm(p))
      if (p.at === from) next(p)
    }
    p.enclosed = enclosed
    if (!take(p, '}')) tell(p, 'A1002', opened, 'this `{` is never closed', 'close it with `}`')
  }
  return { kind: 'match', value, arms, start, end: endOf(p, start) }
}

function arm(p: Parser): Arm {
  const { start } = peek(p)
  const quietBefore = p.quiet
  p.quiet = false
  p.arm = true
  const patterns = [matchPattern(p)]
  while (take(p, '|')) patterns.push(matchPattern(p))
  const guard = takeWord(p, 'if') ? binary(p, 1) : undefined
  p.arm = false
  let body: Statement | Block = { kind: 'block', body: [], start: peek(p).start, end: peek(p).start }
  if (take(p, '=>')) body = startsBlock(p) ? block(p, 'of the arm') : statement(p, false)
  else {
    expected(p, '`=>` behind what the arm asks for')
    while (!peek(p).line && !isMark(p, '}') && peek(p).kind !== 'end') next(p)
  }
  p.quiet = quietBefore
  return { kind: 'arm', patterns, guard, body, start, end: endOf(p, start) }
}
