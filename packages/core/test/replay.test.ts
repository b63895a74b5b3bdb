// Killed before or after any write, a run goes on where it was: the same thread, the same answer, nothing finished twice.
import { describe, expect, test } from 'vitest'
import { AGENT } from '../src/define/agent.ts'
import type { Message, Model, Request, Turn } from '../src/define/records.ts'
import { Stop } from '../src/engine/stop.ts'
import { agent, type Decision, endTurn, llm, tool } from '../src/index.ts'
import { begin } from '../src/loop/begin.ts'
import { fromPerson, Thread } from '../src/loop/thread.ts'
import { calls, says } from '../src/test.ts'
import { number, text } from '../src/values.ts'
import { jumpingClock } from './support/clock.ts'
import { unpaired, watched } from './support/invariants.ts'
import { type Death, Journal, replaying } from './support/journal.ts'

/** A model that knows its turn from the conversation alone, so that a new life of it goes on where the old one was. */
function byTurn(turns: Turn[], asked: string[], name: string, ...inside: Turn[]): Model {
  return watched({
    name,
    async turn(request: Request, each) {
      const said = request.messages.filter(m => m.role === 'assistant' && m.origin.from === 'model').length
      // On a thread that others write to, what was said last tells more than how much was said.
      const over = request.messages.some(m => m.role === 'user' && m.origin.from === 'marker')
      const at = inside.length > 0 ? (over ? inside.length - 1 : 0) : said
      asked.push(`${name} ${at}`)
      const turn = over && inside.length > 0 ? inside[at] : (turns[at] ?? inside[0])
      if (!turn) throw new Error(`${name} has no turn ${at}`)
      each({ kind: 'text', text: turn.text })
      return { ...turn, tokens: 10, input: 100 }
    },
  })
}

/** What one life of the world does: effects counted outside of the journal, as on a disk. */
interface World {
  effects: string[]
  asked: string[]
}

interface Scenario {
  name: string
  make: (world: World) => ReturnType<typeof agent>
  decisions?: (tool: string) => Decision
  /** Effects that are steps of their own, and so happen once, kill or not, but for the one that was cut. */
  once: RegExp
  /** What the thread must hold at the end. */
  holds?: string
}

const scenarios: Scenario[] = [
  {
    name: 'parallel calls, one of them failing',
    once: /^step/,
    make: world =>
      agent('main', {
        model: byTurn(
          [
            calls([
              ['add', '{"a":1,"b":2}'],
              ['fail', '{}'],
              ['add', '{"a":"3","b":4}'],
              ['nope', '{}'],
            ]),
            says('three'),
          ],
          world.asked,
          'main',
        ),
        instructions: '',
        tools: [
          tool('add', { about: 'adds', input: { a: number(), b: number() }, run: ({ a, b }) => a + b }),
          tool('fail', {
            about: 'fails',
            run: () => {
              throw new Error('it broke')
            },
          }),
        ],
      }),
  },
  {
    name: 'asks, one approved and one not, beside a call that is free',
    once: /^step/,
    decisions: name => (name === 'pay' ? { approved: true } : { approved: false, why: 'too dear' }),
    make: world =>
      agent('main', {
        model: byTurn(
          [
            calls([
              ['pay', '{"amount":5}'],
              ['free', '{}'],
              ['buy', '{}'],
            ]),
            says('done'),
          ],
          world.asked,
          'main',
        ),
        instructions: '',
        tools: [
          tool('pay', {
            about: 'pays',
            input: { amount: number() },
            danger: ({ amount }) => amount > 3,
            run: ({ amount }) => `paid ${amount}`,
          }),
          tool('free', { about: 'is free', run: () => ({ ok: true }) }),
          tool('buy', { about: 'buys', danger: 'ask', run: () => 'bought' }),
        ],
      }),
  },
  {
    name: 'llm in a body, twice and queued, with steps of its own',
    once: /^step/,
    make: world => {
      const small = byTurn([says('one'), says('two')], world.asked, 'small')
      return agent('main', {
        model: byTurn([calls([['research', '{"topic":"x"}']]), says('ready')], world.asked, 'main'),
        instructions: '',
        tools: [
          tool('research', {
            about: 'researches',
            input: { topic: text() },
            run: async ({ topic }, ctx) => {
              const noted = await ctx.step('note', () => {
                world.effects.push('step note')
                return new Date(0)
              })
              const [a, b] = await Promise.all([
                llm(`first ${topic}`, { model: small }),
                llm('second', { model: small }),
              ])
              const again = await ctx.step('note', () => {
                world.effects.push('step note again')
                return 7n
              })
              return `${noted.getTime()} ${a} ${b} ${again}`
            },
          }),
        ],
      })
    },
  },
  {
    name: 'agents two levels deep, one that asks',
    once: /^step/,
    decisions: () => ({ approved: true }),
    make: world => {
      const leaf = agent('leaf', {
        model: byTurn([calls([['send', '{}']]), says('sent')], world.asked, 'leaf'),
        instructions: '',
        tools: [tool('send', { about: 'sends', sendsOut: true, run: () => 'ok' })],
      })
      const middle = agent('middle', {
        model: byTurn(
          [calls([['leaf', '{"message":"please send"}']]), says('middle done')],
          world.asked,
          'middle',
        ),
        instructions: '',
        tools: [leaf],
      })
      return agent('main', {
        model: byTurn(
          [
            calls([
              ['middle', '{"message":"go"}'],
              ['middle', '{"message":"go again"}'],
            ]),
            says('all done'),
          ],
          world.asked,
          'main',
        ),
        instructions: '',
        tools: [middle],
      })
    },
  },
  {
    name: 'a call that is tried three times',
    once: /^step/,
    make: world => {
      return agent('main', {
        model: byTurn([calls([['flaky', '{}']]), says('ok')], world.asked, 'main'),
        instructions: '',
        tools: [
          {
            tool: tool('flaky', {
              about: 'is flaky',
              run: async (_input, ctx) => {
                const n = await ctx.step('count', async () => 1)
                world.effects.push('flaky')
                throw new Error(`no ${n}`)
              },
            }),
            tries: 3,
          },
        ],
      })
    },
  },
  {
    name: 'limits: the last turn is the same after a kill',
    once: /^step/,
    make: world =>
      agent('main', {
        model: byTurn(
          [
            calls([
              ['add', '{}'],
              ['add', '{}'],
            ]),
            says('enough'),
          ],
          world.asked,
          'main',
        ),
        instructions: '',
        tools: [tool('add', { about: 'adds', run: () => 1 })],
        limits: { steps: 2, toolCalls: 1 },
      }),
  },
  {
    name: 'handoffs in one another, beside other calls, one of which asks',
    once: /^step/,
    decisions: () => ({ approved: true }),
    make: world => {
      const deep = tool('deep', {
        about: 'takes over inside',
        handoff: true,
        run: async (_input, ctx) => {
          await ctx.step('look', () => world.effects.push('step look'))
          return await llm('deep?', {
            model: byTurn([says('deep said')], world.asked, 'deep', says('deep said')),
            system: 'You are deep.',
          })
        },
      })
      const outer = tool('outer', {
        about: 'takes over',
        handoff: true,
        run: async () =>
          await llm('outer?', {
            model: byTurn([], world.asked, 'outer', calls([['deep', '{}']]), says('outer said')),
            tools: [deep],
            system: 'You are outer.',
          }),
      })
      return agent('main', {
        model: byTurn(
          [
            calls([
              ['outer', '{}'],
              ['ask', '{}'],
            ]),
          ],
          world.asked,
          'main',
          says('end'),
        ),
        instructions: 'You are main.',
        tools: [outer, tool('ask', { about: 'asks', danger: 'ask', run: () => 'asked' })],
      })
    },
  },
  {
    name: 'a turn that a tool two levels deep ends for all, under a list',
    once: /^step/,
    make: world => {
      const end = tool('end', { about: 'ends', run: () => (endTurn('turn'), 'that is all') })
      const child = agent('child', {
        model: byTurn([calls([['end', '{}']])], world.asked, 'child'),
        instructions: '',
        tools: [end],
      })
      return agent('main', {
        model: byTurn([calls([['call', '{"tool":"child","input":{"message":"go"}}']])], world.asked, 'main'),
        instructions: '',
        tools: [child],
        tell: 'list',
      })
    },
  },
  {
    name: 'two `llm` calls on one thread, the second of which sees the first',
    once: /^step/,
    make: world =>
      agent('main', {
        model: byTurn([calls([['talk', '{}']]), says('end')], world.asked, 'main'),
        instructions: '',
        tools: [
          tool('talk', {
            about: 'talks',
            run: async () => {
              const model = byTurn([says('first'), says('second')], world.asked, 'small')
              return `${await llm('a', { model, system: 'be brief' })} ${await llm('b', { model })}`
            },
          }),
        ],
      }),
  },
  {
    name: 'values that calls keep for later ones: in a body, an inner call, an `llm` call and a handoff',
    once: /^step/,
    holds: 'second, of a child, of c, of d, none',
    make: world => {
      const keep = tool('keep', {
        about: 'keeps',
        input: { name: text(), value: text() },
        run: ({ name, value }, { variables }) => variables.set(name, value),
      })
      const child = agent('child', {
        model: byTurn(
          [calls([['keep', '{"name":"b","value":"of a child"}']]), says('kept')],
          world.asked,
          'child',
        ),
        instructions: '',
        tools: [keep],
      })
      const talk = tool('talk', {
        about: 'talks',
        run: async (_, { llm, variables }) => {
          const model = byTurn(
            [calls([['keep', '{"name":"c","value":"of c"}']]), says('ok')],
            world.asked,
            'c',
          )
          await llm('keep it', { model, tools: [keep] })
          return `${variables.get('c')}`
        },
      })
      const hand = tool('hand', {
        about: 'takes over',
        handoff: true,
        run: async (_, { llm, variables }) => {
          variables.set('d', 'of d')
          return await llm('well?', { model: byTurn([], world.asked, 'd', says('so')) })
        },
      })
      const show = tool('show', {
        about: 'shows',
        run: (_, { variables }) =>
          ['a', 'b', 'c', 'd', 'e'].map(name => variables.get(name) ?? 'none').join(', '),
      })
      return agent('main', {
        model: byTurn(
          [
            calls([
              ['keep', '{"name":"a","value":"first"}'],
              ['keep', '{"name":"a","value":"second"}'],
              ['child', '{"message":"go"}'],
              ['talk', '{}'],
            ]),
            calls([['hand', '{}']]),
            calls([['show', '{}']]),
            says('end'),
          ],
          world.asked,
          'main',
        ),
        instructions: '',
        tools: [keep, child, talk, hand, show],
      })
    },
  },
]

interface Life {
  messages: string
  answer: string
  ended: string
  journal: Journal
}

async function live(scenario: Scenario, world: World, journal: Journal): Promise<Life | undefined> {
  const definition = scenario.make(world)[AGENT]
  const stop = new Stop()
  const clock = jumpingClock()
  const thread = new Thread('main')
  const { decisions } = scenario
  const place = replaying({
    journal,
    clock,
    stop,
    ...(decisions ? { asks: ask => decisions(ask.call.tool) } : {}),
  })
  const { ending } = begin(definition, fromPerson('go'), {
    id: 'run',
    place,
    thread,
    clock,
    output: definition.output,
    limits: definition.limits,
    asksEach: false,
    declined: name => `T7111: ${name} was not carried out: the person did not agree.`,
  })
  const end = await Promise.race([ending, journal.died.then(() => undefined)])
  if (!end) return undefined
  expect(unpaired(thread.messages as Message[])).toBeUndefined()
  return { messages: JSON.stringify(thread.messages), answer: end.text, ended: end.ended, journal }
}

describe.each(scenarios)('a run with $name', scenario => {
  test('ends the same, wherever it is killed', async () => {
    const undisturbed: World = { effects: [], asked: [] }
    const expected = (await live(scenario, undisturbed, new Journal()))!
    const { writes } = expected.journal
    expect(writes).toBeGreaterThan(5)
    expect(expected.messages).toContain(scenario.holds ?? '')
    for (let write = 1; write <= writes; write++)
      for (const when of ['before', 'after'] as const) {
        const death: Death = { write, when }
        const world: World = { effects: [], asked: [] }
        const first = new Journal(new Map(), death)
        const cut = await live(scenario, world, first)
        // The very last write may be the one that nobody waits for.
        const second = cut ?? (await live(scenario, world, new Journal(first.kept)))!
        expect({ death, messages: second.messages }).toEqual({ death, messages: expected.messages })
        expect(second.answer).toBe(expected.answer)
        expect(second.ended).toBe(expected.ended)
        // A step that is kept does not happen again: at most the one in which the process died.
        expect(world.asked.length).toBeLessThanOrEqual(undisturbed.asked.length + 2)
        const steps = world.effects.filter(e => scenario.once.test(e))
        expect(steps.length).toBeLessThanOrEqual(
          undisturbed.effects.filter(e => scenario.once.test(e)).length + 1,
        )
      }
  })

  test('needs no work at all once everything is kept', async () => {
    const world: World = { effects: [], asked: [] }
    const first = (await live(scenario, world, new Journal()))!
    const later: World = { effects: [], asked: [] }
    const again = (await live(scenario, later, new Journal(first.journal.kept)))!
    expect(again.messages).toBe(first.messages)
    expect(later.asked).toEqual([])
    expect(later.effects).toEqual([])
    expect(again.journal.writes).toBe(0)
  })
})
