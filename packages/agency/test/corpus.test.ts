// The corpus: each program gives what it says, before and after it is laid out, and the same as the TypeScript beside
// it; printing a program and reading it again changes nothing.
import { beforeAll, describe, expect, it } from 'vitest'
import { format, parse, print } from '../src/index.ts'
import type { Case } from './corpus/case.ts'
import { corpus } from './corpus/index.ts'
import { asked, onCore } from './corpus/oncore.ts'
import { type BatchResult, runAll } from './run.ts'
import { bare } from './support.ts'

/** The Agency files of a program; a body alone becomes main. */
function files({ source }: Case): { [name: string]: string } {
  if (typeof source !== 'string') return { ...source }
  return { 'main.agency': /\bnode \w+|^def /m.test(source) ? source : `node main() {\n${source}\n}` }
}

function laidOut(source: string): string {
  const laid = format(source)
  if ('faults' in laid) throw new Error(JSON.stringify(laid.faults))
  return laid.text
}

const agencyOf = (each: Case): string[] =>
  Object.entries(files(each)).flatMap(([name, text]) => (name.endsWith('.agency') ? [text] : []))

let results: BatchResult[]
let afterwards: BatchResult[]

beforeAll(async () => {
  const programs = corpus.map(each => ({ ...each, source: files(each) }))
  const again = programs.map(each => ({
    ...each,
    source: Object.fromEntries(
      Object.entries(each.source).map(([name, text]) => [
        name,
        name.endsWith('.agency') ? laidOut(text) : text,
      ]),
    ),
  }))
  const all = await runAll(
    [...programs, ...again].map(({ source, turns, node, args }) => ({
      source,
      ...(turns ? { turns } : {}),
      ...(node ? { node } : {}),
      ...(args ? { args } : {}),
    })),
  )
  results = all.slice(0, programs.length)
  afterwards = all.slice(programs.length)
}, 60_000)

describe('the corpus', () => {
  it('is as large as it says', () => {
    expect(corpus.length).toBeGreaterThanOrEqual(225)
    const beside = corpus.filter(each => each.same)
    expect(beside.length).toBeGreaterThanOrEqual(75)
    expect(beside.filter(each => each.turns).length).toBeGreaterThanOrEqual(35)
    expect(new Set(corpus.map(each => each.what)).size).toBe(corpus.length)
  })

  for (const [i, each] of corpus.entries())
    it(each.what, async () => {
      const { error, value, printed, requests } = results[i]!
      expect(error).toBeUndefined()
      expect(value).toEqual(each.gives)
      if (each.printed !== undefined) expect(printed).toBe(each.printed)
      if (each.same) {
        const beside = await onCore(each)
        expect(value).toEqual(JSON.parse(JSON.stringify(beside.value ?? null)))
        expect(asked(requests)).toEqual(asked(beside.requests))
      }
      const { value: again, printed: said, requests: askedAgain, error: fault } = afterwards[i]!
      expect(fault).toBeUndefined()
      expect(again).toEqual(each.gives)
      expect(said).toBe(printed)
      expect(asked(askedAgain)).toEqual(asked(requests))
    })
})

describe('the text of each program', () => {
  it('is the same program however its lines end, and behind a byte order mark', () => {
    for (const each of corpus)
      for (const text of agencyOf(each)) {
        const { program } = parse(text)
        for (const other of [text.replaceAll('\n', '\r\n'), `\ufeff${text}`]) {
          const again = parse(other)
          expect(again.faults, each.what).toEqual([])
          expect(bare(again.program), each.what).toEqual(bare(program))
          expect(laidOut(other), each.what).toBe(laidOut(text))
        }
      }
  })

  it('is the same tree when it is printed and read again', () => {
    for (const each of corpus)
      for (const text of agencyOf(each)) {
        const { program, faults } = parse(text)
        expect(faults, each.what).toEqual([])
        const shown = print(program)
        expect(bare(parse(shown).program), each.what).toEqual(bare(program))
        expect(print(parse(shown).program)).toBe(shown)
      }
  })

  it('is laid out in one way, with the same tree and all its comments', () => {
    for (const each of corpus)
      for (const text of agencyOf(each)) {
        const laid = laidOut(text)
        expect(laidOut(laid), each.what).toBe(laid)
        const [before, after] = [parse(text).program, parse(laid).program]
        expect(bare(after), each.what).toEqual(bare(before))
        const plain = (comments: readonly { text: string }[]): string[] =>
          comments.map(comment => comment.text.replace(/\s+/g, ' ')).sort()
        expect(plain(after.comments), each.what).toEqual(plain(before.comments))
      }
  })
})
