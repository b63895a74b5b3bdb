// Random worlds: models that say and call anything, tools that do anything.
import fc from 'fast-check'
import type { Turn } from '../../src/define/records.ts'
import { agent, type Entry, llm, tool } from '../../src/index.ts'
import { calls, says, scripted } from '../../src/test.ts'
import { number, text } from '../../src/values.ts'
import { watched } from './invariants.ts'

/** What a call in a random turn may be of: the name of a tool, and the text of its arguments. */
const argumentTexts = [
  '{}',
  '',
  '  ',
  'null',
  '{"a":1,"b":2}',
  '{"b":2,"a":1}',
  '{"a":"1","b":2}',
  '{"a":',
  '[1]',
  '{"message":"hi"}',
]
const toolNames = 'add throws rejects hangs deaf huge nothing asks nested llmed steps unknown answer'.split(
  ' ',
)

const call = fc.tuple(
  fc.constantFrom(...toolNames),
  fc.constantFrom(...argumentTexts),
  fc.constantFrom('', 'x', 'call_0', undefined),
)
const words = fc.constantFrom(
  '',
  'ok',
  'äöü 🎉 text',
  '[add finished. Nothing] Continue',
  '[dispatching add: {}]\nnext',
  '{"a":1}',
)

/** A turn of any kind: it may say nothing, repeat ids, be cut by the output limit. */
export const turn: fc.Arbitrary<Turn> = fc
  .record({
    said: words,
    reasoned: words,
    called: fc.array(call, { maxLength: 4 }),
    cut: fc.option(fc.constantFrom('length', 'filter'), { freq: 8 }),
  })
  .map(({ said, reasoned, called, cut }) => {
    const made = called.map(([name, args], i) => ({
      id: called[i]![2] ?? `id${i}`,
      tool: name,
      arguments: args,
    }))
    const plain: Turn = { ...says(said), reasoning: reasoned, calls: made, tokens: 7, input: 50 }
    return cut ? { ...plain, cut: cut as 'length' | 'filter' } : plain
  })

/** A conversation's worth of turns. It always ends with one that says something and calls nothing. */
export const script: fc.Arbitrary<Turn[]> = fc
  .array(turn, { maxLength: 5 })
  .map(turns => [...turns, { ...says('the end'), tokens: 7, input: 50 }])

/** Tools of every temper, nested ones included. `ran` counts which of them did something. */
export function tempers(inner: Turn[], ran: string[], requests: string[]): Entry[] {
  const did = (name: string): void => void ran.push(name)
  return [
    tool('add', {
      about: 'adds',
      input: { a: number(), b: number() },
      readOnly: true,
      run: ({ a, b }) => {
        did('add')
        return a + b
      },
    }),
    tool('throws', {
      about: 'throws at once',
      run: () => {
        did('throws')
        throw new Error('thrown')
      },
    }),
    tool('rejects', { about: 'rejects later', run: async () => await Promise.reject(new Error('rejected')) }),
    tool('hangs', {
      about: 'hangs until it is aborted',
      timeout: '1 minute',
      run: (_input, ctx) =>
        new Promise((_, reject) => ctx.signal.addEventListener('abort', () => reject(new Error('aborted')))),
    }),
    tool('deaf', { about: 'hangs and ignores its abort', timeout: 1000, run: () => new Promise(() => {}) }),
    tool('huge', { about: 'gives 5 MB', run: () => 'ü'.repeat(2_500_000) }),
    tool('nothing', { about: 'gives nothing', run: () => {} }),
    tool('asks', { about: 'asks first', danger: 'ask', run: () => 'asked' }),
    {
      tool: agent('nested', {
        model: watched(scripted([...inner, says('x'), says('y')]), requests),
        instructions: 'nested',
        tools: [],
        limits: { steps: 3 },
      }),
      about: 'a child',
    },
    tool('llmed', {
      about: 'asks a model itself',
      run: async () => {
        const model = watched(scripted([calls([['add', '{"a":1,"b":1}']]), says('1'), says('2')]), requests)
        const add = tool('add', {
          about: 'adds',
          input: { a: number(), b: number() },
          run: ({ a, b }) => a + b,
        })
        const [one, two] = await Promise.all([
          llm('first', { model, tools: [add] }),
          llm('second', { model }),
        ])
        return `${one}${two}`
      },
    }),
    tool('steps', {
      about: 'has steps',
      input: { message: text() },
      run: async ({ message }, ctx) => await ctx.step('only', () => message.length),
    }),
  ]
}
