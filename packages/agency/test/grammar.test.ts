// The grammar for editors: its patterns compile, and the engine of the editors colours every program as the lexer
// reads it.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lex, type Token } from '../src/syntax/lex.ts'
import { corpus } from './corpus/index.ts'
import { peer, requirePeer } from './peers.ts'

const folder = new URL('../vscode/', import.meta.url)
const json = (name: string) => JSON.parse(readFileSync(new URL(name, folder), 'utf8'))
const path = 'syntaxes/agency.tmLanguage.json'
const grammar = json(path)

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

interface Engine {
  tokenizeLine(
    line: string,
    stack: unknown,
  ): { tokens: { startIndex: number; endIndex: number; scopes: string[] }[]; ruleStack: { depth: number } }
}

/** The engine that VS Code colours with, with the grammar. */
async function engine(): Promise<{ grammar: Engine; initial: unknown }> {
  const textmate = requirePeer('vscode-textmate')
  const oniguruma = requirePeer('vscode-oniguruma')
  await oniguruma.loadWASM(readFileSync(join(peer('vscode-oniguruma')!, 'release/onig.wasm')))
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (sources: string[]) => new oniguruma.OnigScanner(sources),
      createOnigString: (text: string) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => textmate.parseRawGrammar(JSON.stringify(grammar), path),
  })
  return { grammar: await registry.loadGrammar('source.agency'), initial: textmate.INITIAL }
}

/** The scopes of each character of a text, and how deep its end still is inside of something. */
function coloured(to: { grammar: Engine; initial: unknown }, text: string): { at: string[]; depth: number } {
  const at: string[] = []
  let stack: unknown = to.initial
  for (const line of text.split('\n')) {
    const { tokens, ruleStack } = to.grammar.tokenizeLine(line, stack)
    for (const { startIndex, endIndex, scopes } of tokens)
      for (let i = startIndex; i < Math.min(endIndex, line.length); i++) at.push(scopes.join(' '))
    at.push('')
    stack = ruleStack
  }
  return { at, depth: (stack as { depth: number }).depth }
}

/** What a scope says on the inside of its last interpolation. */
const innermost = (scopes: string): string => scopes.slice(scopes.lastIndexOf('meta.template.expression') + 1)

/** The tokens that are coloured as something else. */
function wrong(text: string, tokens: readonly Token[], at: readonly string[]): string[] {
  return tokens.flatMap(token => {
    const scopes = innermost(at[token.start] ?? '')
    const is = (part: string): boolean => scopes.includes(part)
    const shown = `${text.slice(token.start, token.end).slice(0, 30)} as ${scopes}`
    if (token.kind === 'end') return []
    if (token.kind === 'text') {
      const inside = (token.parts ?? []).flatMap(part =>
        typeof part === 'string' ? [] : wrong(text, part, at),
      )
      const last = innermost(at[token.end - 1] ?? '')
      return is('string.quoted') && last.includes('string.quoted') ? inside : [shown, ...inside]
    }
    if (is('string') || is('comment')) return [shown]
    if (token.kind === 'number') return is('constant.numeric') ? [] : [shown]
    return []
  })
}

const without = peer('vscode-textmate') ? '' : ' (left out: peers/ is not installed, which npm test does)'

describe.skipIf(without !== '')(`the engine of the editors${without}`, () => {
  const texts = corpus.flatMap(({ source }) =>
    typeof source === 'string'
      ? [source]
      : Object.entries(source).flatMap(([name, text]) => (name.endsWith('.agency') ? [text] : [])),
  )
  texts.push(readFileSync(new URL('wide.agency', import.meta.url), 'utf8'))

  it('colours texts, numbers and comments of every program where the lexer reads them', async () => {
    const to = await engine()
    for (const text of texts) {
      const { tokens, comments } = lex(text, [])
      const { at, depth } = coloured(to, text)
      expect(wrong(text, tokens, at), text).toEqual([])
      for (const { start, end } of comments)
        for (const i of [start, end - 1]) expect(at[i], text.slice(start, end)).toContain('comment')
      expect(depth, text).toBe(1)
    }
  })

  it('tells words, names, types and what is inserted into a text apart', async () => {
    const to = await engine()
    const text =
      'export handoff def plan(a: string): Plan { return "x ${match (a) { "}" => { b: 1 }; _ => `y` }} \\\\${a} \\${a}" } // c'
    const { at } = coloured(to, text)
    const of = (part: string, from = 0): string => at[text.indexOf(part, from)]!
    expect(of('export')).toContain('storage.modifier')
    expect(of('handoff')).toContain('storage.modifier')
    expect(of('def')).toContain('storage.type.function')
    expect(of('plan')).toContain('entity.name.function')
    expect(of('string')).toContain('support.type.primitive')
    expect(of('return')).toContain('keyword.control')
    expect(of('match')).toContain('string.quoted.double.agency meta.template.expression')
    expect(innermost(of('match'))).toContain('keyword.control')
    expect(innermost(of('"}"'))).toContain('string.quoted.double')
    expect(innermost(of('b: 1'))).not.toContain('string')
    expect(innermost(of('1 }'))).toContain('constant.numeric')
    expect(innermost(of('`y`'))).toContain('string.quoted.other')
    // Behind what is inserted the text goes on.
    expect(of(' \\\\${')).not.toContain('meta.template')
    expect(of('a} \\${')).toContain('meta.template')
    expect(of('\\${a}"', text.indexOf('a} \\${'))).toContain('constant.character.escape')
    expect(of('// c')).toContain('comment.line')
  })
})
