// Where the parser is: its tokens, what it found wrong, and how it goes on after that.
import type { AgencyCode } from '../errors.ts'
import type { Name, Span, Text } from '../syntax/ast.ts'
import type { AgencyFault } from '../syntax/fault.ts'
import type { Token } from '../syntax/lex.ts'

export interface Parser {
  readonly source: string
  tokens: readonly Token[]
  at: number
  readonly faults: AgencyFault[]
  /** Something of this statement was wrong and told: the rest of it is read without a word. */
  quiet: boolean
  /** The rest of the file is not read, and nothing more is told. */
  over: boolean
  /** How deep the node that is being read stands; see {@link deeper}. */
  depth: number
  /** More than 0 inside of parentheses and brackets, where a line end ends nothing. */
  enclosed: number
  /** Reading what an arm of a `match` asks for, behind which an arrow stands. */
  arm: boolean
}

/** How deep nodes may stand in one another: far from what a stack of calls holds. */
export const DEEPEST = 180

export function peek(p: Parser, ahead = 0): Token {
  return p.tokens[Math.min(p.at + ahead, p.tokens.length - 1)]!
}

export function next(p: Parser): Token {
  const token = peek(p)
  if (token.kind !== 'end') p.at++
  return token
}

/** The token before: where something ends. */
export function before(p: Parser): Token | undefined {
  return p.at > 0 ? p.tokens[p.at - 1] : undefined
}

/** The end of what was read last. */
export function endOf(p: Parser, start: number): number {
  return Math.max(start, before(p)?.end ?? start)
}

export function isMark(p: Parser, text: string, ahead = 0): boolean {
  const token = peek(p, ahead)
  return token.kind === 'mark' && token.text === text
}

export function isWord(p: Parser, text: string, ahead = 0): boolean {
  const token = peek(p, ahead)
  return token.kind === 'name' && token.text === text
}

/** Takes the mark where it stands. */
export function take(p: Parser, text: string): boolean {
  if (!isMark(p, text)) return false
  p.at++
  return true
}

export function takeWord(p: Parser, text: string): boolean {
  if (!isWord(p, text)) return false
  p.at++
  return true
}

/** Tells a fault, unless one of this statement was told before. */
export function tell(p: Parser, code: AgencyCode, at: Span, message: string, hint?: string): void {
  if (p.quiet || p.over) return
  p.quiet = true
  p.faults.push({ code, start: at.start, end: at.end, message, hint })
}

/** Tells a fault after which the parser knows where it is. */
export function remark(p: Parser, code: AgencyCode, at: Span, message: string, hint?: string): void {
  if (!p.quiet && !p.over) p.faults.push({ code, start: at.start, end: at.end, message, hint })
}

/** What stands here, for a message. */
export function shown(token: Token): string {
  if (token.kind === 'end') return 'the end of the file'
  if (token.kind === 'text') return 'a string'
  return `\`${token.text.length > 40 ? `${token.text.slice(0, 40)}…` : token.text}\``
}

/** Takes the mark, or tells that it is missing. */
export function expect(p: Parser, text: string, where: string, hint?: string): boolean {
  if (take(p, text)) return true
  expected(p, `\`${text}\` ${where}`, hint)
  return false
}

export function expected(p: Parser, what: string, hint?: string): void {
  const token = peek(p)
  const last = before(p)
  // What is missing at the end of a line is missing there, not on the next one.
  const at = token.line && last && token.kind !== 'text' ? { start: last.end, end: last.end + 1 } : token
  const found = at === token ? `, found ${shown(token)}` : ''
  tell(p, 'A1001', at, `expected ${what}${found}`, hint)
}

/** Words that cannot name anything. */
const WORDS = new Set(
  'def node type const let if else for while break continue return match try catch true false null undefined import export handoff goto in'.split(
    ' ',
  ),
)

export function isReserved(text: string): boolean {
  return WORDS.has(text)
}

/** A name that is being declared or stated; '' where there is none. */
export function name(p: Parser, what: string): Name {
  const token = peek(p)
  if (token.kind === 'name' && !(WORDS.has(token.text) && !isContextual(p, token.text))) {
    p.at++
    if (token.text.startsWith('__'))
      remark(p, 'A1005', token, `\`${token.text}\`: names that begin with __ are reserved`)
    return { kind: 'name', text: token.text, start: token.start, end: token.end }
  }
  expected(p, what, WORDS.has(token.text) ? `${shown(token)} is a word of the language` : undefined)
  const start = token.line ? endOf(p, 0) : token.start
  return { kind: 'name', text: '', start, end: start }
}

/** Words that mean something at one place only are names everywhere else. */
function isContextual(p: Parser, text: string): boolean {
  const after = peek(p, 1)
  if (text === 'node' || text === 'type' || text === 'handoff' || text === 'goto' || text === 'def')
    return !(after.kind === 'name' && !after.line)
  return text === 'in' ? false : text === 'match' && !isMark(p, '(', 1)
}

/** Any word, as the name of a field or an argument. */
export function word(p: Parser, what: string): Name {
  const token = peek(p)
  if (token.kind === 'name') {
    p.at++
    return { kind: 'name', text: token.text, start: token.start, end: token.end }
  }
  expected(p, what)
  const start = token.line ? endOf(p, 0) : token.start
  return { kind: 'name', text: '', start, end: start }
}

/** A list in parentheses or brackets: items with commas between them, one more at its end or not. */
export function list<T>(p: Parser, close: string, item: () => T): T[] {
  const items: T[] = []
  const opened = before(p)
  p.enclosed++
  while (!isMark(p, close) && peek(p).kind !== 'end') {
    const from = p.at
    items.push(item())
    if (isMark(p, close)) break
    if (take(p, ',')) continue
    if (p.at > from && startsItem(p) && !p.quiet) {
      expected(p, `\`,\` or \`${close}\``)
      break
    }
    break
  }
  p.enclosed--
  if (!take(p, close)) {
    if (peek(p).kind === 'end' && opened)
      tell(p, 'A1002', opened, `this \`${opened.text}\` is never closed`, `close it with \`${close}\``)
    else expected(p, `\`,\` or \`${close}\``)
    skipTo(p, close)
  }
  return items
}

function startsItem(p: Parser): boolean {
  const token = peek(p)
  return token.kind !== 'mark' && token.kind !== 'end'
}

/** After a fault in a list: goes on behind its end, where that is on the way before the statement ends. */
function skipTo(p: Parser, close: string): void {
  let depth = 0
  for (let i = p.at; i < p.tokens.length; i++) {
    const token = p.tokens[i]!
    if (token.kind === 'end') return
    if (token.kind !== 'mark') {
      if (token.line && depth === 0 && p.enclosed === 0) return
      continue
    }
    if (depth === 0 && token.text === close) {
      p.at = i + 1
      return
    }
    if (token.line && depth === 0 && p.enclosed === 0) return
    if ('{(['.includes(token.text)) {
      if (token.text === '{' && depth === 0) return
      depth++
    } else if ('})]'.includes(token.text)) {
      if (depth === 0) return
      depth--
    } else if (token.text === ';' && depth === 0) return
  }
}

/** Reads something one level deeper; too deep, it tells so, skips the statement and gives `flat`. */
export function deeper<T>(p: Parser, read: () => T, flat: () => T): T {
  if (p.depth >= DEEPEST) {
    giveUp(p, 'this is nested too deeply')
    return flat()
  }
  p.depth++
  const result = read()
  p.depth--
  return result
}

/** Tells that something is too much to be read. The rest of the file is not read, so nothing is told of it. */
export function giveUp(p: Parser, message: string): void {
  const at = peek(p)
  p.at = p.tokens.length - 1
  if (p.over) return
  p.quiet = false
  tell(p, 'A1004', at, message, 'give parts of it names of their own')
  p.over = true
}

/** True where a statement can end: at a line end, a `;`, a `}` or the end. */
export function ends(p: Parser): boolean {
  const token = peek(p)
  return (
    token.line ||
    token.kind === 'end' ||
    (token.kind === 'mark' && (token.text === ';' || token.text === '}'))
  )
}

/** The text of a string without interpolation; tells where it is none. */
export function plainText(p: Parser, what: string): Text {
  const token = peek(p)
  if (token.kind === 'text' && token.quote) {
    p.at++
    const parts = (token.parts ?? []).filter(part => typeof part === 'string')
    if (parts.length !== token.parts?.length) tell(p, 'A1001', token, `${what} has no interpolations`)
    return { kind: 'text', quote: token.quote, parts, start: token.start, end: token.end }
  }
  expected(p, what)
  return { kind: 'text', quote: '"', parts: [''], start: token.start, end: token.start }
}
