// What stands behind a value: a field, an entry, a slice, the arguments of a call and its block.
import type { Argument, Expression, Lambda } from '../syntax/ast.ts'
import { expression } from './expression.ts'
import { lambdaParams } from './primary.ts'
import {
  deeper,
  endOf,
  expect,
  isMark,
  isWord,
  list,
  name,
  next,
  type Parser,
  peek,
  take,
  word,
} from './state.ts'
import { block } from './statement.ts'

export function member(p: Parser, of: Expression): Expression {
  const { start } = of
  const optional = next(p).text === '?.'
  if (optional && isMark(p, '[')) return index(p, of, true)
  if (optional && isMark(p, '(')) return call(p, of, true)
  // A dot at the end of a line that another line follows is half written: the next line is no field.
  const field =
    peek(p).line && peek(p).kind === 'name' && p.enclosed === 0 ? missing(p) : word(p, 'the name of a field')
  return { kind: 'member', of, optional, name: field, start, end: endOf(p, start) }
}

function missing(p: Parser): ReturnType<typeof word> {
  const at = endOf(p, 0)
  if (!p.quiet)
    p.faults.push({
      code: 'A1001',
      start: at,
      end: at + 1,
      message: 'expected the name of a field',
      hint: undefined,
    })
  p.quiet = true
  return { kind: 'name', text: '', start: at, end: at }
}

export function index(p: Parser, of: Expression, optional: boolean): Expression {
  const { start } = of
  next(p)
  p.enclosed++
  const from = isMark(p, ':') ? undefined : expression(p)
  const sliced = take(p, ':')
  const to = sliced && !isMark(p, ']') ? expression(p) : undefined
  p.enclosed--
  expect(p, ']', 'behind the index')
  const end = endOf(p, start)
  if (sliced || !from) return { kind: 'slice', of, from, to, start, end }
  return { kind: 'index', of, optional, at: from, start, end }
}

export function call(p: Parser, callee: Expression, optional: boolean): Expression {
  const { start } = callee
  next(p)
  const args = list(p, ')', () => argument(p))
  const block = behind(p)
  return { kind: 'call', callee, optional, args, block, start, end: endOf(p, start) }
}

function argument(p: Parser): Argument {
  const { start } = peek(p)
  const splat = take(p, '...')
  const named = !splat && peek(p).kind === 'name' && isMark(p, ':', 1)
  const label = named ? word(p, 'the name of an argument') : undefined
  if (named) take(p, ':')
  const value = expression(p)
  return { kind: 'argument', name: label, splat, value, start, end: endOf(p, start) }
}

/** `{ … }`, `as x { … }` or `as (x, i) { … }` behind the arguments, on their line. */
function behind(p: Parser): Lambda | undefined {
  const token = peek(p)
  if (token.line || p.arm) return undefined
  const named = isWord(p, 'as') && (peek(p, 1).kind === 'name' || isMark(p, '(', 1))
  if (!named && !isMark(p, '{')) return undefined
  return deeper(
    p,
    () => {
      let params: Lambda['params'] = []
      if (named) {
        next(p)
        params = lambdaParams(p, () => name(p, 'the name of what the block is given'))
      }
      const body = block(p, 'of the block')
      return { kind: 'lambda', inline: false, params, body, start: token.start, end: endOf(p, token.start) }
    },
    () => undefined,
  )
}
