// Long conversations stay under the model's window; the history stays whole.
import { describe, expect, test } from 'vitest'
import type { Message, Model, Request, Turn } from '../src/define/records.ts'
import { agent, type LogEvent, run, tool } from '../src/index.ts'
import { calls, says } from '../src/test.ts'
import { integer, text } from '../src/values.ts'
import { bytes, unpaired } from './support/invariants.ts'

/** Tokens of a request, at four characters each, as a real server would count all of it. */
const tokensOf = (request: Request): number => Math.ceil(bytes(request).length / 4)

/** A request as a prompt cache sees it: what stands first comes first. */
const prompt = ({ instructions, tools, messages }: Request): string =>
  [JSON.stringify([instructions, tools]), ...messages.map(m => JSON.stringify(m))].join()

interface Seen {
  tokens: number[]
  kept: number[]
  summaries: string[]
}

/** A model with a window that refuses what does not fit, and measures how much of the last request's bytes come again. */
function windowed(window: number, turns: (n: number) => Turn, seen: Seen): Model {
  let n = 0
  let before = ''
  return {
    name: 'windowed',
    async turn(request) {
      expect(unpaired(request.messages)).toBeUndefined()
      const input = tokensOf(request)
      if (input > window) throw new Error(`400: ${input} tokens do not fit into ${window}`)
      if (request.tools.length === 0 && request.messages.length === 1 && n > 0) {
        seen.summaries.push(request.messages[0]!.text)
        return { ...says(`summary ${seen.summaries.length}`), input, tokens: 10, window }
      }
      const now = prompt(request)
      let same = 0
      while (same < before.length && before[same] === now[same]) same++
      seen.kept.push(same / Math.max(1, before.length))
      before = now
      seen.tokens.push(input)
      return { ...turns(n++), input, tokens: 10, window }
    },
  }
}

const fresh = (): Seen => ({ tokens: [], kept: [], summaries: [] })
const big = tool('read', {
  about: 'reads a page',
  input: { page: integer() },
  run: ({ page }) => `page ${page} `.repeat(600),
})

describe('a conversation of 500 rounds with large results', () => {
  test('stays under a window of 32,000 tokens, every call paired, and changes its beginning seldom', async () => {
    const seen = fresh()
    const model = windowed(
      32_000,
      n => (n < 500 ? calls([['read', `{"page":${n}}`]]) : says('read it all')),
      seen,
    )
    const a = agent('reader', { model, instructions: 'Read.', tools: [big], limits: { steps: 501 } })
    const warnings: string[] = []
    expect(await run(a, 'go', { log: (e: LogEvent) => e.kind === 'warning' && warnings.push(e.text) })).toBe(
      'read it all',
    )
    expect(Math.max(...seen.tokens)).toBeLessThanOrEqual(32_000)
    // The history itself is whole.
    expect(a.history).toHaveLength(1 + 500 * 2 + 1)
    expect(a.history.filter((m: Message) => m.role === 'tool').every(m => m.text.length > 3000)).toBe(true)
    expect(warnings.length).toBeGreaterThan(0)
    // Shortening goes down to half of the window, so that most requests begin with all of the one before.
    const changed = seen.kept.slice(1).filter(part => part < 1).length
    expect(changed).toBe(warnings.length)
    expect(changed).toBeLessThan(90)
  })

  test('large arguments are left out too, far back', async () => {
    const seen = fresh()
    const write = tool('write', { about: 'writes', input: { text: text() }, run: () => 'ok' })
    const model = windowed(
      8_000,
      n => (n < 100 ? calls([['write', JSON.stringify({ text: `${n} `.repeat(500) })]]) : says('done')),
      seen,
    )
    expect(
      await run(
        agent('writer', { model, instructions: '', tools: [write], limits: { steps: 100, repeats: 1000 } }),
        'go',
      ),
    ).toBe('done')
    expect(Math.max(...seen.tokens)).toBeLessThanOrEqual(8_000)
  })
})

describe('compact', () => {
  const chatty = (n: number): Turn =>
    n < 60 ? { ...calls([['note', `{"n":${n}}`]]), text: `thought ${n} `.repeat(60) } : says('end')
  const note = tool('note', { about: 'notes', input: { n: integer() }, run: ({ n }) => `noted ${n}` })

  test('is off by default: what cannot be shortened does not fit in the end', async () => {
    const model = windowed(4_000, chatty, fresh())
    await expect(
      run(agent('a', { model, instructions: '', tools: [note], limits: { steps: 100 } }), 'go'),
    ).rejects.toThrow(/do not fit/)
  })

  test('sums up what lies further back, again and again, with our words or yours', async () => {
    for (const compact of [true, { prompt: 'Sum up in one line.', keep: 6 }] as const) {
      const seen = fresh()
      let instructions = ''
      const inner = windowed(4_000, chatty, seen)
      const model: Model = {
        name: 'm',
        turn: (request, each, signal) => {
          if (request.messages.length === 1 && request.tools.length === 0) instructions = request.instructions
          return inner.turn(request, each, signal)
        },
      }
      const a = agent('a', { model, instructions: '', tools: [note], limits: { steps: 100 }, compact })
      expect(await run(a, 'remember the number 42')).toBe('end')
      expect(seen.summaries.length).toBeGreaterThan(1)
      expect(seen.summaries[0]).toContain('remember the number 42')
      expect(seen.summaries[1]).toContain('summary 1')
      expect(instructions).toMatch(
        compact === true ? /^Sum up the conversation so far/ : /^Sum up in one line\.$/,
      )
      expect(a.history).toHaveLength(1 + 60 * 2 + 1)
    }
  })
})
