// The programs of the docs: each runs, prints what the page says, or fails as it says.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { type BatchProgram, type BatchResult, runAll } from './run.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

interface Block extends BatchProgram {
  where: string
  prints: string | undefined
  fails: string | undefined
}

const blocks = ['README.md', ...globSync('docs/**/*.md', { cwd: root, exclude: ['docs/dist'] })]
  .sort()
  .flatMap(read)
let results: BatchResult[]

beforeAll(async () => {
  results = await runAll(blocks.map(({ source, turns }) => ({ source, ...(turns ? { turns } : {}) })))
}, 60_000)

describe('the Agency programs of the docs', () => {
  it('are found', () => {
    expect(blocks.length).toBeGreaterThan(20)
  })

  for (const [i, block] of blocks.entries())
    it(`${block.where} does as it says`, () => {
      const result = results[i]!
      if (block.fails !== undefined) expect(result.error).toContain(block.fails)
      else expect(result.error).toBeUndefined()
      if (block.prints !== undefined) expect(result.printed.trim()).toBe(block.prints)
    })
})

function read(page: string): Block[] {
  const found: Block[] = []
  let turns: BatchProgram['turns']
  let waits: Block | undefined
  let files: { [name: string]: string } = {}
  const text = readFileSync(join(root, page), 'utf8')
  for (const match of text.matchAll(/^```(\w+)([^\n]*)\n([\s\S]*?)^```$/gm)) {
    const [, language, said = '', code = ''] = match
    const words = said.trim().split(/\s+/)
    if (language === 'json' && words.includes('turns'))
      turns = JSON.parse(code) as NonNullable<BatchProgram['turns']>
    if (language === 'text' && waits) {
      waits.prints = code.trim()
      waits = undefined
    }
    // A block that begins with the name of a file is that file for the next program.
    const name = /^\/\/ ([\w./-]+\.(?:agency|ts|js))\n/.exec(code)?.[1]
    if (name !== undefined && ['agency', 'ts', 'js'].includes(language!)) files[name] = code
    if (language !== 'agency' || name !== undefined) continue
    const line = text.slice(0, match.index).split('\n').length
    const fails = words.includes('fails') ? (words.find(word => /^A\d{4}$/.test(word)) ?? '') : undefined
    const block: Block = {
      where: `${page}:${line}`,
      source: { ...files, 'main.agency': code },
      prints: undefined,
      fails,
      ...(turns ? { turns } : {}),
    }
    turns = undefined
    files = {}
    if (words.includes('prints')) waits = block
    found.push(block)
  }
  return found
}

describe('the page of each fault', () => {
  for (const page of globSync('docs/errors/A*.md', { cwd: root }).sort())
    it(`${page} shows it, and its mend`, () => {
      const own = blocks.filter(block => block.where.startsWith(`${page}:`))
      expect(own.map(block => block.fails !== undefined)).toEqual([true, false])
      expect(own[0]!.fails || 'A6001').toBe(page.slice(-8, -3))
    })
})
