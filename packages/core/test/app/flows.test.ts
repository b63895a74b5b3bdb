// Flows: what is done once, how they wait, what they call, and how they survive.
import { describe, expect, test } from 'vitest'
import { agent, flow, run as runScript, type ToolwrightError, thread, tool } from '../../src/index.ts'
import { calls, says, scripted } from '../../src/test.ts'
import { integer, list, text } from '../../src/values.ts'
import { byTurn, status, world } from './world.ts'

const MINUTE = 60_000
const DAY = 86_400_000

describe.each(['memory', 'sqlite'] as const)('over %s', kind => {
  test('a step is done once, over restarts and a sleep of 30 days; a repeated name gets a counter', async () => {
    const { begin, clock } = world(kind)
    const done: string[] = []
    const nightly = flow('nightly', {
      input: { notes: list(text()) },
      run: async ({ input, step, sleep }) => {
        for (const note of input.notes) await step('tidy', () => done.push(note))
        await sleep('30 days')
        const at = await step('now', () => new Date(7))
        return { count: done.length, at }
      },
    })
    let app = await begin({ flows: [nightly] })
    const run = await app.runs.start(nightly, { notes: ['a', 'b', 'c'] })
    await status(app, run, 'waiting')
    await app.close()
    app = await begin({ flows: [nightly] })
    clock.move(29 * DAY)
    await new Promise(resolve => setTimeout(resolve, 5))
    expect((await app.runs.get(run)).status).toBe('waiting')
    clock.move(DAY)
    expect(await app.runs.answer(run)).toEqual({ count: 3, at: new Date(7) })
    expect(done).toEqual(['a', 'b', 'c'])
    const names = (await app.runs.steps(run)).map(step => step.name)
    expect(names).toEqual(expect.arrayContaining(['tidy', 'tidy 2', 'tidy 3', 'sleep', 'now']))
  })

  test('a signal wakes who waits for it, one that came before is not lost, and a wait may end', async () => {
    const { begin, clock } = world(kind)
    const waits = flow('waits', {
      run: async ({ wait }) => {
        const first = await wait<{ id: number }>('paid')
        const second = await wait('paid')
        const never = await wait('shipped', { until: '2 days' })
        return [first?.id, second, never]
      },
    })
    const app = await begin({ flows: [waits] })
    const run = await app.runs.start(waits, {})
    await app.runs.signal(run, 'paid', { id: 4 })
    await app.runs.signal(run, 'paid', new Date(5))
    await status(app, run, 'waiting')
    await expect.poll(async () => (await app.runs.steps(run)).map(s => s.name)).toContain('shipped')
    clock.move(2 * DAY)
    expect(await app.runs.answer(run)).toEqual([4, new Date(5), undefined])
    await expect(app.runs.signal(run, 'paid')).rejects.toThrow('T7021')
  })

  test('all: each entry has steps of its own, at most so many at once, results in order, and failures are told', async () => {
    const { begin } = world(kind)
    let now = 0
    let most = 0
    const many = flow('many', {
      input: { fail: integer() },
      run: async ({ input, all }) =>
        await all(
          [1, 2, 3, 4, 5],
          async (n, { step }) =>
            await step('double', async () => {
              most = Math.max(most, ++now)
              await new Promise(resolve => setTimeout(resolve, 2))
              now--
              if (n === input.fail) throw new RangeError(`no ${n}`)
              return 2 * n
            }),
          { atOnce: 2 },
        ),
    })
    const app = await begin({ flows: [many] })
    expect(await app.runs.answer(await app.runs.start(many, { fail: 0 }))).toEqual([2, 4, 6, 8, 10])
    expect(most).toBe(2)
    const failing = await app.runs.start(many, { fail: 3 })
    await expect(app.runs.answer(failing)).rejects.toThrow('no 3')
    expect((await app.runs.get(failing)).status).toBe('failed')
    expect((await app.runs.steps(failing)).map(s => s.name)).toContain('all[4]/double')
  })

  test('a failing step is tried again with pauses; a slow one has its time; the code may catch both', async () => {
    const { begin, clock } = world(kind)
    let tried = 0
    const keys = new Set<string>()
    const flaky = flow('flaky', {
      run: async ({ step }) => {
        const good = await step(
          'flaky',
          ({ key }) => {
            keys.add(key)
            if (++tried < 3) throw new Error('not yet')
            return 'good'
          },
          { tries: 3 },
        )
        const slow = await step('slow', () => new Promise(() => {}), { timeout: '1 minute' }).catch(
          error => (error as ToolwrightError).code,
        )
        return [good, slow]
      },
    })
    const app = await begin({ flows: [flaky] })
    const run = await app.runs.start(flaky, {})
    const moving = setInterval(() => clock.move(MINUTE), 5)
    expect(await app.runs.answer(run).finally(() => clearInterval(moving))).toEqual(['good', 'T7016'])
    expect([tried, keys.size]).toEqual([3, 3])
  })

  test('two steps at the same time are an error that says what to write', async () => {
    const { begin } = world(kind)
    const both = flow('both', {
      run: async ({ step }) => await Promise.all([step('one', () => 1), step('two', () => 2)]),
    })
    const app = await begin({ flows: [both] })
    const run = await app.runs.start(both, {})
    await expect(app.runs.answer(run)).rejects.toThrow(/"two" began before "one".*had ended/s)
    expect((await app.runs.get(run)).error?.code).toBe('T7005')
  })

  test('a flow calls tools, agents and flows; what it called is kept', async () => {
    const { begin, clock } = world(kind)
    const added: number[] = []
    const add = tool('add', {
      about: 'Adds',
      input: { a: integer(), b: integer() },
      run: ({ a, b }) => {
        added.push(a + b)
        return a + b
      },
    })
    const inner = flow('inner', {
      input: { n: integer() },
      run: async ({ input, call }) => await call(add, { a: input.n, b: 1 }),
    })
    const model = byTurn([calls([['add', '{"a":20,"b":2}']]), says('22')])
    const counter = agent('counter', { model, instructions: '', tools: [add] })
    const outer = flow('outer', {
      run: async ({ call, sleep }) => {
        const one = await call(add, { a: 1, b: 2 })
        const two: unknown = await call(inner, { n: one })
        await sleep('1 day')
        const three = await call(counter, { message: 'add' })
        return [one, two, three]
      },
    })
    let app = await begin({ flows: [outer] })
    const run = await app.runs.start(outer, {}, { person: 'ann' })
    await status(app, run, 'waiting')
    await app.close()
    app = await begin({ flows: [outer] })
    clock.move(DAY)
    expect(await app.runs.answer(run)).toEqual([3, 4, '22'])
    expect(added).toEqual([3, 4, 22])
    const names = (await app.runs.steps(run)).map(step => step.name)
    expect(names).toEqual(
      expect.arrayContaining([
        'tool 1 add',
        'tool 2 inner',
        'tool 2 inner/tool 1 add',
        'tool 3 counter/model 1',
      ]),
    )
  })

  test('input and output are read', async () => {
    const { begin } = world(kind)
    const strict = flow('strict', {
      input: { n: integer() },
      output: integer(),
      run: async ({ input }) => (input.n === 0 ? ('zero' as unknown as number) : input.n),
    })
    const app = await begin({ flows: [strict] })
    await expect(app.runs.start(strict, { n: 'x' as never })).rejects.toThrow('T2001')
    expect(await app.runs.answer(await app.runs.start(strict, { n: 2 }))).toBe(2)
    await expect(app.runs.answer(await app.runs.start(strict, { n: 0 }))).rejects.toThrow('T7015')
  })

  test('changed code goes on where it fits, and is refused by names where it does not; the journal stays', async () => {
    const { begin } = world(kind)
    const version = (steps: string[], about: string) =>
      flow('work', {
        about,
        run: async ({ step, wait }) => {
          const done: string[] = []
          for (const name of steps.slice(0, 2)) done.push(await step(name, () => name))
          await wait('go')
          for (const name of steps.slice(2)) done.push(await step(name, () => name))
          return done
        },
      })
    const before = version(['load', 'save'], 'old')
    // What comes after the wait may change, and so may what is told.
    const fits = version(['load', 'save', 'mail'], 'new')
    const misfits: [ReturnType<typeof version>, string][] = [
      [version(['load', 'store'], 'renamed'), '"save"'],
      [version(['save', 'load'], 'moved'), '"load"'],
      [version(['load'], 'gone'), '"save"'],
    ]
    for (const [misfit, named] of misfits) {
      const place = world(kind)
      let app = await place.begin({ flows: [before] })
      const run = await app.runs.start(before, {})
      await status(app, run, 'waiting')
      const journal = JSON.stringify(await app.runs.steps(run))
      await app.close()
      app = await place.begin({ flows: [misfit] })
      await app.runs.signal(run, 'go')
      await status(app, run, 'stuck')
      expect((await app.runs.get(run)).error).toMatchObject({
        code: 'T6006',
        message: expect.stringContaining(named),
      })
      expect(JSON.stringify(await app.runs.steps(run))).toBe(journal)
      await app.close()
      app = await place.begin({ flows: [fits] })
      await app.runs.resume(run)
      expect(await app.runs.answer(run)).toEqual(['load', 'save', 'mail'])
    }
    const app = await begin({ flows: [fits] })
    const other = await app.runs.start(fits, {})
    await status(app, other, 'waiting')
    await app.close()
    const gone = await begin({ flows: [flow('other', { run: async () => 1 })] })
    await gone.runs.signal(other, 'go')
    await new Promise(resolve => setTimeout(resolve, 10))
    expect((await gone.runs.get(other)).status).toBe('waiting')
  })
})

test('an agent of a script may call a flow; only signals need an app', async () => {
  const tidy = flow('tidy', {
    about: 'Tidies',
    as: 'starter',
    input: {},
    output: text(),
    run: async ({ step, all }) =>
      (await step('before', () => all([1], async () => 1)).catch(error => error.code)) +
      (await all([1, 2], async (n, own) => await own.step('x', () => n))).join(),
  })
  const waits = flow('waits', {
    about: 'Waits',
    as: 'starter',
    input: {},
    output: text(),
    run: async ({ wait }) => String(await wait('x')),
  })
  const model = scripted([
    calls([
      ['tidy', '{}'],
      ['waits', '{}'],
    ]),
    says('done'),
  ])
  const on = thread()
  await runScript(agent('a', { model, instructions: '', tools: [tidy, waits] }), 'go', { thread: on })
  const said = on.messages.flatMap(m => (m.role === 'tool' ? [m.text] : []))
  // Inside of a step nothing else of the flow begins; the entries of `all` have steps of their own.
  expect(said[0]).toBe('T70051,2')
  expect(said[1]).toMatch(/^T7017/)
})

test('a statement with faults says them all', () => {
  const bad = { about: '', access: 'all', as: 'me', description: 'x', run: 1, tries: 0, danger: 'yes' }
  expect(() => flow('x"', bad as never)).toThrow(/8 faults/)
})

test('a step may have any name: those of calls and runs are told apart, and no name is a fault', async () => {
  const names = [
    'ask',
    'rule',
    'model 1',
    '1',
    'all[0]',
    'begins',
    'a/b',
    '%2F',
    'tool 1 x',
    'mail before 1',
    'ü 🙂',
  ]
  const odd = flow('odd', {
    about: 'Odd',
    as: 'starter',
    input: {},
    output: list(text()),
    danger: () => true,
    run: async ({ step, call, all, sleep }) => {
      const seen: string[] = []
      for (const name of names) seen.push(await step(name, () => name))
      await all([0], async () => 0)
      await call(tool('x', { about: 'x', run: () => 'x' }))
      await sleep('1 second')
      seen.push(await step('', () => '').catch(error => error.code))
      return seen
    },
  })
  const model = byTurn([calls([['odd', '{}']]), m => says(m.at(-1)!.text)])
  const helper = agent('helper', { model, instructions: '', tools: [odd] })
  const place = world('sqlite')
  let app = await place.begin({ agents: [helper] })
  const run = await app.runs.start(helper, 'go')
  await app.runs.approve(run, 'ask 1.1')
  await expect.poll(async () => (await app.runs.steps(run)).map(s => s.name)).toContain('tool 1.1 odd/sleep')
  await app.close()
  app = await place.begin({ agents: [helper] })
  place.clock.move(1000)
  expect(JSON.parse(await app.runs.answer<string>(run))).toEqual([...names, 'T1001'])
})
