// The JSON Schema of one value by its type.
import type { JsonSchema } from '@toolwright/core'
import type { ParamType } from '../document/types.ts'

/** The schema of a value that is not told field by field. `values` are those of an array's entries. */
export function schemaOfType(type: ParamType, values: readonly unknown[] | undefined): JsonSchema {
  if (values === undefined) return { type }
  return type === 'array' ? { type, items: { enum: [...values] } } : { type, enum: [...values] }
}
