// Several engines on one database: who works and who looks on need not be the same.

import type { Engine, RunPlace } from '@toolwright/core/engine'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { agent, app, type Model } from '../../core/src/index.ts'
import { says } from '../../core/src/test.ts'
import { ANSWER, work } from '../../core/test/app/chaoswork.ts'
import { type PostgresOptions, postgres } from '../src/index.ts'
import { hasPostgres, type Server, startServer, without } from './server.ts'

const far = Date.UTC(2100, 0)

describe.skipIf(!hasPostgres)(`several processes on one database${without}`, () => {
  let server: Server
  const open: Engine[] = []
  const engine = (url: string, options?: PostgresOptions): Engine => {
    const made = postgres(url, options)
    open.push(made)
    return made
  }
  beforeAll(async () => {
    server = await startServer(['-c', 'fsync=off'])
  }, 60_000)
  afterAll(async () => {
    for (const each of open) await each.close({ grace: 0 })
    await server?.stop()
  })

  const piece = (text: string) => ({ kind: 'text', text, step: 'model 1', attempt: 1, offset: 0 }) as const

  test('pieces are read where the run does not work, live and from where a reader left off', async () => {
    const url = await server.database()
    const works = engine(url)
    const looks = engine(url)
    await works.open({
      f: async place => {
        for (let n = 0; n < 100; n++) place.emit(piece(`a${n} `))
        await place.wait('go', 'go', far)
        for (let n = 0; n < 100; n++) place.emit(piece(`b${n} `))
        return 'ok'
      },
    })
    const { id } = await looks.run({ flow: 'f', input: null })
    await vi.waitFor(async () => expect((await looks.get(id))?.status).toBe('waiting'), { timeout: 10_000 })
    const first: { at: number; piece: { text: string } }[] = []
    for await (const each of looks.pieces(id)) {
      first.push(each)
      if (first.length === 60) break
    }
    const rest: string[] = []
    const reading = (async () => {
      for await (const { piece } of looks.pieces(id, first.at(-1)!.at + 1)) rest.push(piece.text)
    })()
    await vi.waitFor(() => expect(rest).toHaveLength(40), { timeout: 10_000 })
    await looks.send(id, 'go', 1)
    await reading
    expect([...first.map(each => each.piece.text), ...rest].join('')).toBe(
      ['a', 'b'].flatMap(letter => Array.from({ length: 100 }, (_, n) => `${letter}${n} `)).join(''),
    )
  })

  test('who waits for a run elsewhere is told when it has settled', async () => {
    const url = await server.database()
    const works = engine(url)
    const looks = engine(url)
    await works.open({ f: async place => (await place.wait('go', 'go', far)) ?? null })
    const { id } = await looks.run({ flow: 'f', input: null })
    const settled = looks.settled(id)
    await vi.waitFor(async () => expect((await looks.get(id))?.status).toBe('waiting'), { timeout: 10_000 })
    const begin = performance.now()
    await looks.send(id, 'go', 7)
    expect((await settled).output).toBe(7)
    expect(performance.now() - begin).toBeLessThan(2000)
  })

  test('a run that kills its process is parked after three deaths, by name, and others go on', async () => {
    const url = await server.database()
    const database = new URL(url).pathname.slice(1)
    const began: string[] = []
    const flow = async (place: RunPlace, run: { id: string }) =>
      await place.step('deadly', async ({ attempt }) => {
        began.push(`${run.id} ${attempt}`)
        if (run.id === 'poison') await new Promise(() => {})
        return attempt
      })
    await engine(url).run({ flow: 'f', input: null, id: 'poison' })
    for (let death = 1; death <= 3; death++) {
      const e = engine(url)
      await e.open({ f: flow })
      await vi.waitFor(() => expect(began).toHaveLength(death), { timeout: 5000 })
      await vi.waitFor(async () => expect((await e.steps('poison'))[0]?.status).toBe('begun'), {
        timeout: 10_000,
      })
      await e.close({ grace: 0 })
      // As a kill leaves it, in place of a close.
      await server.query(
        `update toolwright.runs set status = 'running', cuts = cuts - 1, owner = 'dead'`,
        database,
      )
    }
    const last = engine(url)
    await last.open({ f: flow })
    await last.run({ flow: 'f', input: null, id: 'other' })
    expect((await last.settled('other')).output).toBe(1)
    const parked = await last.settled('poison')
    expect(parked).toMatchObject({ status: 'parked', deaths: 3, error: { code: 'T6009' } })
    expect(parked.error?.message).toMatch('deadly')
    expect(began).toEqual(['poison 1', 'poison 2', 'poison 3', 'other 1'])
  })

  test('three apps work the runs of each other, and any of them answers', { timeout: 60_000 }, async () => {
    const url = await server.database()
    const effects: string[] = []
    const apps = [1, 2, 3].map(() =>
      app({
        agents: [work(key => effects.push(key))],
        store: postgres(url, { leaveAfter: 5 }),
        drain: false,
      }),
    )
    for (const each of apps) await each.open()
    const runs = await Promise.all(
      Array.from({ length: 9 }, (_, i) => apps[i % 3]!.runs.start('main', 'go', { person: 'ann' })),
    )
    let over = false
    const answers = Promise.all(runs.map((run, i) => apps[(i + 1) % 3]!.runs.answer(run))).finally(() => {
      over = true
    })
    for (let n = 0; !over; n++) {
      const { runs: there } = apps[n % 3]!
      for (const ask of await there.asks()) await there.approve(ask.run, ask.step, { by: 'ann' })
      await new Promise(resolve => setTimeout(resolve, 10))
    }
    expect(await answers).toEqual(runs.map(() => ANSWER))
    expect(new Set(effects).size).toBe(effects.length)
    for (const each of apps) await each.close()
  })

  test('runs that two apps start at once on one thread work one after the other', {
    timeout: 60_000,
  }, async () => {
    const url = await server.database()
    let now = 0
    let most = 0
    const talker = () =>
      agent('talker', {
        model: {
          name: 'slow',
          async turn({ messages }) {
            most = Math.max(most, ++now)
            await new Promise(resolve => setTimeout(resolve, 20))
            now--
            const said = messages.filter(message => message.role === 'user').length
            return { ...says(`heard ${said}`), tokens: 1, input: 1 }
          },
        } satisfies Model,
        instructions: 'You talk.',
        tools: [],
      })
    const apps = [1, 2].map(() => app({ agents: [talker()], store: postgres(url), drain: false }))
    for (const each of apps) await each.open()
    const runs = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        apps[i % 2]!.runs.start('talker', { message: `m${i}`, thread: 't' }, { person: 'ann' }),
      ),
    )
    const answers = await Promise.all(runs.map((run, i) => apps[i % 2]!.runs.answer(run)))
    expect(answers.sort()).toEqual([1, 2, 3, 4, 5, 6].map(n => `heard ${n}`))
    expect(most).toBe(1)
    for (const each of apps) await each.close()
  })
})
