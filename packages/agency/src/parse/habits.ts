// What people write out of habit with other languages: told as such, with what to write, and read on as if it were right.
import type { Expression, Lambda } from '../syntax/ast.ts'
import type { Token } from '../syntax/lex.ts'
import { expression, nothing } from './expression.ts'
import { lambdaParams, startsBlock } from './primary.ts'
import {
  deeper,
  endOf,
  isMark,
  list,
  name,
  next,
  type Parser,
  peek,
  remark,
  take,
  takeWord,
  tell,
} from './state.ts'
import { block } from './statement.ts'

/** `(x) => …` and `x => …` */
export function arrow(p: Parser): Expression | undefined {
  const token = peek(p)
  let at = p.at
  if (token.kind === 'name' && token.text === 'async' && !peek(p, 1).line) at++
  const first = p.tokens[at]
  const end = first?.kind === 'name' ? at + 1 : first?.text === '(' ? closing(p, at) : undefined
  const mark = end === undefined ? undefined : p.tokens[end]
  if (mark?.kind !== 'mark' || mark.text !== '=>' || mark.line) return undefined
  remark(p, 'A1003', mark, 'there are no arrow functions', 'write \\x -> value, \\(a, b) -> value, or a def')
  p.at = at
  const params = lambdaParams(p, () => name(p, 'a name'))
  while (!isMark(p, '=>') && p.at < end!) next(p)
  next(p)
  return deeper<Lambda | Expression>(
    p,
    () => {
      const body = startsBlock(p) ? block(p, 'of the function') : expression(p)
      return { kind: 'lambda', inline: true, params, body, start: token.start, end: endOf(p, token.start) }
    },
    () => nothing(p),
  )
}

/** Where the parenthesis that opens at `at` is behind. */
function closing(p: Parser, at: number): number | undefined {
  let depth = 0
  // Parameters are few: looking further would make nested parentheses slow.
  for (let i = at; i < Math.min(p.tokens.length, at + 60); i++) {
    const token = p.tokens[i]!
    if (token.kind !== 'mark') continue
    if ('([{'.includes(token.text)) depth++
    else if (')]}'.includes(token.text) && --depth === 0) return i + 1
  }
  return undefined
}

const HABITS: { readonly [word: string]: readonly [message: string, hint: string] } = {
  function: ['there are no function expressions', 'write \\x -> value, or a def'],
  async: ['there is no `async`', 'write def: what has to be waited for is waited for by itself'],
  new: ['there is no `new`', 'a record is written { name: value }'],
  typeof: ['there is no `typeof`', 'use a union type and match'],
  throw: ['there is no `throw`', 'write return failure("what went wrong")'],
  switch: ['there is no `switch`', 'write match (value) { pattern => …; _ => … }'],
  enum: ['there is no `enum`', 'write type Name = "a" | "b"'],
  class: ['there are no classes', 'write type Name = { … } and defs'],
}

/** Something of another language that stands where a value is expected. */
export function foreign(p: Parser): Expression | undefined {
  const token = peek(p)
  if (token.kind === 'mark' && token.text === '/') {
    tell(
      p,
      'A1003',
      token,
      'there are no regular expressions',
      'write a function in TypeScript and import it',
    )
    while (!peek(p).line && peek(p).kind !== 'end') next(p)
    return nothing(p, token)
  }
  if (token.kind !== 'name' || !Object.hasOwn(HABITS, token.text)) return undefined
  const after = peek(p, 1)
  const opens = after.kind === 'mark' && (after.text === '(' || after.text === '{')
  if (
    after.line ||
    !(after.kind !== 'mark' || (opens && ['function', 'switch', 'async'].includes(token.text)))
  )
    return undefined
  const [message, hint] = HABITS[token.text]!
  tell(p, 'A1003', token, message, hint)
  next(p)
  return nothing(p, token)
}

/** `try { … } catch (e) { … }`, behind its first word: read as a whole, so that what is in it is told too. */
export function tryBlock(p: Parser, at: Token): Expression | undefined {
  if (!startsBlock(p)) return undefined
  remark(p, 'A1003', at, 'there are no try blocks', 'write try f(), or f() catch "what else"')
  block(p, 'of `try`')
  for (const word of ['catch', 'finally'])
    if (takeWord(p, word)) {
      if (take(p, '(')) list(p, ')', () => name(p, 'a name'))
      if (isMark(p, '{')) block(p, `of \`${word}\``)
    }
  return nothing(p, at)
}
