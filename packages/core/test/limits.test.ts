// Every limit: what happens exactly at it, alone and inside of agents.
import { describe, expect, test } from 'vitest'
import type { Message, Piece, Turn } from '../src/define/records.ts'
import { type Agent, agent, ask, type Entry, type LimitsStated, run, tool } from '../src/index.ts'
import { calls, says, scripted } from '../src/test.ts'
import { integer } from '../src/values.ts'
import { jumpingClock } from './support/clock.ts'
import { unpaired, watched } from './support/invariants.ts'

const using = (turn: Turn, tokens: number, cost?: number): Turn => ({
  ...turn,
  tokens,
  input: 100,
  ...(cost === undefined ? {} : { cost }),
})
const work = (times = 1): Turn => calls(Array.from({ length: times }, (): [string, string] => ['work', '{}']))

function worker(did: string[] = [], more: Partial<Parameters<typeof tool>[1]> = {}): Entry {
  return tool('work', { about: 'works', run: () => `done ${did.push('work')}`, ...more } as Parameters<
    typeof tool
  >[1]) as Entry
}

interface Played {
  answer: string
  ended: string
  limit: string | undefined
  offered: number[]
  messages: Message[]
  usage: { calls: number; tokens: number; toolCalls: number }
}

async function play(turns: Turn[], limits: LimitsStated, tools: Entry[] = [worker()]): Promise<Played> {
  const offered: number[] = []
  const model = watched(scripted(turns))
  const counting = {
    ...model,
    turn: (...args: Parameters<typeof model.turn>) => (
      offered.push(args[0].tools.length), model.turn(...args)
    ),
  }
  const one = agent('one', { model: counting, instructions: '', tools, limits })
  const result = await run(one, 'go', { clock: jumpingClock() }).result
  expect(unpaired(one.history)).toBeUndefined()
  const { answer, ended, limit, usage } = result
  return { answer, ended, limit, offered, messages: one.history, usage }
}

/** The same agent as a child of one that has no limits of its own. */
function around(
  child: Agent,
  limits: LimitsStated = {},
  turns: Turn[] = [calls([['child', '{"message":"go"}']]), says('outer end')],
): Agent {
  return agent('outer', {
    model: watched(scripted(turns)),
    instructions: '',
    tools: [{ tool: child, name: 'child' }],
    limits,
  })
}

const results = (messages: readonly Message[]): string[] =>
  messages.filter(m => m.role === 'tool').map(m => m.text)

describe('steps', () => {
  test('16 rounds by default, then one last turn without tools', async () => {
    const did: string[] = []
    const turns = [...Array.from({ length: 16 }, () => work()), says('enough')]
    const varied = turns.map(
      (t, i): Turn => ({ ...t, calls: t.calls.map(c => ({ ...c, arguments: `{"n":${i}}` })) }),
    )
    const tools = [
      tool('work', { about: 'works', input: { n: integer() }, run: ({ n }) => (did.push('work'), n) }),
    ]
    const played = await play(varied, {}, tools)
    expect(did).toHaveLength(16)
    expect(played.offered).toEqual([...Array.from({ length: 16 }, () => 1), 0])
    expect(played).toMatchObject({ answer: 'enough', ended: 'limit', limit: 'steps' })
  })

  test('15 rounds and an answer is no limit', async () => {
    const turns = [work(), says('soon')]
    expect(await play(turns, { steps: 2 })).toMatchObject({ ended: 'answer', limit: undefined })
    expect(await play([work(), work(), says('now')], { steps: 2 })).toMatchObject({
      ended: 'limit',
      limit: 'steps',
    })
  })

  test('0 rounds: the first turn is the last', async () => {
    const played = await play([says('at once')], { steps: 0 })
    expect(played).toMatchObject({ answer: 'at once', ended: 'limit', offered: [0] })
  })

  test('a last turn that only calls is an error, and the history stays whole', async () => {
    const did: string[] = []
    const one = agent('one', {
      model: scripted([work(), work()]),
      instructions: '',
      tools: [worker(did)],
      limits: { steps: 1 },
    })
    await expect(run(one, 'go')).rejects.toMatchObject({ code: 'T7002' })
    expect(did).toHaveLength(1)
    expect(unpaired(one.history)).toBeUndefined()
    expect(results(one.history).at(-1)).toBe('Not run: the limit steps is spent, and this is the last turn.')
  })

  test('a last turn that says something beside its calls is an answer', async () => {
    const last = { ...work(), text: 'that is all' }
    expect(await play([work(), last], { steps: 1 })).toMatchObject({ answer: 'that is all', ended: 'limit' })
  })

  test('with an output the last turn offers only `answer`, and takes it', async () => {
    const offered: string[][] = []
    const model = scripted([
      work(),
      calls([
        ['work', '{}'],
        ['answer', '{"n":3}'],
      ]),
    ])
    const watching = {
      ...model,
      turn: (...args: Parameters<typeof model.turn>) => (
        offered.push(args[0].tools.map(t => t.function.name)), model.turn(...args)
      ),
    }
    const did: string[] = []
    const one = agent('one', {
      model: watching,
      instructions: '',
      tools: [worker(did)],
      limits: { steps: 1 },
    })
    // A call beside the answer does not run, and does not spoil it.
    expect(await ask(one, 'go', { output: { n: integer() } })).toEqual({ n: 3 })
    expect(offered).toEqual([['work', 'answer'], ['answer']])
    expect(did).toHaveLength(1)
    const two = agent('two', {
      model: scripted([work(), says('three')]),
      instructions: '',
      tools: [worker()],
      limits: { steps: 1 },
    })
    await expect(ask(two, 'go', { output: { n: integer() } })).rejects.toMatchObject({ code: 'T7002' })
  })

  test('a child that spends its own has its own last turn; its parent goes on', async () => {
    const child = agent('c', {
      model: watched(scripted([work(), says('child end')])),
      instructions: '',
      tools: [worker()],
      limits: { steps: 1 },
    })
    const outer = around(child)
    expect(await run(outer, 'go').result).toMatchObject({ answer: 'outer end', ended: 'answer' })
    expect(results(outer.history)).toEqual(['child end'])
  })
})

describe('perRun', () => {
  test('calls: exactly so many turns, then the last one', async () => {
    expect(await play([work(), work(), says('end')], { perRun: { calls: 2 } })).toMatchObject({
      ended: 'limit',
      limit: 'calls',
      usage: { calls: 3 },
    })
    expect(await play([work(), says('end')], { perRun: { calls: 2 } })).toMatchObject({
      ended: 'answer',
      usage: { calls: 2 },
    })
  })

  test('tokensOut: spent when reached; calls of that turn do not begin', async () => {
    const did: string[] = []
    const played = await play([using(work(), 10), says('end')], { perRun: { tokensOut: 10 } }, [worker(did)])
    expect(played).toMatchObject({ ended: 'limit', limit: 'tokensOut', offered: [1, 0] })
    expect(did).toEqual([])
    expect(results(played.messages)).toEqual(['Not run: the limit tokensOut of the run is spent.'])
    expect(await play([using(work(), 9), says('end')], { perRun: { tokensOut: 10 } })).toMatchObject({
      ended: 'answer',
    })
  })

  test('cost: counted where a model tells it', async () => {
    expect(await play([using(work(), 1, 0.5), says('end')], { perRun: { cost: 0.5 } })).toMatchObject({
      ended: 'limit',
      limit: 'cost',
    })
    expect(await play([using(work(), 1, 0.49), says('end')], { perRun: { cost: 0.5 } })).toMatchObject({
      ended: 'answer',
    })
    expect(await play([using(work(), 1), says('end')], { perRun: { cost: 0.5 } })).toMatchObject({
      ended: 'answer',
    })
  })

  test('what a child uses charges its root: the child ends at once, and the root alone has a last turn', async () => {
    const child = agent('c', {
      model: watched(scripted([work(), work(), work(), says('never')])),
      instructions: '',
      tools: [worker()],
    })
    const outer = around(child, { perRun: { calls: 3 } })
    const result = await run(outer, 'go').result
    expect(result).toMatchObject({
      answer: 'outer end',
      ended: 'limit',
      limit: 'calls',
      usage: { calls: 4, toolCalls: 3 },
    })
    expect(results(outer.history)[0]).toContain('the limit calls is spent')
  })

  test('a grandchild charges the root too', async () => {
    const grandchild = agent('g', {
      model: watched(scripted([using(says('deep'), 60)])),
      instructions: '',
      tools: [],
    })
    const child = around(grandchild, {}, [calls([['child', '{"message":"x"}']]), using(says('middle'), 1)])
    const outer = around(child, { perRun: { tokensOut: 50 } })
    expect(await run(outer, 'go').result).toMatchObject({
      answer: 'outer end',
      ended: 'limit',
      limit: 'tokensOut',
      usage: { tokens: 60, calls: 4 },
    })
  })
})

describe('time', () => {
  const slow = (ms: number, clock: ReturnType<typeof jumpingClock>) =>
    tool('work', {
      about: 'works',
      run: () => new Promise(resolve => clock.after(ms, () => resolve('slow'))),
    })

  test('is what a run works, to the millisecond', async () => {
    for (const [ms, ended] of [
      [999, 'answer'],
      [1000, 'limit'],
    ] as const) {
      const clock = jumpingClock()
      const one = agent('one', {
        model: scripted([work(), says('end')]),
        instructions: '',
        tools: [slow(ms, clock)],
        limits: { time: 1000 },
      })
      expect(await run(one, 'go', { clock }).result).toMatchObject({ ended, answer: 'end' })
    }
  })

  test('does not count waiting for a person, in the run or in a child', async () => {
    const clock = jumpingClock()
    const approver = () => new Promise<boolean>(resolve => clock.after(3_600_000, () => resolve(true)))
    const child = agent('c', {
      model: scripted([work(), says('child end')]),
      instructions: '',
      tools: [worker([], { danger: 'ask' })],
      limits: { time: 1000 },
    })
    const outer = around(child, { time: 1000 })
    expect(await run(outer, 'go', { clock, approver }).result).toMatchObject({
      ended: 'answer',
      answer: 'outer end',
    })
    expect(results(outer.history)).toEqual(['child end'])
  })

  test('counts the work that goes on beside a waiting call', async () => {
    const clock = jumpingClock()
    const approver = () => new Promise<boolean>(resolve => clock.after(10_000, () => resolve(true)))
    const tools = [
      worker([], { danger: 'ask' }),
      tool('slow', { about: 'is slow', run: () => new Promise(r => clock.after(2000, () => r('ok'))) }),
    ]
    const one = agent('one', {
      model: scripted([
        calls([
          ['work', '{}'],
          ['slow', '{}'],
        ]),
        says('end'),
      ]),
      instructions: '',
      tools,
      limits: { time: 2000 },
    })
    expect(await run(one, 'go', { clock, approver }).result).toMatchObject({ ended: 'limit', limit: 'time' })
  })

  test('a call that is running finishes; none begins after it', async () => {
    const clock = jumpingClock()
    const tools = [slow(5000, clock)]
    const one = agent('one', {
      model: scripted([work(2), says('end')]),
      instructions: '',
      tools,
      limits: { time: 1000, toolsAtOnce: 1 },
    })
    await run(one, 'go', { clock })
    expect(results(one.history)).toEqual(['slow', 'Not run: the limit time of the run is spent.'])
  })
})

describe('toolCalls', () => {
  test('exactly so many, then the last turn', async () => {
    const did: string[] = []
    const played = await play([work(3), says('end')], { toolCalls: 2 }, [worker(did)])
    expect(did).toHaveLength(2)
    expect(played).toMatchObject({ ended: 'limit', limit: 'toolCalls', usage: { toolCalls: 2 } })
    expect(results(played.messages)[2]).toBe('Not run: the limit toolCalls of the run is spent.')
  })

  test('calls of a child count for its root', async () => {
    const did: string[] = []
    const child = agent('c', {
      model: scripted([work(5), says('child end')]),
      instructions: '',
      tools: [worker(did)],
    })
    const outer = around(child, { toolCalls: 3 })
    const result = await run(outer, 'go').result
    expect(did).toHaveLength(2)
    expect(result.limit).toBe('toolCalls')
  })
})

describe('toolsAtOnce', () => {
  async function most(limits: LimitsStated, times: number): Promise<number> {
    const clock = jumpingClock()
    let now = 0
    let highest = 0
    const tools = [
      tool('work', {
        about: 'works',
        run: () => {
          highest = Math.max(highest, ++now)
          return new Promise(resolve => clock.after(10, () => resolve(now--)))
        },
      }),
    ]
    const one = agent('one', { model: scripted([work(times), says('end')]), instructions: '', tools, limits })
    await run(one, 'go', { clock })
    return highest
  }

  test('8 by default, or what is stated', async () => {
    expect(await most({}, 20)).toBe(8)
    expect(await most({ toolsAtOnce: 3 }, 20)).toBe(3)
  })

  test('a person who lets a call wait blocks nobody', async () => {
    const clock = jumpingClock()
    const did: string[] = []
    const approver = () =>
      new Promise<boolean>(resolve => clock.after(1000, () => (did.push('approved'), resolve(true))))
    const asks = tool('asks', { about: 'asks', danger: 'ask', run: () => did.push('asked') })
    const turn = calls([
      ['asks', '{}'],
      ['asks', '{}'],
      ['work', '{}'],
    ])
    const one = agent('one', {
      model: scripted([turn, says('end')]),
      instructions: '',
      tools: [asks, worker(did)],
      limits: { toolsAtOnce: 1 },
    })
    await run(one, 'go', { clock, approver })
    expect(did[0]).toBe('work')
  })
})

describe('result', () => {
  test('exactly the limit is whole; one byte more is cut on a character, with both sizes', async () => {
    const give = (text: string) => [tool('work', { about: 'gives', run: () => text })]
    expect(results((await play([work(), says('x')], { result: 10 }, give('ü'.repeat(5)))).messages)).toEqual([
      'ü'.repeat(5),
    ])
    const cut = results((await play([work(), says('x')], { result: 9 }, give('ü'.repeat(5)))).messages)[0]
    expect(cut).toBe(
      `${'ü'.repeat(4)}\n[Cut: this is the beginning, 8 of 10 bytes. To read on, call the tool for a smaller part.]`,
    )
    const emoji = results((await play([work(), says('x')], { result: 5 }, give('🎉🎉'))).messages)[0]
    expect(emoji).toMatch(/^🎉\n\[Cut: this is the beginning, 4 of 8 bytes/)
  })

  test('1 MB by default', async () => {
    const give = (n: number) => [tool('work', { about: 'gives', run: () => 'x'.repeat(n) })]
    expect(results((await play([work(), says('x')], {}, give(1_000_000))).messages)[0]).toHaveLength(
      1_000_000,
    )
    expect(results((await play([work(), says('x')], {}, give(1_000_001))).messages)[0]).toContain(
      '1000000 of 1000001 bytes',
    )
  })
})

describe('ask and asks', () => {
  test('nobody answers within `ask`: declined, and the run goes on', async () => {
    const clock = jumpingClock()
    const before = clock.now()
    const one = agent('one', {
      model: scripted([work(), says('end')]),
      instructions: '',
      tools: [worker([], { danger: 'ask' })],
      limits: { ask: '7 days' },
    })
    expect(await run(one, 'go', { clock, approver: () => new Promise(() => {}) })).toBe('end')
    expect(results(one.history)).toEqual(['The person declined this call.'])
    expect(clock.now() - before).toBe(7 * 86_400_000)
  })

  test('20 asks a root run, children included; after that nobody is asked', async () => {
    let asked = 0
    const approver = () => (asked++, true)
    const did: string[] = []
    const asking = (name: string) =>
      agent(name, {
        model: scripted([work(15), says('end')]),
        instructions: '',
        tools: [worker(did, { danger: 'ask', polls: true })],
      })
    const turn = calls([
      ['a', '{"message":"go"}'],
      ['b', '{"message":"go"}'],
    ])
    await run(
      agent('outer', {
        model: scripted([turn, says('end')]),
        instructions: '',
        tools: [asking('a'), asking('b')],
      }),
      'go',
      { approver },
    )
    expect(asked).toBe(20)
    expect(did).toHaveLength(20)
  })
})

describe('repeats', () => {
  test('the ninth call with the same arguments and result is refused, however its keys are ordered', async () => {
    let ran = 0
    const tools = [
      tool('work', { about: 'works', input: { a: integer(), b: integer() }, run: () => (ran++, 'same') }),
    ]
    const turn = (i: number): Turn => calls([['work', i % 2 ? '{"a":1,"b":2}' : '{ "b": 2, "a": 1 }']])
    const played = await play([...Array.from({ length: 11 }, (_, i) => turn(i)), says('end')], {}, tools)
    expect(ran).toBe(8)
    expect(results(played.messages)[8]).toMatch(
      /^Not run again: this very call gave the same result 8 times\./,
    )
  })

  test('two calls in turns are caught too; a new result begins anew; a polling tool may go on', async () => {
    let ran = 0
    const tools = [tool('work', { about: 'works', input: { a: integer() }, run: () => (ran++, 'same') })]
    const alternate = Array.from({ length: 14 }, (_, i) => calls([['work', `{"a":${i % 2}}`]]))
    await play([...alternate, says('end')], { repeats: 3 }, tools)
    expect(ran).toBe(6)
    let n = 0
    const fresh = [tool('work', { about: 'works', run: () => `${n++}` })]
    await play([...Array.from({ length: 12 }, () => work()), says('end')], { repeats: 2 }, fresh)
    expect(n).toBe(12)
    let polled = 0
    const polling = [tool('work', { about: 'polls', polls: true, run: () => (polled++, 'not yet') })]
    await play([...Array.from({ length: 12 }, () => work()), says('end')], { repeats: 2 }, polling)
    expect(polled).toBe(12)
  })
})

describe('depth', () => {
  test('exactly so many agents in one another', async () => {
    const nest = (levels: number): Agent => {
      let inner = agent('leaf', { model: scripted([says('leaf')]), instructions: '', tools: [] })
      for (let i = 0; i < levels; i++)
        inner = around(inner, i === levels - 1 ? { depth: 2 } : {}, [
          calls([['child', '{"message":"x"}']]),
          says(`level ${i}`),
        ])
      return inner
    }
    const fits = nest(2)
    await run(fits, 'go')
    expect(results(fits.history)).toEqual(['level 0'])
    const deep: Piece[] = []
    await run(nest(3), 'go', { nested: true, each: p => deep.push(p) })
    expect(deep.find(p => p.kind === 'failed')?.text).toContain('T7006')
  })
})

describe('the writable limits of a script', () => {
  test('concern later runs of that very agent, and 0 means none', async () => {
    const one = agent(
      scripted([work(), says('a'), work(), work(), says('b'), using(work(), 20), says('c')]),
      '',
      [worker()],
    )
    expect(one.rounds).toBe(16)
    one.rounds = 1
    expect(await run(one, 'x').result).toMatchObject({ ended: 'limit', limit: 'steps' })
    one.rounds = 2
    expect(await run(one, 'x').result).toMatchObject({ ended: 'limit', limit: 'steps' })
    one.maxTokens = 20
    expect(await run(one, 'x').result).toMatchObject({ ended: 'limit', limit: 'tokensOut' })
    one.maxTokens = Number.NaN
    expect(() => run(one, 'x')).toThrow(/maxTokens: is NaN/)
  })
})
