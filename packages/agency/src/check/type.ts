// Types as the checker knows them, and how people are shown them.
import type { Schema, TypeDef } from '../syntax/ast.ts'

export type Ty =
  | { kind: 'any' | 'never' | 'string' | 'number' | 'boolean' | 'null' | 'void' | 'record' }
  | { kind: 'literal'; value: string | number | boolean }
  | { kind: 'list'; of: Ty }
  /** `Record<K, V>` */
  | { kind: 'map'; key: Ty; value: Ty }
  | ObjectTy
  | { kind: 'union'; of: readonly Ty[] }
  | FunctionTy
  | { kind: 'result'; of: Ty; state?: 'success' | 'failure' }
  | AliasTy
  | { kind: 'param'; name: string; of: object }

export interface ObjectTy {
  kind: 'object'
  fields: ReadonlyMap<string, FieldTy>
}

export interface FieldTy {
  type: Ty
  optional: boolean
  /** What its `@jsonSchema` lines say. */
  schemas?: readonly Schema[]
}

export interface ParamTy {
  name: string
  type: Ty
  optional: boolean
  rest: boolean
  /** It has a default. */
  default: boolean
}

export interface FunctionTy {
  kind: 'function'
  params: readonly ParamTy[]
  returns: Ty
  /** The type parameters, where it is generic. */
  generics: readonly (Ty & { kind: 'param' })[]
}

/** A named type, which is looked into when it is needed: it may be recursive. */
export interface AliasTy {
  kind: 'alias'
  name: string
  args: readonly Ty[]
  def: Alias
}

export interface Alias {
  name: string
  node: TypeDef | undefined
  params: readonly (Ty & { kind: 'param' })[]
  /** What it stands for; computed once. */
  body: () => Ty
}

export const ANY: Ty = { kind: 'any' }
export const NEVER: Ty = { kind: 'never' }
export const STRING: Ty = { kind: 'string' }
export const NUMBER: Ty = { kind: 'number' }
export const BOOLEAN: Ty = { kind: 'boolean' }
export const NULL: Ty = { kind: 'null' }
export const VOID: Ty = { kind: 'void' }
export const RECORD: Ty = { kind: 'record' }

export function listOf(of: Ty): Ty {
  return { kind: 'list', of }
}

export function literal(value: string | number | boolean): Ty {
  return { kind: 'literal', value }
}

export function func(params: readonly (Partial<ParamTy> & { type: Ty })[], returns: Ty): FunctionTy {
  const whole = params.map(p => ({ name: '', optional: false, rest: false, default: false, ...p }))
  return { kind: 'function', params: whole, returns, generics: [] }
}

/** What a named type stands for; any other type is itself. */
export function expand(t: Ty): Ty {
  let at = t
  for (let n = 0; at.kind === 'alias' && n < 50; n++)
    at = bind(at.def.body(), bindings(at.def.params, at.args))
  return at.kind === 'alias' ? ANY : at
}

export type Bindings = ReadonlyMap<object, Ty>

export function bindings(params: readonly (Ty & { kind: 'param' })[], args: readonly Ty[]): Bindings {
  return new Map(params.map((p, i) => [p.of, args[i] ?? ANY]))
}

/** `t` with type parameters replaced. */
export function bind(t: Ty, by: Bindings): Ty {
  if (by.size === 0) return t
  switch (t.kind) {
    case 'param':
      return by.get(t.of) ?? t
    case 'list':
      return listOf(bind(t.of, by))
    case 'map':
      return { kind: 'map', key: bind(t.key, by), value: bind(t.value, by) }
    case 'object':
      return {
        kind: 'object',
        fields: new Map([...t.fields].map(([k, f]) => [k, { ...f, type: bind(f.type, by) }])),
      }
    case 'union':
      return union(t.of.map(each => bind(each, by)))
    case 'function':
      return {
        ...t,
        params: t.params.map(p => ({ ...p, type: bind(p.type, by) })),
        returns: bind(t.returns, by),
      }
    case 'result':
      return { ...t, of: bind(t.of, by) }
    case 'alias':
      return { ...t, args: t.args.map(each => bind(each, by)) }
    default:
      return t
  }
}

/** The union of types, without what is in it twice. */
export function union(types: readonly Ty[]): Ty {
  const seen: Ty[] = []
  // There may be thousands of literals.
  const literals = new Set<unknown>()
  const others: Ty[] = []
  const add = (t: Ty): void => {
    if (t.kind === 'union') t.of.forEach(add)
    else if (t.kind === 'literal') {
      if (literals.has(t.value)) return
      literals.add(t.value)
      seen.push(t)
    } else if (t.kind !== 'never' && !others.some(each => same(each, t))) {
      others.push(t)
      seen.push(t)
    }
  }
  types.forEach(add)
  const kinds = new Set<string>(others.map(t => t.kind))
  if (kinds.has('any')) return ANY
  const plain = seen.filter(t => t.kind !== 'literal' || !kinds.has(typeof t.value))
  if (
    plain.some(t => t.kind === 'literal' && t.value === true) &&
    plain.some(t => t.kind === 'literal' && t.value === false)
  ) {
    return union([...plain.filter(t => t.kind !== 'literal' || typeof t.value !== 'boolean'), BOOLEAN])
  }
  return plain.length === 0 ? NEVER : plain.length === 1 ? plain[0]! : { kind: 'union', of: plain }
}

/** The same as they are written; named types by their names. */
function same(a: Ty, b: Ty): boolean {
  if (a === b) return true
  if (a.kind !== b.kind) return false
  if (a.kind === 'literal') return a.value === (b as typeof a).value
  if (a.kind === 'alias') {
    const other = b as AliasTy
    return a.def === other.def && a.args.every((each, i) => same(each, other.args[i]!))
  }
  if (a.kind === 'param') return a.of === (b as typeof a).of
  if (a.kind === 'list') return same(a.of, (b as typeof a).of)
  if (a.kind === 'result') return a.state === (b as typeof a).state && same(a.of, (b as typeof a).of)
  if (a.kind === 'map') return same(a.key, (b as typeof a).key) && same(a.value, (b as typeof a).value)
  if (a.kind === 'object') {
    const other = b as ObjectTy
    return (
      a.fields.size === other.fields.size &&
      [...a.fields].every(([k, f]) => {
        const g = other.fields.get(k)
        return g !== undefined && g.optional === f.optional && same(f.type, g.type)
      })
    )
  }
  return !['union', 'function'].includes(a.kind)
}

/** The members of a union, named ones looked into; a type that is none is its only member. */
export function members(t: Ty, depth = 0): readonly Ty[] {
  const whole = expand(t)
  // A union that is a member of itself adds nothing to it.
  return whole.kind === 'union'
    ? depth > 20
      ? []
      : whole.of.flatMap(each => members(each, depth + 1))
    : [whole]
}

/** A literal as a variable holds it that may change. */
export function widen(t: Ty): Ty {
  if (t.kind === 'literal') return { kind: typeof t.value as 'string' | 'number' | 'boolean' }
  if (t.kind === 'union') return union(t.of.map(widen))
  return t
}

/** `t` without null and void. */
export function present(t: Ty): Ty {
  const of = members(t)
  if (!of.some(each => each.kind === 'null' || each.kind === 'void')) return t
  return union(of.filter(each => each.kind !== 'null' && each.kind !== 'void'))
}

export function mayBeNull(t: Ty): boolean {
  return members(t).some(each => each.kind === 'null' || each.kind === 'void')
}

/** A type as people write it. */
export function show(t: Ty, depth = 0): string {
  if (depth > 6) return '…'
  const inner = (each: Ty): string => show(each, depth + 1)
  switch (t.kind) {
    case 'record':
      return 'object'
    case 'literal':
      return JSON.stringify(t.value)
    case 'list':
      return t.of.kind === 'union' || t.of.kind === 'function' ? `(${inner(t.of)})[]` : `${inner(t.of)}[]`
    case 'map':
      return `Record<${inner(t.key)}, ${inner(t.value)}>`
    case 'object': {
      const fields = [...t.fields].map(
        ([k, f]) =>
          `${/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(k) ? k : JSON.stringify(k)}${f.optional ? '?' : ''}: ${inner(f.type)}`,
      )
      return fields.length === 0
        ? '{}'
        : `{ ${fields.slice(0, 12).join('; ')}${fields.length > 12 ? '; …' : ''} }`
    }
    case 'union':
      return t.of.map(each => (each.kind === 'function' ? `(${inner(each)})` : inner(each))).join(' | ')
    case 'function':
      return `${signature(t, depth)} -> ${inner(t.returns)}`
    case 'result':
      return `Result<${inner(t.of)}>`
    case 'alias':
      return t.args.length === 0 ? t.name : `${t.name}<${t.args.map(inner).join(', ')}>`
    case 'param':
      return t.name
    default:
      return t.kind
  }
}

/** The parameters of a function, in parentheses. */
export function signature(t: FunctionTy, depth = 0): string {
  const params = t.params.map(
    p =>
      `${p.rest ? '...' : ''}${p.name}${p.name && (p.optional || p.default) && !p.rest ? '?' : ''}${p.name ? ': ' : ''}${show(p.rest ? listOf(p.type) : p.type, depth + 1)}`,
  )
  return `(${params.join(', ')})`
}
