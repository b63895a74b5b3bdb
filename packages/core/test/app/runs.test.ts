// Threads, people, memory, trouble of providers: what the runs of an app do beside asking.
import { describe, expect, test } from 'vitest'
import { agent, app, flow, memory, ToolwrightError, tool } from '../../src/index.ts'
import { calls, says, scripted } from '../../src/test.ts'
import { text } from '../../src/values.ts'
import { asking, byTurn, results, status, world } from './world.ts'

const echo = (name = 'echo') =>
  byTurn(
    [m => says(`heard ${m.length}`), m => says(`heard ${m.length}`), m => says(`heard ${m.length}`)],
    name,
  )
const texts = (model: ReturnType<typeof byTurn>): string[] => model.told.at(-1)!.map(m => m.text)

describe.each(['memory', 'sqlite'] as const)('over %s', kind => {
  test('a thread goes on over runs and restarts; another person and another agent have another', async () => {
    const { begin } = world(kind)
    const model = echo()
    const helper = agent('helper', { model, instructions: '', tools: [] })
    const other = agent('other', { model: echo(), instructions: '', tools: [] })
    let made = await begin({ agents: [helper, other] })
    const say = async (message: string, person: string | undefined, of = 'helper') =>
      await made.runs.answer(
        await made.runs.start(of, { message, thread: 'main' }, person === undefined ? {} : { person }),
      )
    await say('one', 'ann')
    await made.close()
    made = await begin({ agents: [helper, other] })
    await say('two', 'ann')
    expect(texts(model)).toEqual(['one', 'heard 1', 'two'])
    await say('mine', 'bob')
    expect(texts(model)).toEqual(['mine'])
    await say('nobody', undefined)
    expect(texts(model)).toEqual(['nobody'])
    expect(await say('else', 'ann', 'other')).toBe('heard 1')
    // Left out, each run has its own.
    await made.runs.answer(await made.runs.start(helper, 'alone', { person: 'ann' }))
    expect(texts(model)).toEqual(['alone'])
  })

  test('one run at a time writes to a thread: the next waits, and answers what the one before asks as not agreed', async () => {
    const { begin } = world(kind)
    const pay = tool('pay', { about: 'Pays', danger: 'ask', run: () => 'paid' })
    const model = byTurn([calls([['pay', '{}']]), says('first'), says('second')])
    const helper = agent('helper', { model, instructions: '', tools: [pay] })
    let made = await begin({ agents: [helper] })
    const first = await made.runs.start(helper, { message: 'pay', thread: 't' }, { person: 'ann' })
    await asking(made, first, 'ask 1.1')
    await status(made, first, 'waiting')
    await made.close()
    made = await begin({ agents: [helper] })
    const second = await made.runs.start(helper, { message: 'leave it', thread: 't' }, { person: 'ann' })
    expect(await made.runs.answer(first)).toBe('first')
    expect(await made.runs.answer(second)).toBe('second')
    expect(texts(model)).toEqual(['pay', '', expect.stringMatching(/^T7111/), 'first', 'leave it'])
  })

  test('runs on one thread queue in the order in which they were started, over a restart', async () => {
    const { begin } = world(kind)
    let go = (): void => {}
    const slow = tool('slow', {
      about: 'x',
      run: () => new Promise<string>(resolve => (go = () => resolve('ok'))),
    })
    const model = byTurn([calls([['slow', '{}']]), says('a'), says('b'), says('c')])
    const helper = agent('helper', { model, instructions: '', tools: [slow] })
    let made = await begin({ agents: [helper] })
    const runs = []
    for (const message of ['1', '2', '3'])
      runs.push(await made.runs.start(helper, { message, thread: 't' }, { person: 'ann' }))
    await expect.poll(() => model.asked).toBe(1)
    await made.close({ grace: 0 })
    made = await begin({ agents: [helper] })
    await new Promise(resolve => setTimeout(resolve, 30))
    go()
    expect(await Promise.all(runs.map(run => made.runs.answer(run)))).toEqual(['a', 'b', 'c'])
    expect(texts(model)).toEqual(['1', '', 'ok', 'a', '2', 'b', '3'])
  })

  test('a deleted run leaves its thread to the others; forget takes all that a person had', async () => {
    const { begin } = world(kind)
    const model = echo()
    const helper = agent('helper', { model, instructions: '', tools: [] })
    const made = await begin({ agents: [helper] })
    const say = async (message: string, person: string) => {
      const run = await made.runs.start(helper, { message, thread: 'main' }, { person })
      await made.runs.answer(run)
      return run
    }
    const first = await say('secret', 'ann')
    await say('plain', 'ann')
    await say('bob was here', 'bob')
    expect(await made.runs.delete(first)).toBe(true)
    expect(await made.runs.list({ person: 'ann' })).toHaveLength(1)
    await say('again', 'ann')
    expect(texts(model)).toEqual(['plain', 'heard 3', 'again'])
    await say('and again', 'ann')
    expect(texts(model)).toEqual(['plain', 'heard 3', 'again', 'heard 3', 'and again'])
    expect(await made.runs.forget('ann')).toBe(3)
    expect((await made.runs.list()).map(run => run.person)).toEqual(['bob'])
    await say('who am I?', 'ann')
    expect(texts(model)).toEqual(['who am I?'])
  })

  test("an agent with memory goes on with a thread by name, which is a label under its caller's", async () => {
    const { begin } = world(kind)
    const expert = byTurn([says('a'), says('b'), says('c'), says('d')], 'expert')
    const child = agent('expert', { model: expert, instructions: '', tools: [], memory: true })
    const ask = (message: string, thread?: string): [string, string] => [
      'expert',
      JSON.stringify({ message, ...(thread ? { thread } : {}) }),
    ]
    const model = byTurn([
      calls([ask('one', 't')]),
      calls([ask('two', 't')]),
      says('done'),
      calls([ask('three', 't'), ask('new', 'other')]),
      says('done too'),
    ])
    const helper = agent('helper', { model, instructions: '', tools: [child] })
    let made = await begin({ agents: [helper] })
    const first = await made.runs.start(helper, { message: 'go', thread: 'main' }, { person: 'ann' })
    await made.runs.answer(first)
    expect(expert.told[1]!.map(m => m.text)).toEqual(['one', 'a', 'two'])
    await made.close()
    made = await begin({ agents: [helper] })
    const second = await made.runs.start(helper, { message: 'more', thread: 'main' }, { person: 'ann' })
    await made.runs.answer(second)
    const told = expert.told.slice(2).map(each => each.map(m => m.text))
    expect(told).toContainEqual(['one', 'a', 'two', 'b', 'three'])
    expect(told).toContainEqual(['new'])
  })

  test('calls of one turn to the same conversation of an agent with memory go on with it one after the other', async () => {
    const { begin } = world(kind)
    let working = 0
    let most = 0
    const expert = {
      name: 'expert',
      async turn(request: { messages: readonly { text: string }[] }) {
        most = Math.max(most, ++working)
        await new Promise(resolve => setTimeout(resolve, 3))
        working--
        return says(`of ${request.messages.length}`)
      },
    }
    const child = agent('expert', { model: expert, instructions: '', tools: [], memory: true })
    const ask = (message: string): [string, object] => ['expert', { message, thread: 't' }]
    const model = byTurn([calls([ask('1'), ask('2'), ask('3')]), says('done')])
    const helper = agent('helper', { model, instructions: '', tools: [child] })
    const made = await begin({ agents: [helper] })
    await made.runs.answer(await made.runs.start(helper, 'go'))
    expect([most, results(model)]).toEqual([1, ['of 1', 'of 3', 'of 5']])
  })

  test('the same key starts one run', async () => {
    const { begin } = world(kind)
    const model = echo()
    const helper = agent('helper', { model, instructions: '', tools: [] })
    const made = await begin({ agents: [helper] })
    const [a, b] = await Promise.all([
      made.runs.start(helper, 'go', { key: 'k' }),
      made.runs.start(helper, 'go', { key: 'k' }),
    ])
    expect(a.id).toBe(b.id)
    expect((await made.runs.start(helper, 'go', { key: 'k' })).id).toBe(a.id)
    await made.runs.answer(a)
    expect(model.asked).toBe(1)
  })

  test('a provider that is down is asked again for limits.outage, then the run fails', async () => {
    for (const heals of [true, false]) {
      const { begin, clock } = world(kind)
      let asked = 0
      const model = {
        name: 'down',
        turn: async () => {
          asked++
          if (heals && asked > 3) return says('up again')
          throw new ToolwrightError('T3006', 'the API cannot answer now')
        },
      }
      const helper = agent('helper', { model, instructions: '', tools: [], limits: { outage: '10 minutes' } })
      const made = await begin({ agents: [helper] })
      const run = await made.runs.start(helper, 'go')
      const moving = setInterval(() => clock.move(30_000), 2)
      const answer = made.runs.answer(run).finally(() => clearInterval(moving))
      if (heals) expect(await answer).toBe('up again')
      else await expect(answer).rejects.toThrow('T3006')
      expect(asked).toBeGreaterThan(3)
      expect((await made.runs.get(run)).status).toBe(heals ? 'done' : 'failed')
    }
  })

  test('what is no outage fails at once', async () => {
    const { begin } = world(kind)
    let asked = 0
    const turn = async () => {
      asked++
      throw new ToolwrightError('T3005', 'the API refused the request')
    }
    const helper = agent('helper', { model: { name: 'no', turn }, instructions: '', tools: [] })
    const made = await begin({ agents: [helper] })
    await expect(made.runs.answer(await made.runs.start(helper, 'go'))).rejects.toThrow('T3005')
    expect(asked).toBe(1)
  })

  test('access: from outside only whom it lets in, and a child only for the right starter, who is looked up anew', async () => {
    const { begin } = world(kind)
    const there = new Set(['ann', 'boss'])
    const closed: string[] = []
    const close = flow('close', {
      about: 'Closes',
      as: 'starter',
      access: person => person === 'boss',
      input: {},
      output: text(),
      run: async ({ person, step }) => await step('close', () => (closed.push(String(person)), 'closed')),
    })
    const model = () => byTurn([calls([['close', '{}']]), says('done')])
    const helper = (m: ReturnType<typeof byTurn>) =>
      agent('helper', { model: m, instructions: '', tools: [close], access: 'signedIn' })
    const anns = model()
    const made = await begin({ agents: [helper(anns)], flows: [close], people: person => there.has(person) })
    await expect(made.runs.start('helper', 'go', { outside: true })).rejects.toThrow('T7019')
    await expect(made.runs.start('close', {}, { person: 'ann', outside: true })).rejects.toThrow('T7019')
    const run = await made.runs.start('helper', 'go', { person: 'ann', outside: true })
    expect(await made.runs.answer(run)).toBe('done')
    expect(results(anns)).toEqual([
      'close was not carried out: the person who started the run may not use it.',
    ])
    await made.close()
    const bosses = model()
    const again = await begin({
      agents: [helper(bosses)],
      flows: [close],
      people: person => there.has(person),
    })
    await again.runs.answer(await again.runs.start('helper', 'go', { person: 'boss' }))
    expect(results(bosses)).toEqual(['closed'])
    expect(closed).toEqual(['boss'])
    there.delete('boss')
    await again.runs.answer(await again.runs.start('helper', 'go', { person: 'boss' }))
    expect(results(bosses)).toEqual([
      'close was not carried out: the person who started the run is not there any more.',
    ])
    expect(closed).toEqual(['boss'])
  })

  test('a child that was let in and is barred after a restart ends, and the run goes on', async () => {
    const { begin, clock } = world(kind)
    let lets = true
    const nap = flow('nap', {
      about: 'Sleeps',
      as: 'starter',
      access: () => lets,
      input: {},
      output: text(),
      run: async ({ step, sleep }) => {
        await step('before', () => 1)
        await sleep('1 day')
        return 'slept'
      },
    })
    const model = byTurn([calls([['nap', '{}']]), says('done')])
    const helper = agent('helper', { model, instructions: '', tools: [nap] })
    let made = await begin({ agents: [helper] })
    const run = await made.runs.start(helper, 'go', { person: 'ann' })
    await status(made, run, 'waiting')
    await made.close()
    lets = false
    made = await begin({ agents: [helper] })
    clock.move(86_400_000)
    expect(await made.runs.answer(run)).toBe('done')
    expect(results(model)).toEqual([
      'nap was not carried out: the person who started the run may not use it.',
    ])
  })

  test('every tool knows who started the run, what the app depends on, and a key of its own', async () => {
    const { begin } = world(kind)
    const seen: unknown[] = []
    const look = tool('look', {
      about: 'Looks',
      run: (_: unknown, ctx: { person: string | undefined; deps: unknown; callKey: string }) => {
        seen.push([ctx.person, ctx.deps, ctx.callKey])
        return 'ok'
      },
    })
    const child = agent('child', {
      model: byTurn([calls([['look', '{}']]), says('x')]),
      instructions: '',
      tools: [look],
    })
    const model = byTurn([
      calls([
        ['look', '{}'],
        ['child', '{"message":"go"}'],
      ]),
      says('done'),
    ])
    const helper = agent('helper', { model, instructions: '', tools: [look, child] })
    const made = await begin({ agents: [helper], deps: { db: 1 } })
    const run = await made.runs.start(helper, 'go', { person: 'ann' })
    await made.runs.answer(run)
    expect(seen).toEqual([
      ['ann', { db: 1 }, `${run.id}/1.1`],
      ['ann', { db: 1 }, `${run.id}/1.2/1.1`],
    ])
  })

  test('a stopped run keeps what it wrote, and ends what it waits for', async () => {
    const { begin } = world(kind)
    const pay = tool('pay', { about: 'Pays', danger: 'ask', run: () => 'paid' })
    const model = byTurn([{ ...calls([['pay', '{}']]), text: 'I pay.' }, says('done')])
    const helper = agent('helper', { model, instructions: '', tools: [pay] })
    const made = await begin({ agents: [helper] })
    const run = await made.runs.start(helper, 'go')
    await asking(made, run, 'ask 1.1')
    expect(await made.runs.stop(run)).toBe(true)
    expect(await made.runs.result(run)).toMatchObject({ ended: 'stopped', answer: 'I pay.' })
    expect(await made.runs.asks(run)).toEqual([])
    expect(await made.runs.stop(run)).toBe(false)
  })

  test('what is kept too long is deleted', async () => {
    const { begin, clock } = world(kind)
    const helper = agent('helper', { model: echo(), instructions: '', tools: [] })
    const made = await begin({ agents: [helper], keep: '30 days' })
    const run = await made.runs.start(helper, 'go')
    await made.runs.answer(run)
    clock.move(29 * 86_400_000)
    await new Promise(resolve => setTimeout(resolve, 5))
    expect(await made.runs.list()).toHaveLength(1)
    clock.move(86_400_000)
    await expect.poll(() => made.runs.list()).toEqual([])
  })

  test('pieces come with their positions, from which a reader goes on', async () => {
    const { begin } = world(kind)
    const helper = agent('helper', {
      model: scripted([calls([['look', '{}']]), says('all done')]),
      instructions: '',
      tools: [tool('look', { about: 'x', run: () => 'ok' })],
    })
    const made = await begin({ agents: [helper] })
    const run = await made.runs.start(helper, 'go')
    const seen = []
    for await (const piece of made.runs.pieces(run)) seen.push(piece)
    expect(seen.map(p => p.kind)).toEqual(['call', 'result', 'text', 'text', 'done'])
    const again = []
    for await (const piece of made.runs.pieces(run, seen[2]!.at)) again.push(piece)
    expect(again).toEqual(seen.slice(2))
  })
})

test('an app says all that is wrong with it', () => {
  const helper = agent('same', { model: scripted([]), instructions: '', tools: [] })
  const other = flow('same', { run: async () => 1 })
  expect(() =>
    app({
      agents: [helper, 1 as never],
      flows: [other],
      keep: 'long',
      store: {} as never,
      tools: [],
    } as never),
  ).toThrow(/5 faults/)
})

test('memory() is gone with the process, and costs no file', async () => {
  const helper = agent('helper', { model: scripted([says('hi')]), instructions: '', tools: [] })
  await using made = app({ agents: [helper], store: memory() })
  expect(await made.runs.answer(await made.runs.start(helper, 'go'))).toBe('hi')
  await expect(
    made.runs.start(agent('x', { model: scripted([]), instructions: '', tools: [] }), 'go'),
  ).rejects.toThrow('T7024')
})

test('runs that are started on one thread in the same moment still work one after the other', async () => {
  const { begin } = world('memory')
  let working = 0
  let most = 0
  const model = {
    name: 'slow',
    async turn(request: { messages: readonly unknown[] }) {
      most = Math.max(most, ++working)
      await new Promise(resolve => setTimeout(resolve, 3))
      working--
      return says(`after ${request.messages.length}`)
    },
  }
  const helper = agent('helper', { model, instructions: '', tools: [] })
  const made = await begin({ agents: [helper] })
  const start = (n: number) => made.runs.start(helper, { message: `${n}`, thread: 't' }, { person: 'ann' })
  const runs = await Promise.all([1, 2, 3, 4, 5].map(start))
  const answers = await Promise.all(runs.map(run => made.runs.answer(run)))
  expect([most, answers]).toEqual([1, ['after 1', 'after 3', 'after 5', 'after 7', 'after 9']])
})

test("another person's key is another key", async () => {
  const { begin } = world('memory')
  const helper = agent('helper', { model: echo(), instructions: '', tools: [] })
  const made = await begin({ agents: [helper] })
  const anns = await made.runs.start(helper, 'mine', { person: 'ann', key: 'k' })
  const bobs = await made.runs.start(helper, 'mine', { person: 'bob', key: 'k' })
  expect(bobs.id).not.toBe(anns.id)
  expect(bobs.person).toBe('bob')
})

test('who cannot be looked up is let in nowhere, and the run goes on', async () => {
  const { begin } = world('memory')
  const model = byTurn([calls([['look', '{}']]), says('done')])
  const look = tool('look', { about: 'Looks', run: () => 'seen' })
  const helper = agent('helper', { model, instructions: '', tools: [look] })
  const people = (): boolean => {
    throw new Error('the directory is down')
  }
  const made = await begin({ agents: [helper], people })
  expect(await made.runs.answer(await made.runs.start(helper, 'go', { person: 'ann' }))).toBe('done')
  expect(results(model)).toEqual([
    'look was not carried out: the person who started the run could not be looked up.',
  ])
})

test('what was worked before a restart counts against limits.time after it; waiting does not', async () => {
  for (const [minutes, ended] of [
    [6, 'limit'],
    [4, 'answer'],
  ] as const) {
    const { begin, clock } = world('sqlite')
    const work = tool('work', {
      about: 'Works',
      run: () => {
        clock.move(minutes * 60_000)
        return 'worked'
      },
    })
    const pay = tool('pay', { about: 'Pays', danger: 'ask', run: () => 'paid' })
    const model = byTurn([
      calls([['work', '{}']]),
      calls([['pay', '{}']]),
      calls([['work', '{}']]),
      says('done'),
    ])
    const helper = agent('helper', {
      model,
      instructions: '',
      tools: [work, pay],
      limits: { time: '10 minutes' },
    })
    let made = await begin({ agents: [helper] })
    const run = await made.runs.start(helper, 'go')
    await asking(made, run, 'ask 2.1')
    await made.close()
    clock.move(86_400_000)
    made = await begin({ agents: [helper] })
    await made.runs.approve(run, 'ask 2.1')
    expect(await made.runs.result(run)).toMatchObject({
      ended,
      ...(ended === 'limit' ? { limit: 'time' } : {}),
    })
  }
})
