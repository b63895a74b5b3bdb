// The commands on a store, on the url of a PostgreSQL database: from any machine, whichever works on the run.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { app } from '../../core/src/index.ts'
import { ANSWER, ASKS, work } from '../../core/test/app/chaoswork.ts'
import { postgres } from '../src/index.ts'
import { hasPostgres, type Server, startServer, without } from './server.ts'

const command = join(import.meta.dirname, '../../toolwright/src/main.ts')

describe.skipIf(!hasPostgres)(`the command on PostgreSQL${without}`, { timeout: 60_000 }, () => {
  let server: Server
  beforeAll(async () => {
    server = await startServer(['-c', 'fsync=off'])
  }, 60_000)
  afterAll(() => server?.stop())

  /** Types a command; the process that works on the run goes on meanwhile. */
  const type = (...args: string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      const flags = ['--conditions=development', '--disable-warning=ExperimentalWarning']
      execFile(process.execPath, [...flags, command, ...args], (error, out, err) =>
        error ? reject(new Error(`${error.message}\n${err}`)) : resolve(out),
      )
    })

  test('lists runs and what they ask, answers, and says which run nobody can work', async () => {
    const url = await server.database()
    const works = app({ agents: [work(() => {})], store: postgres(url), drain: false })
    await works.open()
    const run = await works.runs.start('main', 'go', { person: 'ann' })
    await vi.waitFor(async () => expect(await works.runs.asks(run)).toHaveLength(3), { timeout: 20_000 })
    const elsewhere = postgres(url)
    await elsewhere.run({ flow: 'nobody', input: null })
    await elsewhere.close()
    const runs = await type('runs', '--store', url)
    expect(runs).toMatch(/waiting +main +ann/)
    expect(runs).toMatch(/ready, no worker +nobody/)
    expect(await type('asks', '--store', url)).toMatch('ask 1.2')
    for (const ask of ASKS) expect(await type('approve', run.id, ask, '--store', url)).toMatch(/^Approved/)
    expect(await works.runs.answer(run)).toBe(ANSWER)
    expect(await type('show', run.id, '--store', url)).toMatch(ANSWER)
    await works.close()
  })
})
