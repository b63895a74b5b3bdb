// Standard Schema 1 and Standard JSON Schema 1.1 (https://standardschema.dev): what value words give, and what is
// taken of other libraries.

/** What stands under `~standard` of a schema. */
export interface Standard<out Given = unknown, out Value = unknown> {
  readonly version: 1
  readonly vendor: string
  readonly validate: (value: unknown) => StandardResult<Value> | Promise<StandardResult<Value>>
  /** Never there at run time: it carries the types. */
  readonly types?: { readonly input: Given; readonly output: Value } | undefined
  readonly jsonSchema: {
    /** The JSON Schema of what may be given. Throws for a target that is not known. */
    readonly input: (options: StandardTarget) => Record<string, unknown>
    /** The JSON Schema of what it is read as. Throws for a target that is not known. */
    readonly output: (options: StandardTarget) => Record<string, unknown>
  }
}

/** What a validation gives. */
export type StandardResult<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** The dialect that is asked for: 'draft-2020-12', 'draft-07' or another. */
export interface StandardTarget {
  readonly target: string
  readonly libraryOptions?: Record<string, unknown> | undefined
}

/**
 * A schema of another library. `Given` is what may be given, `Value` what it is read as. That it can give its JSON
 * Schema is seen when it is used: its type does not say so for every library.
 */
export interface StandardSchema<out Given = unknown, out Value = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<Value> | Promise<StandardResult<Value>>
    readonly types?: { readonly input: Given; readonly output: Value } | undefined
  }
}

/** What stands under `~standard` of a value, functions included (an arktype schema is one); else undefined. */
export function standardOf(value: unknown): Partial<Standard> | undefined {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined
  const standard: unknown = Reflect.get(value, '~standard')
  return typeof standard === 'object' && standard !== null ? standard : undefined
}
