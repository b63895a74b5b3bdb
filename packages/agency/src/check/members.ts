// Fields of values: of records, and what lists, strings, numbers and results bring along.
import { parse } from '../parse/parse.ts'
import type { Member } from '../syntax/ast.ts'
import { type Checker, tell } from './checker.ts'
import { alias, type Types } from './declare.ts'
import { MEMBERS } from './prelude.ts'
import { nearest } from './scope.ts'
import {
  type Alias,
  ANY,
  BOOLEAN,
  expand,
  members,
  NULL,
  type ObjectTy,
  present,
  STRING,
  show,
  type Ty,
  union,
} from './type.ts'

let builtin: Map<string, Alias> | undefined

/** The fields of a kind of value that comes with the language. */
function builtinOf(name: string, args: readonly Ty[]): ObjectTy {
  if (!builtin) {
    const types: Types = {
      names: new Map(),
      params: new Map(),
      around: undefined,
      fault: () => {},
      use: () => {},
    }
    for (const each of parse(MEMBERS).program.body)
      if (each.kind === 'typeDef') types.names.set(each.name.text, alias(each, types))
    builtin = types.names
  }
  const def = builtin.get(name)!
  return expand({ kind: 'alias', name, args, def }) as ObjectTy
}

/** The fields that can be used on `t`, for completion too. */
export function fieldsOf(t: Ty): ObjectTy | undefined {
  switch (t.kind) {
    case 'object':
      return t
    case 'list':
      return builtinOf('List', [t.of])
    case 'string':
      return builtinOf('Text', [])
    case 'number':
      return builtinOf('Amount', [])
    case 'literal':
      return fieldsOf({ kind: typeof t.value as 'string' | 'number' | 'boolean' })
    case 'result':
      return {
        kind: 'object',
        fields: new Map([
          ['value', { type: t.state === 'failure' ? NULL : t.of, optional: false }],
          ['error', { type: t.state === 'success' ? NULL : ANY, optional: false }],
          ['data', { type: ANY, optional: false }],
          ['success', { type: BOOLEAN, optional: false }],
        ]),
      }
    case 'function':
      return {
        kind: 'object',
        fields: new Map([
          ['name', { type: STRING, optional: false }],
          ['description', { type: STRING, optional: false }],
        ]), // prettier
      }
    default:
      return undefined
  }
}

/** The type of `e`, a field of a value of the type `of`. */
export function memberOf(c: Checker, e: Member, of: Ty): Ty {
  const { name } = e
  const rest = present(of)
  if (rest !== of || of.kind === 'null') {
    if (!e.optional && name.text !== '')
      tell(
        c,
        'A3002',
        name,
        `this may be null, and null has no field \`${name.text}\``,
        'test it first, or write ?.',
      )
    return rest.kind === 'never' ? NULL : union([field(c, e, rest), ...(e.optional ? [NULL] : [])])
  }
  return field(c, e, of)
}

function field(c: Checker, e: Member, of: Ty): Ty {
  const { name } = e
  if (name.text === '') return ANY
  const each = members(of)
  const lacking: Ty[] = []
  const types = each.map((t): Ty => {
    if (t.kind === 'any' || t.kind === 'record' || t.kind === 'never' || t.kind === 'param') return ANY
    if (t.kind === 'map') return t.value
    const found = fieldsOf(t)?.fields.get(name.text)
    if (!found) {
      lacking.push(t)
      return ANY
    }
    return found.optional ? union([found.type, NULL]) : found.type
  })
  if (lacking.length > 0) {
    const known = fieldsOf(lacking[0]!)?.fields.keys() ?? []
    const near = nearest(name.text, known)
    const some = each.length > lacking.length
    const hint = near
      ? `did you mean \`${near}\`?`
      : some
        ? 'find out first which it is: with if, or match'
        : undefined
    tell(c, 'A3002', name, `${show(some ? lacking[0]! : of)} has no field \`${name.text}\``, hint)
    return ANY
  }
  return union(types)
}
