// What a type is, once its syntax is read: a small algebra of what JSON can hold.
import type { TypeFault } from '../faults.ts'
import type { Doc } from './doc.ts'

/** A type that is read when it is asked for; the same type gives the same object each time. */
export interface Thunk {
  /** Two thunks of one key are the same type. */
  readonly key: string
  (): Type
}

/** A field of a record. */
export interface Field {
  readonly type: Thunk
  readonly optional: boolean
  readonly doc: Doc
}

/** The fields that are not named: those whose name fits `pattern`, or all. */
export interface Index {
  readonly pattern: string | undefined
  readonly value: Thunk
}

export type Literal = string | number | boolean

export interface RecordType {
  readonly kind: 'record'
  readonly fields: ReadonlyMap<string, Field>
  readonly index: Index | undefined
}

export interface TupleItem {
  readonly type: Thunk
  readonly optional: boolean
  readonly name: string | undefined
}

export type Type =
  | { readonly kind: 'string' | 'number' | 'boolean' | 'null' | 'undefined' | 'unknown' | 'never' | 'object' }
  /** A template literal: a text that fits the pattern. */
  | { readonly kind: 'template'; readonly pattern: string }
  | { readonly kind: 'literal'; readonly value: Literal }
  | { readonly kind: 'array'; readonly item: Thunk }
  | { readonly kind: 'tuple'; readonly items: readonly TupleItem[]; readonly rest: Thunk | undefined }
  | RecordType
  | { readonly kind: 'union'; readonly members: readonly Type[] }
  /** A declared name. What is recursive, is so through one of these. */
  | { readonly kind: 'named'; readonly name: string; readonly doc: Doc; readonly type: Thunk }
  /** What has no form in JSON. It is told only if it is needed. */
  | { readonly kind: 'refused'; readonly fault: TypeFault }
  /** It is let through, and a person is told. */
  | { readonly kind: 'loose'; readonly warning: TypeFault }

/** A type without its names. */
export function plain(type: Type): Exclude<Type, { kind: 'named' }> {
  let now = type
  while (now.kind === 'named') now = now.type()
  return now
}

/** A thunk of a type that is there already. */
export function ready(type: Type, key: string): Thunk {
  return Object.assign(() => type, { key })
}

/** A thunk that reads once. */
export function once(key: string, read: () => Type): Thunk {
  let made: Type | undefined
  return Object.assign(
    () => {
      made ??= read()
      return made
    },
    { key },
  )
}

/** The members of a type: of a union its own, without names; of another the type itself. */
export function membersOf(type: Type): readonly Type[] {
  const bare = plain(type)
  return bare.kind === 'union' ? bare.members : [type]
}

/** The union of `types`: flat, `never` left out; a single member is no union. */
export function unionOf(types: readonly Type[]): Type {
  const members = types
    .flatMap(type => {
      const bare = plain(type)
      // A name that turns out to mean itself is refused here, before it means this union.
      if (bare.kind === 'refused') return [bare]
      return bare.kind === 'union' ? bare.members : [type]
    })
    .filter(type => plain(type).kind !== 'never')
  if (members.length === 0) return { kind: 'never' }
  return members.length === 1 ? members[0]! : { kind: 'union', members }
}

export function literal(value: Literal): Type {
  return { kind: 'literal', value }
}
