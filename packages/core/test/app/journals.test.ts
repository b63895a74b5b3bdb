// Journals that were written before are followed by the code of today.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, test } from 'vitest'
import { app } from '../../src/index.ts'
import { sqlite } from '../../src/sqlite.ts'
import { type KeptRun, keptRuns } from './kept.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolwright-journals-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const TABLES = ['runs', 'journal', 'asks', 'signals', 'rows', 'blobs']

type Line = Record<string, string | number | null>

/** The journal of a run and all that goes with it, as JSON. */
async function record(kept: KeptRun): Promise<string> {
  const file = join(folder, `${kept.name}-new.db`)
  const made = app({ ...kept.definitions(() => {}), store: sqlite(file), drain: false })
  const run = await made.open().then(() => kept.begin(made))
  for (const ask of kept.asks) await made.runs.approve(run, ask)
  await made.runs.result(run)
  await made.close()
  const db = new DatabaseSync(file)
  const tables = Object.fromEntries(TABLES.map(table => [table, db.prepare(`select * from ${table}`).all()]))
  db.close()
  return `${JSON.stringify(tables, (_, value) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value), 2)}\n`
}

/** A store in which the run of the journal is about to wake, from its very beginning. */
async function restore(name: string, text: string): Promise<string> {
  const file = join(folder, `${name}.db`)
  const empty = sqlite(file)
  await empty.list()
  await empty.close()
  const db = new DatabaseSync(file)
  for (const [table, lines] of Object.entries(JSON.parse(text) as Record<string, Line[]>))
    for (const line of lines) {
      const names = Object.keys(line)
      const blob = (name: string, value: Line[string]) =>
        value !== null && ['blob', 'hash'].includes(name) ? Buffer.from(String(value), 'hex') : value
      db.prepare(`insert into ${table} (${names.join()}) values (${names.map(() => '?').join()})`).run(
        ...names.map(name => blob(name, line[name]!)),
      )
    }
  db.exec("update runs set status = 'ready', wake_at = 0, ended = null, output = null")
  db.close()
  return file
}

describe.each(keptRuns)('the journal of $name', kept => {
  const path = join(import.meta.dirname, 'journals', `${kept.name}.json`)

  test('is followed to its end, and nothing is done again', async () => {
    if (process.env['TOOLWRIGHT_RECORD'] && !existsSync(path)) writeFileSync(path, await record(kept))
    const text = readFileSync(path, 'utf8')
    const [line] = (JSON.parse(text) as { runs: Line[] }).runs
    let again = 0
    const store = sqlite(await restore(kept.name, text))
    const made = app({ ...kept.definitions(() => again++), store, drain: false })
    await made.open()
    await made.runs.result(String(line!['id']))
    const run = await made.runs.get(String(line!['id']))
    expect([run.status, JSON.stringify(run.output), again]).toEqual(['done', line!['output'], 0])
    await made.close()
  })
})
