// The engine of a file: what every engine does, and what only a file can suffer.
import {
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test, vi } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { keeper } from '../../src/engine/keeper.ts'
import { sqliteStore } from '../../src/sqlite/store.ts'
import { isStore, type SqliteOptions, sqlite } from '../../src/sqlite.ts'
import { ask, conformance } from './conformance.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolwright-sqlite-'))
const opened: Engine[] = []
afterAll(async () => {
  for (const engine of opened) await engine.close({ grace: 0 })
  rmSync(folder, { recursive: true, force: true })
})

const fileOf = (name: string): string => join(folder, `${name}.db`)
const engine = (name: string, options?: SqliteOptions): Engine => {
  const made = sqlite(fileOf(name), options)
  opened.push(made)
  return made
}
const inFile = <T>(name: string, fn: (db: DatabaseSync) => T): T => {
  const db = new DatabaseSync(fileOf(name))
  try {
    return fn(db)
  } finally {
    db.close()
  }
}

conformance({ name: 'sqlite', make: (store, clock) => sqlite(fileOf(store), { clock }) })

test('its files are for their owner only', async () => {
  const e = engine('private')
  await e.open({ f: async () => 1 })
  await e.settled((await e.run({ flow: 'f', input: {} })).id)
  const files = readdirSync(folder).filter(file => file.startsWith('private.db'))
  expect(files.sort()).toEqual(['private.db', 'private.db-lock', 'private.db-shm', 'private.db-wal'])
  if (process.platform !== 'win32')
    for (const file of files) expect([file, statSync(join(folder, file)).mode & 0o777]).toEqual([file, 0o600])
})

test('one owns it; another may answer, which the owner notices at once', async () => {
  const owner = engine('shared')
  const other = engine('shared', { patience: 0 })
  await owner.open({
    f: async place => ({ ...(await place.decide('ask', ask('ask'), Date.now() + 60_000)) }),
  })
  await expect(other.open({})).rejects.toThrow('T6001')
  const { id } = await other.run({ flow: 'f', input: {} })
  await vi.waitFor(async () => expect(await other.asks()).toHaveLength(1), { interval: 2 })
  const begin = performance.now()
  expect(await other.decide(id, 'ask', { approved: true })).toBe('taken')
  expect((await owner.settled(id)).output).toEqual({ approved: true })
  expect(performance.now() - begin).toBeLessThan(500)
  expect((await other.settled(id)).status).toBe('done')
})

test('two processes answer in the same moment: one counts', async () => {
  const owner = engine('race')
  const other = engine('race')
  await owner.open({
    f: async place => ({ ...(await place.decide('ask', ask('ask'), Date.now() + 60_000)) }),
  })
  for (let n = 0; n < 10; n++) {
    const { id } = await owner.run({ flow: 'f', input: {} })
    const yes = other.decide(id, 'ask', { approved: true })
    const no = owner.decide(id, 'ask', { approved: false })
    expect([await yes, await no].sort()).toEqual(['already', 'taken'])
    expect((await owner.settled(id)).output).toEqual({ approved: (await yes) === 'taken' })
  }
})

test('a stale owner writes nothing more and stops its runs', async () => {
  const warned: unknown[] = []
  const stale = engine('stale', { warn: error => warned.push(error) })
  let end = (): void => {}
  const did: string[] = []
  const flow = (who: string) => ({
    f: async (place: Parameters<Parameters<Engine['open']>[0][string]>[0]) => {
      const by = await place.step('work', async () => {
        if (who === 'stale')
          await new Promise<void>(resolve => {
            end = resolve
          })
        return who
      })
      did.push(who)
      return by
    },
  })
  await stale.open(flow('stale'))
  const { id } = await stale.run({ flow: 'f', input: {} })
  await vi.waitFor(async () => expect((await stale.steps(id))[0]?.status).toBe('begun'))
  // A lock that does not hold: its file is gone, and the next owner locks a new one.
  rmSync(`${fileOf('stale')}-lock`)
  const next = engine('stale')
  await next.open(flow('next'))
  expect((await next.settled(id)).output).toBe('next')
  end()
  await vi.waitFor(() => expect(String(warned[0])).toMatch('T6002'))
  expect(did).toEqual(['next'])
  expect((await next.steps(id)).map(step => step.value)).toEqual(['next'])
})

test('a full disk holds results back, and no step is done again for it', async () => {
  const warned: unknown[] = []
  let room: number | undefined
  const store = sqliteStore(fileOf('full'), {
    patience: 0,
    look: 100,
    fault(when, _commit, db) {
      if (when !== 'after') return
      const { page_count } = db.prepare('pragma page_count').get() as { page_count: number }
      db.exec(`pragma max_page_count = ${room === undefined ? page_count + 4 : room}`)
    },
  })
  let ran = 0
  const e = keeper(store, {
    warn(error) {
      warned.push(error)
      room = 1_000_000
      // The next commit of anybody makes the room.
      void e.send('r', 'x', 1).catch(() => {})
    },
  })
  opened.push(e)
  await e.open({
    f: async place => {
      const size = await place.step('large', async () => (ran++, 'x'.repeat(100_000)))
      return await place.step('next', async () => size.length)
    },
  })
  await e.run({ flow: 'f', input: {}, id: 'r' })
  expect((await e.settled('r')).output).toBe(100_000)
  expect(String(warned[0])).toMatch(/T6003.*full/)
  expect(ran).toBe(1)
})

test('a newer version and a damaged file are told, and left as they are', async () => {
  await engine('newer').run({ flow: 'f', input: {} })
  inFile('newer', db => db.exec('pragma user_version = 99'))
  expect(() => engine('newer')).toThrow('T6004')

  writeFileSync(fileOf('none'), 'This is no database, whatever its name says. '.repeat(50))
  const before = readFileSync(fileOf('none'))
  expect(() => engine('none')).toThrow('T6005')
  expect(readFileSync(fileOf('none'))).toEqual(before)

  const damaged = sqlite(fileOf('damaged'))
  for (let n = 0; n < 200; n++) await damaged.run({ flow: 'f', input: 'x'.repeat(500) })
  await damaged.close()
  const pages = statSync(fileOf('damaged')).size / 4096
  const file = openSync(fileOf('damaged'), 'r+')
  for (let page = Math.floor(pages / 2); page < pages; page++)
    writeSync(file, Buffer.alloc(4096, 7), 0, 4096, page * 4096)
  await expect(engine('damaged').list()).rejects.toThrow('T6005')
})

test.each([
  ['tables', 'create table customers (name text)'],
  ['tables and a version of its own', 'create table runs (id text); pragma user_version = 1'],
  ['a mark of its own', 'pragma application_id = 7'],
])("another program's database with %s is told, and left as it is", async (what, sql) => {
  const name = `foreign ${what}`
  inFile(name, db => db.exec(sql))
  const bytes = readFileSync(fileOf(name))
  const { mode } = statSync(fileOf(name))
  expect(isStore(fileOf(name))).toBe(false)
  // What reads does not begin with it either.
  for (const use of [
    (e: Engine): Promise<unknown> => e.open({}),
    (e: Engine): Promise<unknown> => e.list({}),
    (e: Engine): Promise<unknown> => e.stop('x'),
  ]) {
    const refused = Promise.resolve().then((): Promise<unknown> => use(engine(name)))
    await expect(refused).rejects.toMatchObject({ code: 'T6011' })
  }
  expect(readFileSync(fileOf(name))).toEqual(bytes)
  expect(statSync(fileOf(name)).mode).toBe(mode)
  expect(readdirSync(folder).filter(file => file.startsWith(`${name}.db`))).toEqual([`${name}.db`])
})

test('a store is known as one: also of a version to come, and not what is empty or no database', async () => {
  await engine('known').list({})
  expect(isStore(fileOf('known'))).toBe(true)
  inFile('known', db => db.exec('pragma user_version = 99; alter table journal rename to entries'))
  expect(isStore(fileOf('known'))).toBe(true)
  writeFileSync(fileOf('empty'), '')
  writeFileSync(fileOf('words'), 'no database at all')
  for (const name of ['empty', 'words', 'nowhere'])
    expect([name, isStore(fileOf(name))]).toEqual([name, false])
  await engine('empty').list({})
  expect(isStore(fileOf('empty'))).toBe(true)
})

test('a run that kills its process is parked after three deaths, by name, and others go on', async () => {
  const began: string[] = []
  const flow = {
    f: async (place: Parameters<Parameters<Engine['open']>[0][string]>[0], run: { id: string }) =>
      await place.step('deadly', async ({ attempt }) => {
        began.push(`${run.id} ${attempt}`)
        if (run.id === 'poison') await new Promise(() => {})
        return attempt
      }),
  }
  const first = engine('poison')
  await first.run({ flow: 'f', input: {}, id: 'poison' })
  await first.close()
  for (let death = 1; death <= 3; death++) {
    const e = engine('poison')
    await e.open(flow)
    await vi.waitFor(async () => expect((await e.steps('poison'))[0]?.status).toBe('begun'))
    await vi.waitFor(() => expect(began).toHaveLength(death))
    await e.close({ grace: 0 })
    // As a kill leaves it, in place of a close.
    inFile('poison', db => db.exec(`update runs set status = 'running', cuts = cuts - 1`))
  }
  const last = engine('poison')
  await last.open(flow)
  await last.run({ flow: 'f', input: {}, id: 'other' })
  expect((await last.settled('other')).output).toBe(1)
  const parked = await last.settled('poison')
  expect(parked).toMatchObject({ status: 'parked', deaths: 3, error: { code: 'T6009' } })
  expect(parked.error?.message).toMatch('deadly')
  expect(began).toEqual(['poison 1', 'poison 2', 'poison 3', 'other 1'])
  expect(await last.stop('poison')).toBe(true)
  expect((await last.get('poison'))?.status).toBe('stopped')
})

test('a value over 256 kB is stored once, and goes with its run', async () => {
  const e = engine('large')
  const large = 'x'.repeat(300_000)
  await e.open({
    f: async place => {
      await place.step('one', async () => large)
      return (await place.step('two', async () => large)).length
    },
  })
  const { id } = await e.run({ flow: 'f', input: {} })
  expect((await e.settled(id)).output).toBe(300_000)
  const count = (): unknown => inFile('large', db => db.prepare('select count(*) as n from blobs').get())
  expect(count()).toEqual({ n: 1 })
  expect((await e.steps(id)).map(step => String(step.value).length)).toEqual([300_000, 300_000])
  await e.delete(id)
  expect(count()).toEqual({ n: 0 })
  expect(readFileSync(fileOf('large')).includes('xxxxxxxx')).toBe(false)
})

test('10,000 waiting runs are no work for a process that starts', async () => {
  const first = engine('many')
  await first.run({ flow: 'f', input: {}, id: 'x' })
  await first.close()
  const due = Date.now() + 1e8
  inFile('many', db =>
    db.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 10000)
      insert into runs (id, flow, input, status, wake_at, due, started)
      select 'w' || i, 'f', '{}', 'waiting', ${due} + i, ${due} + i, 0 from n`),
  )
  const timers: number[] = []
  const clock = { now: () => Date.now(), after: (ms: number) => (timers.push(ms), () => {}) }
  const e = engine('many', { clock })
  const begin = performance.now()
  await e.open({ f: async () => 1 })
  expect(performance.now() - begin).toBeLessThan(1000)
  expect(timers.length).toBeLessThan(5)
})
