// Files, the log, and names of steps in an app; a file that somebody else holds.
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, test } from 'vitest'
import { agent, flow, type GivenFile, type Message, type Model, tool, useFiles } from '../../src/index.ts'
import type { LogEvent } from '../../src/loop/log.ts'
import { calls, says } from '../../src/test.ts'
import { text } from '../../src/values.ts'
import { asking, byTurn, results, status, world } from './world.ts'

afterEach(() => useFiles(undefined))

const pay = tool('pay', { about: 'Pays', danger: 'ask', run: () => 'paid' })

describe.each(['memory', 'sqlite'] as const)('over %s', kind => {
  test('files are read once, stay with their thread, and are known by name in later runs and to children', async () => {
    const here = world(kind)
    const read: string[] = []
    const readFile = tool('read_file', {
      about: 'Reads on',
      input: { name: text() },
      run: ({ name }) => `more of ${name}`,
    })
    const show = (files: readonly { name: string }[]) => ({
      text: files.map(file => `<${file.name}>`).join(' '),
      images: [],
      tool: readFile,
      files: files.map(({ name }) => ({ name })),
    })
    useFiles({
      read: async files => (
        read.push(
          ...files.map(file => `${file.name} ${'bytes' in file && file.bytes instanceof Uint8Array}`),
        ),
        show(files)
      ),
      again: show,
    })
    const childModel = byTurn([says('seen')], 'child')
    const child = agent('child', { model: childModel, instructions: '', tools: [] })
    const model = byTurn([
      calls([['pay', '{}']]),
      says('one'),
      calls([
        ['read_file', '{"name":"a.txt"}'],
        ['child', '{"message":"look","files":["a.txt"]}'],
        ['child', '{"message":"look","files":["b.txt"]}'],
      ]),
      says('two'),
    ])
    const helper = agent('helper', { model, instructions: '', tools: [pay, child] })
    let app = await begin()
    const file: GivenFile = { name: 'a.txt', bytes: new Uint8Array([1, 2, 3]) }
    const first = await app.runs.start(
      helper,
      { message: 'look', files: [file], thread: 't' },
      { person: 'ann' },
    )
    await asking(app, first, 'ask 1.1')
    await app.close()
    app = await begin()
    await app.runs.approve(first, 'ask 1.1')
    expect(await app.runs.answer(first)).toBe('one')
    expect(model.told.at(-1)![0]!.text).toBe('look\n\n<a.txt>')
    await app.close()
    app = await begin()
    const second = await app.runs.start(helper, { message: 'again', thread: 't' }, { person: 'ann' })
    expect(await app.runs.answer(second)).toBe('two')
    expect(results(model).slice(1)).toEqual([
      'more of a.txt',
      'seen',
      expect.stringMatching(/^T7008: there is no attachment "b.txt"/),
    ])
    expect(childModel.told[0]![0]!.text).toBe('look\n\n<a.txt>')
    expect(read).toEqual(['a.txt true'])

    function begin() {
      return here.begin({ agents: [helper] })
    }
  })
  test('a picture that the model’s server refuses does not spoil the conversation, over a restart', async () => {
    const here = world(kind)
    const image = 'data:image/png;base64,AAAA'
    const shown = (files: readonly { name: string }[]) => ({
      text: '',
      images: files.map(() => image),
      files: files.map(({ name }) => ({ name })),
    })
    useFiles({ read: async files => shown(files), again: () => ({ text: '', images: [], files: [] }) })
    const told: (readonly Message[])[] = []
    const model: Model = {
      name: 'm',
      async turn({ messages }) {
        told.push([...messages])
        if (messages.some(message => message.images))
          throw Object.assign(new Error('400: no images please'), { status: 400 })
        return says('went on')
      },
    }
    const helper = agent('helper', { model, instructions: '', tools: [] })
    let app = await here.begin({ agents: [helper] })
    const first = await app.runs.start(helper, {
      message: 'look',
      files: [{ name: 'p.png', bytes: new Uint8Array([1]) }],
      thread: 't',
    })
    await expect(app.runs.answer(first)).rejects.toThrow('no images please')
    await app.close()
    app = await here.begin({ agents: [helper] })
    expect(await app.runs.answer(await app.runs.start(helper, { message: 'go on', thread: 't' }))).toBe(
      'went on',
    )
    expect(told.at(-1)!.map(({ text, images }) => [text, images])).toEqual([
      ["look\n\n[Left out, because the model's server refused the request: image/png]", undefined],
      ['go on', undefined],
    ])
  })
  test('the log tells what happened once, over restarts', async () => {
    const { begin } = world(kind)
    const child = agent('child', {
      model: byTurn([calls([['pay', '{}']]), says('x')]),
      instructions: '',
      tools: [pay],
    })
    const model = byTurn([
      calls([
        ['child', '{"message":"go"}'],
        ['count', '{}'],
      ]),
      calls([['pay', '{}']]),
      says('done'),
    ])
    const count = tool('count', { about: 'Counts', run: () => 3 })
    const helper = agent('helper', { model, instructions: '', tools: [child, pay, count] })
    const lives = async (restarts: boolean): Promise<string[]> => {
      const events: LogEvent[] = []
      const log = (event: LogEvent): void => void events.push(event)
      let app = await begin({ agents: [helper], log })
      const run = await app.runs.start(helper, 'go')
      for (const ask of ['tool 1.1 child/ask 1.1', 'ask 2.1']) {
        await asking(app, run, ask)
        await status(app, run, 'waiting')
        if (restarts) {
          await app.close()
          app = await begin({ agents: [helper], log })
        }
        await app.runs.approve(run, ask)
      }
      await app.runs.answer(run)
      await app.close()
      return events.map(
        ({ kind, span, ...e }) => `${kind} ${span} ${'tool' in e ? e.tool : ''} ${'row' in e ? e.row : ''}`,
      )
    }
    expect((await lives(true)).sort()).toEqual((await lives(false)).sort())
  })

  test("under tell: 'list' a step bears the inner tool's name", async () => {
    const { begin } = world(kind)
    const model = byTurn([calls([['call', '{"tool":"pay","input":{}}']]), says('done')])
    const helper = agent('helper', { model, instructions: '', tools: [pay], tell: 'list' })
    const app = await begin({ agents: [helper] })
    const run = await app.runs.start(helper, 'go')
    await asking(app, run, 'ask 1.1')
    expect((await app.runs.asks(run))[0]!.call).toMatchObject({ tool: 'pay', arguments: '{}' })
    await app.runs.approve(run, 'ask 1.1')
    await app.runs.answer(run)
    expect((await app.runs.steps(run)).map(s => s.name)).toContain('tool 1.1 pay')
  })
})

test('a file that somebody else holds: what was done is held back and not done again, and goes on when it is free', async () => {
  const { begin, file, warned, clock } = world('sqlite')
  let done = 0
  let end = (): void => {}
  const work = flow('work', {
    run: async ({ step }) => {
      await step('first', () => new Promise(resolve => (end = () => resolve(++done))))
      return await step('second', () => done)
    },
  })
  const app = await begin({ flows: [work] })
  const run = await app.runs.start(work, {})
  await expect.poll(async () => (await app.runs.steps(run)).map(s => s.name)).toContain('first')
  const other = new DatabaseSync(file)
  other.exec('begin immediate')
  end()
  await expect.poll(() => warned.length, { timeout: 20_000 }).toBeGreaterThan(0)
  expect(String(warned[0])).toMatch(/T6003/)
  other.exec('rollback')
  other.close()
  const moving = setInterval(() => clock.move(100), 5)
  expect(await app.runs.answer(run).finally(() => clearInterval(moving))).toBe(1)
  expect(done).toBe(1)
}, 30_000)
