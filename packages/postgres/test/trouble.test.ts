// What goes wrong around a database is told clearly, and nothing is lost for it.

import { type Engine, keeper } from '@toolwright/core/engine'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Base } from '../src/base.ts'
import { type PostgresOptions, postgres } from '../src/index.ts'
import { postgresStore } from '../src/store.ts'
import { serverClock } from '../src/time.ts'
import { smallDisk } from './disk.ts'
import { hasPostgres, type Server, startServer, without } from './server.ts'

const small = hasPostgres ? smallDisk() : undefined

const far = Date.UTC(2100, 0)
const call = { id: '', tool: 'x', arguments: '{}' }
const asked = { step: 'ask', call, why: 'it asks', about: 'x', readOnly: false }

describe.skipIf(!hasPostgres)(`trouble with PostgreSQL${without}`, () => {
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
    small?.remove()
  })

  test('a wrong url is told as one, without the password in it', async () => {
    const right = new URL(await server.database())
    const wrong = (change: (url: URL) => void): string => {
      const url = new URL(right)
      change(url)
      return url.href
    }
    const cases = {
      port: wrong(url => {
        url.port = '1'
      }),
      password: wrong(url => {
        url.password = 'secret5'
      }),
      user: wrong(url => {
        url.username = 'nobody5'
      }),
      database: wrong(url => {
        url.pathname = '/none5'
      }),
      text: 'no url at all',
    }
    for (const [name, url] of Object.entries(cases)) {
      const error: Error & { code?: string; fix?: string } = await engine(url)
        .list()
        .then(
          () => new Error('nothing was wrong'),
          thrown => thrown as Error,
        )
      expect([name, error.code]).toEqual([name, 'T6021'])
      expect(`${error.message} ${error.fix}`).not.toMatch(/secret5|password@|:password/)
    }
  })

  test('a missing right is told, nothing is half made, and it works when the right is there', async () => {
    const url = new URL(await server.database())
    const database = url.pathname.slice(1)
    await server.query(`create role plain_user login password 'x'`)
    const e = engine(server.url(database, 'plain_user:x'))
    await expect(e.list()).rejects.toMatchObject({ code: 'T6022' })
    expect(
      await server.query(`select 1 from pg_namespace where nspname like 'toolwright%'`, database),
    ).toEqual([])
    await server.query(`grant create on database ${database} to plain_user`)
    expect(await e.list()).toEqual([])
  })

  test('a schema of a newer version is told, and left as it is', async () => {
    const url = await server.database()
    const database = new URL(url).pathname.slice(1)
    await engine(url).list()
    await server.query('update toolwright.meta set version = 99', database)
    await expect(engine(url).list()).rejects.toMatchObject({ code: 'T6004' })
    expect(await server.query('select version from toolwright.meta', database)).toEqual([{ version: 99 }])
  })

  test('connections that are lost are made again, and no step is done again for it', async () => {
    const url = await server.database()
    const database = new URL(url).pathname.slice(1)
    const warned: unknown[] = []
    const e = engine(url, { warn: error => warned.push(error) })
    let ran = 0
    let end = (): void => {}
    await e.open({
      f: async place => {
        await place.step('one', async () => {
          ran++
          await new Promise<void>(resolve => {
            end = resolve
          })
        })
        return (await place.decide('ask', asked, far)).approved
      },
    })
    await e.run({ flow: 'f', input: null, id: 'r' })
    await vi.waitFor(() => expect(ran).toBe(1))
    const cut = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}' and pid <> pg_backend_pid()`
    await server.query(cut)
    end()
    await server.query(cut)
    await vi.waitFor(async () => expect(await e.asks()).toHaveLength(1), { timeout: 10_000 })
    await server.query(cut)
    // The one who answers sees what happened, and may answer again.
    await vi.waitFor(
      async () => expect(await e.decide('r', 'ask', { approved: true })).toMatch(/taken|already/),
      {
        timeout: 10_000,
      },
    )
    expect((await e.settled('r')).output).toBe(true)
    expect(ran).toBe(1)
    for (const error of warned) expect((error as { code?: string }).code).toBe('T6003')
  })

  test('a full disk holds results back, and no step is done again for it', async () => {
    const url = await server.database()
    let full = false
    // PostgreSQL's own error, as a server without room gives it.
    await server.query(
      `create function public.room() returns boolean language plpgsql as $$ begin
         raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`,
      new URL(url).pathname.slice(1),
    )
    const noRoom = (text: string): string => text.replace('r.epoch =', 'public.room() and r.epoch =')
    const warned: Error[] = []
    const warn = (error: unknown): void => void warned.push(error as Error)
    const clock = serverClock()
    const base = new Base(url, 5, text => (full ? noRoom(text) : text))
    const store = postgresStore(base, { schema: 'toolwright', code: '', sweep: 1000, clock, warn })
    const e = keeper(store, { clock, warn })
    open.push(e)
    let ran = 0
    await e.open({
      f: async place => {
        const value = await place.step('one', async () => {
          full = true
          return ++ran
        })
        return await place.step('two', async () => value + 1)
      },
    })
    await e.run({ flow: 'f', input: null, id: 'r' })
    await vi.waitFor(() => expect(warned.some(error => /T6003.*No space/.test(error.message))).toBe(true))
    expect((await e.steps('r')).filter(step => step.status === 'done')).toEqual([])
    full = false
    expect((await e.settled('r')).output).toBe(2)
    expect(ran).toBe(1)
  })

  test.skipIf(!small)(
    `a disk that is really full does the same${small ? '' : ' (left out: no small disk can be mounted here)'}`,
    async () => {
      const url = await server.database()
      const database = new URL(url).pathname.slice(1)
      const warned: Error[] = []
      const e = engine(url, { warn: error => warned.push(error as Error) })
      await e.list()
      await server.query(`create tablespace small location '${small!.folder}'`)
      await server.query('alter table toolwright.journal set tablespace small', database)
      let ran = 0
      await e.open({
        f: async place => {
          small!.fill()
          const large = await place.step('one', async () => {
            ran++
            return Array.from({ length: 8000 }, () => Math.random()).join()
          })
          return await place.step('two', async () => large.length)
        },
      })
      await e.run({ flow: 'f', input: null, id: 'r' })
      await vi.waitFor(() => expect(String(warned[0]?.message)).toMatch(/^T6003.*No space left/), {
        timeout: 10_000,
      })
      small!.empty()
      expect((await e.settled('r')).output).toBeGreaterThan(100_000)
      expect(ran).toBe(1)
      await e.close()
      await server.query(`drop database ${database} with (force)`)
      await server.query('drop tablespace small')
    },
  )

  test('texts that PostgreSQL cannot hold stop nobody: a zero byte, half of a character', async () => {
    const e = engine(await server.database())
    await e.open({
      f: async (place, run) => {
        place.write(`thread:\0${run.id}`, 0, { kind: 'show', row: 1 })
        const value = await place.step('zero \0 in a name', async () => `a\0b\ud800`)
        return [value, String(await place.wait('wait', 'channel\0', far))]
      },
    })
    const { id } = await e.run({ flow: 'f', input: 'x\0', person: 'p\0', key: 'k\0' })
    await e.send(id, 'channel\0', 'sent\0')
    const run = await e.settled(id)
    expect(run.error).toBeUndefined()
    expect(run.output).toEqual(['a\0b\ud800', 'sent\0'])
    expect(await e.rows(`thread:\0${id}`)).toHaveLength(1)
    expect((await e.list({ person: 'p\0' })).map(each => each.id)).toEqual([id])
  })
})
