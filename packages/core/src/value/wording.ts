// What a schema expects, in a few words.

import { oneOf, shown, stated } from './faults.ts'
import { ALL, isRecord, kindOf, maskOf, NO_JSON, namesOf } from './kinds.ts'
import type { Node } from './resource.ts'
import { resolve } from './resource.ts'

const names: Readonly<Record<string, string>> = { date: 'date (YYYY-MM-DD)', 'date-time': 'date and time' }

/** What a node expects: `number`, `string or null`, `"a" or "b"`. Follows references a few steps. */
export function expectedBy(node: Node, steps = 4): string {
  const { schema } = node
  if (!isRecord(schema)) return schema === false ? 'nothing' : 'a value'
  if (schema['const'] !== undefined) return stated(schema['const'])
  if (Array.isArray(schema['enum'])) return oneOf(schema['enum'].map(stated))
  if (schema['type'] !== undefined) {
    const format = typeof schema['format'] === 'string' ? names[schema['format']] : undefined
    return schema['type'] === 'string' && format !== undefined ? format : typesOf(schema['type'])
  }
  const ref = schema['$ref']
  if (typeof ref === 'string' && steps > 0) {
    const target = resolve(ref, node.resource)
    if (typeof target !== 'string') return expectedBy(target.node, steps - 1)
  }
  const branches = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(branches) && steps > 0) {
    const texts = branches.map(one => expectedBy({ ...node, schema: isRecord(one) ? one : true }, steps - 1))
    return oneOf([...new Set(texts)])
  }
  return 'a value'
}

function typesOf(type: unknown): string {
  const mask = maskOf(type)
  return mask === ALL ? 'a value' : oneOf(namesOf(mask))
}

/** What a value of the wrong type is told. */
export function typeFault(node: Node, value: unknown): string {
  const expected = node.types === ALL && kindOf(value) === NO_JSON ? 'a JSON value' : expectedBy(node)
  return `expected ${expected}, came ${shown(value)}`
}
