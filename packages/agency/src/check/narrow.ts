// What a condition says about the types of names and fields, where it holds and where it does not.
import type { Expression } from '../syntax/ast.ts'
import { assignable } from './assign.ts'
import type { Checker } from './checker.ts'
import { find, type Sym } from './scope.ts'
import { expand, members, NULL, type Ty, union } from './type.ts'

/** What is known of names (`3`) and of their fields (`3.answer`) beyond their types. */
export type Facts = ReadonlyMap<string, Ty>

export type Said = readonly (readonly [path: string, type: Ty])[]

/** The path of a name or of a field of one; nothing for anything else. */
export function pathOf(c: Checker, e: Expression): string | undefined {
  if (e.kind === 'name') {
    const sym = find(c.scope, e.text)
    return sym && ['const', 'let', 'param'].includes(sym.kind) ? String(idOf(c, sym)) : undefined
  }
  if (e.kind === 'member') {
    const of = pathOf(c, e.of)
    return of === undefined ? undefined : `${of}.${e.name.text}`
  }
  return undefined
}

function idOf(c: Checker, sym: Sym): number {
  let id = c.ids.get(sym)
  if (id === undefined) {
    id = c.ids.size + 1
    c.byId[id] = sym
    c.ids.set(sym, id)
  }
  return id
}

export function withSaid(facts: Facts, said: Said): Facts {
  if (said.length === 0) return facts
  const made = new Map(facts)
  for (const [path, type] of said) made.set(path, type)
  return made
}

/** What `path` holds was replaced: nothing is known of its fields any more. */
export function forget(facts: Facts, path: string): Facts {
  const made = new Map([...facts].filter(([each]) => each !== path && !each.startsWith(`${path}.`)))
  return made
}

/** What holds wherever one of two ways was taken. */
export function joined(a: Facts, b: Facts): Facts {
  if (a === b) return a
  const made = new Map<string, Ty>()
  for (const [path, type] of a) {
    const other = b.get(path)
    if (other) made.set(path, type === other ? type : union([type, other]))
  }
  return made
}

/** What still holds once other code may have run: nothing of names that are set anew. `everywhere`: of those of the file. */
export function lasting(c: Checker, everywhere = false): Facts {
  if (c.facts.size === 0 || c.assigned.size === 0) return c.facts
  const stays = ([path]: readonly [string, Ty]): boolean => {
    const dot = path.indexOf('.')
    const id = Number(dot < 0 ? path : path.slice(0, dot))
    const sym = c.byId[id]
    return !c.assigned.has(sym?.name ?? '') || (everywhere && sym?.level !== 0)
  }
  const left = [...c.facts].filter(stays)
  return left.length === c.facts.size ? c.facts : new Map(left)
}

/** What is known where `e` holds (`yes`) or does not. Its types have been inferred. */
export function said(c: Checker, e: Expression, yes: boolean): Said {
  switch (e.kind) {
    case 'unary':
      return e.operator === '!' ? said(c, e.value, !yes) : []
    case 'binary':
      if (e.operator === '&&' || e.operator === '||')
        return saidOfBoth(c, e.left, e.right, e.operator === '&&', yes)
      if (e.operator === '==' || e.operator === '!=')
        return saidOfEqual(c, e.left, e.right, (e.operator === '==') === yes)
      return []
    case 'call': {
      const name = e.callee.kind === 'name' ? e.callee.text : ''
      const of = e.args[0]?.value
      if (!of || (name !== 'isSuccess' && name !== 'isFailure')) return []
      const path = pathOf(c, of)
      if (path === undefined) return []
      const state = (name === 'isSuccess') === yes ? 'success' : 'failure'
      const type = members(typeAt(c, of)).filter(t => t.kind !== 'result' || !t.state || t.state === state)
      return [[path, union(type.map(t => (t.kind === 'result' ? { ...t, state } : t)))]]
    }
    case 'name':
    case 'member': {
      const path = pathOf(c, e)
      if (path === undefined) return []
      return [
        [path, union(members(typeAt(c, e)).filter(t => mayBe(t, yes)))],
        ...discriminated(c, e, t => mayBe(t, yes)),
      ]
    }
    default:
      return []
  }
}

/** The type of an expression as it is known here. */
function typeAt(c: Checker, e: Expression): Ty {
  const path = pathOf(c, e)
  return (path !== undefined && c.facts.get(path)) || c.types.get(e) || { kind: 'any' }
}

function mayBe(t: Ty, truthy: boolean): boolean {
  if (t.kind === 'null' || t.kind === 'void') return !truthy
  if (t.kind === 'literal') return truthy === Boolean(t.value)
  if (['object', 'list', 'map', 'function', 'result', 'record'].includes(t.kind)) return truthy
  return true
}

function saidOfBoth(c: Checker, left: Expression, right: Expression, and: boolean, yes: boolean): Said {
  if (and !== yes) return saidOfEither(c, left, right, yes)
  const first = said(c, left, yes)
  const { facts } = c
  c.facts = withSaid(facts, first)
  const second = said(c, right, yes)
  c.facts = facts
  return [...first, ...second]
}

/** What holds whichever of two conditions it was: a name that both speak of is one or the other. */
function saidOfEither(c: Checker, left: Expression, right: Expression, yes: boolean): Said {
  const first = new Map(said(c, left, yes))
  if (first.size === 0) return []
  const { facts } = c
  c.facts = withSaid(facts, said(c, left, !yes))
  const second = new Map(said(c, right, yes))
  c.facts = facts
  return [...first].flatMap(([path, type]) => {
    const other = second.get(path)
    return other ? [[path, union([type, other])] as const] : []
  })
}

function saidOfEqual(c: Checker, left: Expression, right: Expression, equal: boolean): Said {
  const value = literalOf(right)
  if (!value) {
    const turned = literalOf(left)
    return turned ? saidOfEqual(c, right, left, equal) : []
  }
  const fits = (t: Ty): boolean =>
    value.kind === 'null'
      ? equal
        ? t.kind === 'null' || t.kind === 'void' || t.kind === 'any' || t.kind === 'param'
        : t.kind !== 'null' && t.kind !== 'void'
      : equal
        ? assignable(value, t)
        : !(t.kind === 'literal' && value.kind === 'literal' && t.value === value.value)
  const path = pathOf(c, left)
  if (path === undefined) return []
  const type = union(
    members(typeAt(c, left))
      .filter(fits)
      .map(t => (equal && t.kind !== 'any' ? value : t)),
  )
  return [[path, type], ...discriminated(c, left, fits)]
}

/** A test of a field says which members of a union the record around it can be. */
export function discriminated(c: Checker, e: Expression, fits: (t: Ty) => boolean): Said {
  if (e.kind !== 'member') return []
  const path = pathOf(c, e.of)
  if (path === undefined) return []
  const of = members(typeAt(c, e.of))
  if (of.length < 2) return []
  const left = of.filter(t => {
    if (t.kind !== 'object') return true
    const field = t.fields.get(e.name.text)
    const has = field ? [...members(field.type), ...(field.optional ? [NULL] : [])] : [NULL]
    return has.some(fits)
  })
  return left.length === of.length ? [] : [[path, union(left)]]
}

export function literalOf(e: Expression): Ty | undefined {
  if (e.kind === 'null') return NULL
  if (e.kind === 'boolean' || e.kind === 'number') return { kind: 'literal', value: e.value }
  if (e.kind === 'unary' && e.operator === '-' && e.value.kind === 'number')
    return { kind: 'literal', value: -e.value.value }
  if (e.kind === 'text' && e.parts.every(part => typeof part === 'string'))
    return { kind: 'literal', value: e.parts.join('') }
  return undefined
}

/** The members of `t` that `fits` lets through, named ones looked into. */
export function only(t: Ty, fits: (t: Ty) => boolean): Ty {
  const of = members(t)
  const left = of.filter(fits)
  return left.length === of.length ? t : union(left.map(each => expand(each)))
}
