// Statements that share a trip to the database do what they would do one after the other.

import type { Engine, RunPlace } from '@toolwright/core/engine'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Base } from '../src/base.ts'
import { postgres } from '../src/index.ts'
import { hasPostgres, type Server, startServer, without } from './server.ts'

const far = Date.UTC(2100, 0)

describe.skipIf(!hasPostgres)(`trips to the database${without}`, () => {
  let server: Server
  let base: Base
  const open: Engine[] = []
  const engine = (...options: Parameters<typeof postgres>): Engine => {
    const made = postgres(...options)
    open.push(made)
    return made
  }
  const all = async () => (await base.query('select n from t order by n')).map(line => line['n'])
  beforeAll(async () => {
    server = await startServer(['-c', 'fsync=off'])
    base = new Base(await server.database(), 3)
    await base.query('create table t (n int primary key)')
  }, 60_000)
  afterAll(async () => {
    for (const each of open) await each.close({ grace: 0 })
    await base?.close()
    await server?.stop()
  })

  test('statements of one trip see each other, and each is done by itself', async () => {
    const [, found] = await base.quicklyAll([
      ['insert into t values ($1)', [1], 'put'],
      ['select n from t', [], 'all'],
    ])
    expect(found).toEqual([{ n: 1 }])
    await expect(
      base.quicklyAll([
        ['insert into t values ($1)', [1], 'put'],
        ['insert into t values ($1)', [2], 'put'],
      ]),
    ).rejects.toMatchObject({ code: '23505' })
    expect(await all()).toEqual([1, 2])
  })

  test('a transaction is all or nothing, whichever of its statements fails, and its connection goes on', async () => {
    await base.query('delete from t')
    const put = 'insert into t values ($1)'
    const failing: Parameters<Base['transaction']>[0][] = [
      async query => await query('insert into t values (null)'),
      async query => {
        await query(put, [1], 'put')
        await query(put, [1], 'put')
      },
      async (_, last) => await last('insert into t values (null)'),
      async (query, last) => {
        await query(put, [1], 'put')
        await last(put, [1], 'put')
      },
      // The first of two that are under way at once: what comes behind it is undone, the commit with it.
      async (query, last) => await Promise.all([query('insert into t values (null)'), last(put, [1], 'put')]),
      async query => {
        await query(put, [1], 'put')
        throw new Error('no')
      },
    ]
    // More often than there are connections.
    for (let n = 0; n < 3; n++) for (const fn of failing) await expect(base.transaction(fn)).rejects.toThrow()
    expect(await all()).toEqual([])

    expect(await base.transaction(async () => 'nothing')).toBe('nothing')
    await base.transaction(async query => await query(put, [1], 'put'))
    await base.transaction(async (_, last) => await last(put, [2], 'put'))
    await base.transaction(async (query, last) => {
      await query(put, [3], 'put')
      expect(await last(`${put} returning n`, [4])).toEqual([{ n: 4 }])
    })
    expect(await all()).toEqual([1, 2, 3, 4])
  })

  test('what is sent to a run that moved to other code meanwhile comes once, and in order', async () => {
    const url = await server.database()
    const database = new URL(url).pathname.slice(1)
    const flow = async (place: RunPlace) => {
      const came = []
      for (let n = 0; n < 3; n++) came.push(await place.wait(`wait ${n}`, 'go', far))
      return came as never
    }
    const looks = engine(url)
    const old = engine(url, { code: 'old' })
    await old.open({ f: flow })
    const { id } = await looks.run({ flow: 'f', input: null })
    await looks.send(id, 'go', 1)
    await vi.waitFor(async () => expect((await looks.steps(id)).length).toBeGreaterThan(1), {
      timeout: 10_000,
    })
    const queue = async () => (await server.query('select queue from toolwright.runs', database))[0]!['queue']
    const left = await queue()
    await old.close()
    const next = engine(url, { code: 'next' })
    await next.open({ f: flow })
    await vi.waitFor(async () => expect(await queue()).not.toBe(left), { timeout: 20_000 })
    const wakes = async () =>
      (
        await server.query(`select state from toolwright_wakes.job where name = '${await queue()}'`, database)
      ).map(({ state }) => state)
    // What is there is taken, so that what comes is not the same again.
    await vi.waitFor(async () => expect(['created', undefined]).not.toContain((await wakes())[0]), {
      timeout: 10_000,
    })
    const before = (await wakes()).length
    // It is remembered here in which queue the run was.
    expect(await looks.send(id, 'go', 2)).toBe('taken')
    expect(await wakes()).toHaveLength(before + 1)
    expect(await looks.send(id, 'go', 3)).toBe('taken')
    expect((await looks.settled(id)).output).toEqual([1, 2, 3])
    expect(await looks.send(id, 'go', 4)).toBe('unknown')
    expect(await server.query('select from toolwright.signals', database)).toHaveLength(3)
  }, 40_000)

  test('what comes in the moment in which a run is taken up is heard', async () => {
    const url = await server.database()
    const database = new URL(url).pathname.slice(1)
    const flow = async (place: RunPlace) => [
      (await place.wait('first', 'go', far)) ?? null,
      (await place.wait('second', 'go', far)) ?? null,
    ]
    // Nothing is found by looking again, or by letting go.
    const works = (): Engine => engine(url, { sweep: 86_400_000, leaveAfter: 86_400_000 })
    const before = works()
    await before.open({ f: flow })
    const { id } = await before.run({ flow: 'f', input: null })
    await vi.waitFor(async () => expect((await before.get(id))?.status).toBe('waiting'), { timeout: 10_000 })
    await before.close()
    const looks = engine(url)
    await looks.send(id, 'go', 1)

    // Somebody sends, and has the run's row, as it is taken up.
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query('begin')
    await client.query(`update toolwright.runs set wakes = wakes + 1 where id = $1`, [id])
    await client.query(`insert into toolwright.signals (run, channel, value, at) values ($1, 'go', '2', 0)`, [
      id,
    ])
    const next = works()
    await next.open({ f: flow })
    const locked =
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    await vi.waitFor(async () => expect(await server.query(locked, database)).not.toEqual([]), {
      timeout: 10_000,
    })
    await client.query('commit')
    await client.end()
    expect((await next.settled(id)).output).toEqual([1, 2])
  }, 40_000)
})
