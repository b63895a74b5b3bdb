// What is always true of a run, whatever the model says and the tools do.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Message, Piece } from '../src/define/records.ts'
import { agent, run, thread } from '../src/index.ts'
import { calls, says, scripted } from '../src/test.ts'
import { jumpingClock } from './support/clock.ts'
import { unpaired, watched } from './support/invariants.ts'
import { script, tempers } from './support/random.ts'

const runs = Number(process.env['TOOLWRIGHT_RUNS'] ?? 150)
const seed = Number(process.env['TOOLWRIGHT_SEED'] ?? 20261130)

interface Told {
  pieces: Piece[]
  requests: string[]
  messages: Message[]
  ended: string
}

async function play(
  outer: Parameters<typeof scripted>[0],
  inner: Parameters<typeof tempers>[0],
  stopAt = Number.POSITIVE_INFINITY,
): Promise<Told> {
  const requests: string[] = []
  const pieces: Piece[] = []
  const one = agent('main', {
    model: watched(scripted(outer), requests),
    instructions: 'be good',
    tools: tempers(inner, [], requests),
    limits: { result: '1 MB' },
  })
  const handle = run(one, 'go', {
    nested: true,
    clock: jumpingClock(),
    approver: () => true,
    each: piece => {
      pieces.push(piece)
      if (pieces.length === stopAt) queueMicrotask(() => handle.stop())
    },
  })
  const ended = await handle.result.then(
    r => r.ended,
    error => `error ${String(error)}`,
  )
  return { pieces, requests, messages: one.history, ended }
}

/** What each temper's result looks like. */
const answers: Record<string, RegExp> = {
  add: /^42$/,
  throws: /^thrown$/,
  rejects: /^rejected$/,
  hangs: /^hangs did not answer in time: it is unknown whether it was carried out\.$/,
  deaf: /^deaf did not answer in time: it is unknown whether it was carried out\.$/,
  huge: /^ü{500000}\n\[Cut: this is the beginning, 1000000 of 5000000 bytes\./,
  nothing: /^nothing ran and returned nothing\.$/,
  asks: /^asked$/,
  nested: /^/,
  llmed: /^12$/,
  steps: /^2$/,
  unknown: /^There is no tool "unknown"\./,
}

describe('whatever the model says and the tools do', () => {
  test('every call has exactly one result before each request, and at the end', async () => {
    await fc.assert(
      fc.asyncProperty(script, script, async (outer, inner) => {
        const { messages, ended } = await play(outer, inner)
        expect(unpaired(messages)).toBeUndefined()
        expect(ended).not.toContain('invariant')
        // A model that speaks after its calls always gets to its end: no call ends the run.
        expect(ended).toMatch(/^(answer|limit)$/)
      }),
      { numRuns: runs, seed },
    )
  })

  test('each call shows `call` and then exactly one of `result` and `failed`', async () => {
    await fc.assert(
      fc.asyncProperty(script, script, async (outer, inner) => {
        const { pieces } = await play(outer, inner)
        const open = new Map<string, number>()
        for (const piece of pieces) {
          if (piece.kind === 'call') {
            expect(open.has(piece.step)).toBe(false)
            open.set(piece.step, 0)
          }
          if (piece.kind === 'result' || piece.kind === 'failed')
            open.set(piece.step, (open.get(piece.step) ?? 9) + 1)
        }
        expect([...open.values()].every(n => n === 1)).toBe(true)
        const last = pieces.at(-1)!.kind
        expect(last).toBe('done')
        expect(
          pieces.filter(p => p.kind === 'done' || p.kind === 'error' || p.kind === 'stopped'),
        ).toHaveLength(1)
      }),
      { numRuns: runs, seed: seed + 1 },
    )
  })

  test('the same script gives byte-identical requests, whatever finishes first', async () => {
    await fc.assert(
      fc.asyncProperty(script, script, async (outer, inner) => {
        const one = await play(outer, inner)
        const two = await play(outer, inner)
        expect(two.requests).toEqual(one.requests)
        // A later request begins with all of the earlier one of its own conversation: caches stay warm.
        expect(JSON.stringify(two.messages)).toBe(JSON.stringify(one.messages))
      }),
      { numRuns: Math.ceil(runs / 2), seed: seed + 2 },
    )
  })

  test('text pieces, put together by step and offset, are what the model wrote', async () => {
    await fc.assert(
      fc.asyncProperty(script, async outer => {
        const { pieces, messages } = await play(outer, [])
        const steps = new Map<string, string>()
        for (const piece of pieces)
          if (piece.kind === 'text' && !piece.step.includes('/')) {
            const before = steps.get(piece.step) ?? ''
            expect(piece.offset).toBe(before.length)
            steps.set(piece.step, before + piece.text)
          }
        const written = messages.filter(m => m.role === 'assistant').map(m => m.text.replaceAll('\\[', '['))
        expect([...steps.values()]).toEqual(written.filter(t => t !== ''))
      }),
      { numRuns: runs, seed: seed + 3 },
    )
  })

  test('stopping at any piece leaves a history that can go on', async () => {
    await fc.assert(
      fc.asyncProperty(script, script, fc.integer({ min: 1, max: 40 }), async (outer, inner, stopAt) => {
        const { messages, ended, pieces } = await play(outer, inner, stopAt)
        expect(ended).toMatch(/^(answer|limit|stopped)$/)
        expect(pieces.at(-1)!.kind).toMatch(/^(done|stopped)$/)
        expect(unpaired(messages)).toBeUndefined()
        const next = agent('next', {
          model: watched(scripted([says('went on')])),
          instructions: '',
          tools: [],
        })
        expect(await run(next, 'and now?', { thread: thread(messages) })).toBe('went on')
        expect(unpaired(messages)).toBeUndefined()
      }),
      { numRuns: runs, seed: seed + 4 },
    )
  })

  test('what one call does never shows in the result of another', async () => {
    const others = fc.array(
      fc.constantFrom(...'throws rejects hangs deaf huge nothing asks nested llmed steps unknown'.split(' ')),
      { maxLength: 4 },
    )
    await fc.assert(
      fc.asyncProperty(others, fc.nat(), script, async (names, at, inner) => {
        const named = names.map((name): [string, string] => [
          name,
          name === 'nested' || name === 'steps' ? '{"message":"hi"}' : '{}',
        ])
        named.splice(at % (names.length + 1), 0, ['add', '{"a":20,"b":22}'])
        const { messages } = await play([calls(named), says('end')], inner)
        const results = messages
          .filter(m => m.role === 'tool')
          .map(m => [m.origin.from === 'tool' ? m.origin.tool : '', m.text] as const)
        expect(results.map(([name]) => name)).toEqual(named.map(([name]) => name))
        for (const [name, text] of results) expect(text).toMatch(answers[name]!)
      }),
      { numRuns: runs, seed: seed + 6 },
    )
  })

  test('no line of a person, a tool or a model begins like a marker of a handoff', async () => {
    await fc.assert(
      fc.asyncProperty(script, script, async (outer, inner) => {
        const { messages } = await play(outer, inner)
        for (const message of messages)
          expect(message.text).not.toMatch(/^\s*\[(dispatching [^\n]*?:|[^\n]*? (finished|failed)\.)/m)
      }),
      { numRuns: Math.ceil(runs / 3), seed: seed + 5 },
    )
  })
})
