// Steps per second of the sqlite engine, beside a bare journal on the same file system: one INSERT a step,
// synchronous=FULL, committed once a tick. Run: node --conditions=development bench/sqlite.ts [steps]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sqlite } from '../packages/core/src/sqlite.ts'

const steps = Number(process.argv[2] ?? 20_000)
const folder = mkdtempSync(join(tmpdir(), 'toolwright-bench-'))

/** Runs `work` for each of `runs`, and gives the steps per second of all. */
async function timed(runs: number, each: number, work: (run: number) => Promise<void>): Promise<number> {
  const begin = performance.now()
  await Promise.all(Array.from({ length: runs }, (_, run) => work(run)))
  return Math.round((runs * each * 1000) / (performance.now() - begin))
}

/** The floor: rows, a commit for what came in one tick, and nothing else. */
async function bare(runs: number, each: number): Promise<number> {
  const db = new DatabaseSync(join(folder, `bare${runs}.db`))
  db.exec('pragma journal_mode = wal; pragma synchronous = full')
  db.exec('create table journal (run text, seq integer, value text, primary key (run, seq)) without rowid')
  const insert = db.prepare('insert into journal (run, seq, value) values (?, ?, ?)')
  let batch: { run: string; seq: number; value: string; done: () => void }[] = []
  const flush = (): void => {
    const rows = batch
    batch = []
    db.exec('begin immediate')
    for (const { run, seq, value } of rows) insert.run(run, seq, value)
    db.exec('commit')
    for (const { done } of rows) done()
  }
  const write = (run: string, seq: number, value: string): Promise<void> =>
    new Promise(done => {
      if (batch.length === 0) setImmediate(flush)
      batch.push({ run, seq, value, done })
    })
  const rate = await timed(runs, each, async run => {
    for (let seq = 0; seq < each; seq++)
      await write(`run ${run}`, seq, JSON.stringify({ n: seq, text: 'x'.repeat(100) }))
  })
  db.close()
  return rate
}

async function engine(runs: number, each: number): Promise<number> {
  const made = sqlite(join(folder, `engine${runs}.db`), { runsAtOnce: runs })
  await made.open({
    async steps(place) {
      for (let n = 0; n < each; n++) await place.step(`step ${n}`, async () => ({ n, text: 'x'.repeat(100) }))
      return null
    },
  })
  const started = await Promise.all(
    Array.from({ length: runs }, (_, run) => made.run({ flow: 'steps', input: {}, id: `run ${run}` })),
  )
  const rate = await timed(runs, each, async run => void (await made.settled(started[run]!.id)))
  await made.close()
  return rate
}

/** What waiting runs cost when a process starts. */
async function waiting(count: number): Promise<{ ms: number; kilobytes: number }> {
  const file = join(folder, 'waiting.db')
  const first = sqlite(file)
  await first.run({ flow: 'wait', input: {}, id: 'seed' })
  await first.close()
  const db = new DatabaseSync(file)
  db.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
    insert into runs (id, flow, input, status, wake_at, due, started)
    select 'w' || i, 'wait', '{}', 'waiting', ${Date.now() + 1e9} + i, ${Date.now() + 1e9} + i, 0 from n`)
  db.close()
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  const begin = performance.now()
  const made = sqlite(file)
  await made.open({ wait: async () => null })
  const ms = Math.round(performance.now() - begin)
  globalThis.gc?.()
  const kilobytes = Math.round((process.memoryUsage().heapUsed - before) / 1024)
  await made.close()
  return { ms, kilobytes }
}

try {
  console.log('runs  bare steps/s  engine steps/s  share')
  for (const runs of [1, 10, 100]) {
    const each = Math.max(50, Math.round((runs === 1 ? steps / 4 : steps) / runs))
    // Floor, engine, floor: a disk is not the same from second to second.
    const floors = [await bare(runs, each)]
    const rate = await engine(runs, each)
    rmSync(join(folder, `bare${runs}.db`))
    rmSync(join(folder, `bare${runs}.db-wal`), { force: true })
    floors.push(await bare(runs, each))
    const floor = Math.round((floors[0]! + floors[1]!) / 2)
    const columns = [String(runs).padStart(4), String(floor).padStart(13), String(rate).padStart(15)]
    console.log(`${columns.join(' ')}  ${(rate / floor).toFixed(2).padStart(5)}`)
  }
  const { ms, kilobytes } = await waiting(10_000)
  console.log(`10,000 waiting runs: opened in ${ms} ms, ${kilobytes} kB of heap`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
