// Long conversations stay under the model's window; the history stays whole.
import { describe, expect, test } from 'vitest'
import type { Message, Model, Request, Turn } from '../src/define/records.ts'
import { agent, app, type LogEvent, type Run, result, run, thread, tool } from '../src/index.ts'
import { calls, says, scripted } from '../src/test.ts'
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

const rounds = process.env['TOOLWRIGHT_FULL'] === '1' ? 5000 : 1000
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
    expect(seen.kept.slice(1).reduce((sum, part) => sum + part) / 500).toBeGreaterThan(0.8)
  })

  test(`over ${rounds} rounds, what is told stays as few messages, so that a round costs no more than the one before`, async () => {
    const told: number[] = []
    let most = 0
    let n = 0
    let last: readonly Message[] = []
    const model: Model = {
      name: 'm',
      async turn({ messages }) {
        const input = Math.ceil(messages.reduce((sum, m) => sum + m.text.length + 40, 0) / 4)
        most = Math.max(most, input)
        told.push(messages.length)
        last = messages
        return {
          ...(n < rounds ? calls([['read', `{"page":${n++}}`]]) : says('end')),
          input,
          tokens: 9,
          window: 8_000,
        }
      },
    }
    const a = agent('reader', { model, instructions: '', tools: [big], limits: { steps: rounds + 1 } })
    expect(await run(a, 'go')).toBe('end')
    expect(most).toBeLessThanOrEqual(8_000)
    expect(a.history).toHaveLength(2 + 2 * rounds)
    expect(Math.max(...told.slice(rounds / 2))).toBeLessThanOrEqual(Math.max(...told.slice(0, rounds / 2)))
    // The model is told once that the beginning is missing.
    expect(last.filter(m => m.text.includes('Earlier calls and their results are left out'))).toHaveLength(1)
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

describe('what fills a window beside results', () => {
  /** Counts a picture as a thousand tokens, as real models do. */
  const seeing = (window: number, turns: (n: number) => Turn, requests: (readonly Message[])[]): Model => {
    let n = 0
    return {
      name: 'm',
      async turn({ messages }) {
        expect(unpaired(messages)).toBeUndefined()
        const input = messages.reduce(
          (sum, m) => sum + Math.ceil((m.text.length + 60) / 4) + 1000 * (m.images?.length ?? 0),
          0,
        )
        if (input > window) throw new Error(`400: ${input} tokens do not fit into ${window}`)
        requests.push([...messages])
        return { ...turns(n++), input, tokens: 5, window }
      },
    }
  }
  const image = `data:image/png;base64,${'A'.repeat(4000)}`

  test('pictures of results: a look at the screen each round, a hundred times', async () => {
    const requests: (readonly Message[])[] = []
    const look = tool('look', {
      about: 'shows the screen',
      input: { n: integer() },
      run: ({ n }) => result({ data: n, model: [`screen ${n}`, { image }] }),
    })
    const turns = (n: number) => (n < 100 ? calls([['look', `{"n":${n}}`]]) : says('seen'))
    const model = seeing(16_000, turns, requests)
    const a = agent('a', { model, instructions: '', tools: [look], limits: { steps: 101 } })
    expect(await run(a, 'go')).toBe('seen')
    const last = requests.at(-1)!
    expect(last.at(-1)!.images).toEqual([image])
    expect(last.filter(m => m.images).length).toBeGreaterThan(3)
    expect(last.some(m => m.text.endsWith('[a picture, image/png, 3 kB, not shown: too long ago]'))).toBe(
      true,
    )
    expect(a.history.filter(m => m.images)).toHaveLength(100)
  })

  test('what people said: long messages are told shorter, then left out; what they said last is whole', async () => {
    const requests: (readonly Message[])[] = []
    const model = seeing(8_000, n => says(`answer ${n} `.repeat(20)), requests)
    const a = agent('a', { model, instructions: '', tools: [] })
    for (let i = 0; i < 300; i++) await run(a, `message ${i} ${'words '.repeat(300)}`)
    for (const request of requests) {
      expect(request[0]!.role).toBe('user')
      expect(request.at(-1)!.text).toMatch(/^message \d+ (words ){300}$/)
    }
    expect(a.history).toHaveLength(600)
    expect(a.history.every(m => m.role !== 'user' || m.text.length > 1800)).toBe(true)
    expect(requests.at(-1)!.filter(m => m.text === '[Earlier messages are left out here.]')).toHaveLength(1)
  })

  test('results go before words, and words before a person’s pictures leave', async () => {
    const requests: (readonly Message[])[] = []
    const turns = (n: number) => (n < 30 ? calls([['read', `{"page":${n}}`]]) : says('done'))
    const model = seeing(8_000, turns, requests)
    const a = agent('a', { model, instructions: '', tools: [big], limits: { steps: 40 } })
    a.history.push(
      ...(['look at this', 'and this'] as const).map(
        (text): Message => ({
          role: 'user',
          text: `${text} ${'x'.repeat(600)}`,
          reasoning: '',
          calls: [],
          call: '',
          details: [],
          images: [image],
          origin: { from: 'person' },
        }),
      ),
    )
    await run(a, 'read on')
    // Thirty pages were shortened for them: both are whole.
    expect(
      requests
        .at(-1)!
        .slice(0, 2)
        .map(m => [m.text.length, m.images?.length]),
    ).toEqual([
      [613, 1],
      [609, 1],
    ])
  })
})

describe('a long conversation that goes on', () => {
  /** A history of `n` rounds, as an earlier process left it. */
  const saved = async (n: number): Promise<Message[]> => {
    let i = 0
    const model: Model = {
      name: 'm',
      turn: async () => (i < n ? calls([['read', `{"page":${i++}}`]]) : says('read')) as Turn,
    }
    const a = agent('a', { model, instructions: '', tools: [big], limits: { steps: n + 1 } })
    await run(a, 'go')
    return JSON.parse(JSON.stringify(a.history)) as Message[]
  }
  const reader = (model: Model) => agent('reader', { model, instructions: '', tools: [big] })

  test('fits from its first request on, where the model knows its window', async () => {
    const seen = fresh()
    const model: Model = { ...windowed(8_000, () => says('on'), seen), window: () => 8_000 }
    expect(await run(reader(model), 'go on', { thread: thread(await saved(30)) })).toBe('on')
    expect(seen.tokens[0]).toBeLessThan(8_000)
  })

  test('fits too where an earlier turn of the model told its window, and tells the same of it each time', async () => {
    const seen = fresh()
    const model = windowed(8_000, () => says('on'), seen)
    const history = await saved(30)
    await run(reader(model), 'a first word')
    for (let i = 0; i < 3; i++) {
      await run(reader(model), 'go on', { thread: thread([...history]) })
      history.push(...history.slice(-2))
    }
    expect(Math.max(...seen.tokens)).toBeLessThan(8_000)
    // Of one run the next one begins with nearly all.
    expect(seen.kept.slice(2).every(part => part > 0.9)).toBe(true)
  })

  test('of an app fits as well: each message to it is a run of its own', async () => {
    const seen = fresh()
    let n = 0
    const turns = () => (n++ % 10 === 9 ? says('ten read') : calls([['read', `{"page":${n}}`]]))
    const model: Model = { ...windowed(8_000, turns, seen), window: () => 8_000 }
    const office = app({ agents: [reader(model)] })
    for (let i = 0; i < 4; i++) {
      const started = await office.runs.start('reader', { message: 'ten more', thread: 't' })
      expect(await office.runs.answer(started)).toBe('ten read')
    }
    await office.close()
    expect(seen.tokens).toHaveLength(40)
    expect(Math.max(...seen.tokens)).toBeLessThan(8_000)
  })

  test('is told anew where its history was changed by hand', async () => {
    const requests: string[][] = []
    const inner = windowed(
      8_000,
      n => (n % 31 < 30 ? calls([['read', `{"page":${n}}`]]) : says('on')),
      fresh(),
    )
    const model: Model = {
      ...inner,
      turn: (request, each, signal) => {
        requests.push(request.messages.map(m => m.text))
        return inner.turn(request, each, signal)
      },
    }
    const a = agent('a', { model, instructions: '', tools: [big], limits: { steps: 31 } })
    await run(a, 'first')
    a.history[0] = { ...a.history[0]!, text: 'another first' }
    await run(a, 'second')
    expect(requests.at(-1)![0]).toBe('another first')
    a.history.length = 0
    await run(a, 'third')
    expect(requests.at(-31)).toEqual(['third'])
  })

  test('keeps what a handoff changes in it', async () => {
    const transfer = tool('transfer', {
      about: 'hands over',
      handoff: true,
      run: (_, ctx) => ctx.llm('look into it'),
    })
    let last: string[] = []
    const turns = (n: number): Turn =>
      n === 30
        ? calls([['transfer', {}]])
        : n === 31
          ? says('looked')
          : n < 35
            ? calls([['read', `{"page":${n}}`]])
            : says('end')
    const inner = windowed(8_000, turns, fresh())
    const model: Model = {
      ...inner,
      turn: (request, each, signal) => {
        last = request.messages.map(m => m.text)
        return inner.turn(request, each, signal)
      },
    }
    const a = agent('a', { model, instructions: '', tools: [big, transfer], limits: { steps: 40 } })
    expect(await run(a, 'go')).toBe('end')
    const at = last.indexOf('[dispatching transfer: {}]')
    expect(last.slice(at, at + 4)).toEqual([
      '[dispatching transfer: {}]',
      'look into it',
      'looked',
      expect.stringMatching(/^\[transfer finished\. looked\]/),
    ])
  })
})

describe('compact', () => {
  const chatty = (n: number): Turn =>
    n < 60 ? { ...calls([['note', `{"n":${n}}`]]), text: `thought ${n} `.repeat(60) } : says('end')
  const note = tool('note', { about: 'notes', input: { n: integer() }, run: ({ n }) => `noted ${n}` })

  test('is off by default: nobody sums up, and what was said far back is left out in the end', async () => {
    const seen = fresh()
    const model = windowed(4_000, chatty, seen)
    const a = agent('a', { model, instructions: '', tools: [note], limits: { steps: 100 } })
    expect(await run(a, 'go')).toBe('end')
    expect(seen.summaries).toEqual([])
    expect(Math.max(...seen.tokens)).toBeLessThanOrEqual(4_000)
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

  test('is charged like a turn, its cost too', async () => {
    const seen = fresh()
    const model: Model = { ...windowed(4_000, chatty, seen), price: { input: 1, output: 1 } }
    const a = agent('a', { model, instructions: '', tools: [note], limits: { steps: 100 }, compact: true })
    const { usage, cost } = await run(a, 'go').result
    expect(usage.calls).toBe(61 + seen.summaries.length)
    expect(cost).toBeCloseTo((usage.input + usage.tokens) / 1_000_000, 9)
  })

  test('leaves the instructions of a handoff that is at work', async () => {
    const seen = fresh()
    const without: number[] = []
    const inner = windowed(4_000, chatty, seen)
    const model: Model = {
      ...inner,
      turn: (request, each, signal) => {
        if (
          request.tools.length > 0 &&
          !request.messages.some(m => m.role === 'system' && m.text === 'HELP.')
        )
          without.push(request.messages.length)
        return inner.turn(request, each, signal)
      },
    }
    const helper = agent('helper', {
      model,
      about: 'helps',
      instructions: 'HELP.',
      tools: [note],
      handoff: true,
      limits: { steps: 100 },
      compact: true,
    })
    const main = scripted([calls([['helper', { message: 'go' }]]), says('done')])
    expect(await run(agent('main', { model: main, instructions: '', tools: [helper] }), 'go')).toBe('done')
    expect(seen.summaries.length).toBeGreaterThan(1)
    expect(without).toEqual([])
  })

  test('does not take for a summary what a stop left of one', async () => {
    const said: string[] = []
    const seen = fresh()
    const inner = windowed(4_000, chatty, seen)
    const model: Model = {
      ...inner,
      turn: async (request, each, signal) => {
        if (request.tools.length > 0) said.push(...request.messages.map(m => m.text))
        else if (handle) handle.stop()
        return await inner.turn(request, each, signal)
      },
    }
    const a = agent('a', { model, instructions: '', tools: [note], limits: { steps: 100 }, compact: true })
    let handle: Run<string> | undefined = run(a, 'go')
    expect((await handle.result).ended).toBe('stopped')
    expect(seen.summaries).toHaveLength(1)
    handle = undefined
    await run(a, 'go on')
    expect(said.some(text => text.endsWith('summary 1'))).toBe(false)
    expect(said.some(text => text.includes('summary 2'))).toBe(true)
  })
})
