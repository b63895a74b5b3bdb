// The corpus: each program gives what it says, and the same as the TypeScript beside it; printing a program and reading
// it again changes nothing; and whatever becomes of its text, the parser ends and gives a tree.
import { beforeAll, describe, expect, it } from 'vitest'
import { check, parse, print } from '../src/index.ts'
import { corpus } from './corpus.ts'
import { type BatchResult, runAll } from './run.ts'
import { bare } from './support.ts'

const source = (text: string) => (/\bnode main/.test(text) ? text : `node main() {\n${text}\n}`)
let results: BatchResult[]
let printed: BatchResult[]

beforeAll(async () => {
  const programs = corpus.map(({ what: _, gives: __, same: ___, printed: ____, ...each }) => ({
    ...each,
    source: source(each.source),
  }))
  const again = programs.map(each => ({ ...each, source: print(parse(each.source).program) }))
  const all = await runAll([...programs, ...again])
  results = all.slice(0, programs.length)
  printed = all.slice(programs.length)
}, 60_000)

describe('the corpus', () => {
  for (const [i, each] of corpus.entries())
    it(`${each.what}`, () => {
      const { error, value, printed: said } = results[i]!
      expect(error).toBeUndefined()
      expect(value).toEqual(each.gives)
      if (each.printed !== undefined) expect(said).toBe(each.printed)
      if (each.same) expect(value).toEqual(each.same())
      // What is printed is the same program.
      expect(printed[i]!.error).toBeUndefined()
      expect(printed[i]!.value).toEqual(each.gives)
    })

  it('is the same tree when it is printed and read again', () => {
    for (const each of corpus) {
      const { program } = parse(source(each.source))
      const text = print(program)
      expect(bare(parse(text).program), each.what).toEqual(bare(program))
      expect(print(parse(text).program)).toBe(text)
    }
  })
})

describe('any text', () => {
  // The whole number takes minutes: a slice of it runs always.
  const count = process.env['TOOLWRIGHT_FULL'] ? 100_000 : 3000
  it(`has a tree, is checked and printed: ${count} mutations of the corpus`, { timeout: 600_000 }, () => {
    let seed = 7
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
      return seed % below
    }
    const texts = corpus.map(each => source(each.source))
    const bits = [
      '{',
      '}',
      '(',
      ')',
      '[',
      ']',
      '"',
      "'",
      '`',
      '"""',
      '${',
      '\\',
      '->',
      '=>',
      '|>',
      '\n',
      ' def ',
      ' node ',
      ' type ',
      'if ',
      ' as ',
      ' in ',
      ',',
      ':',
      '@',
      '/*',
      '//',
      '\0',
      '\ud800',
      '1e',
      '...',
      '?.',
    ]
    for (let i = 0; i < count; i++) {
      let text = texts[random(texts.length)]!
      for (let n = 1 + random(4); n > 0; n--) {
        const at = random(text.length + 1)
        const how = random(4)
        if (how === 0) text = text.slice(0, at) + text.slice(at + 1 + random(6))
        else if (how === 1) text = text.slice(0, at) + bits[random(bits.length)] + text.slice(at)
        else if (how === 2)
          text = text.slice(0, at) + text.slice(random(text.length + 1)).slice(0, 40) + text.slice(at)
        else
          text =
            text.slice(0, at) +
            texts[random(texts.length)]!.slice(random(50), 50 + random(50)) +
            text.slice(at)
      }
      const { program, faults } = parse(text)
      check(program, { module: () => undefined }, faults)
      const shown = print(program)
      if (faults.length === 0) expect(bare(parse(shown).program), text).toEqual(bare(program))
    }
  })
})
