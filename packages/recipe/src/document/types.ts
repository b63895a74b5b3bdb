// A recipe as it is written: the keys of the requirement, and what may be left out.
import type { Json } from '@toolwright/core'

/** A recipe: which requests a tool sends, where the values come from, and what the agent sees of the answer. */
export interface RecipeDocument {
  /** Where the JSON Schema of recipes is, for editors. */
  $schema?: string
  /** What the tool does, as the model is told; `recipe(…, { about })` beats it. */
  about?: string
  /** `fetch` reads data, `action` sets something off. */
  kind: 'fetch' | 'action'
  /** Whether the agent says something while the tool works [false]. */
  announce?: boolean
  /** What it says. */
  announce_text?: string
  /** The requests, named a, b, c … and sent in this order. */
  sources: { readonly [letter: string]: SourceDocument }
  output: OutputDocument
}

/** One request. */
export interface SourceDocument {
  method: Method
  /** A path relative to the connection's base URL; `{{name}}` puts a parameter in. */
  url: string
  /** Sends the request once for each entry of an earlier one: `"a"`, or `"a.results"`. */
  for_each_of?: string
  params?: readonly ParamDocument[]
}

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Method = (typeof METHODS)[number]

export const TYPES = ['string', 'integer', 'number', 'boolean', 'array', 'object'] as const
export type ParamType = (typeof TYPES)[number]

export const FROM = ['llm', 'fixed', 'variable'] as const

/** A parameter, or a field of one. */
export interface ParamDocument {
  from: (typeof FROM)[number]
  /** Dots make nested fields: `address.street`, `items.0.sku`. */
  name: string
  /** Of `llm` what the model is told, of `fixed` the value, of `variable` the variable's name. */
  value?: Json
  type: ParamType
  /** [false] */
  required?: boolean
  /** The fields of an `array` or an `object`. */
  fields?: readonly ParamDocument[]
  /** The values that are allowed. */
  values?: readonly Json[]
}

export interface OutputDocument {
  /** Which fields of the answer the agent sees. */
  fields: readonly string[]
  /** How many entries of a list it sees; null: all [null]. */
  limit?: number | null
  /** Fields that are kept for later tools [none]. */
  remember?: readonly (string | { path: string; as: string })[]
}
