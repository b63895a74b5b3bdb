// JSON Schemas that the compiler wrote, as the core reads them.
import { type JsonSchema, tool } from '@toolwright/core'
import type { Definition } from '@toolwright/core/engine'
import { definitionOf } from '@toolwright/core/engine'

/** The shape of a record's schema. */
export function shapeOf(schema: JsonSchema, name: string): Definition['input'] {
  return definitionOf(tool(name, { about: name, input: schema as never, run: () => null }))!.input
}
