// A recipe as it is carried out: a document without faults, in the order of its work.

import type { Template } from './template.ts'
import type { Method, ParamType } from './types.ts'

export interface Plan {
  readonly about: string | undefined
  readonly kind: 'fetch' | 'action'
  readonly announce: boolean
  readonly announceText: string | undefined
  readonly sources: readonly Source[]
  readonly fields: readonly Place[]
  readonly limit: number | null
  readonly remember: readonly Remember[]
}

/** One request, or one for each entry of an earlier answer. */
export interface Source {
  readonly letter: string
  readonly method: Method
  readonly path: Template
  /** The pairs of the query that stand in the url. */
  readonly query: readonly Template[]
  readonly params: readonly Param[]
  /** Which placeholders of the url are parameters, and which read an earlier answer. */
  readonly refs: ReadonlyMap<string, Ref>
  readonly each: Place | undefined
}

/** Where a parameter goes: into the url at its placeholder, into the query, or into the body. */
export type Where = 'url' | 'query' | 'body'

export interface Param {
  readonly from: 'llm' | 'fixed' | 'variable'
  /** As it is written. */
  readonly name: string
  readonly keys: readonly string[]
  readonly type: ParamType
  readonly required: boolean
  /** Of `fixed` the value, of `variable` the name, of `llm` what the model is told. */
  readonly value: unknown
  readonly values: readonly unknown[] | undefined
  /** The fields of an object, or of the entries of an array. */
  readonly fields: readonly Param[] | undefined
  readonly where: Where
  /** What the placeholders in a fixed text read. */
  readonly refs: ReadonlyMap<string, Ref>
}

/** What a placeholder reads: a parameter, the current entry of a loop, or the answer of an earlier source. */
export type Ref =
  | { of: 'param'; name: string }
  | { of: 'item'; keys: readonly string[] }
  | ({ of: 'source' } & Place)

/** A place in the answer of a source. */
export interface Place {
  readonly source: string
  readonly keys: readonly string[]
}

export interface Remember extends Place {
  /** The path as it is written, or what `as` names. */
  readonly as: string
}
