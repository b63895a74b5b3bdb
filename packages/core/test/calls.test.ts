// What holds of the calls of a turn, whoever made their ids, however long each takes, and whatever came with them.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Call, Json, Message, Model, Piece, Turn } from '../src/define/records.ts'
import { agent, run, tool } from '../src/index.ts'
import { calls, says } from '../src/test.ts'
import { jumpingClock } from './support/clock.ts'
import { bytes, unpaired } from './support/invariants.ts'

const numRuns = Number(process.env['TOOLWRIGHT_RUNS'] ?? 60)
const seed = Number(process.env['TOOLWRIGHT_SEED'] ?? 20261201)

const id = fc.constantFrom('', 'same', 'call_0', 'call_1_0', 'toolu_1', '0', ' ', '__proto__')
const extra = fc.constantFrom<Record<string, Json> | undefined>(undefined, { extra_content: { sign: 'S' } })
const detail = fc.constantFrom<Json>({ type: 'reasoning.text', text: 'x', unknown: [1] }, { data: 'enc' })
const turn = fc.record({
  calls: fc.array(fc.record({ id, extra }), { minLength: 1, maxLength: 5 }),
  details: fc.array(detail, { maxLength: 2 }),
  text: fc.constantFrom('', 'I look.'),
})
const turns = fc.array(turn, { minLength: 1, maxLength: 4 })
type Stated = {
  calls: { id: string; extra: Record<string, Json> | undefined }[]
  details: Json[]
  text: string
}[]

/** Plays the turns; call `i` of turn `n` takes `takes(n, i)` ms and gives what names it. */
async function play(stated: Stated, takes: (n: number, i: number) => number) {
  const clock = jumpingClock()
  const requests: string[] = []
  const threads: Message[][] = []
  const finished: string[] = []
  const model: Model = {
    name: 'm',
    async turn(request) {
      expect(unpaired(request.messages)).toBeUndefined()
      requests.push(bytes(request))
      threads.push([...request.messages])
      const n = requests.length - 1
      const now = stated[n]
      if (!now) return says('end')
      const made = now.calls.map(
        ({ id, extra }, i): Call => ({
          id,
          tool: 'work',
          arguments: `{"n":${n},"i":${i}}`,
          ...(extra ? { extra } : {}),
        }),
      )
      return { ...says(now.text), calls: made, details: now.details } as Turn
    },
  }
  const work = tool('work', {
    about: 'works',
    input: { type: 'object' },
    run: ({ n, i }) =>
      new Promise<string>(go =>
        clock.after(takes(Number(n), Number(i)), () => {
          finished.push(`${n}.${i}`)
          go(`result ${n}.${i}`)
        }),
      ),
  })
  const pieces: Piece[] = []
  const a = agent('a', { model, instructions: 'Work.', tools: [work], limits: { steps: 10 } })
  await run(a, 'go', { clock, each: piece => pieces.push(piece) })
  return { requests, threads, finished, pieces, history: a.history }
}

describe('whatever ids a provider gives', () => {
  test('each call has its own result, in the order of the calls, and nothing that came with it is lost', async () => {
    await fc.assert(
      fc.asyncProperty(turns, async stated => {
        const { history, pieces } = await play(stated, () => 1)
        const results = history.filter(m => m.role === 'tool').map(m => m.text)
        expect(results).toEqual(stated.flatMap((t, n) => t.calls.map((_, i) => `result ${n}.${i}`)))
        const spoken = history.filter(m => m.role === 'assistant').slice(0, stated.length)
        expect(spoken.map(m => m.details)).toEqual(stated.map(t => t.details))
        expect(spoken.map(m => m.calls.map(call => call.extra))).toEqual(
          stated.map(t => t.calls.map(call => call.extra)),
        )
        // An id that is usable is sent back as it is.
        for (const [n, message] of spoken.entries())
          for (const [i, call] of message.calls.entries()) {
            const given = stated[n]!.calls[i]!.id
            const first = stated[n]!.calls.findIndex(each => each.id === given) === i
            if (given !== '' && first) expect(call.id).toBe(given)
          }
        // People and journals know calls by our numbers.
        expect(pieces.filter(p => p.kind === 'call').map(p => p.step)).toEqual(
          stated.flatMap((t, n) => t.calls.map((_, i) => `tool ${n + 1}.${i + 1} work`)),
        )
      }),
      { numRuns, seed },
    )
  })
})

describe('however long each call takes', () => {
  test('the requests are the same bytes, and each begins with all of the one before', async () => {
    await fc.assert(
      fc.asyncProperty(turns, fc.infiniteStream(fc.integer({ min: 1, max: 50 })), async (stated, delays) => {
        const slow = new Map<string, number>()
        const takes = (n: number, i: number): number => {
          const key = `${n}.${i}`
          if (!slow.has(key)) slow.set(key, delays.next().value as number)
          return slow.get(key)!
        }
        const even = await play(stated, () => 1)
        const odd = await play(stated, takes)
        expect(odd.requests).toEqual(even.requests)
        odd.threads.slice(1).forEach((thread, n) => {
          const before = odd.threads[n]!
          expect(thread.slice(0, before.length)).toEqual(before)
        })
      }),
      { numRuns, seed },
    )
  })

  test('the last one to finish first, of three, changes nothing', async () => {
    const three: Stated = [
      { calls: [0, 1, 2].map(() => ({ id: '', extra: undefined })), details: [], text: '' },
    ]
    const up = await play(three, (_, i) => 10 * (i + 1))
    const down = await play(three, (_, i) => 10 * (3 - i))
    expect([up.finished, down.finished]).toEqual([
      ['0.0', '0.1', '0.2'],
      ['0.2', '0.1', '0.0'],
    ])
    expect(down.requests).toEqual(up.requests)
  })
})

describe('a tool without a timeout', () => {
  const taking = async (ms: number, more = {}) => {
    const clock = jumpingClock()
    let begun = 0
    const slow = tool('slow', {
      about: 'is slow',
      ...more,
      run: () => new Promise<string>(go => (begun++, clock.after(ms, () => go('done')))),
    })
    let n = 0
    const model: Model = { name: 'm', turn: async () => (n++ === 0 ? calls([['slow', '{}']]) : says('end')) }
    const a = agent('a', { model, instructions: '', tools: [{ tool: slow, name: 'slow', tries: 3 }] })
    await run(a, 'go', { clock })
    return { text: a.history[2]!.text, begun }
  }

  test('has 5 minutes; after them it is unknown whether it ran, and it is not tried again', async () => {
    expect(await taking(299_999)).toEqual({ text: 'done', begun: 1 })
    expect(await taking(300_001)).toEqual({
      text: 'slow did not answer in time: it is unknown whether it was carried out.',
      begun: 1,
    })
    expect(await taking(20, { timeout: 10 })).toMatchObject({ begun: 1 })
    expect(await taking(900_000, { timeout: '1 hour' })).toEqual({ text: 'done', begun: 1 })
  })
})
