// Standard Schema 1 and Standard JSON Schema 1.1 (https://standardschema.dev), as far as value words give them.

/** What stands under `~standard` of a schema. */
export interface Standard<out Given, out Value> {
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
  readonly path?: readonly (string | number)[] | undefined
}

/** The dialect that is asked for: 'draft-2020-12', 'draft-07' or another. */
export interface StandardTarget {
  readonly target: string
  readonly libraryOptions?: Record<string, unknown> | undefined
}

/** What stands under `~standard` of a value, functions included (an arktype schema is one); else undefined. */
export function standardOf(value: unknown): Partial<Standard<unknown, unknown>> | undefined {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined
  const standard: unknown = Reflect.get(value, '~standard')
  return typeof standard === 'object' && standard !== null ? standard : undefined
}
