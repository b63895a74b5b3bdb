// What an editor asks of a file, answered from the checked tree: pure functions of it and an offset.
import type { Checked } from '../check/checker.ts'
import { fieldsOf } from '../check/members.ts'
import { type Sym, visible } from '../check/scope.ts'
import { expand, type FunctionTy, show, signature, type Ty } from '../check/type.ts'
import type { Call, Member, Name, Node, Span, Statement } from '../syntax/ast.ts'
import { walk } from '../syntax/walk.ts'

const holds = (span: Span, offset: number): boolean => span.start <= offset && offset <= span.end

/** The name at `offset` and what it stands for. */
export function symbolAt(checked: Checked, offset: number): { name: Name; sym: Sym } | undefined {
  for (const [name, sym] of checked.symbols) if (holds(name, offset)) return { name, sym }
  return undefined
}

/** Where what stands at `offset` is declared in this file. */
export function definition(checked: Checked, offset: number): Span | undefined {
  const found = symbolAt(checked, offset)
  if (found) return found.sym.declared
  const type = [...checked.typeNames.values()].find(each => holds(each, offset))
  return type?.alias?.node?.name
}

/** Each place in this file where what stands at `offset` stands. */
export function references(checked: Checked, offset: number): Span[] {
  const found = symbolAt(checked, offset)
  if (found) return found.sym.uses.toSorted((a, b) => a.start - b.start)
  const type = [...checked.typeNames.values()].find(each => holds(each, offset))
  if (!type?.alias) return []
  return [...checked.typeNames.values()].filter(each => each.alias === type.alias)
}

/** What is to be written anew where what stands at `offset` is called `to`; why not, where it cannot be. */
export function rename(checked: Checked, offset: number, to: string): Span[] | string {
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(to) || to.startsWith('__'))
    return `${JSON.stringify(to)} is no name`
  const found = symbolAt(checked, offset)
  if (found && (!found.sym.declared || found.sym.kind === 'import' || found.sym.kind === 'module'))
    return `${found.name.text} is not declared in this file`
  if (found && visible(checked.at(found.name.start)).has(to)) return `there is a ${to} here already`
  const spans = references(checked, offset)
  return spans.length > 0 ? spans : 'there is no name here'
}

/** What a person is shown of the name at `offset`: its type as it would be written, and its doc. */
export function hover(
  checked: Checked,
  offset: number,
): { span: Span; code: string; doc?: string } | undefined {
  const found = symbolAt(checked, offset)
  if (!found) {
    const type = [...checked.typeNames.values()].find(each => holds(each, offset))
    return type?.alias && { span: type, code: `type ${type.name} = ${show(type.alias.body())}` }
  }
  const { name, sym } = found
  const doc = docOf(sym)
  return { span: name, code: codeOf(sym), ...(doc ? { doc } : {}) }
}

function docOf(sym: Sym): string | undefined {
  return sym.def?.doc?.text ?? sym.doc
}

function codeOf(sym: Sym): string {
  const type = sym.type()
  if (type.kind === 'function')
    return `${sym.kind === 'node' ? 'node' : 'def'} ${sym.name}${signature(type)}: ${show(type.returns)}`
  return `${sym.kind === 'let' ? 'let' : sym.kind === 'param' ? '(parameter)' : 'const'} ${sym.name}: ${show(type)}`
}

export interface Completion {
  name: string
  kind: 'function' | 'variable' | 'field' | 'module' | 'keyword'
  code: string
  doc?: string
}

const KEYWORDS =
  'def node type const let if else for while break continue return match thread subthread import export handoff try catch in true false null'.split(
    ' ',
  )

/** What may be written at `offset`: the fields of what stands before a dot, else the names that can be used there. */
export function completions(checked: Checked, offset: number): Completion[] {
  const member = innermost(
    checked,
    offset,
    (node): node is Member => node.kind === 'member' && offset > node.of.end,
  )
  if (member) {
    const of = checked.types.get(member.of)
    const fields = of && fieldsOf(expand(of))
    return [...(fields?.fields ?? [])].map(([name, field]) => ({
      name,
      kind: 'field',
      code: show(field.type),
    }))
  }
  const names = [...visible(checked.at(offset)).values()].map((sym): Completion => {
    const doc = docOf(sym)
    const kind = sym.kind === 'module' ? 'module' : sym.type().kind === 'function' ? 'function' : 'variable'
    return { name: sym.name, kind, code: codeOf(sym), ...(doc ? { doc } : {}) }
  })
  return [...names, ...KEYWORDS.map((name): Completion => ({ name, kind: 'keyword', code: name }))]
}

/** The call around `offset`: what it calls, and which of its parameters stands there. */
export function signatureHelp(
  checked: Checked,
  offset: number,
): { code: string; params: string[]; active: number; doc?: string } | undefined {
  const call = innermost(
    checked,
    offset,
    (node): node is Call =>
      node.kind === 'call' && offset > node.callee.end && offset < (node.block?.start ?? node.end),
  )
  const type = call && (checked.calls.get(call) ?? functionOf(checked.types.get(call.callee)))
  if (!call || !type) return undefined
  const params = type.params.map(
    p => `${p.rest ? '...' : ''}${p.name}${p.optional && !p.default ? '?' : ''}: ${show(p.type)}`,
  )
  const before = call.args.filter(arg => arg.end < offset)
  const named = call.args.find(arg => arg.name && holds(arg, offset))?.name?.text
  const at = named === undefined ? before.length : type.params.findIndex(p => p.name === named)
  const active = Math.min(Math.max(0, at), Math.max(0, params.length - 1))
  const name = call.callee.kind === 'name' ? call.callee : undefined
  const doc = name && docOf(checked.symbols.get(name) ?? ({} as Sym))
  return {
    code: `${name?.text ?? ''}(${params.join(', ')}) -> ${show(type.returns)}`,
    params,
    active,
    ...(doc ? { doc } : {}),
  }
}

function functionOf(type: Ty | undefined): FunctionTy | undefined {
  const whole = type && expand(type)
  return whole?.kind === 'function' ? whole : undefined
}

export interface Outline {
  name: string
  kind: 'function' | 'node' | 'type' | 'variable'
  span: Span
  at: Span
}

/** What the file declares, in its order. */
export function outline(checked: Checked): Outline[] {
  const one = (s: Statement): Outline[] => {
    if (s.kind === 'def')
      return [{ name: s.name.text, kind: s.node ? 'node' : 'function', span: s, at: s.name }]
    if (s.kind === 'typeDef') return [{ name: s.name.text, kind: 'type', span: s, at: s.name }]
    if (s.kind === 'let' && s.pattern.kind === 'name')
      return [{ name: s.pattern.text, kind: 'variable', span: s, at: s.pattern }]
    return []
  }
  return checked.program.body.flatMap(one).filter(each => each.name !== '')
}

export type Meaning = 'function' | 'variable' | 'parameter' | 'type' | 'namespace'

/** What each name means, in the order of the source. */
export function meanings(checked: Checked): { span: Span; meaning: Meaning; declares: boolean }[] {
  const found = [...checked.symbols].map(([name, sym]) => {
    const meaning: Meaning =
      sym.kind === 'param'
        ? 'parameter'
        : sym.kind === 'module'
          ? 'namespace'
          : sym.type().kind === 'function'
            ? 'function'
            : 'variable'
    return { span: name as Span, meaning, declares: sym.declared === name }
  })
  const types = [...checked.typeNames.values()].map(span => {
    return {
      span: span as Span,
      meaning: 'type' as const,
      declares: span.alias?.node?.name.start === span.start,
    }
  })
  const all = [...found, ...types].filter(({ span }) => span.end > span.start)
  all.sort((a, b) => a.span.start - b.span.start)
  // A name has one meaning: what is imported as a type and a value is told once.
  return all.filter(({ span }, i) => i === 0 || all[i - 1]!.span.end <= span.start)
}

function innermost<N extends Node>(
  checked: Checked,
  offset: number,
  fits: (node: Node) => node is N,
): N | undefined {
  let found: N | undefined
  walk(checked.program, node => {
    if (node.kind !== 'program' && !holds(node, offset)) return false
    if (fits(node)) found = node
    return true
  })
  return found
}
