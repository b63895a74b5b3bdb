// Expressions as JavaScript. What has to be waited for is awaited where it stands.
import { place } from '../check/call.ts'
import { METHODS, TAKES_BLOCK } from '../check/colour.ts'
import { pipedCall } from '../check/operators.ts'
import { members, type Ty } from '../check/type.ts'
import type { Argument, Call, Expression, Lambda, Pattern, RecordLiteral, Splat } from '../syntax/ast.ts'
import { blockCode, matchInto, threadInto } from './statement.ts'
import { deeper, from, helper, nameOf, type Writer } from './writer.ts'

/** `e` as an operand: in parentheses where it needs them. */
export function operand(w: Writer, e: Expression): string {
  const code = expression(w, e)
  const simple = ['name', 'text', 'list', 'member', 'index', 'boolean', 'null', 'number'].includes(e.kind)
  if (simple || (e.kind === 'call' && !code.startsWith('await '))) return code
  return `(${code})`
}

export function expression(w: Writer, e: Expression): string {
  switch (e.kind) {
    case 'name':
      return valueName(w, e)
    case 'number':
      return e.raw
    case 'boolean':
      return String(e.value)
    case 'null':
      return 'null'
    case 'text':
      return textCode(w, e)
    case 'list':
      return `[${e.items.map(each => splat(w, each)).join(', ')}]`
    case 'record':
      return recordCode(w, e)
    case 'comprehension': {
      const later = w.colours.holds(e.value) || (e.condition !== undefined && w.colours.holds(e.condition))
      const params = `(${patternCode(w, e.item)}${e.second ? `, ${nameOf(e.second)}` : ''})`
      const part = (of: Expression): string => `${later ? 'async ' : ''}${params} => ${arrowBody(w, of)}`
      const condition = e.condition ? part(e.condition) : 'undefined'
      const call = `${helper(w, later ? 'eachLater' : 'each')}(${expression(w, e.over)}, ${e.second !== undefined}, ${part(e.value)}, ${condition})`
      return later ? `await ${call}` : call
    }
    case 'member': {
      const of = e.of.kind === 'number' ? `(${e.of.raw})` : operand(w, e.of)
      return `${of}${e.optional ? '?.' : '.'}${from(e.name.start)}${e.name.text}`
    }
    case 'index':
      return `${operand(w, e.of)}${e.optional ? '?.' : ''}[${expression(w, e.at)}]`
    case 'slice': {
      const ends = [e.from ? expression(w, e.from) : '0', ...(e.to ? [expression(w, e.to)] : [])]
      return `${operand(w, e.of)}.slice(${ends.join(', ')})`
    }
    case 'call':
      return callCode(w, e)
    case 'unary':
      return `${e.operator}${operand(w, e.value)}`
    case 'binary':
      return binaryCode(w, e)
    case 'assign':
      return `${operand(w, e.target)} ${e.operator} ${expression(w, e.value)}`
    case 'try': {
      const later = w.colours.holds(e.value)
      return later
        ? `await ${helper(w, 'tryLater')}(async () => ${arrowBody(w, e.value)})`
        : `${helper(w, 'tryNow')}(() => ${arrowBody(w, e.value)})`
    }
    case 'choice':
      return `${operand(w, e.condition)} ? ${operand(w, e.yes)} : ${operand(w, e.no)}`
    case 'match':
    case 'thread': {
      const later = e.kind === 'thread' || w.colours.holds(e)
      const inner = deeper(w, () =>
        e.kind === 'match'
          ? matchInto(w, e, code => `return ${code}`)
          : threadInto(w, e, code => `return ${code}`),
      )
      const code = `(${later ? 'async ' : ''}() => {\n${inner}\n${w.indent}  return null\n${w.indent}})()`
      return later ? `await ${code}` : code
    }
    case 'lambda':
      return lambdaCode(w, e)
    case 'wrong':
      return 'undefined'
  }
}

/** What an arrow gives: a record in parentheses, so that it is no block. */
function arrowBody(w: Writer, e: Expression): string {
  const code = expression(w, e)
  return code.startsWith('{') ? `(${code})` : code
}

function valueName(w: Writer, e: Extract<Expression, { kind: 'name' }>): string {
  const sym = w.checked.symbols.get(e)
  if (sym?.kind === 'prelude') return sym.host ? e.text : helper(w, e.text)
  return nameOf(e)
}

function splat(w: Writer, e: Expression | Splat): string {
  return e.kind === 'splat' ? `...${operand(w, e.value)}` : expression(w, e)
}

function textCode(w: Writer, e: Extract<Expression, { kind: 'text' }>): string {
  if (e.parts.every(part => typeof part === 'string')) return JSON.stringify(e.parts.join(''))
  const parts = e.parts.map(part => {
    if (typeof part === 'string')
      return JSON.stringify(part)
        .slice(1, -1)
        .replaceAll('\\"', '"')
        .replace(/`|\$\{/g, '\\$&')
    const type = w.checked.types.get(part)
    const plain =
      type && kinds(type).every(kind => kind === 'string' || kind === 'number' || kind === 'boolean')
    const code = expression(w, part)
    return `\${${plain ? code : `${helper(w, 'text')}(${code})`}}`
  })
  return `\`${parts.join('')}\``
}

function kinds(t: Ty): string[] {
  return members(t).map(each => (each.kind === 'literal' ? typeof each.value : each.kind))
}

function recordCode(w: Writer, e: RecordLiteral): string {
  if (e.entries.length === 0) return '{}'
  const parts = e.entries.map(entry => {
    if (entry.kind === 'splat') return splat(w, entry)
    if (entry.computed) return `[${expression(w, entry.key)}]: ${expression(w, entry.value!)}`
    if (entry.key.kind === 'name') {
      if (!entry.value) {
        const code = valueName(w, entry.key)
        return code === entry.key.text ? code : `${entry.key.text}: ${code}`
      }
      const key = entry.key.text === '__proto__' ? '["__proto__"]' : entry.key.text
      return `${key}: ${expression(w, entry.value)}`
    }
    const key = expression(w, entry.key)
    const plain = key.startsWith('"') && key !== '"__proto__"'
    return `${plain ? key : `[${key}]`}: ${expression(w, entry.value!)}`
  })
  return `{ ${parts.join(', ')} }`
}

export function lambdaCode(w: Writer, e: Lambda): string {
  const later = w.colours.waits(e)
  const around = w.waits
  w.waits = later
  const params = e.params.map(p => patternCode(w, p.pattern)).join(', ')
  const body = e.body.kind === 'block' ? blockCode(w, e.body) : arrowBody(w, e.body)
  w.waits = around
  return `${later ? 'async ' : ''}(${params}) => ${body}`
}

export function patternCode(w: Writer, p: Pattern): string {
  if (p.kind === 'name') return nameOf(p)
  const or = (value: Expression | undefined): string => (value ? ` = ${expression(w, value)}` : '')
  const rest = p.rest ? [`...${nameOf(p.rest)}`] : []
  if (p.kind === 'listPattern') {
    const items = p.items.map(each => (each ? patternCode(w, each.pattern) + or(each.default) : ''))
    return `[${[...items, ...rest].join(', ')}]`
  }
  const fields = p.fields.map(each => {
    const to = each.pattern ? patternCode(w, each.pattern) : nameOf(each.key)
    return `${to === each.key.text ? to : `${each.key.text}: ${to}`}${or(each.default)}`
  })
  return `{ ${[...fields, ...rest].join(', ')} }`
}

function binaryCode(w: Writer, e: Extract<Expression, { kind: 'binary' }>): string {
  const { operator, left, right } = e
  const type = (of: Expression): Ty => w.checked.types.get(of) ?? { kind: 'any' }
  switch (operator) {
    case '|>':
      return callCode(w, pipedCall(e))
    case 'catch': {
      const later = w.colours.holds(left) || w.colours.holds(right)
      const how = later ? 'async ' : ''
      const code = `${helper(w, later ? 'orLater' : 'orNow')}(${how}() => ${arrowBody(w, left)}, ${how}() => ${arrowBody(w, right)})`
      return later ? `await ${code}` : code
    }
    case 'in':
      return `${helper(w, 'isIn')}(${expression(w, left)}, ${expression(w, right)})`
    case '==':
    case '!=': {
      const not = operator === '!='
      // Two values of the same plain kind are compared as they are; null equals what is missing.
      if (left.kind === 'null' || right.kind === 'null')
        return `${operand(w, left)} ${operator} ${operand(w, right)}`
      const a = kinds(type(left))
      const b = kinds(type(right))
      const plain = [...a, ...b].every(kind => kind === 'string' || kind === 'number' || kind === 'boolean')
      if (
        plain ||
        left.kind === 'text' ||
        right.kind === 'text' ||
        left.kind === 'number' ||
        right.kind === 'number'
      )
        return `${operand(w, left)} ${operator}= ${operand(w, right)}`
      return `${not ? '!' : ''}${helper(w, 'same')}(${expression(w, left)}, ${expression(w, right)})`
    }
    default:
      return `${operand(w, left)} ${operator} ${operand(w, right)}`
  }
}

export function callCode(w: Writer, e: Call): string {
  const { callee } = e
  const sym = callee.kind === 'name' ? w.checked.symbols.get(callee) : undefined
  const mark = from(callee.kind === 'member' ? callee.name.start : callee.start)
  if (sym?.kind === 'prelude' && sym.name === 'llm') return llmCode(w, e, mark)
  const later = w.colours.waits(e)
  const wait = later ? 'await ' : ''
  if (sym?.kind === 'prelude' && !sym.host) {
    const name = later && TAKES_BLOCK.has(sym.name) ? `${sym.name}Later` : sym.name
    return `${wait}${mark}${helper(w, name)}(${args(w, e).join(', ')})`
  }
  const type = w.checked.calls.get(e)
  const named = e.args.some(a => a.name) && (!type || e.args.some(a => a.splat))
  if (named) {
    const plain = e.args.filter(a => !a.name).map(a => argument(w, a))
    const byName = e.args
      .filter(a => a.name)
      .map(a => `${JSON.stringify(a.name!.text)}: ${expression(w, a.value)}`)
    const block = e.block ? `, ${lambdaCode(w, e.block)}` : ''
    return `${wait}${helper(w, 'callNamed')}(${expression(w, callee)}, [${plain.join(', ')}], { ${byName.join(', ')} }${block})`
  }
  if (callee.kind === 'member' && later && METHODS.has(callee.name.text)) {
    const all = args(w, e)
    return `await ${helper(w, 'method')}(${expression(w, callee.of)}, ${JSON.stringify(callee.name.text)}${all.length > 0 ? `, ${all.join(', ')}` : ''})`
  }
  const of = callee.kind === 'member' ? operand(w, callee) : `${mark}${operand(w, callee)}`
  return `${wait}${of}${e.optional ? '?.' : ''}(${args(w, e).join(', ')})`
}

function argument(w: Writer, a: Argument): string {
  return a.splat ? `...${operand(w, a.value)}` : expression(w, a.value)
}

/** The arguments in the order of the parameters. */
export function args(w: Writer, e: Call): string[] {
  const type = w.checked.calls.get(e)
  if (!type || e.args.some(a => a.splat)) {
    const all = e.args.map(a => argument(w, a))
    return e.block ? [...all, lambdaCode(w, e.block)] : all
  }
  const { params } = type
  const list: string[] = []
  const rest: string[] = []
  for (const { arg, param } of place(e, params)) {
    const code = expression(w, arg.value)
    if (params[param]?.rest) rest.push(arg.name ? `...${operand(w, arg.value)}` : code)
    else if (param >= 0) list[param] = code
    else rest.push(code)
  }
  const restAt = params.findIndex(p => p.rest)
  const length = rest.length > 0 && restAt >= 0 ? Math.max(list.length, restAt) : list.length
  return [...Array.from({ length }, (_, i) => list[i] ?? 'undefined'), ...rest]
}

function llmCode(w: Writer, e: Call, mark: string): string {
  let prompt = '""'
  const options: string[] = []
  let whole: string | undefined
  e.args.forEach((arg, i) => {
    if (arg.name && arg.name.text !== 'prompt') options.push(`${arg.name.text}: ${expression(w, arg.value)}`)
    else if (i === 0 || arg.name) prompt = expression(w, arg.value)
    else whole = expression(w, arg.value)
  })
  const given =
    options.length === 0 ? whole : `{ ${[...(whole ? [`...${whole}`] : []), ...options].join(', ')} }`
  const schema = w.schemaOf(e)
  const all = [prompt, ...(given || schema ? [given ?? 'undefined'] : []), ...(schema ? [schema] : [])]
  return `await ${mark}${helper(w, 'llm')}(${all.join(', ')})`
}
