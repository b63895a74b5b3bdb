// Text to tokens. A string is one token, whose interpolations are tokens of their own inside of it.
import type { Comment, Quote } from './ast.ts'
import type { AgencyFault } from './fault.ts'

export interface Token {
  kind: 'name' | 'number' | 'text' | 'mark' | 'end'
  start: number
  end: number
  /** The name, the mark, or the number as it is written; '' for a text. */
  text: string
  /** A line ends before it. */
  line: boolean
  quote?: Quote
  parts?: (string | Token[])[]
}

/** How deep strings may stand in the interpolations of strings. */
const DEEPEST = 40

const MARKS = [
  '===',
  '!==',
  '...',
  '**=',
  '??=',
  '||=',
  '&&=',
  '|>',
  '||',
  '??',
  '&&',
  '==',
  '!=',
  '<=',
  '>=',
  '=>',
  '->',
  '**',
  '?.',
  '+=',
  '-=',
  '*=',
  '/=',
  '%=',
  '++',
  '--',
] // prettier

const byFirst = new Map<string, string[]>()
for (const mark of MARKS) byFirst.set(mark[0]!, [...(byFirst.get(mark[0]!) ?? []), mark])

/** What JavaScript takes as a number too. */
const NUMBER =
  /^(?:0[xX][\da-fA-F]+(?:_[\da-fA-F]+)*|0[oO][0-7]+(?:_[0-7]+)*|0[bB][01]+(?:_[01]+)*|(?:0|[1-9]\d*(?:_\d+)*)(?:\.\d+(?:_\d+)*)?(?:[eE][+-]?\d+)?)$/

const SINGLE = '{}()[],;:.?=<>+-*/%!|&@\\'

export interface Lexed {
  tokens: Token[]
  comments: Comment[]
}

/** All tokens of `source`, the last of which is of the kind `end`. It never fails: faults are added to `faults`. */
export function lex(source: string, faults: AgencyFault[]): Lexed {
  const comments: Comment[] = []
  let at = source.charCodeAt(0) === 0xfeff ? 1 : 0
  /** The rest is not read, and nothing more is told. */
  let over = false
  const tokens = readTokens(0)
  return { tokens, comments }

  function fault(
    code: AgencyFault['code'],
    start: number,
    end: number,
    message: string,
    hint?: string,
  ): void {
    if (!over) faults.push({ code, start, end, message, hint })
  }

  /** Reads to the end, or inside of a string to the brace that closes the interpolation. */
  function readTokens(depth: number): Token[] {
    const list: Token[] = []
    let open = 0
    let line = false
    const add = (kind: Token['kind'], start: number, text: string): Token => {
      const token: Token = { kind, start, end: at, text, line }
      list.push(token)
      line = false
      return token
    }
    while (at < source.length) {
      const start = at
      const c = source.charCodeAt(at)
      if (c === 10) {
        line = true
        at++
      } else if (c === 32 || c === 9 || c === 13 || c === 0xa0 || c === 0xfeff) at++
      else if (c === 47 && source.charCodeAt(at + 1) === 47) lineComment()
      else if (c === 47 && source.charCodeAt(at + 1) === 42) {
        if (longComment()) line = true
      } else if (isNameStart(c)) {
        at = nameEnd(at)
        add('name', start, source.slice(start, at))
      } else if (c >= 48 && c <= 57) {
        readNumber()
        add('number', start, source.slice(start, at))
      } else if (c === 34 || c === 39 || c === 96) {
        const quote = (source.startsWith('"""', at) ? '"""' : source[at]) as Quote
        const parts = readText(quote, depth)
        const token = add('text', start, '')
        token.quote = quote
        token.parts = parts
      } else {
        if (depth > 0 && c === 125 && open === 0) break
        const mark = byFirst.get(source[at]!)?.find(each => source.startsWith(each, at))
        if (mark) at += mark.length
        else if (SINGLE.includes(source[at]!)) {
          if (c === 123) open++
          else if (c === 125) open--
          at++
        } else {
          at += (source.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
          const text = source.slice(start, at)
          const hint = text === '#' ? 'a comment begins with //' : undefined
          fault('A1001', start, at, `${JSON.stringify(text)} has no meaning here`, hint)
          continue
        }
        add('mark', start, source.slice(start, at))
      }
    }
    const end = at
    list.push({ kind: 'end', start: end, end, text: '', line: true })
    return list
  }

  function lineComment(): void {
    const start = at
    const end = source.indexOf('\n', at)
    at = end < 0 ? source.length : end
    if (source.charCodeAt(at - 1) === 13) at--
    comment(start)
  }

  /** Gives true where it spans lines. */
  function longComment(): boolean {
    const start = at
    const end = source.indexOf('*/', at + 2)
    if (end < 0) fault('A1002', start, start + 2, 'this comment is never closed', 'close it with */')
    at = end < 0 ? source.length : end + 2
    comment(start)
    return source.slice(start, at).includes('\n')
  }

  function comment(start: number): void {
    const before = source.slice(source.lastIndexOf('\n', start - 1) + 1, start)
    comments.push({
      kind: 'comment',
      start,
      end: at,
      text: source.slice(start, at),
      own: before.trim() === '',
    })
  }

  function readNumber(): void {
    const start = at
    const radix = /^0[xXbBoO][0-9a-fA-F_]*/.exec(source.slice(at, at + 64))
    if (radix) at += radix[0].length
    else {
      digits()
      if (source[at] === '.' && isDigit(source.charCodeAt(at + 1))) {
        at++
        digits()
      }
      const power = /^[eE][+-]?\d+/.exec(source.slice(at, at + 32))
      if (power) at += power[0].length
    }
    if (isNameStart(source.charCodeAt(at))) at = nameEnd(at)
    const written = source.slice(start, at)
    if (!NUMBER.test(written)) fault('A1001', start, at, `${written} is no number`)
  }

  function digits(): void {
    while (isDigit(source.charCodeAt(at)) || source[at] === '_') at++
  }

  /** The parts of the string that begins at `at`; behind it afterwards. */
  function readText(quote: Quote, depth: number): (string | Token[])[] {
    const start = at
    at += quote.length
    const parts: (string | Token[])[] = []
    let text = ''
    while (at < source.length) {
      const c = source[at]!
      if (source.startsWith(quote, at)) {
        at += quote.length
        // Four or five quotes at the end: the last three close it.
        if (quote === '"""') {
          const more = /^"{0,2}/.exec(source.slice(at, at + 2))![0]
          text += more
          at += more.length
        }
        if (text !== '' || parts.length === 0) parts.push(text)
        return parts
      }
      if (c === '\n' && quote.length === 1 && quote !== '`') break
      if (c === '$' && source[at + 1] === '{') {
        if (text !== '') parts.push(text)
        text = ''
        const from = at
        at += 2
        if (depth >= DEEPEST) {
          fault('A1004', from, at, 'strings are nested too deeply', 'give parts of it names of their own')
          at = source.length
          over = true
          return parts
        }
        parts.push(readTokens(depth + 1))
        if (source[at] === '}') at++
        else fault('A1002', from, from + 2, 'this ${ is never closed', 'close it with }')
      } else if (c === '\\' && (quote.length === 1 || source.startsWith('${', at + 1)))
        text += plainChar(quote)
      // However a file ends its lines, a text in it ends them by \n.
      else if (c === '\r' && source[at + 1] === '\n') at++
      else {
        text += c
        at++
      }
    }
    fault('A1002', start, start + quote.length, 'this string is never closed', unclosedHint(quote))
    if (text !== '' || parts.length === 0) parts.push(text)
    return parts
  }

  function plainChar(quote: Quote): string {
    at++
    if (quote === '"""') {
      at += 2
      return '${'
    }
    const c = source[at++]
    if (c === undefined) {
      at = source.length
      return ''
    }
    if (c === 'u') {
      const code = /^(?:\{([0-9a-fA-F]{1,6})\}|([0-9a-fA-F]{4}))/.exec(source.slice(at, at + 8))
      const point = Number.parseInt(code?.[1] ?? code?.[2] ?? '', 16)
      if (!code || point > 0x10ffff) {
        fault('A1001', at - 2, at, 'an escape of a character is \\uXXXX or \\u{X…}')
        return ''
      }
      at += code[0].length
      return code[1] !== undefined ? String.fromCodePoint(point) : String.fromCharCode(point)
    }
    if (c === 'x') {
      const code = /^[0-9a-fA-F]{2}/.exec(source.slice(at, at + 2))
      if (!code) {
        fault('A1001', at - 2, at, 'an escape of a character is \\xXX, \\uXXXX or \\u{X…}')
        return ''
      }
      at += 2
      return String.fromCharCode(Number.parseInt(code[0], 16))
    }
    if (c === '\n') return ''
    return ESCAPES[c] ?? c
  }

  function nameEnd(from: number): number {
    let end = from + 1
    while (end < source.length && isNamePart(source.charCodeAt(end))) end++
    return end
  }
}

const ESCAPES: { readonly [c: string]: string } = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  0: '\0',
}

function unclosedHint(quote: Quote): string {
  return quote === '"' || quote === "'"
    ? `close it with ${quote} on its line; a string over several lines stands in """`
    : `close it with ${quote}`
}

function isDigit(c: number): boolean {
  return c >= 48 && c <= 57
}

function isNameStart(c: number): boolean {
  return (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || c === 95 || c === 36 || (c > 127 && isLetter(c))
}

function isNamePart(c: number): boolean {
  return isNameStart(c) || isDigit(c)
}

function isLetter(c: number): boolean {
  return /[\p{L}\p{N}]/u.test(String.fromCharCode(c))
}
