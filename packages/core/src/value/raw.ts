// The faults of a JSON Schema that somebody wrote: against its metaschema, and in what it refers to.

import type { Code, Fault } from '../errors.ts'
import { isRecord } from './kinds.ts'
import { DRAFT_7, DRAFT_2020, metaschemaOf } from './metaschema.ts'
import { readAsItIs, wrongIn } from './read.ts'
import { draftOf } from './resource.ts'
import { standardOf } from './standard.ts'
import { isWord } from './words.ts'

/** Everything that is wrong with a raw JSON Schema. A fault's `option` is the place in it, as `properties.note.type`. */
export function rawSchemaFaults(schema: Record<string, unknown>): Fault[] {
  const mixed = foreignParts(schema)
  if (mixed.length > 0) return mixed
  const metaschema = metaschemaOf(draftOf(schema, 2020) === 7 ? DRAFT_7 : DRAFT_2020)!
  const read = readAsItIs(metaschema, schema)
  if (!read.ok) {
    return read.faults.map(({ path, problem }) => ({
      option: path.join('.'),
      problem,
      code: 'T2004' as Code,
    }))
  }
  return wrongIn(schema).map(({ at, problem }) => {
    const option = at.replace(/^\//, '').replaceAll('/', '.')
    const code = /\$(dynamicR|r)ef$/.test(at) ? 'T2005' : 'T2006'
    return { option, problem, code }
  })
}

// Value words, schemas of other libraries and functions that stand inside of a JSON Schema.
function foreignParts(schema: Record<string, unknown>): Fault[] {
  const faults: Fault[] = []
  const open: [place: string, value: unknown][] = [['', schema]]
  const done = new Set<unknown>()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [place, value] = next
    if (done.has(value)) continue
    const standard = standardOf(value)
    if (standard !== undefined || typeof value === 'function') {
      const what = isWord(value)
        ? 'is a value word'
        : standard
          ? `is a schema of ${standard.vendor}`
          : 'is a function'
      const fix = 'write all of it as value words, { note: text() }, or all of it as a JSON Schema'
      faults.push({ option: place, problem: `${what} inside of a JSON Schema`, fix, code: 'T2003' })
    } else if (isRecord(value) || Array.isArray(value)) {
      done.add(value)
      for (const [key, one] of Object.entries(value)) {
        if (typeof one === 'object' || typeof one === 'function')
          open.push([place ? `${place}.${key}` : key, one])
      }
    }
  }
  return faults.reverse()
}
