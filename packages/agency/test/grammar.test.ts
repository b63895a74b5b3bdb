// The grammar for editors: its patterns compile, and colour what the lexer reads.
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const folder = new URL('../vscode/', import.meta.url)
const json = (name: string) => JSON.parse(readFileSync(new URL(name, folder), 'utf8'))
const grammar = json('syntaxes/agency.tmLanguage.json')

/** Every pattern of the grammar. */
function patterns(of: unknown): string[] {
  if (typeof of !== 'object' || of === null) return []
  return Object.entries(of).flatMap(([key, value]) =>
    ['match', 'begin', 'end'].includes(key) && typeof value === 'string' ? [value] : patterns(value),
  )
}

describe('the grammar for editors', () => {
  it('has patterns that compile, and includes that are there', () => {
    const all = patterns(grammar)
    expect(all.length).toBeGreaterThan(15)
    for (const pattern of all) expect(() => new RegExp(pattern, 'u')).not.toThrow()
    const included = [...JSON.stringify(grammar).matchAll(/"include":"#(\w+)"/g)].map(match => match[1]!)
    expect(included.filter(name => !(name in grammar.repository))).toEqual([])
  })

  it('knows every word of the language', () => {
    const words = grammar.repository.words.patterns.map(
      (each: { match: string }) => new RegExp(each.match, 'u'),
    )
    const kept =
      'if else for while break continue return match goto try catch thread subthread import export const let true false null'
    for (const word of kept.split(' '))
      expect([word, words.some((pattern: RegExp) => pattern.test(word))]).toEqual([word, true])
    const [functions, types] = grammar.repository.declarations.patterns as { match: string }[]
    expect(new RegExp(functions!.match, 'u').exec('export handoff def plan(')?.[4]).toBe('plan')
    expect(new RegExp(types!.match, 'u').exec('type Order =')?.[2]).toBe('Order')
  })

  it('stands in an extension whose files are all there', () => {
    const { main, contributes } = json('package.json')
    const files = [main, contributes.languages[0].configuration, contributes.grammars[0].path]
    expect(files.filter((file: string) => !existsSync(new URL(file, folder)))).toEqual([])
    expect(contributes.languages[0].extensions).toEqual(['.agency'])
    json('language-configuration.json')
  })
})
