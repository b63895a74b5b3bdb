// The two readers side by side: this package's, and one that asks TypeScript's type checker.
import { check } from '@toolwright/core/values'
import * as fc from 'fast-check'
import { createGenerator, type SchemaGenerator } from 'ts-json-schema-generator'
import { typeSchema } from '../../src/index.ts'
import { arbitraryOf, spoiled } from './arbitrary.ts'

type Schema = { [keyword: string]: unknown }

/** The schemas of the types of `file` as the type checker sees them. */
export function checker(file: string): SchemaGenerator {
  return createGenerator({
    path: file,
    type: '*',
    skipTypeCheck: true,
    expose: 'export',
    topRef: false,
    additionalProperties: false,
    jsDoc: 'extended',
    encodeRefs: false,
  })
}

/** What one of the two says of a type: its schema, or why there is none. */
export type Said = { schema: Schema } | { refused: string }

export function ours(file: string, name: string): Said {
  try {
    return { schema: typeSchema(file, name).schema as Schema }
  } catch (error) {
    return { refused: (error as Error).message }
  }
}

export function theirs(generator: SchemaGenerator, name: string): Said {
  try {
    return { schema: generator.createSchema(name) as Schema }
  } catch (error) {
    return { refused: (error as Error).message }
  }
}

/** A value that one of two schemas takes and the other refuses; nothing where none was found among `runs` values. */
export function differing(
  a: Schema,
  b: Schema,
  runs = 120,
  seed = 1,
): { value: unknown; a: boolean; b: boolean } | undefined {
  const picks = fc.infiniteStream(fc.nat(1000))
  const values = fc.tuple(fc.oneof(arbitraryOf(a, a), arbitraryOf(b, b)), picks)
  for (const [value, stream] of fc.sample(values, { numRuns: runs, seed })) {
    const pick = (most: number): number => (stream.next().value as number) % most
    for (const each of [value, spoiled(value, pick), spoiled(spoiled(value, pick), pick)]) {
      // A value that JSON cannot hold comes from no model.
      const json: unknown = JSON.parse(JSON.stringify(each ?? null))
      const left = check(a, json).ok
      const right = check(b, json).ok
      if (left !== right) return { value: json, a: left, b: right }
    }
  }
  return undefined
}
