// Types as they are written to types as the checker knows them.
import type { Schema, Type, TypeDef } from '../syntax/ast.ts'
import type { AgencyFault } from '../syntax/fault.ts'
import { nearest } from './scope.ts'
import {
  type Alias,
  ANY,
  BOOLEAN,
  expand,
  type FieldTy,
  listOf,
  literal,
  members,
  NEVER,
  NULL,
  NUMBER,
  RECORD,
  STRING,
  type Ty,
  union,
  VOID,
} from './type.ts'

export interface Types {
  names: Map<string, Alias>
  params: Map<string, Ty & { kind: 'param' }>
  around: Types | undefined
  fault: (fault: AgencyFault) => void
  /** Told of each name that stands for a type. */
  use: (name: { text: string; start: number; end: number }, alias: Alias | undefined) => void
}

const PLAIN: { readonly [name: string]: Ty } = {
  string: STRING,
  number: NUMBER,
  boolean: BOOLEAN,
  any: ANY,
  void: VOID,
  object: RECORD,
  never: NEVER,
  unknown: ANY,
} // prettier

/** Types that take others, and how many. */
const GENERIC: { readonly [name: string]: readonly [least: number, most: number] } = {
  Array: [1, 1],
  Record: [2, 2],
  Result: [0, 2],
}

export const TYPE_WORDS = [...Object.keys(PLAIN), ...Object.keys(GENERIC), 'null']

export function typeOf(t: Type, types: Types): Ty {
  switch (t.kind) {
    case 'typeName':
      return named(t, types)
    case 'typeList':
      return listOf(typeOf(t.of, types))
    case 'typeUnion':
      return union(t.of.map(each => typeOf(each, types)))
    case 'typeLiteral':
      return t.value === null ? NULL : literal(t.value)
    case 'typeRecord': {
      if (t.index)
        return {
          kind: 'map',
          key: typeOf(t.index.of, types),
          value: union([typeOf(t.index.value, types), ...t.fields.map(f => typeOf(f.type, types))]),
        }
      const fields = new Map<string, FieldTy>()
      for (const f of t.fields) {
        if (fields.has(f.name.text) && f.name.text !== '')
          types.fault({
            code: 'A2002',
            start: f.name.start,
            end: f.name.end,
            message: `the field \`${f.name.text}\` is stated twice`,
            hint: undefined,
          })
        const own: FieldTy = { type: typeOf(f.type, types), optional: f.optional }
        fields.set(f.name.text, f.schemas.length > 0 ? { ...own, schemas: f.schemas } : own)
      }
      return { kind: 'object', fields }
    }
    case 'typeFunction': {
      const params = t.params.map((p, i) => {
        const of = typeOf(p.type, types)
        const type = p.rest && of.kind === 'list' ? of.of : of
        return {
          name: p.name?.text ?? `value${t.params.length > 1 ? i + 1 : ''}`,
          type,
          optional: p.optional,
          rest: p.rest,
          default: false,
        }
      })
      return { kind: 'function', params, returns: typeOf(t.returns, types), generics: [] }
    }
    case 'typeBoth':
      return both(t.of.map(each => typeOf(each, types)))
    case 'typeKeyof': {
      const keys = members(typeOf(t.of, types)).flatMap((of): Ty[] =>
        of.kind === 'object' ? [...of.fields.keys()].map(literal) : of.kind === 'map' ? [of.key] : [STRING],
      )
      return union(keys)
    }
    case 'typeWrong':
      return ANY
  }
}

function both(of: readonly Ty[]): Ty {
  const fields = new Map<string, FieldTy>()
  for (const each of of.map(expand)) {
    if (each.kind !== 'object') return of.length === 1 ? of[0]! : each.kind === 'any' ? ANY : narrower(of)
    for (const [name, field] of each.fields) {
      const before = fields.get(name)
      fields.set(name, before ? { ...field, optional: before.optional && field.optional } : field)
    }
  }
  return { kind: 'object', fields }
}

/** `A & B` of what is not two records: the members that are in each. */
function narrower(of: readonly Ty[]): Ty {
  const [first, ...rest] = of
  const shared = members(first!).filter(each =>
    rest.every(other => members(other).some(m => m.kind === each.kind)),
  )
  return union(shared)
}

function named(t: Extract<Type, { kind: 'typeName' }>, types: Types): Ty {
  const { text } = t.name
  const args = t.args.map(each => typeOf(each, types))
  const fault = (code: 'A3003', message: string, hint?: string): Ty => {
    types.fault({ code, start: t.start, end: t.end, message, hint })
    return ANY
  }
  const count = (least: number, most: number): boolean => {
    if (args.length >= least && args.length <= most) return true
    const many = least === most ? `${least}` : `${least} to ${most}`
    fault(
      'A3003',
      `\`${text}\` takes ${many === '0' ? 'no types' : `${many} type${most === 1 ? '' : 's'}`}, and ${args.length} ${args.length === 1 ? 'is' : 'are'} given`,
    )
    return false
  }
  let alias: Alias | undefined
  for (let at: Types | undefined = types; at; at = at.around) {
    const param = at.params.get(text)
    if (param) return param
    alias = at.names.get(text)
    if (alias) break
  }
  if (alias) {
    types.use(t.name, alias)
    if (!count(alias.params.length, alias.params.length)) return ANY
    return { kind: 'alias', name: text, args, def: alias }
  }
  if (Object.hasOwn(PLAIN, text)) return count(0, 0) ? PLAIN[text]! : ANY
  if (Object.hasOwn(GENERIC, text)) {
    const [least, most] = GENERIC[text]!
    if (!count(least, most)) return ANY
    if (text === 'Array') return listOf(args[0]!)
    if (text === 'Record') return { kind: 'map', key: args[0]!, value: args[1]! }
    return { kind: 'result', of: args[0] ?? ANY }
  }
  const known = [...TYPE_WORDS]
  for (let at: Types | undefined = types; at; at = at.around)
    known.push(...at.names.keys(), ...at.params.keys())
  const meant = MEANT.get(text) ?? nearest(text, known)
  return fault('A3003', `there is no type \`${text}\``, meant && `did you mean \`${meant}\`?`)
}

const MEANT = new Map(
  Object.entries({
    String: 'string',
    Number: 'number',
    Boolean: 'boolean',
    bool: 'boolean',
    int: 'number',
    integer: 'number',
    float: 'number',
    str: 'string',
    Object: 'object',
    Any: 'any',
    Void: 'void',
    Map: 'Record',
    List: 'Array',
    Function: '() -> any',
  }),
) // prettier

/** A `type` as an alias, looked into when it is needed. */
export function alias(node: TypeDef, types: Types): Alias {
  const params = node.typeParams.map(p => ({ kind: 'param' as const, name: p.text, of: p }))
  const inner: Types = {
    ...types,
    names: new Map(),
    params: new Map(params.map(p => [p.name, p])),
    around: types,
  }
  let body: Ty | undefined
  let busy = false
  return {
    name: node.name.text,
    node,
    params,
    body() {
      if (body) return body
      // What needs to know itself to be known is nothing.
      if (busy) {
        const { name } = node
        types.fault({
          code: 'A3003',
          start: name.start,
          end: name.end,
          message: `the type \`${name.text}\` leads to itself`,
          hint: undefined,
        })
        return ANY
      }
      busy = true
      body = typeOf(node.type, inner)
      busy = false
      return body
    },
  }
}

/** What the `@jsonSchema` lines of a type say, its own first. */
export function schemasOf(t: Ty): readonly Schema[] {
  return t.kind === 'alias' ? (t.def.node?.schemas ?? []) : []
}
