// `toolwright schema FILE`: what a model is told of the types of a file.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Expanded } from '@toolwright/core'
import { type JsonSchema, ToolwrightError } from '@toolwright/core'
import { examine } from '../expand/expand.ts'
import { refusal, type TypeFault } from '../faults.ts'
import { NO_DOC } from '../read/doc.ts'
import { exported, find } from '../read/find.ts'
import { placeIn } from '../read/module.ts'
import { openModule, reader } from '../read/reader.ts'
import { referenceTo } from '../read/reference.ts'
import { writing, schemaOf as written } from '../write/schema.ts'

export interface SchemaOfType {
  /** The call: `tool('add', …)`. */
  what: string
  line: number
  expanded: Expanded
}

/**
 * What the types of a file's calls say, in the order of the file. Throws one error that lists all that is refused.
 */
export function schemaOf(file: string): { schemas: readonly SchemaOfType[]; warnings: readonly TypeFault[] } {
  const path = resolve(file)
  const { definitions, faults, warnings } = examine(readFileSync(path, 'utf8'), path, reader())
  if (faults.length > 0) throw refusal(faults)
  const schemas = definitions
    .map(({ call, expanded, what }) => ({
      what,
      line: placeIn(call.scope.module, call.node).line,
      expanded,
    }))
    .sort((a, b) => a.line - b.line)
  return { schemas, warnings }
}

/** The JSON Schema of the type that a file declares as `name`. */
export function typeSchema(
  file: string,
  name: string,
): { schema: JsonSchema; warnings: readonly TypeFault[] } {
  const path = resolve(file)
  const r = reader()
  const module = openModule(r, path)
  if (!module)
    throw new ToolwrightError('T2105', `there is no file ${file}`, { fix: 'name a TypeScript file' })
  const found = find(r, module.scope, name) ?? exported(r, module, name)
  if (!found) throw new ToolwrightError('T2105', `${file} declares no type ${name}`, { fix: 'mend the name' })
  const w = writing(r)
  const type = referenceTo(r, found, name, [], module.scope, { start: 0, end: 0 })
  const schema = written(w, type, NO_DOC)
  if (w.faults.length > 0) throw refusal(w.faults)
  return { schema, warnings: w.warnings }
}
