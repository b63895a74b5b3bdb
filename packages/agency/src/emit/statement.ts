// Statements as JavaScript.
import { members } from '../check/type.ts'
import type { Block, If, Match, MatchPattern, Statement, ThreadBlock } from '../syntax/ast.ts'
import { args, expression, operand, patternCode } from './expression.ts'
import { deeper, from, helper, nameOf, temporary, unmarked, type Writer } from './writer.ts'

export function blockCode(w: Writer, block: Block, before: readonly string[] = []): string {
  const lines = deeper(w, () => [...before.map(each => w.indent + each), ...statements(w, block.body)])
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${w.indent}}`
}

export function statements(w: Writer, body: readonly Statement[]): string[] {
  return body.map(s => w.indent + from(s.start) + statement(w, s)).filter(line => line.trim() !== '')
}

/** A line that does not begin as a continuation of the one before: there are no semicolons. */
function line(code: string): string {
  return '[(`+-/'.includes(unmarked(code)[0] ?? ' ') ? `;${code}` : code
}

export function statement(w: Writer, s: Statement): string {
  switch (s.kind) {
    case 'let':
      return letCode(w, s, true)
    case 'expression':
      if (s.value.kind === 'match') return matchInto(w, s.value, line).trimStart()
      if (s.value.kind === 'thread') return threadInto(w, s.value, undefined).trimStart()
      return expressionLine(expression(w, s.value))
    case 'if':
      return ifCode(w, s)
    case 'for':
      return forCode(w, s)
    case 'while':
      return `while (${expression(w, s.condition)}) ${blockCode(w, s.body)}`
    case 'return': {
      if (!s.value) return 'return null'
      if (s.value.kind === 'match' || s.value.kind === 'thread') {
        const name = temporary(w)
        return `let ${name} = null\n${into(w, s.value, code => `${name} = ${code}`)}\n${w.indent}return ${name}`
      }
      return `return ${expression(w, s.value)}`
    }
    case 'goto': {
      const { call } = s
      if (call.kind !== 'call') return ''
      const node = call.callee.kind === 'name' ? nameOf(call.callee) : 'undefined'
      return `throw ${helper(w, 'moveTo')}(${from(call.start)}${node}, [${args(w, call).join(', ')}])`
    }
    case 'break':
    case 'continue':
      return s.kind
    default:
      return ''
  }
}

function expressionLine(code: string): string {
  return unmarked(code).startsWith('{') ? `;(${code})` : line(code)
}

export function letCode(w: Writer, s: Extract<Statement, { kind: 'let' }>, declared: boolean): string {
  const word = declared ? (s.constant ? 'const ' : 'let ') : ''
  const pattern = patternCode(w, s.pattern)
  const set = (code: string): string =>
    declared || s.pattern.kind === 'name' ? `${word}${pattern} = ${code}` : `;(${pattern} = ${code})`
  if (!s.value) return set('null')
  if (s.value.kind === 'match' || s.value.kind === 'thread') {
    const name = temporary(w)
    return `let ${name} = null\n${into(w, s.value, code => `${name} = ${code}`)}\n${w.indent}${set(name)}`
  }
  return set(expression(w, s.value))
}

function into(w: Writer, e: Match | ThreadBlock, give: (code: string) => string): string {
  return e.kind === 'match' ? matchInto(w, e, give) : threadInto(w, e, give)
}

function ifCode(w: Writer, s: If): string {
  const head = `if (${expression(w, s.condition)}) ${blockCode(w, s.then)}`
  if (!s.else) return head
  return `${head} else ${s.else.kind === 'if' ? ifCode(w, s.else) : blockCode(w, s.else)}`
}

function forCode(w: Writer, s: Extract<Statement, { kind: 'for' }>): string {
  const item = patternCode(w, s.item)
  const { over } = s
  // Counting needs no list.
  const sym =
    over.kind === 'call' && over.callee.kind === 'name' ? w.checked.symbols.get(over.callee) : undefined
  if (
    over.kind === 'call' &&
    sym?.kind === 'prelude' &&
    sym.name === 'range' &&
    !s.second &&
    over.args.length === 1 &&
    !over.args[0]!.splat &&
    s.item.kind === 'name'
  ) {
    const i = temporary(w)
    const n = temporary(w)
    const body = blockCode(w, s.body, [`const ${item} = ${i}`])
    return `for (let ${i} = 0, ${n} = ${expression(w, over.args[0]!.value)}; ${i} < ${n}; ${i}++) ${body}`
  }
  const type = w.checked.types.get(over)
  const lists = type && members(type).every(t => t.kind === 'list')
  if (lists && !s.second) return `for (const ${item} of ${expression(w, over)}) ${blockCode(w, s.body)}`
  if (s.second) {
    const pair = `[${item}, ${nameOf(s.second)}]`
    return `for (const ${pair} of ${helper(w, 'pairs')}(${expression(w, over)})) ${blockCode(w, s.body)}`
  }
  return `for (const ${item} of ${helper(w, 'entries')}(${expression(w, over)})) ${blockCode(w, s.body)}`
}

/** A thread: what stands in it works on another thread, which ends however it is left. */
export function threadInto(w: Writer, e: ThreadBlock, give: ((code: string) => string) | undefined): string {
  const name = temporary(w)
  const { indent } = w
  const body = deeper(w, () => statements(w, e.body.body))
  const given = give ? `\n${indent}${give(`${name}.messages`)}` : ''
  return [
    `${indent}const ${name} = ${helper(w, 'openThread')}(${e.sub})`,
    `${indent}try {`,
    ...body,
    `${indent}} finally {`,
    `${indent}  ${name}.close()`,
    `${indent}}${given}`,
  ].join('\n')
}

/** A match: each arm in its turn, until one fits. `give` says what becomes of the value of an arm. */
export function matchInto(w: Writer, e: Match, give: (code: string) => string): string {
  const { indent } = w
  const label = temporary(w).replace('t', 'm')
  const value = temporary(w)
  const lines = [`${indent}${label}: {`, `${indent}  const ${value} = ${expression(w, e.value)}`]
  for (const arm of e.arms) {
    const tests = arm.patterns.map(p => test(w, p, value))
    const condition = tests.includes('true')
      ? 'true'
      : tests.map(each => (tests.length > 1 ? `(${each})` : each)).join(' || ')
    const names = arm.patterns.length === 1 ? bound(w, arm.patterns[0]!, value) : []
    const body = deeper(w, () =>
      deeper(w, () => {
        const inner = arm.guard ? `${w.indent}  ` : w.indent
        const around = w.indent
        w.indent = inner
        const said =
          arm.body.kind === 'block'
            ? statements(w, arm.body.body)
            : arm.body.kind === 'expression' &&
                arm.body.value.kind !== 'match' &&
                arm.body.value.kind !== 'thread'
              ? [inner + from(arm.body.start) + give(expression(w, arm.body.value))]
              : arm.body.kind === 'expression' &&
                  (arm.body.value.kind === 'match' || arm.body.value.kind === 'thread')
                ? [into(w, arm.body.value, give)]
                : statements(w, [arm.body])
        w.indent = around
        const all = [...said, `${inner}break ${label}`]
        const guarded = arm.guard
          ? [`${around}if (${expression(w, arm.guard)}) {`, ...all, `${around}}`]
          : all
        return [...names.map(each => around + each), ...guarded]
      }),
    )
    lines.push(`${indent}  if (${condition}) {`, ...body, `${indent}  }`)
  }
  lines.push(`${indent}}`)
  return lines.join('\n')
}

/** Whether the value `at` fits the pattern. */
function test(w: Writer, p: MatchPattern, at: string): string {
  switch (p.kind) {
    case 'anyPattern':
      return 'true'
    case 'valuePattern': {
      if (p.binds || isBinding(w, p)) return 'true'
      if (p.value.kind === 'null') return `${at} == null`
      const plain = ['text', 'number', 'boolean', 'unary'].includes(p.value.kind)
      return plain
        ? `${at} === ${operand(w, p.value)}`
        : `${helper(w, 'same')}(${at}, ${expression(w, p.value)})`
    }
    case 'matchList': {
      const length = p.rest ? `${at}.length >= ${p.items.length}` : `${at}.length === ${p.items.length}`
      const items = p.items.map((each, i) => test(w, each, `${at}[${i}]`)).filter(each => each !== 'true')
      return [`Array.isArray(${at})`, length, ...items].join(' && ')
    }
    case 'matchRecord': {
      const fields = p.fields.flatMap(({ key, pattern }) => {
        const place = `${at}.${key.text}`
        if (pattern?.kind === 'valuePattern' && !pattern.binds) return [test(w, pattern, place)]
        const inner = pattern ? test(w, pattern, place) : 'true'
        return [`${JSON.stringify(key.text)} in ${at}`, ...(inner === 'true' ? [] : [inner])]
      })
      return [`typeof ${at} === "object" && ${at} !== null`, ...fields].join(' && ')
    }
  }
}

/** A plain name that nothing was called by before: it is filled. */
function isBinding(w: Writer, p: Extract<MatchPattern, { kind: 'valuePattern' }>): boolean {
  return p.value.kind === 'name' && w.checked.symbols.get(p.value)?.declared === p.value
}

/** The names that a pattern fills. */
function bound(w: Writer, p: MatchPattern, at: string): string[] {
  switch (p.kind) {
    case 'anyPattern':
      return []
    case 'valuePattern':
      return p.value.kind === 'name' && (p.binds || isBinding(w, p))
        ? [`const ${nameOf(p.value)} = ${at}`]
        : []
    case 'matchList':
      return [
        ...p.items.flatMap((each, i) => bound(w, each, `${at}[${i}]`)),
        ...(p.rest ? [`const ${nameOf(p.rest)} = ${at}.slice(${p.items.length})`] : []),
      ]
    case 'matchRecord':
      return p.fields.flatMap(({ key, pattern }) =>
        pattern ? bound(w, pattern, `${at}.${key.text}`) : [`const ${nameOf(key)} = ${at}.${key.text}`],
      )
  }
}
