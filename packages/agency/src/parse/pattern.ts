// What takes a value apart: in `const`, `for`, blocks, and the arms of a `match`.
import type {
  Expression,
  ListPattern,
  MatchPattern,
  Name,
  Pattern,
  PatternField,
  RecordPattern,
} from '../syntax/ast.ts'
import { expression, operand, unary } from './expression.ts'
import { deeper, endOf, isMark, isWord, list, name, next, type Parser, peek, take, word } from './state.ts'

export function pattern(p: Parser, what: string): Pattern {
  return deeper(
    p,
    () => {
      const { start } = peek(p)
      if (take(p, '[')) return listPattern(p, start)
      if (take(p, '{')) return recordPattern(p, start)
      return name(p, what)
    },
    () => name(p, what),
  )
}

function listPattern(p: Parser, start: number): ListPattern {
  let rest: Name | undefined
  const items = list(p, ']', () => {
    if (isMark(p, ',')) return undefined
    if (take(p, '...')) {
      rest = name(p, 'a name for the rest')
      return REST
    }
    const of = pattern(p, 'a name')
    return {
      kind: 'patternItem' as const,
      pattern: of,
      default: fallback(p),
      start: of.start,
      end: endOf(p, of.start),
    }
  })
  const named = items.filter(item => item !== REST)
  return { kind: 'listPattern', items: named, rest, start, end: endOf(p, start) }
}

const REST: unique symbol = Symbol('rest')

function recordPattern(p: Parser, start: number): RecordPattern {
  let rest: Name | undefined
  const fields: PatternField[] = []
  list(p, '}', () => {
    if (take(p, '...')) {
      rest = name(p, 'a name for the rest')
      return
    }
    const key = word(p, 'the name of a field')
    const of = take(p, ':') ? pattern(p, 'a name') : undefined
    const end = endOf(p, key.start)
    fields.push({ kind: 'patternField', key, pattern: of, default: fallback(p), start: key.start, end })
  })
  return { kind: 'recordPattern', fields, rest, start, end: endOf(p, start) }
}

function fallback(p: Parser): Expression | undefined {
  return take(p, '=') ? expression(p) : undefined
}

/** What an arm asks for; `inShape`: inside of a shape, where a name is filled. */
export function matchPattern(p: Parser, inShape = false): MatchPattern {
  return deeper(
    p,
    () => {
      const { start } = peek(p)
      if (isWord(p, '_')) {
        const { end } = next(p)
        return { kind: 'anyPattern', start, end }
      }
      if (take(p, '[')) return matchList(p, start)
      if (take(p, '{')) return matchRecord(p, start)
      const value = isMark(p, '-') ? unary(p) : operand(p)
      const binds = inShape && value.kind === 'name'
      return { kind: 'valuePattern', value, binds, start, end: value.end }
    },
    () => ({ kind: 'anyPattern', start: peek(p).start, end: peek(p).start }),
  )
}

function matchList(p: Parser, start: number): MatchPattern {
  let rest: Name | undefined
  const items: MatchPattern[] = []
  list(p, ']', () => {
    if (take(p, '...')) rest = name(p, 'a name for the rest')
    else items.push(matchPattern(p, true))
  })
  return { kind: 'matchList', items, rest, start, end: endOf(p, start) }
}

function matchRecord(p: Parser, start: number): MatchPattern {
  const fields = list(p, '}', () => {
    const key = word(p, 'the name of a field')
    return { key, pattern: take(p, ':') ? matchPattern(p, true) : undefined }
  })
  return { kind: 'matchRecord', fields, start, end: endOf(p, start) }
}
