// The app that is killed: parallel calls, asks at two levels, a flow as a tool, agents two levels deep, a handoff, a
// sleep. Every effect leaves a line on the disk, under the key that a replay gives it again.
import { appendFileSync } from 'node:fs'
import type { Model } from '../../src/define/records.ts'
import { type Agent, agent, flow, llm, tool } from '../../src/index.ts'
import { calls, says } from '../../src/test.ts'
import { text } from '../../src/values.ts'
import { byTurn } from './byturn.ts'

/** The asks of the work. */
export const ASKS = ['ask 1.2', 'ask 1.3', 'tool 1.4 child/tool 1.1 grandchild/ask 1.1']
/** What the run answers, however often it is killed. */
export const ANSWER = 'all done'
/** The effects, by their key in the run. */
export const EFFECTS = [
  '/1.1',
  '/1.2',
  '/1.3/load',
  '/1.3/close',
  '/1.4/1.1/1.1',
  '/1.4/1.2',
  '/1.5',
  '/2.1/step note',
  '/3.1',
].sort()

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

/** The agent; `lines`: the file that its effects go to, or who is told of them. */
export function work(lines: string | ((key: string) => void)): Agent {
  const effect = typeof lines === 'string' ? (key: string): void => appendFileSync(lines, `${key}\n`) : lines
  const counts = (name: string, ms: number, danger?: 'ask') =>
    tool(name, {
      about: `Counts ${name}`,
      ...(danger ? { danger } : {}),
      run: async (_: unknown, ctx) => {
        effect(ctx.callKey)
        await pause(ms)
        return name
      },
    })
  const tidy = flow('tidy', {
    about: 'Tidies up',
    as: 'starter',
    input: { note: text() },
    output: text(),
    danger: 'ask',
    run: async ({ input, step, sleep }) => {
      const loaded = await step('load', ({ key }) => (effect(key), pause(2).then(() => `note ${input.note}`)))
      await sleep(10)
      return await step('close', ({ key }) => (effect(key), `${loaded} closed`))
    },
  })
  const grandchild = agent('grandchild', {
    model: byTurn([calls([['leaf', '{}']]), says('grandchild done')]),
    instructions: 'You are the grandchild.',
    tools: [counts('leaf', 1, 'ask')],
  })
  const child = agent('child', {
    model: byTurn([
      calls([
        ['grandchild', '{"message":"go"}'],
        ['twig', '{}'],
      ]),
      says('child done'),
    ]),
    instructions: 'You are the child.',
    tools: [grandchild, counts('twig', 3)],
  })
  const research = tool('research', {
    about: 'Researches',
    handoff: true,
    run: async (_: unknown, ctx) => {
      const noted = await ctx.step('note', () => (effect(`${ctx.callKey}/step note`), 'noted'))
      const said = await llm(`What of ${noted}?`, { model: byTurn([says('x'), says('nothing yet')]) })
      ctx.handBack(`Researched: ${said}`)
      return said
    },
  })
  const turns = [
    calls([
      ['first', '{}'],
      ['pay', '{}'],
      ['tidy', '{"note":"3"}'],
      ['child', '{"message":"go"}'],
      ['second', '{}'],
    ]),
    calls([['research', '{}']]),
    calls([['last', '{}']]),
    says(ANSWER),
  ]
  // A handoff leaves markers in place of its call, so the turn is known from what stands on the thread.
  const model: Model = {
    name: 'main',
    async turn({ messages }) {
      const worked = messages.some(m => m.origin.from === 'model')
      const handed = messages.some(m => m.origin.from === 'marker')
      const done = messages.some(m => m.origin.from === 'tool' && m.origin.tool === 'last')
      return { ...turns[done ? 3 : handed ? 2 : worked ? 1 : 0]!, tokens: 10, input: 100 }
    },
  }
  return agent('main', {
    model,
    instructions: 'You work.',
    tools: [
      counts('first', 1),
      counts('pay', 2, 'ask'),
      tidy,
      child,
      counts('second', 4),
      research,
      counts('last', 1),
    ],
  })
}
