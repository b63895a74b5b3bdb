// This reader and one that asks TypeScript's type checker say the same of the same declarations: each schema takes and
// refuses the same values. Where they differ, the reason is written down, and it must stay a difference.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { dialect, type Provider, read } from '@toolwright/core/values'
import { describe, expect, it } from 'vitest'
import { checker, differing, ours, theirs } from './support/both.ts'

const full = process.env['TOOLWRIGHT_FULL'] === '1'
const corpus = fileURLToPath(new URL('corpus/declarations.ts', import.meta.url))

/** The exported types of a file that are not generic, by name, each once. */
function namesIn(file: string): string[] {
  const declared = /^export (?:declare )?(?:const )?(?:type|interface|enum) (\w+)(<)?/gm
  const found = [...readFileSync(file, 'utf8').matchAll(declared)].filter(match => match[2] === undefined)
  return [...new Set(found.map(match => match[1]!))]
}

/** Why the two differ in the hand-written declarations. In each case this reader says what TypeScript says. */
const reasons: Readonly<Record<string, string>> = {
  Getter: 'a getter is a field that can be read; the other leaves it out',
  NotNull: 'the other leaves null in NonNullable, and makes the field optional',
  NotNullField: 'the other makes the field optional, though NonNullable took undefined out',
  PartialOfUnion: 'Partial is told for each record of a union; the other merges them',
  OmitOfUnion: 'Omit of a union keeps what its records have in common; the other keeps all fields',
  NestedBoth: 'fields of both sides of an intersection are intersected too; the other takes the first',
  Prefixed: 'a template is a pattern; the other says any text',
  Version: 'a template is a pattern; the other says any text',
  Special: 'a template is a pattern; the other says any text',
  NestedTemplate: 'a template is a pattern; the other says any text',
  TemplateUnion: 'a template is a pattern; the other says any text',
  FromShared: 'a template is a pattern; the other says any text',
  WideType: 'the fields of a value that is not `as const` may change; the other keeps their first values',
  WidePort: 'the fields of a value that is not `as const` may change; the other keeps their first values',
  Merged: 'an interface that is declared twice has the fields of both; the other takes the last',
}

/** Files of packages that have many record types, and why the two differ in them. */
const packages: readonly { file: string; every: number; reasons: Readonly<Record<string, string>> }[] = [
  { file: 'node_modules/@types/json-schema/index.d.ts', every: 3, reasons: {} },
  {
    file: 'node_modules/vscode-languageserver-types/lib/esm/main.d.ts',
    every: 4,
    reasons: {
      TextEditChange: 'it has methods, which are refused; the other leaves them out',
      TextDocument: 'it has methods, which are refused; the other leaves them out',
    },
  },
  { file: 'peers/node_modules/@modelcontextprotocol/sdk/dist/esm/spec.types.d.ts', every: 6, reasons: {} },
  {
    file: 'node_modules/lightningcss/node/ast.d.ts',
    every: 8,
    reasons: {
      Transform: 'the other loses the records of this union',
      ListStyleType: 'in `T & string` the other says any text',
      CounterStyle: 'in `T & string` the other says any text',
      AttrOperation: 'in `T & string` the other says any text',
      SelectorComponent: 'the other keeps records in which two different tags meet, which no value fits',
      Selector: 'the other keeps records in which two different tags meet, which no value fits',
      SelectorList: 'the other keeps records in which two different tags meet, which no value fits',
      Direction: 'the other takes a type of the same name out of another file',
      Source: 'the other takes a type of the same name out of another file',
      Url: 'the other takes a type of the same name out of another file',
    },
  },
]

describe('declarations, read without and with a type checker', () => {
  const generator = checker(corpus)
  const names = namesIn(corpus)

  it('are at least 150', () => {
    expect(names.length).toBeGreaterThanOrEqual(150)
  })

  for (const name of names) {
    const reason = reasons[name]
    it(`${name}${reason ? `: ${reason}` : ''}`, () => {
      const mine = ours(corpus, name)
      const other = theirs(generator, name)
      if ('refused' in mine) throw new Error(mine.refused)
      if ('refused' in other) throw new Error(other.refused)
      const difference = differing(mine.schema, other.schema, full ? 400 : 60)
      if (reason) expect(difference).toBeDefined()
      else expect(difference).toBeUndefined()
    })
  }
})

for (const { file, every, reasons } of packages) {
  const path = fileURLToPath(new URL(`../../../${file}`, import.meta.url))
  const missing = existsSync(path) ? '' : ' (it is not installed)'
  describe.skipIf(missing !== '')(
    `declarations of ${file.replace(/^.*node_modules\//, '')}${missing}`,
    () => {
      const names = existsSync(path) ? namesIn(path).filter((_, i) => full || i % every === 0) : []

      it(`are read alike (${names.length} types)`, { timeout: 120_000 }, () => {
        const generator = checker(path)
        const found: Record<string, unknown> = {}
        let compared = 0
        for (const name of names) {
          const mine = ours(path, name)
          const other = theirs(generator, name)
          // The other cannot name some types of a file; there is nothing to compare with then.
          if ('refused' in other) continue
          compared++
          const difference =
            'refused' in mine ? mine.refused : differing(mine.schema, other.schema, full ? 60 : 15)
          if (difference !== undefined) found[name] = difference
        }
        expect(compared).toBeGreaterThan(names.length * 0.8)
        expect(Object.keys(found).filter(name => reasons[name] === undefined)).toEqual([])
      })
    },
  )
}

describe('every schema', () => {
  it('reads by the core: none of its keywords is wrong', () => {
    const wrong = namesIn(corpus).filter(name => {
      const mine = ours(corpus, name)
      if ('refused' in mine) return true
      const refused = read(mine.schema, Symbol('no value of JSON'))
      // A schema that is wrong itself says so in place of what it expects.
      return refused.ok
        ? !isOpen(mine.schema)
        : refused.faults.some(line => /keyword|\$ref|pattern/.test(line))
    })
    expect(wrong).toEqual([])
  })
})

describe('every schema of a record', () => {
  const providers: Provider[] = ['openai', 'anthropic', 'gemini', 'plain']
  const spaced = 'QuotedNames: has the field "with space", a name that is not taken there'
  for (const provider of providers)
    it(`has a form for ${provider}, or a reason why it has none`, () => {
      const refused = namesIn(corpus).flatMap(name => {
        const mine = ours(corpus, name)
        if ('refused' in mine || mine.schema['type'] !== 'object') return []
        const told = dialect(mine.schema, provider)
        return 'refused' in told ? [`${name}: ${told.refused}`] : []
      })
      expect(refused).toEqual(provider === 'anthropic' ? [spaced] : [])
    })
})

function isOpen(schema: object): boolean {
  return Object.keys(schema).length === 0
}
