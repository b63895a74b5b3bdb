// TypeScript's own types: those that say something about JSON, and what to write in place of the others.
import type { TSType } from 'oxc-parser'
import { NO_DOC } from './doc.ts'
import { thunkOf } from './evaluate.ts'
import { type Reader, refused } from './reader.ts'
import { viewOf } from './record.ts'
import type { Scope } from './scope.ts'
import {
  type Field,
  type Index,
  literal,
  membersOf,
  plain,
  type RecordType,
  type Thunk,
  type Type,
  unionOf,
} from './types.ts'

type Span = { start: number; end: number }

/** The type that a global name means; nothing where TypeScript has none of that name. */
export function builtin(
  r: Reader,
  name: string,
  args: readonly TSType[],
  scope: Scope,
  node: Span,
): Type | undefined {
  const no = (code: string, problem: string, fix: string): Type => refused(code, problem, fix, scope, node)
  const arg = (i: number): Thunk => {
    const written = args[i]
    return written
      ? thunkOf(r, written, scope)
      : Object.assign(() => no('T2106', `${name} has no type argument`, `write ${name}<…>`), {
          key: `missing ${i}`,
        })
  }
  switch (name) {
    case 'Array':
    case 'ReadonlyArray':
      return { kind: 'array', item: arg(0) }
    case 'Record':
      return recordFrom(arg(0)(), arg(1), no)
    case 'Partial':
      return changed(arg(0)(), field => ({ ...field, optional: true }))
    case 'Required':
      return changed(arg(0)(), field => ({
        ...field,
        optional: false,
        type: without(field.type, ['undefined']),
      }))
    case 'Readonly':
    case 'NoInfer':
      return arg(0)()
    case 'NonNullable':
      return without(arg(0), ['null', 'undefined'])()
    case 'Pick':
    case 'Omit':
      return chosen(name, arg(0)(), arg(1)(), no)
    case 'Exclude':
    case 'Extract':
      return split(name, arg(0)(), arg(1)(), no)
    case 'Uppercase':
    case 'Lowercase':
    case 'Capitalize':
    case 'Uncapitalize':
      return recased(name, arg(0)(), no)
    case 'Object':
      return { kind: 'object' }
    case 'String':
    case 'Number':
    case 'Boolean':
      return no('T2101', `${name} is an object in JavaScript`, `write ${name.toLowerCase()}`)
  }
  const mend = Object.hasOwn(mends, name) ? mends[name] : undefined
  if (mend) return no('T2101', `${name} has no form in JSON`, mend)
  if (checked.has(name))
    return no('T2102', `${name} takes a type checker`, 'write out the type that it gives here')
  return undefined
}

const mends: Readonly<Record<string, string>> = {
  Date: 'write string, with the tag @format date-time in its doc comment, and make the Date inside of the function',
  Map: 'write Record<string, …>, or a list of records',
  WeakMap: 'write Record<string, …>, or a list of records',
  ReadonlyMap: 'write Record<string, …>, or a list of records',
  Set: 'write a list: T[]',
  WeakSet: 'write a list: T[]',
  ReadonlySet: 'write a list: T[]',
  Promise: 'write the type that it gives',
  PromiseLike: 'write the type that it gives',
  Function: 'leave the field out',
  Symbol: 'write a union of texts',
  BigInt: 'write number, or string for its digits',
  RegExp: 'write string',
  URL: 'write string, with the tag @format uri in its doc comment',
  Error: 'write a record with the fields that are meant',
  Blob: 'write string, for its name or its text',
  File: 'write string, for its name or its text',
  Buffer: 'write string, for its text or its base64',
  ArrayBuffer: 'write string, for its base64',
  SharedArrayBuffer: 'write string, for its base64',
  DataView: 'write string, for its base64',
  Iterable: 'write a list: T[]',
  Iterator: 'write a list: T[]',
  AsyncIterable: 'write a list: T[]',
  Generator: 'write a list: T[]',
  AsyncGenerator: 'write a list: T[]',
  ReadableStream: 'write string',
  AbortSignal: 'leave it out: a tool has ctx.signal',
  Headers: 'write Record<string, string>',
  Request: 'write a record with the fields that are meant',
  Response: 'write a record with the fields that are meant',
  ...Object.fromEntries(
    'Int8 Uint8 Uint8Clamped Int16 Uint16 Int32 Uint32 Float32 Float64 BigInt64 BigUint64'
      .split(' ')
      .map(each => [`${each}Array`, 'write number[], or string for its base64']),
  ),
}

const checked = new Set(
  'ReturnType Parameters Awaited InstanceType ConstructorParameters ThisType ThisParameterType OmitThisParameter'.split(
    ' ',
  ),
)

type No = (code: string, problem: string, fix: string) => Type

function recordFrom(keys: Type, value: Thunk, no: No): Type {
  const fields = new Map<string, Field>()
  let index: Index | undefined
  for (const key of membersOf(keys).map(plain)) {
    if (key.kind === 'refused') return key
    if (key.kind === 'literal') fields.set(String(key.value), { type: value, optional: false, doc: NO_DOC })
    else if (key.kind === 'template') index = { pattern: key.pattern, value }
    else if (key.kind === 'string' || key.kind === 'number' || key.kind === 'loose')
      index = { pattern: undefined, value }
    else return no('T2102', 'these keys are no texts', 'write Record<string, …>')
  }
  return { kind: 'record', fields, index }
}

/** A record, or each record of a union, with its fields changed. */
function changed(type: Type, change: (field: Field) => Field): Type {
  const members = membersOf(type).map(each => {
    const bare = plain(each)
    if (bare.kind !== 'record') return each
    return { ...bare, fields: new Map([...bare.fields].map(([name, field]) => [name, change(field)])) }
  })
  return unionOf(members)
}

function without(thunk: Thunk, kinds: readonly string[]): Thunk {
  const read = (): Type => {
    const type = thunk()
    const members = membersOf(type)
    const rest = members.filter(each => !kinds.includes(plain(each).kind))
    return rest.length === members.length ? type : unionOf(rest)
  }
  return Object.assign(read, { key: `(${thunk.key} without ${kinds.join()})` })
}

function chosen(name: 'Pick' | 'Omit', type: Type, keys: Type, no: No): Type {
  const bare = plain(type)
  if (bare.kind === 'refused') return bare
  const record = viewOf(type)
  if (!record) return no('T2102', `${name} is read of records only`, 'write the fields themselves')
  const names = new Set<string>()
  for (const key of membersOf(keys).map(plain)) {
    if (key.kind === 'refused') return key
    if (key.kind === 'literal') names.add(String(key.value))
    else if (key.kind !== 'never')
      return no('T2102', `these keys of ${name} are no names of fields`, `write ${name}<T, 'a' | 'b'>`)
  }
  const fields = [...record.fields].filter(([field]) => names.has(field) === (name === 'Pick'))
  const chosen: RecordType = {
    kind: 'record',
    fields: new Map(fields),
    index: name === 'Omit' ? record.index : undefined,
  }
  return chosen
}

function split(name: 'Exclude' | 'Extract', type: Type, by: Type, no: No): Type {
  const others = membersOf(by).map(plain)
  const kept: Type[] = []
  for (const each of membersOf(type)) {
    const bare = plain(each)
    if (bare.kind === 'refused') return bare
    const fits = others.map(other => assignable(bare, other))
    if (fits.includes(undefined))
      return no(
        'T2102',
        `${name} is read of texts, numbers and tagged records only`,
        'write the union that is meant',
      )
    if (fits.includes(true) === (name === 'Extract')) kept.push(each)
  }
  return unionOf(kept)
}

/** Whether a value of type `a` is always one of type `b`; nothing where it takes a type checker to tell. */
function assignable(a: Type, b: Type): boolean | undefined {
  const from = plain(a)
  const to = plain(b)
  if (to.kind === 'loose' || to.kind === 'unknown') return true
  if (to.kind === 'never') return from.kind === 'never'
  if (to.kind === 'literal') return from.kind === 'literal' && from.value === to.value
  if (from.kind === 'literal') return to.kind === typeof from.value
  if (from.kind === 'record' && to.kind === 'record') {
    for (const [name, field] of to.fields) {
      const own = from.fields.get(name)
      if (!own) return field.optional ? undefined : false
      const fits = assignable(own.type(), field.type())
      if (fits !== true) return fits
    }
    return to.index ? undefined : true
  }
  const simple = ['string', 'number', 'boolean', 'null', 'undefined']
  if (simple.includes(from.kind) || simple.includes(to.kind)) return from.kind === to.kind
  return to.kind === 'object'
    ? from.kind === 'record' || from.kind === 'array' || from.kind === 'tuple'
    : undefined
}

function recased(name: string, type: Type, no: No): Type {
  const change = (text: string): string =>
    name === 'Uppercase'
      ? text.toUpperCase()
      : name === 'Lowercase'
        ? text.toLowerCase()
        : (name === 'Capitalize' ? text.charAt(0).toUpperCase() : text.charAt(0).toLowerCase()) +
          text.slice(1)
  const members = membersOf(type).map(plain)
  const refusedOne = members.find(each => each.kind === 'refused')
  if (refusedOne) return refusedOne
  if (members.every(each => each.kind === 'literal'))
    return unionOf(members.map(each => literal(change(String((each as { value: unknown }).value)))))
  return no('T2102', `${name} is read of texts only`, 'write the texts that are meant')
}
