// Long conversations of an app: they fit the window over restarts, and a run that is taken up goes on as it was.
import { describe, expect, test } from 'vitest'
import { agent, fallback, type Message, type Model, tool } from '../../src/index.ts'
import { calls, says } from '../../src/test.ts'
import { integer } from '../../src/values.ts'
import { unpaired } from '../support/invariants.ts'
import { asking, world } from './world.ts'

const WINDOW = 3_000
const ROUNDS = 30

/** A model that knows its turn by the last result, counts its tokens, and refuses what does not fit. */
function counting(requests: string[]): Model & { summaries: number } {
  return {
    name: 'm',
    summaries: 0,
    window: () => WINDOW,
    async turn({ messages, tools }) {
      expect(unpaired(messages)).toBeUndefined()
      const text = messages.map(m => m.text + m.calls.map(call => call.arguments).join('')).join('\n')
      const input = Math.ceil(text.length / 4) + 15 * messages.length
      if (input > WINDOW) throw new Error(`400: ${input} tokens do not fit`)
      requests.push(JSON.stringify(messages))
      if (tools.length === 0 && messages.length === 1)
        return { ...says(`summary ${++this.summaries}`), input, tokens: 5, window: WINDOW }
      const last = messages.findLast((m: Message) => m.role === 'tool' || m.text.startsWith('go'))!
      const n = last.role === 'tool' ? Number(/\d+/.exec(last.text)![0]) + 1 : 0
      const turn = n < ROUNDS ? calls([['note', { n }]]) : says('end')
      return {
        ...turn,
        text: n < ROUNDS ? `thought ${n} `.repeat(40) : 'end',
        input,
        tokens: 5,
        window: WINDOW,
      }
    },
  }
}

const note = tool('note', {
  about: 'Notes.',
  input: { n: integer() },
  danger: ({ n }) => n === 20,
  run: ({ n }) => `noted ${n} ${'x'.repeat(500)}`,
})

describe.each(['memory', 'sqlite'] as const)('over %s', kind => {
  test.each([true, false])(
    'a run that is taken up in the middle of it (compact: %s) goes on, request for request',
    async compact => {
      const play = async (restart: boolean) => {
        const here = world(kind)
        const requests: string[] = []
        const model = counting(requests)
        const limits = { steps: 100 }
        const helper = agent('helper', { model, instructions: '', tools: [note], limits, compact })
        let app = await here.begin({ agents: [helper] })
        // Two runs on one thread: the second begins with what the first left.
        for (const message of ['go', 'go again']) {
          const run = await app.runs.start(helper, { message, thread: 't' })
          await asking(app, run, 'ask 21.1')
          if (restart) {
            await app.close()
            app = await here.begin({ agents: [helper] })
          }
          await app.runs.approve(run, 'ask 21.1')
          expect(await app.runs.answer(run)).toBe('end')
        }
        expect(model.summaries > 1).toBe(compact)
        return requests
      }
      const straight = await play(false)
      expect(await play(true)).toEqual(straight)
    },
  )
})

test('a summary is kept with the thread: later runs begin with it, and not where a run that it tells of is deleted', async () => {
  const here = world('sqlite')
  const requests: string[] = []
  const model = counting(requests)
  const helper = agent('helper', {
    model,
    instructions: '',
    tools: [{ tool: note, name: 'note' }],
    limits: { steps: 100 },
    compact: true,
  })
  let app = await here.begin({ agents: [helper] })
  const first = await app.runs.start(helper, { message: 'go', thread: 't' })
  await asking(app, first, 'ask 21.1')
  await app.runs.approve(first, 'ask 21.1')
  expect(await app.runs.answer(first)).toBe('end')
  const { summaries } = model
  expect(summaries).toBeGreaterThan(1)
  const begin = async (): Promise<Message[]> => {
    await app.close()
    app = await here.begin({ agents: [helper] })
    const at = requests.length
    const next = await app.runs.start(helper, { message: 'go', thread: 't' })
    await asking(app, next, 'ask 21.1')
    await app.runs.stop(next)
    return JSON.parse(requests[at]!) as Message[]
  }
  expect((await begin())[0]!.text).toContain(`What was said before, summed up:\nsummary ${summaries}`)
  await app.runs.delete(first)
  const told = await begin()
  expect(told.map(m => m.text).join()).not.toContain(`summary ${summaries}`)
})

test('which of several models answered is kept with the turn', async () => {
  const down: Model = { name: 'down', turn: () => Promise.reject(new Error('no')) }
  const up: Model = { name: 'up', turn: async () => says('here') }
  const helper = agent('helper', { model: fallback(down, up), instructions: '', tools: [] })
  const here = world()
  let app = await here.begin({ agents: [helper] })
  const run = await app.runs.start(helper, { message: 'hi', thread: 't' })
  expect(await app.runs.answer(run)).toBe('here')
  await app.close()
  app = await here.begin({ agents: [helper] })
  const step = (await app.runs.steps(run)).find(({ name }) => name === 'model 1')
  expect(step).toMatchObject({ value: { turn: { text: 'here', model: 'up' } } })
})
