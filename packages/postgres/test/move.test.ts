// From one file to many machines: what ran and what was said goes on where it was.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Flow } from '@toolwright/core/engine'
import { sqlite } from '@toolwright/core/sqlite'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { app } from '../../core/src/index.ts'
import { ANSWER, ASKS, work } from '../../core/test/app/chaoswork.ts'
import { move, postgres } from '../src/index.ts'
import { hasPostgres, type Server, startServer, without } from './server.ts'

const command = join(import.meta.dirname, '../../toolwright/src/main.ts')
const far = Date.UTC(2100, 0)

describe.skipIf(!hasPostgres)(`moving a SQLite file into PostgreSQL${without}`, () => {
  let server: Server
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-move-'))
  beforeAll(async () => {
    server = await startServer(['-c', 'fsync=off'])
  }, 60_000)
  afterAll(async () => {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('runs that wait go on, finished steps are not done again, threads and answers stay', async () => {
    const file = join(folder, 'app.db')
    const url = await server.database()
    const effects: string[] = []
    const agents = () => [work(key => effects.push(key))]
    const before = app({ agents: agents(), store: sqlite(file), drain: false })
    const done = await before.runs.start('main', { message: 'go', thread: 't' }, { person: 'ann' })
    for (const step of ASKS) await before.runs.approve(done, step)
    expect(await before.runs.answer(done)).toBe(ANSWER)
    // Of a run that was deleted, its rows keep their place in the thread.
    const gone = await before.runs.start('main', { message: 'and', thread: 't' }, { person: 'ann' })
    for (const step of ASKS) await before.runs.approve(gone, step)
    await before.runs.answer(gone)
    expect(await before.runs.delete(gone)).toBe(true)
    const thread = 'thread:["ann","main","t"]'
    const waits = await before.runs.start('main', 'go', { person: 'ann', key: 'k' })
    await vi.waitFor(async () => expect(await before.runs.asks(waits)).toHaveLength(3), { timeout: 5000 })
    await before.close({ grace: 0 })
    const other = sqlite(file)
    // An answer that the run has not read: given while nobody works on the file.
    await other.decide(waits.id, ASKS[0]!, { approved: true })
    const rows = await other.rows(thread)
    await other.close()

    await expect(move(join(folder, 'none.db'), url)).rejects.toMatchObject({ code: 'T6003' })
    expect(await move(file, url)).toEqual({ runs: 2, there: 0, file: `${file}.moved` })
    expect(existsSync(file)).toBe(false)

    const after = app({ agents: agents(), store: postgres(url), drain: false })
    await after.open()
    expect((await after.runs.start('main', 'again', { person: 'ann', key: 'k' })).id).toBe(waits.id)
    for (const step of ASKS.slice(1)) await after.runs.approve(waits, step, { by: 'ann' })
    expect(await after.runs.answer(waits)).toBe(ANSWER)
    expect(await after.runs.answer(done)).toBe(ANSWER)
    expect(effects.filter((key, i) => effects.indexOf(key) !== i)).toEqual([])
    await after.close()
    const store = postgres(url)
    expect(await store.rows(thread)).toEqual(rows)
    await store.close()
  })

  test('what was sent is taken once, also where the database had other runs before', async () => {
    const file = join(folder, 'sent.db')
    const url = await server.database()
    const flow: Flow = async place => {
      const first = await place.wait('first', 'mail', far)
      await place.wait('go', 'go', far)
      return [first ?? null, ...(await place.receive('rest', 'mail'))]
    }
    const store = postgres(url)
    await store.run({ flow: 'other', input: null, id: 'other' })
    for (let n = 0; n < 5; n++) await store.send('other', 'mail', n)
    const before = sqlite(file)
    await before.open({ flow })
    await before.run({ flow: 'flow', input: null, id: 'r' })
    await before.send('r', 'mail', 'one')
    await vi.waitFor(async () =>
      expect((await before.steps('r')).some(step => step.kind === 'signal')).toBe(true),
    )
    await before.close({ grace: 0 })
    const late = sqlite(file)
    await late.send('r', 'mail', 'two')
    await late.send('r', 'mail', 'three')
    await late.close()
    await move(file, url)
    await store.open({ flow })
    await store.send('r', 'go', 1)
    expect((await store.settled('r')).output).toEqual(['one', 'two', 'three'])
    await store.close()
  })

  test('the command does the same, and says what it moved', async () => {
    const file = join(folder, 'typed.db')
    const url = await server.database()
    const from = sqlite(file)
    await from.run({ flow: 'f', input: null, id: 'a' })
    await from.close()
    const type = (...args: string[]) =>
      spawnSync(
        process.execPath,
        ['--conditions=development', '--disable-warning=ExperimentalWarning', command, 'move', ...args],
        { encoding: 'utf8' },
      )
    expect(type(file, 'notes.db')).toMatchObject({ status: 2 })
    const moved = type(file, url)
    expect([moved.status, moved.stdout]).toEqual([0, `Moved 1 run. The file is ${file}.moved now.\n`])
    const again = type(file, url)
    expect([again.status, again.stderr]).toEqual([1, expect.stringMatching(/T6003/)])
  })

  test('a file that a process works on is left alone, and one that was moved half way is moved on', async () => {
    const file = join(folder, 'busy.db')
    const url = await server.database()
    const works = sqlite(file)
    await works.open({})
    await works.run({ flow: 'f', input: null, id: 'a' })
    await expect(move(file, url)).rejects.toMatchObject({ code: 'T6001' })
    await works.run({ flow: 'f', input: null, id: 'b' })
    await works.close()
    const store = postgres(url)
    await store.run({ flow: 'f', input: null, id: 'a' })
    await store.close()
    expect(await move(file, url)).toMatchObject({ runs: 1, there: 1 })
  })
})
