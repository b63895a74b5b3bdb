// Every limit, at every level of agents in agents: an agent deep down meets its own limits exactly as one at the top
// does, and what is used deep down spends the limits of the root.
import { describe, expect, test } from 'vitest'
import type { Model, Turn } from '../src/define/records.ts'
import { type Agent, agent, type LimitsStated, run, tool } from '../src/index.ts'
import { calls, says, scripted } from '../src/test.ts'
import { jumpingClock } from './support/clock.ts'
import { watched } from './support/invariants.ts'

const LEVELS = [0, 1, 2, 3] as const

const used = (turn: Turn, tokens: number, cost: number): Turn => ({ ...turn, tokens, input: 10, cost })
const work = (n: number, times = 1): Turn =>
  calls(Array.from({ length: times }, (_, i): [string, object] => ['work', { n: n * 100 + i }]))

/** The agent, inside of `level` others that only hand on what it says. */
function inside(level: number, inner: Agent, limits: LimitsStated): Agent {
  let made = inner
  for (let i = 0; i < level; i++)
    made = agent(`outer${i}`, {
      model: watched(scripted([calls([['child', { message: 'go' }]]), says('handed on')])),
      instructions: '',
      tools: [{ tool: made, name: 'child' }],
      limits: i === level - 1 ? limits : {},
    })
  return made
}

interface Seen {
  /** What the innermost model was offered and told, turn by turn. */
  asked: [tools: number, messages: string[]][]
  worked: number
  ended: string
  limit: string | undefined
}

/** Runs the turns at `level`; `own` limits the innermost agent, `root` the outermost. */
async function play(
  level: number,
  turns: Turn[],
  { own = {}, root = {} }: Record<string, LimitsStated>,
): Promise<Seen> {
  const clock = jumpingClock()
  const asked: Seen['asked'] = []
  let worked = 0
  const script = watched(scripted(turns))
  const model: Model = {
    ...script,
    turn: (request, each, signal) => {
      asked.push([request.tools.length, request.messages.map(({ role, text }) => `${role}: ${text}`)])
      return request.answer ? Promise.resolve(says('the last word')) : script.turn(request, each, signal)
    },
  }
  const working = tool('work', {
    about: 'works',
    input: { type: 'object' },
    polls: true,
    run: () => new Promise<string>(go => clock.after(100, () => go(`done ${++worked} ${'x'.repeat(50)}`))),
  })
  const asking = tool('ask', { about: 'asks', danger: 'ask', input: { type: 'object' }, run: () => 'asked' })
  const same = tool('same', { about: 'is the same', run: () => 'same' })
  const limits = level === 0 ? { ...root, ...own } : own
  const inner = agent('inner', { model, instructions: '', tools: [working, asking, same], limits })
  const handle = run(inside(level, inner, root), 'go', { clock, approver: () => true })
  const { ended, limit } = await handle.result
  return { asked, worked, ended, limit }
}

const endless = [...Array.from({ length: 12 }, (_, n) => used(work(n), 10, 0.1)), says('end')]
const cut = (n: number): Turn[] => [...endless.slice(0, n), says('the last word')]

/** Each limit with turns that spend it, and how often the work is then done. */
const limits: [name: string, limits: LimitsStated, turns: Turn[], worked: number][] = [
  ['steps', { steps: 3 }, cut(3), 3],
  ['steps, one less', { steps: 4 }, cut(3), 3],
  ['perRun.calls', { perRun: { calls: 2 } }, cut(2), 2],
  ['perRun.tokensOut', { perRun: { tokensOut: 30 } }, cut(3), 2],
  ['perRun.cost', { perRun: { cost: 0.25 } }, cut(3), 2],
  ['time', { time: 250 }, cut(3), 3],
  ['toolCalls', { toolCalls: 5 }, [work(1, 3), work(2, 3), says('the last word')], 5],
  ['toolsAtOnce', { toolsAtOnce: 2 }, [work(1, 5), says('the last word')], 5],
  ['result', { result: 20 }, cut(2), 2],
  [
    'repeats',
    { repeats: 3 },
    [...Array.from({ length: 5 }, () => calls([['same', '{}']])), says('the last word')],
    0,
  ],
]

describe.each(limits)('%s', (_, own, turns, worked) => {
  test('an agent’s own means the same at every level, and those around it go on', async () => {
    const top = await play(0, turns, { own })
    expect(top.worked).toBe(worked)
    for (const level of LEVELS.slice(1)) {
      const deep = await play(level, turns, { own })
      expect({ level, asked: deep.asked, worked: deep.worked }).toEqual({ level, asked: top.asked, worked })
      expect({ level, ended: deep.ended, limit: deep.limit }).toEqual({
        level,
        ended: 'answer',
        limit: undefined,
      })
    }
  })
})

describe('the limits of the root are spent at every level', () => {
  const roots: [limit: string, LimitsStated, worked: number][] = [
    ['tokensOut', { perRun: { tokensOut: 30 } }, 2],
    ['cost', { perRun: { cost: 0.25 } }, 2],
    ['time', { time: 250 }, 3],
    ['toolCalls', { toolCalls: 5 }, 5],
  ]
  test.each(roots)('%s', async (limit, root, worked) => {
    for (const level of LEVELS) {
      // Above the root's, each agent on the way down is one call itself.
      const more = limit === 'toolCalls' ? { toolCalls: 5 + level } : root
      const seen = await play(level, endless.slice(0, 11).concat(says('end')), { root: more })
      expect({ level, worked: seen.worked, ended: seen.ended, limit: seen.limit }).toEqual({
        level,
        worked,
        ended: 'limit',
        limit,
      })
    }
  })

  test('calls: each agent on the way down took a turn', async () => {
    for (const level of LEVELS) {
      const seen = await play(level, endless, { root: { perRun: { calls: 3 + level } } })
      expect({ level, worked: seen.worked, limit: seen.limit }).toEqual({ level, worked: 3, limit: 'calls' })
    }
  })

  test('asks: a person is asked no oftener, however deep', async () => {
    const turns = [...Array.from({ length: 4 }, (_, n) => calls([['ask', { n }]])), says('end')]
    for (const level of LEVELS) {
      const { asked } = await play(level, turns, { root: { asks: 2 } })
      const results = asked.at(-1)![1].filter(line => line.startsWith('tool: '))
      expect({ level, results }).toEqual({
        level,
        results: [
          'tool: asked',
          'tool: asked',
          expect.not.stringMatching(/asked$/),
          expect.not.stringMatching(/asked$/),
        ],
      })
    }
  })
})
