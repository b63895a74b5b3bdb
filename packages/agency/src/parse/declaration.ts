// What stands at the top of a file: import, export, def, node, type.
import type { Def, Doc, Expression, Imported, Param, Statement, Text } from '../syntax/ast.ts'
import { expression } from './expression.ts'
import {
  endOf,
  expect,
  expected,
  isMark,
  isWord,
  list,
  name,
  next,
  type Parser,
  peek,
  plainText,
  remark,
  take,
  takeWord,
  tell,
  word,
} from './state.ts'
import { block, letOf } from './statement.ts'
import { annotation, annotations, type, typeParams } from './type.ts'

/** A declaration, where one begins here. */
export function declaration(p: Parser, top: boolean): Statement | undefined {
  const token = peek(p)
  const after = peek(p, 1)
  const named = after.kind === 'name' && !after.line
  const start = token.start
  if (isMark(p, '@')) {
    const schemas = annotations(p)
    const exported = takeWord(p, 'export')
    if (isWord(p, 'type')) return typeOf(p, exported, schemas, start)
    expected(p, 'a type behind @jsonSchema')
    return undefined
  }
  if (token.kind !== 'name') return undefined
  const at = (): void => {
    if (top) return
    const hint = token.text === 'def' ? 'move it there, or store a block: const f = \\x -> { … }' : undefined
    remark(p, 'A2005', token, 'a declaration stands at the top of a file, not inside of something', hint)
  }
  switch (token.text) {
    case 'import':
      if (!named && after.kind !== 'text' && !isMark(p, '{', 1) && !isMark(p, '*', 1)) return undefined
      at()
      return importOf(p)
    case 'export':
      at()
      return exportOf(p)
    case 'def':
    case 'handoff':
    case 'node':
    case 'function':
    case 'async':
      if (!named) return undefined
      if (token.text === 'async' && after.text !== 'function' && after.text !== 'def') return undefined
      at()
      return defOf(p, false)
    case 'type':
    case 'interface':
      if (!named) return undefined
      at()
      return typeOf(p, false, [], start)
  }
  return undefined
}

function importOf(p: Parser): Statement {
  const { start } = next(p)
  const statement: Extract<Statement, { kind: 'import' }> = {
    kind: 'import',
    names: undefined,
    default: undefined,
    star: undefined,
    from: { kind: 'text', quote: '"', parts: [''], start, end: start },
    start,
    end: start,
  }
  if (isWord(p, 'type') && (isMark(p, '{', 1) || (peek(p, 1).kind === 'name' && !isWord(p, 'from', 1))))
    next(p)
  if (peek(p).kind !== 'text') {
    if (peek(p).kind === 'name') {
      statement.default = name(p, 'a name')
      take(p, ',')
    }
    if (take(p, '*')) {
      if (!takeWord(p, 'as')) expected(p, '`as` and a name')
      statement.star = name(p, 'a name')
    } else if (take(p, '{')) statement.names = imported(p)
    if (!takeWord(p, 'from')) expected(p, '`from`', 'write import { name } from "./file.agency"')
  }
  statement.from = plainText(p, 'the name of a module')
  return { ...statement, end: endOf(p, start) }
}

function imported(p: Parser): Imported[] {
  return list(p, '}', () => {
    const of = word(p, 'a name')
    const as = takeWord(p, 'as') ? name(p, 'a name') : undefined
    return { kind: 'imported' as const, name: of, as, start: of.start, end: endOf(p, of.start) }
  })
}

function exportOf(p: Parser): Statement {
  const { start } = next(p)
  if (isMark(p, '@')) {
    const schemas = annotations(p)
    return typeOf(p, true, schemas, start)
  }
  if (take(p, '{')) {
    const names = imported(p)
    const from: Text | undefined = takeWord(p, 'from') ? plainText(p, 'the name of a module') : undefined
    return { kind: 'export', names, from, start, end: endOf(p, start) }
  }
  if (isWord(p, 'const') || isWord(p, 'let')) return { ...letOf(p, true), start }
  if (isWord(p, 'type') || isWord(p, 'interface')) return typeOf(p, true, [], start)
  if (['def', 'handoff', 'node', 'function', 'async'].some(each => isWord(p, each)))
    return { ...defOf(p, true), start }
  const hint = isWord(p, 'default') ? 'there is no default export: name what you export' : undefined
  expected(p, 'what is exported', hint)
  return { kind: 'export', names: [], from: undefined, start, end: endOf(p, start) }
}

function defOf(p: Parser, exported: boolean): Def {
  const first = peek(p)
  const { start } = first
  if (isWord(p, 'async')) {
    next(p)
    remark(
      p,
      'A1003',
      first,
      'there is no `async`',
      'write def: what has to be waited for is waited for by itself',
    )
  }
  const handoff = takeWord(p, 'handoff')
  const how = peek(p)
  if (isWord(p, 'function'))
    remark(p, 'A1003', how, 'there is no `function`', 'write def name(params): T { … }')
  const node = how.text === 'node'
  if (node || isWord(p, 'def') || isWord(p, 'function')) next(p)
  else expected(p, '`def`')
  const of = name(p, node ? 'the name of the node' : 'the name of the function')
  const params = typeParams(p)
  const taken = expect(p, '(', 'and the parameters') ? list(p, ')', () => param(p)) : []
  if (isMark(p, '->') || isMark(p, '=>')) {
    const mark = next(p)
    remark(
      p,
      'A1001',
      mark,
      `expected \`:\`, found \`${mark.text}\``,
      'the type of the result stands behind `:`',
    )
    const returns = type(p)
    return whole(p, { exported, handoff, node, name: of, typeParams: params, params: taken, returns, start })
  }
  const returns = annotation(p)
  return whole(p, { exported, handoff, node, name: of, typeParams: params, params: taken, returns, start })
}

function whole(p: Parser, head: Omit<Def, 'kind' | 'doc' | 'body' | 'end'>): Def {
  const what = head.node ? 'node' : 'def'
  if (!isMark(p, '{') && !p.quiet)
    tell(p, 'A1001', head.name, `\`${head.name.text}\` has no body`, 'a body stands in { }')
  const body = block(p, `of the ${what}`)
  const doc = docOf(p, body.body[0])
  if (doc) body.body.shift()
  return { kind: 'def', ...head, doc, body, end: endOf(p, head.start) }
}

/** The docstring: a string over several lines as the first statement. */
function docOf(p: Parser, first: Statement | undefined): Doc | undefined {
  if (first?.kind !== 'expression' || first.value.kind !== 'text' || first.value.quote !== '"""')
    return undefined
  const { start, end } = first.value
  const raw = p.source.slice(start + 3, Math.max(start + 3, end - 3)).replaceAll('\\${', '${')
  return { kind: 'doc', text: dedent(raw), start, end }
}

/** Trimmed, and without what all lines but the first are indented by. */
function dedent(text: string): string {
  const lines = text.replace(/\r\n/g, '\n').split('\n')
  const deep = lines.slice(1).filter(line => line.trim() !== '')
  const least = Math.min(...deep.map(line => line.length - line.trimStart().length), Number.MAX_SAFE_INTEGER)
  return lines
    .map((line, i) => (i === 0 ? line : line.slice(least)).trimEnd())
    .join('\n')
    .trim()
}

function param(p: Parser): Param {
  const { start } = peek(p)
  const rest = take(p, '...')
  const of = name(p, 'the name of a parameter')
  const optional = take(p, '?')
  const stated = annotation(p)
  const fallback: Expression | undefined = take(p, '=') ? expression(p) : undefined
  if (rest && (optional || fallback))
    tell(p, 'A1001', of, 'a parameter that takes the rest is optional by itself', `write ...${of.text}: T[]`)
  return {
    kind: 'param',
    name: of,
    rest,
    optional,
    type: stated,
    default: fallback,
    start,
    end: endOf(p, start),
  }
}

function typeOf(
  p: Parser,
  exported: boolean,
  schemas: ReturnType<typeof annotations>,
  start: number,
): Extract<Statement, { kind: 'typeDef' }> {
  const how = next(p)
  const of = name(p, 'the name of the type')
  const params = typeParams(p)
  if (how.text === 'interface')
    remark(p, 'A1003', how, 'there is no `interface`', `write type ${of.text} = { … }`)
  else expect(p, '=', 'and the type')
  const stated = type(p)
  return {
    kind: 'typeDef',
    exported,
    schemas,
    name: of,
    typeParams: params,
    type: stated,
    start,
    end: endOf(p, start),
  }
}
