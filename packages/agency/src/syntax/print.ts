// A tree to text, laid out in one way: parsing what it prints gives the same tree. Comments are not part of the tree;
// whoever keeps them hands in `between`, which is asked before each statement, field and arm, and at the end of a body.
import type {
  Arm,
  Block,
  Def,
  Expression,
  If,
  Imported,
  Lambda,
  MatchPattern,
  Name,
  Param,
  Pattern,
  Program,
  Quote,
  Schema,
  Span,
  Splat,
  Statement,
  Text,
  Type,
  TypeField,
} from './ast.ts'

export interface PrintOptions {
  /** Whole lines (without indentation) to stand before what stands at `span`, or at the end of a body ('' is a blank one). */
  before?: (span: Span, first: boolean) => readonly string[]
  /** Lines at the end of what ends at `end`. */
  last?: (end: number) => readonly string[]
  /** What stands behind a statement on its line: ' // …'. */
  behind?: (span: Span) => string
  /** What was asked for is asked for again where lines are tried and thrown away: see {@link Tries}. */
  tries?: Tries
}

/** The state of whoever keeps comments: which were given out, and up to where. */
export interface Tries {
  mark(): unknown
  /** What was given out since the mark. */
  since(mark: unknown): unknown
  /** Nothing was given out since the mark. */
  undo(mark: unknown): void
  /** What {@link since} gave was given out again. */
  redo(given: unknown): void
}

/** Lines longer than this are broken at their arguments, entries and fields. */
const WIDE = 100

export function print(program: Program, options: PrintOptions = {}): string {
  const w: Writer = { options, indent: '', texts: new Map() }
  const lines = body(w, program.body, program.end)
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}

interface Writer {
  options: PrintOptions
  indent: string
  /** What nodes read as, by their indentation: a long one is tried on one line first, and so is all that is in it. */
  texts: Map<object, Map<string, { text: string; given: unknown }>>
}

function once(w: Writer, node: object, make: () => string): string {
  const { tries } = w.options
  const known = w.texts.get(node) ?? new Map<string, { text: string; given: unknown }>()
  w.texts.set(node, known)
  const before = known.get(w.indent)
  if (before) {
    tries?.redo(before.given)
    return before.text
  }
  const mark = tries?.mark()
  const text = make()
  known.set(w.indent, { text, given: tries?.since(mark) })
  return text
}

function deeper<T>(w: Writer, write: () => T): T {
  const { indent } = w
  w.indent = `${indent}  `
  const result = write()
  w.indent = indent
  return result
}

function body(w: Writer, statements: readonly Statement[], end: number): string[] {
  const lines: string[] = []
  const { before, last, behind } = w.options
  const put = (line: string): void => {
    lines.push(line === '' ? '' : w.indent + line)
  }
  statements.forEach((statement, i) => {
    if (before) for (const line of before(statement, i === 0)) put(line)
    else if (i > 0 && (apart(statement) || apart(statements[i - 1]!))) lines.push('')
    put(statementText(w, statement) + (behind?.(statement) ?? ''))
  })
  for (const line of closing(last?.(end), lines)) put(line)
  return lines
}

/** The lines at the end of a body; where nothing stands before them, they begin with no blank one. */
function closing(last: readonly string[] = [], before: readonly string[]): readonly string[] {
  return before.length === 0 && last[0] === '' ? last.slice(1) : last
}

/** Declarations with a body stand apart. */
function apart(statement: Statement): boolean {
  return statement.kind === 'def' || (statement.kind === 'typeDef' && statement.type.kind === 'typeRecord')
}

export function blockText(w: Writer, block: Block): string {
  const lines = deeper(w, () => body(w, block.body, block.end))
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${w.indent}}`
}

function statementText(w: Writer, s: Statement): string {
  switch (s.kind) {
    case 'import': {
      const what = [
        s.default?.text,
        s.star && `* as ${s.star.text}`,
        s.names && importedText(w, s.names),
      ].filter(each => each !== undefined)
      return what.length === 0
        ? `import ${textText(w, s.from)}`
        : `import ${what.join(', ')} from ${textText(w, s.from)}`
    }
    case 'export':
      return `export ${importedText(w, s.names)}${s.from ? ` from ${textText(w, s.from)}` : ''}`
    case 'def':
      return defText(w, s)
    case 'typeDef': {
      const schemas = s.schemas.map(each => `${schemaText(w, each)}\n${w.indent}`).join('')
      return `${schemas}${s.exported ? 'export ' : ''}type ${s.name.text}${typeParams(s.typeParams)} = ${typeText(w, s.type)}`
    }
    case 'let': {
      const value = s.value ? ` = ${expressionText(w, s.value)}` : ''
      return `${s.exported ? 'export ' : ''}${s.constant ? 'const' : 'let'} ${patternText(w, s.pattern)}${annotation(w, s.type)}${value}`
    }
    case 'if':
      return ifText(w, s)
    case 'for': {
      const second = s.second ? `, ${s.second.text}` : ''
      return `for (${patternText(w, s.item)}${second} in ${expressionText(w, s.over)}) ${blockText(w, s.body)}`
    }
    case 'while':
      return `while (${expressionText(w, s.condition)}) ${blockText(w, s.body)}`
    case 'return':
      return s.value ? `return ${expressionText(w, s.value)}` : 'return'
    case 'goto':
      return `goto ${expressionText(w, s.call)}`
    case 'expression': {
      const text = expressionText(w, s.value)
      return startsOtherwise(s.value) ? `(${text})` : text
    }
    default:
      return s.kind
  }
}

/** An expression that would be read as a statement of another kind where it begins a line. */
function startsOtherwise(e: Expression): boolean {
  return e.kind === 'choice' && e.condition.kind !== 'wrong'
}

function importedText(w: Writer, names: readonly Imported[]): string {
  return items(
    w,
    '{',
    '}',
    names.map(each => (each.as ? `${each.name.text} as ${each.as.text}` : each.name.text)),
    ' ',
  )
}

function defText(w: Writer, s: Def): string {
  const how = `${s.exported ? 'export ' : ''}${s.handoff ? 'handoff ' : ''}${s.node ? 'node' : 'def'}`
  const params = items(
    w,
    '(',
    ')',
    s.params.map(each => paramText(w, each)),
  )
  const head = `${how} ${s.name.text}${typeParams(s.typeParams)}${params}${annotation(w, s.returns)} `
  if (!s.doc) return head + blockText(w, s.body)
  return deeper(w, () => {
    const { indent } = w
    const doc = ['"""', ...s.doc!.text.replaceAll('${', '\\${').split('\n'), '"""']
    const lines = doc.filter(
      (line, i) => i === 0 || i === doc.length - 1 || s.doc!.text !== '' || line !== '',
    )
    const inner = body(w, s.body.body, s.body.end)
    return [
      `${head}{`,
      ...lines.map(line => (line === '' ? '' : indent + line)),
      ...inner,
      `${indent.slice(2)}}`,
    ].join('\n')
  })
}

function typeParams(names: readonly Name[]): string {
  return names.length === 0 ? '' : `<${names.map(each => each.text).join(', ')}>`
}

function paramText(w: Writer, p: Param): string {
  const value = p.default ? ` = ${expressionText(w, p.default)}` : ''
  return `${p.rest ? '...' : ''}${p.name.text}${p.optional ? '?' : ''}${annotation(w, p.type)}${value}`
}

function annotation(w: Writer, type: Type | undefined): string {
  return type ? `: ${typeText(w, type)}` : ''
}

function schemaText(w: Writer, s: Schema): string {
  return `@${s.name.text}(${s.value ? expressionText(w, s.value) : ''})`
}

function ifText(w: Writer, s: If): string {
  const head = `if (${expressionText(w, s.condition)}) ${blockText(w, s.then)}`
  if (!s.else) return head
  return `${head} else ${s.else.kind === 'if' ? ifText(w, s.else) : blockText(w, s.else)}`
}

/** A list on one line, or one item a line where it is too long or an item has lines. */
function items(w: Writer, open: string, close: string, list: readonly string[], pad = ''): string {
  if (list.length === 0) return open + close
  const flat = `${open}${pad}${list.join(', ')}${pad}${close}`
  if (flat.length <= WIDE - w.indent.length && !list.slice(0, -1).some(each => each.includes('\n')))
    return flat
  if (list.length === 1 && list[0]!.includes('\n')) return flat
  const inner = list.map(each => `${w.indent}  ${each},`)
  return `${open}\n${inner.join('\n')}\n${w.indent}${close}`
}

// How tightly an expression holds together, as in the parser: low to high.
const PIPE = 1
const ASSIGN = 2
const BINARY = 3
const UNARY = 20
const BEHIND = 30

const LEVELS: { readonly [operator: string]: number } = {
  '||': 3,
  '??': 3,
  '&&': 4,
  '==': 5,
  '!=': 5,
  '<': 6,
  '>': 6,
  '<=': 6,
  '>=': 6,
  in: 6,
  '+': 7,
  '-': 7,
  '*': 8,
  '/': 8,
  '%': 8,
  '**': 9,
} // prettier

function tightness(e: Expression): number {
  switch (e.kind) {
    case 'binary':
      return e.operator === '|>' ? PIPE : e.operator === 'catch' ? ASSIGN : LEVELS[e.operator]!
    case 'assign':
    case 'try':
      return ASSIGN
    case 'choice':
      return 0
    case 'lambda':
      return e.inline ? 0 : BEHIND
    case 'unary':
      return UNARY
    default:
      return BEHIND + 1
  }
}

/** `e`, in parentheses where it holds together less than `least`. */
function held(w: Writer, e: Expression, least: number): string {
  const text = expressionText(w, e)
  return tightness(e) < least ? `(${text})` : text
}

export function expressionText(w: Writer, e: Expression): string {
  return once(w, e, () => expressionOf(w, e))
}

function expressionOf(w: Writer, e: Expression): string {
  switch (e.kind) {
    case 'name':
      return e.text
    case 'number':
      return e.raw
    case 'boolean':
      return String(e.value)
    case 'null':
      return 'null'
    case 'text':
      return textText(w, e)
    case 'list':
      return deeperItems(w, '[', ']', () => e.items.map(each => splatText(w, each)))
    case 'comprehension': {
      const second = e.second ? `, ${e.second.text}` : ''
      const condition = e.condition ? ` if ${expressionText(w, e.condition)}` : ''
      return `[${expressionText(w, e.value)} for ${patternText(w, e.item)}${second} in ${held(w, e.over, BINARY)}${condition}]`
    }
    case 'record':
      return deeperItems(w, '{', '}', () => e.entries.map(each => entryText(w, each)), ' ')
    case 'member':
      return `${held(w, e.of, BEHIND)}${e.optional ? '?.' : '.'}${e.name.text}`
    case 'index':
      return `${held(w, e.of, BEHIND)}${e.optional ? '?.' : ''}[${expressionText(w, e.at)}]`
    case 'slice':
      return `${held(w, e.of, BEHIND)}[${e.from ? expressionText(w, e.from) : ''}:${e.to ? expressionText(w, e.to) : ''}]`
    case 'call': {
      const args = deeperItems(w, '(', ')', () =>
        e.args.map(
          a => `${a.splat ? '...' : ''}${a.name ? `${a.name.text}: ` : ''}${expressionText(w, a.value)}`,
        ),
      )
      return `${held(w, e.callee, BEHIND)}${e.optional ? '?.' : ''}${args}${e.block ? lambdaText(w, e.block) : ''}`
    }
    case 'unary':
      // Two signs are no `--`.
      return `${e.operator}${held(w, e.value, UNARY)}`.replace(/^--/, '- -')
    case 'binary':
      return binaryText(w, e)
    case 'assign':
      return `${held(w, e.target, BEHIND)} ${e.operator} ${held(w, e.value, ASSIGN)}`
    case 'try':
      return `try ${held(w, e.value, BINARY)}`
    case 'choice':
      return `if ${held(w, e.condition, 1)} then ${held(w, e.yes, 1)} else ${expressionText(w, e.no)}`
    case 'match':
      return matchText(w, e)
    case 'lambda':
      return lambdaText(w, e)
    case 'thread':
      return `${e.sub ? 'subthread' : 'thread'} ${blockText(w, e.body)}`
    case 'wrong':
      return ''
  }
}

function deeperItems(w: Writer, open: string, close: string, make: () => string[], pad = ''): string {
  const { tries } = w.options
  const mark = tries?.mark()
  const flat = make()
  const text = items(w, open, close, flat, pad)
  // Items on lines of their own are printed again, one level deeper.
  if (!text.startsWith(`${open}\n`)) return text
  tries?.undo(mark)
  return items(w, open, close, deeper(w, make), pad)
}

function binaryText(w: Writer, e: Extract<Expression, { kind: 'binary' }>): string {
  const own = tightness(e)
  if (e.operator === '**') return `${held(w, e.left, own + 1)} ** ${held(w, e.right, own)}`
  const right = e.operator === 'catch' ? BINARY : own + 1
  // What stands on the left of an assignment's level is a binary or another of its kind.
  const left = e.operator === 'catch' && e.left.kind !== 'binary' ? BINARY : own
  return `${held(w, e.left, left)} ${e.raw} ${held(w, e.right, right)}`
}

function splatText(w: Writer, e: Expression | Splat): string {
  return e.kind === 'splat' ? `...${expressionText(w, e.value)}` : expressionText(w, e)
}

function entryText(w: Writer, e: Extract<Expression, { kind: 'record' }>['entries'][number]): string {
  if (e.kind === 'splat') return splatText(w, e)
  const key = e.computed ? `[${expressionText(w, e.key)}]` : expressionText(w, e.key)
  return e.value ? `${key}: ${expressionText(w, e.value)}` : key
}

function lambdaText(w: Writer, e: Lambda): string {
  const params = e.params.map(each => `${patternText(w, each.pattern)}${annotation(w, each.type)}`)
  const alone = e.params.length === 1 && !e.params[0]!.type && e.params[0]!.pattern.kind === 'name'
  const taken = params.length === 0 ? '' : alone ? params[0]! : `(${params.join(', ')})`
  if (e.inline) {
    const value = e.body.kind === 'block' ? blockText(w, e.body) : expressionText(w, e.body)
    return `\\${taken} -> ${value}`
  }
  return ` ${taken ? `as ${taken} ` : ''}${blockText(w, e.body as Block)}`
}

function matchText(w: Writer, e: Extract<Expression, { kind: 'match' }>): string {
  const head = `match (${expressionText(w, e.value)}) `
  const { before, last, behind } = w.options
  const lines = deeper(w, () => {
    const put: string[] = []
    e.arms.forEach((arm, i) => {
      for (const line of before?.(arm, i === 0) ?? []) put.push(line === '' ? '' : w.indent + line)
      put.push(w.indent + armText(w, arm) + (behind?.(arm) ?? ''))
    })
    for (const line of closing(last?.(e.end), put)) put.push(line === '' ? '' : w.indent + line)
    return put
  })
  return lines.length === 0 ? `${head}{}` : `${head}{\n${lines.join('\n')}\n${w.indent}}`
}

function armText(w: Writer, arm: Arm): string {
  const patterns = arm.patterns.map(each => matchPatternText(w, each)).join(' | ')
  const guard = arm.guard ? ` if ${held(w, arm.guard, BINARY)}` : ''
  const text = arm.body.kind === 'block' ? blockText(w, arm.body) : statementText(w, arm.body)
  return `${patterns}${guard} => ${text}`
}

function matchPatternText(w: Writer, p: MatchPattern): string {
  switch (p.kind) {
    case 'anyPattern':
      return '_'
    case 'valuePattern':
      return held(w, p.value, UNARY)
    case 'matchRecord': {
      const fields = p.fields.map(
        ({ key, pattern }) => key.text + (pattern ? `: ${matchPatternText(w, pattern)}` : ''),
      )
      return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
    }
    case 'matchList': {
      const rest = p.rest ? [`...${p.rest.text}`] : []
      return `[${[...p.items.map(each => matchPatternText(w, each)), ...rest].join(', ')}]`
    }
  }
}

export function patternText(w: Writer, p: Pattern): string {
  if (p.kind === 'name') return p.text
  const rest = p.rest ? [`...${p.rest.text}`] : []
  const or = (value: Expression | undefined): string => (value ? ` = ${expressionText(w, value)}` : '')
  if (p.kind === 'listPattern') {
    const of = p.items.map(each => (each ? patternText(w, each.pattern) + or(each.default) : ''))
    const hole = rest.length === 0 && p.items.length > 0 && p.items.at(-1) === undefined ? ',' : ''
    return `[${[...of, ...rest].join(', ')}${hole}]`
  }
  const fields = p.fields.map(
    each => `${each.key.text}${each.pattern ? `: ${patternText(w, each.pattern)}` : ''}${or(each.default)}`,
  )
  return fields.length + rest.length === 0 ? '{}' : `{ ${[...fields, ...rest].join(', ')} }`
}

export function textText(w: Writer, e: Text): string {
  const inner = e.parts.map(part =>
    typeof part === 'string' ? escaped(part, e.quote) : `\${${expressionText(w, part)}}`,
  )
  return `${e.quote}${inner.join('')}${e.quote}`
}

function escaped(text: string, quote: Quote): string {
  if (quote === '"""') return text.replaceAll('${', '\\${')
  return text.replace(/[\\"'`\p{Cc}]|\$(?=\{)/gu, c => {
    if (c === '"' || c === "'" || c === '`') return c === quote ? `\\${c}` : c
    if (c === '\n' && quote === '`') return c
    if (c === '\\' || c === '$') return `\\${c}`
    return NAMED[c] ?? `\\u{${c.charCodeAt(0).toString(16)}}`
  })
}

const NAMED: { readonly [c: string]: string } = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

export function typeText(w: Writer, t: Type): string {
  return once(w, t, () => typeOf(w, t))
}

function typeOf(w: Writer, t: Type): string {
  switch (t.kind) {
    case 'typeName':
      return t.name.text + (t.args.length > 0 ? `<${t.args.map(each => typeText(w, each)).join(', ')}>` : '')
    case 'typeList':
      return `${heldType(w, t.of, 3)}[]`
    case 'typeUnion':
      return t.of.map(each => heldType(w, each, 1)).join(' | ')
    case 'typeBoth':
      return t.of.map(each => heldType(w, each, 2)).join(' & ')
    case 'typeLiteral':
      return JSON.stringify(t.value).replaceAll('${', '\\${')
    case 'typeKeyof':
      return `keyof ${heldType(w, t.of, 2)}`
    case 'typeFunction': {
      const params = t.params.map(each => {
        const of = each.name ? `${each.name.text}${each.optional ? '?' : ''}: ` : ''
        return `${each.rest ? '...' : ''}${of}${typeText(w, each.type)}`
      })
      return `(${params.join(', ')}) -> ${typeText(w, t.returns)}`
    }
    case 'typeRecord': {
      const make = (): string[] => [
        ...(t.index
          ? [`[${t.index.key.text}: ${typeText(w, t.index.of)}]: ${typeText(w, t.index.value)}`]
          : []),
        ...t.fields.map(each => fieldText(w, each)),
      ]
      if (t.fields.length === 0 && !t.index) return '{}'
      // Made once: what is nested would be made twice at each depth.
      const texts = deeper(w, make)
      const flat = `{ ${texts.join('; ')} }`
      const plain = !t.fields.some(each => each.schemas.length > 0) && !w.options.before
      if (plain && flat.length < 60 && !flat.includes('\n')) return flat
      return recordLines(w, t.fields, t.end, texts)
    }
    case 'typeWrong':
      return ''
  }
}

function recordLines(w: Writer, fields: readonly TypeField[], end: number, texts: string[]): string {
  const { before, last, behind } = w.options
  const lines = deeper(w, () => {
    const head = texts.slice(0, texts.length - fields.length).map(each => `${w.indent}${each};`)
    const rest = fields.flatMap((field, i) => [
      ...(before?.(field, i === 0) ?? []).map(line => (line === '' ? '' : w.indent + line)),
      `${w.indent}${texts[head.length + i]};${behind?.(field) ?? ''}`,
    ])
    return [...head, ...rest, ...(last?.(end) ?? []).map(line => (line === '' ? '' : w.indent + line))]
  })
  return `{\n${lines.join('\n')}\n${w.indent}}`
}

function fieldText(w: Writer, f: TypeField): string {
  const schemas = f.schemas.map(each => `${schemaText(w, each)}\n${w.indent}`).join('')
  const name = f.quoted ? JSON.stringify(f.name.text).replaceAll('${', '\\${') : f.name.text
  return `${schemas}${name}${f.optional ? '?' : ''}: ${typeText(w, f.type)}`
}

/** 1: inside of a union, 2: inside of `&` and keyof, 3: before `[]`. */
function heldType(w: Writer, t: Type, level: number): string {
  const own =
    t.kind === 'typeFunction' ||
    (t.kind === 'typeLiteral' && typeof t.value === 'number' && t.value < 0 && level === 3)
      ? 0
      : t.kind === 'typeUnion'
        ? 0
        : t.kind === 'typeBoth'
          ? 1
          : t.kind === 'typeKeyof'
            ? 2
            : 3
  const text = typeText(w, t)
  return own < level ? `(${text})` : text
}
