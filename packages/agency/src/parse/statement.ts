// Statements and blocks, and how the parser goes on behind a fault.
import type { Block, Expression, For, If, Let, Name, Pattern, Statement } from '../syntax/ast.ts'
import { declaration } from './declaration.ts'
import { expression, nothing } from './expression.ts'
import { pattern } from './pattern.ts'
import { chosen } from './primary.ts'
import {
  deeper,
  endOf,
  ends,
  expect,
  expected,
  isMark,
  isWord,
  name,
  next,
  type Parser,
  peek,
  remark,
  shown,
  take,
  takeWord,
  tell,
} from './state.ts'
import { annotation } from './type.ts'

/** Statements up to a `}` or the end. */
export function statements(p: Parser, top: boolean): Statement[] {
  const body: Statement[] = []
  while (peek(p).kind !== 'end') {
    if (isMark(p, '}')) {
      if (!top) break
      remark(p, 'A1001', peek(p), 'this `}` closes nothing')
      next(p)
      continue
    }
    if (take(p, ';')) continue
    if (!top && beginsDeclarationAtMargin(p)) break
    const from = p.at
    body.push(statement(p, top))
    if (p.at === from) next(p)
  }
  return body
}

/** A declaration at the left margin inside of a block: the block was not closed. */
function beginsDeclarationAtMargin(p: Parser): boolean {
  const token = peek(p)
  if (token.start > 0 && p.source[token.start - 1] !== '\n') return false
  const after = peek(p, 1)
  if (isWord(p, 'export')) return after.kind === 'name' || isMark(p, '{', 1)
  if (isWord(p, 'import')) return after.kind === 'name' || isMark(p, '{', 1) || isMark(p, '*', 1)
  const declares = ['def', 'handoff', 'node', 'type'].some(each => isWord(p, each))
  return declares && after.kind === 'name' && !after.line
}

/** `{ … }` */
export function block(p: Parser, where: string): Block {
  const opened = peek(p)
  const { start } = opened
  if (!expect(p, '{', `at the beginning ${where}`))
    return { kind: 'block', body: [], start, end: endOf(p, start) }
  const { enclosed, arm, quiet } = p
  Object.assign(p, { enclosed: 0, arm: false, quiet: false })
  const body = statements(p, false)
  if (!take(p, '}')) tell(p, 'A1002', opened, `this \`{\` ${where} is never closed`, 'close it with `}`')
  Object.assign(p, { enclosed, arm, quiet: quiet || p.quiet })
  return { kind: 'block', body, start, end: endOf(p, start) }
}

/** One statement, with what ends it. */
export function statement(p: Parser, top: boolean): Statement {
  const { quiet } = p
  p.quiet = false
  const read = deeper(
    p,
    () => declaration(p, top) ?? plain(p),
    () => lone(nothing(p)),
  )
  if (!p.quiet && !ends(p) && !isMark(p, ',') && !braced(read)) surplus(p)
  if (p.quiet) skip(p)
  if (isMark(p, ';')) next(p)
  p.quiet = quiet
  return read
}

/** What ends with a brace of its own ends there. */
function braced(s: Statement): boolean {
  return s.kind === 'if' || s.kind === 'for' || s.kind === 'while' || s.kind === 'def'
}

function lone(value: Expression): Statement {
  return { kind: 'expression', value, start: value.start, end: value.end }
}

/** Something stands behind a statement on its line. */
function surplus(p: Parser): void {
  const token = peek(p)
  if (token.text === '++' || token.text === '--') {
    next(p)
    remark(p, 'A1003', token, `there is no \`${token.text}\``, `write x ${token.text[0]}= 1`)
    return
  }
  const hint =
    token.text === 'as'
      ? 'there are no casts: give the variable a type'
      : token.text === '=>'
        ? 'there are no arrow functions: write \\x -> value, or a def'
        : token.text === ':'
          ? 'a type stands behind a name that is declared: const x: T = …'
          : token.text === '!'
            ? 'what may be null is tested, or has another value: x ?? otherwise'
            : undefined
  tell(p, 'A1001', token, `expected the end of the statement, found ${shown(token)}`, hint)
}

/** Goes on at the next line that begins at no greater depth than here. */
function skip(p: Parser): void {
  let depth = 0
  while (peek(p).kind !== 'end') {
    const token = peek(p)
    if (depth === 0 && p.at > 0 && token.line) return
    if (depth > 0 && beginsDeclarationAtMargin(p)) return
    if (token.kind === 'mark') {
      if ('{(['.includes(token.text)) depth++
      else if ('})]'.includes(token.text)) {
        if (depth === 0 && token.text === '}') return
        depth = Math.max(0, depth - 1)
      } else if (token.text === ';' && depth === 0) return
    }
    next(p)
  }
}

function plain(p: Parser): Statement {
  const token = peek(p)
  const { start } = token
  if (token.kind === 'name') {
    const after = peek(p, 1)
    switch (token.text) {
      case 'let':
      case 'const':
      case 'var':
        if (token.text !== 'var' || after.kind === 'name') return letOf(p, false)
        break
      case 'if':
        return ifOf(p)
      case 'for':
        if (isMark(p, '(', 1) || after.kind === 'name') return forOf(p)
        break
      case 'while':
        return whileOf(p)
      case 'break':
      case 'continue':
        next(p)
        return { kind: token.text, start, end: token.end }
      case 'return': {
        next(p)
        if (isWord(p, 'goto') && peek(p, 1).kind === 'name') return plain(p)
        const value = ends(p) ? undefined : expression(p)
        return { kind: 'return', value, start, end: endOf(p, start) }
      }
      case 'goto':
        if (after.kind === 'name' && !after.line) {
          next(p)
          const call = expression(p)
          if (call.kind !== 'call')
            tell(p, 'A1001', call, 'goto takes a node with its arguments', 'goto other(args)')
          return { kind: 'goto', call, start, end: call.end }
        }
    }
  }
  return lone(expression(p))
}

/** `const` and `let`; the word stands here. */
export function letOf(p: Parser, exported: boolean): Let {
  const word = next(p)
  const { start } = word
  if (word.text === 'var') remark(p, 'A1003', word, 'there is no `var`', 'write let or const')
  const of: Pattern = pattern(p, 'a name')
  const type = annotation(p)
  let value: Expression | undefined
  if (take(p, '=')) value = expression(p)
  else if (word.text === 'const' && !p.quiet)
    expected(p, '`=` and a value', 'what is set later is declared with let')
  return {
    kind: 'let',
    exported,
    constant: word.text === 'const',
    pattern: of,
    type,
    value,
    start,
    end: endOf(p, start),
  }
}

const PARENTHESES = 'the condition stands in parentheses'

function parenthesised(p: Parser, where: string): Expression {
  if (!isMark(p, '(')) {
    remark(p, 'A1001', peek(p), `expected \`(\` ${where}`, PARENTHESES)
    return expression(p)
  }
  const opened = next(p)
  p.enclosed++
  const value = expression(p)
  p.enclosed--
  if (peek(p).kind === 'end') tell(p, 'A1002', opened, 'this `(` is never closed', 'close it with `)`')
  else expect(p, ')', 'behind the condition')
  return value
}

function body(p: Parser, where: string): Block {
  if (!isMark(p, '{') && !p.quiet && peek(p).kind !== 'end') {
    remark(p, 'A1001', peek(p), `expected \`{\` at the beginning ${where}`, 'a body stands in braces')
    const only = statement(p, false)
    return { kind: 'block', body: [only], start: only.start, end: only.end }
  }
  return block(p, where)
}

function ifOf(p: Parser): Statement {
  const { start } = next(p)
  const opened = peek(p)
  const condition = isMark(p, '(') ? parenthesised(p, 'behind if') : expression(p)
  if (isWord(p, 'then')) return lone(chosen(p, condition, start))
  if (opened.text !== '(') remark(p, 'A1001', opened, 'expected `(` behind if', PARENTHESES)
  const then = body(p, 'of the if')
  let otherwise: If | Block | undefined
  if (takeWord(p, 'else')) {
    if (isWord(p, 'if')) {
      const nested = deeper<Statement>(
        p,
        () => ifOf(p),
        () => lone(nothing(p)),
      )
      otherwise = nested.kind === 'if' ? nested : wrapped(nested)
    } else otherwise = body(p, 'of the else')
  }
  return { kind: 'if', condition, then, else: otherwise, start, end: endOf(p, start) }
}

function wrapped(only: Statement): Block {
  return { kind: 'block', body: [only], start: only.start, end: only.end }
}

function whileOf(p: Parser): Statement {
  const { start } = next(p)
  const condition = parenthesised(p, 'behind while')
  return { kind: 'while', condition, body: body(p, 'of the loop'), start, end: endOf(p, start) }
}

function forOf(p: Parser): For {
  const { start } = next(p)
  const paren = expect(p, '(', 'behind for', 'write for (x in xs) { … }')
  const declared = peek(p)
  if (isWord(p, 'const') || isWord(p, 'let') || isWord(p, 'var')) {
    next(p)
    const counts = isMark(p, '=', 1)
    const hint = counts ? 'write for (i in range(n)) { … }' : 'write for (x in xs) { … }'
    if (counts) tell(p, 'A1003', declared, 'there is no loop that counts in its head', hint)
    else remark(p, 'A1003', declared, `there is no \`${declared.text}\` in the head of a loop`, hint)
  }
  const item = p.quiet ? unnamed(p) : pattern(p, 'a name for each entry')
  const second = take(p, ',') ? name(p, 'a name for the index or the value') : undefined
  if (!takeWord(p, 'in')) {
    if (isWord(p, 'of')) {
      const of = next(p)
      remark(p, 'A1003', of, 'there is no `of`', 'write for (x in xs) { … }')
    } else if (!p.quiet) expected(p, '`in`')
  }
  p.enclosed++
  const over = p.quiet ? nothing(p) : expression(p)
  p.enclosed--
  if (p.quiet) toBody(p)
  else if (paren) expect(p, ')', 'behind the list')
  return { kind: 'for', item, second, over, body: body(p, 'of the loop'), start, end: endOf(p, start) }
}

function unnamed(p: Parser): Name {
  const { start } = peek(p)
  return { kind: 'name', text: '', start, end: start }
}

/** Behind a head that does not read: to the `{` of the body, where it stands on the line. */
function toBody(p: Parser): void {
  let at = p.at
  while (p.tokens[at] && p.tokens[at]!.kind !== 'end' && p.tokens[at]!.text !== '{' && !p.tokens[at]!.line)
    at++
  if (p.tokens[at]?.text === '{' && !p.tokens[at]!.line) p.at = at
}
