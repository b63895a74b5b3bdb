import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../define/records.ts'
import { check, read, wrongIn } from './read.ts'

// The official suite (https://github.com/json-schema-org/JSON-Schema-Test-Suite), its required tests.
const suite = new URL('../../../../../shared/data/json-schema-test-suite/tests/', import.meta.url)
const drafts = ['draft7', 'draft2020-12']

interface Group {
  description: string
  schema: JsonSchema
  tests: { description: string; data: unknown; valid: boolean }[]
}

const remote = 'a reference to another document, which is never fetched'

/** What is refused by design: all groups of a file (true), some of its groups, or tests of a group. */
const refused: Record<string, { reason: string; groups: true | Record<string, true | string[]> }> = {
  'draft7/refRemote.json': { reason: remote, groups: true },
  'draft2020-12/refRemote.json': { reason: remote, groups: true },
  'draft2020-12/dynamicRef.json': {
    reason: remote,
    groups: {
      'strict-tree schema, guards against misspelled properties': true,
      'tests for implementation dynamic anchor and reference link': true,
      '$ref and $dynamicAnchor are independent of order - $defs first': true,
      '$ref and $dynamicAnchor are independent of order - $ref first': true,
      '$ref to $dynamicRef finds detached $dynamicAnchor': true,
    },
  },
  'draft2020-12/vocabulary.json': {
    reason: 'a metaschema of its own, which is never fetched, so its vocabularies are not known',
    groups: {
      'schema that uses custom metaschema with with no validation vocabulary': [
        'no validation: invalid number, but it still validates',
      ],
    },
  },
}

function isRefused(file: string, group: string, one: string): boolean {
  const groups = refused[file]?.groups
  if (groups === undefined || groups === true) return groups === true
  const tests = groups[group]
  return tests === true || (tests?.includes(one) ?? false)
}

/** The tests of the suite; one that states no draft is given its own. */
function* cases(draft: string) {
  for (const name of readdirSync(new URL(`${draft}/`, suite)).filter(file => file.endsWith('.json'))) {
    const groups: Group[] = JSON.parse(readFileSync(new URL(`${draft}/${name}`, suite), 'utf8'))
    for (const { description: group, schema, tests } of groups) {
      const stated =
        draft === 'draft7' && typeof schema === 'object'
          ? { $schema: 'http://json-schema.org/draft-07/schema#', ...schema }
          : schema
      for (const one of tests) yield { file: `${draft}/${name}`, group, schema: stated, ...one }
    }
  }
}

describe.skipIf(!existsSync(suite))('the JSON Schema test suite in ../shared', () => {
  for (const draft of drafts) {
    test(`${draft}: every required test but those refused by design`, () => {
      const failed: string[] = []
      let count = 0
      for (const { file, group, schema, description, data, valid } of cases(draft)) {
        if (isRefused(file, group, description)) continue
        count++
        const right = check(schema, data).ok === valid && wrongIn(schema).length === 0
        if (!right) failed.push(`${file}: ${group}: ${description}`)
      }
      expect(failed).toEqual([])
      expect(count).toBeGreaterThan(700)
    })

    test(`${draft}: a valid value is read as it is, apart from its defaults`, () => {
      for (const { file, group, schema, description, data, valid } of cases(draft)) {
        if (!valid || isRefused(file, group, description)) continue
        const got = read(schema, data)
        expect(got.ok, `${file}: ${group}: ${description}`).toBe(true)
        if (got.ok && !file.endsWith('/default.json')) expect(got.value).toEqual(data)
      }
    })

    test(`${draft}: what is refused by design is refused, and listed exactly`, () => {
      const unneeded: string[] = []
      const met = new Set<string>()
      for (const { file, group, schema, description, data, valid } of cases(draft)) {
        if (!isRefused(file, group, description)) continue
        met.add(`${file} ${refused[file]!.groups === true ? '' : group}`)
        const passes = check(schema, data).ok === valid && wrongIn(schema).length === 0
        if (passes) unneeded.push(`${file}: ${group}: ${description}`)
      }
      const listed = Object.entries(refused)
        .filter(([file]) => file.startsWith(`${draft}/`))
        .flatMap(([file, { groups }]) =>
          (groups === true ? [''] : Object.keys(groups)).map(group => `${file} ${group}`),
        )
      expect(unneeded).toEqual([])
      expect([...met].sort()).toEqual(listed.sort())
    })
  }
})
