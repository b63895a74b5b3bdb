// Real processes on a real PostgreSQL: killed, stopped, replaced. Slices run in `npm test`, the stated numbers with
// TOOLWRIGHT_FULL=1. All of them wait most of the time, so they run at once.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ANSWER, EFFECTS } from '../../core/test/app/chaoswork.ts'
import type { Defect } from './defects.ts'
import { hasPostgres, type Server, startServer, without } from './server.ts'
import { pause, seeded, Yard } from './yard.ts'

const full = process.env['TOOLWRIGHT_FULL'] === '1'
const timeout = full ? 900_000 : 60_000

let server: Server
const yards: Yard[] = []
const yard = async (on = server, defect?: Defect): Promise<Yard> => {
  const made = new Yard(await on.database(), defect)
  yards.push(made)
  return made
}
const ids = (n: number): string[] => Array.from({ length: n }, (_, i) => `r${i}`)

/** Answers race with asks: some come before, some after, two for each. Gives the runs that are stuck. */
async function race(there: Yard, n: number, seed: number, defect?: Defect): Promise<string[]> {
  const random = seeded(seed)
  const more = defect ? { defect } : {}
  await Promise.all([1, 2, 3].map(() => there.hire({ leaveAfter: 1, ...more })))
  const runs = ids(n)
  const one = async (id: string): Promise<void> => {
    await there.outside.run({ flow: 'ask', input: null, id })
    await pause(random() * 60)
    const said = await Promise.all([
      there.outside.decide(id, 'ask', { approved: true }),
      there.outside.decide(id, 'ask', { approved: false }),
    ])
    if (said.sort().join() !== 'already,taken') there.faults.push(`${id} was answered ${said.join()}`)
  }
  for (let i = 0; i < n; i += 50) await Promise.all(runs.slice(i, i + 50).map(one))
  const records = await there.settle(runs, defect ? 3000 : 20_000)
  return records.filter(run => run.status !== 'done').map(run => run.id)
}

/** A worker is stopped in the middle of steps and goes on when others have done them. Gives what it went on with. */
async function stopped(there: Yard, ms: number, defect?: Defect): Promise<string[]> {
  const slow = await there.hire(defect ? { defect } : {})
  const runs = ids(4)
  for (const id of runs) await there.outside.run({ flow: 'long', input: 3000, id })
  while (there.said('began').length < 4) await pause(20)
  slow.process.kill('SIGSTOP')
  const next = await there.hire(defect ? { defect } : {})
  const begin = performance.now()
  const records = await there.settle(runs, 30_000)
  expect(records.map(run => [run.status, run.output])).toEqual(runs.map(() => ['done', next.who]))
  await pause(Math.max(0, ms - (performance.now() - begin)))
  slow.process.kill('SIGCONT')
  await pause(2500)
  const steps = await Promise.all(runs.map(id => there.outside.steps(id)))
  for (const [i, list] of steps.entries())
    if (list.find(step => step.name === 'long')?.value !== next.who)
      there.faults.push(`${runs[i]} was overwritten`)
  return there
    .said('went on')
    .filter(([, who]) => who === slow.who)
    .map(([id = '']) => id)
}

describe.skipIf(!hasPostgres).concurrent(`many machines${without}`, { timeout }, () => {
  beforeAll(async () => {
    server = await startServer()
  }, 60_000)
  afterAll(async () => {
    await Promise.all(yards.map(each => each.clear()))
    await server?.stop()
  }, 60_000)

  test(`${full ? 1500 : 80} answers race with their asks, and none is stuck`, async () => {
    const there = await yard()
    expect(await race(there, full ? 1500 : 80, 7)).toEqual([])
    expect(there.faults).toEqual([])
    expect([...there.effects().values()].filter(n => n !== 1)).toEqual([])
  })

  test('without a counter of wakes some are stuck, which the same test finds', async () => {
    const there = await yard(server, 'no wakes')
    expect((await race(there, 60, 7, 'no wakes')).length).toBeGreaterThan(0)
  })

  test('kill -9 of workers: nothing is lost, and what was kept is not done again', async () => {
    const there = await yard()
    const random = seeded(11)
    const runs = ids(full ? 250 : 8)
    const hands = await Promise.all([1, 2, 3].map(() => there.hire({ works: 'agent' })))
    for (const id of runs) await there.outside.run({ flow: 'main', input: { message: 'go' }, id })
    let over = false
    const attending = there.attend(runs, timeout - 10_000).finally(() => {
      over = true
    })
    const kills = full ? 12 : 2
    for (let n = 0; n < kills && !over; n++) {
      await pause(full ? 2000 + random() * 3000 : 300 + random() * 600)
      hands.shift()!.process.kill('SIGKILL')
      await there.look(server)
      hands.push(await there.hire({ works: 'agent' }))
    }
    const records = await attending
    await there.look(server)
    expect(there.faults).toEqual([])
    const ends = records.map(({ status, output }) => [
      status,
      (output as { text?: string } | undefined)?.text,
    ])
    expect(ends).toEqual(runs.map(() => ['done', ANSWER]))
    const did = [...there.effects().keys()].sort()
    expect(did).toEqual(runs.flatMap(id => EFFECTS.map(key => `${id}${key}`)).sort())
    // The thread of each is that of a run that nobody killed.
    const threads = await Promise.all(
      runs.map(async id => JSON.stringify(await there.outside.rows(id)).replaceAll(id, 'ID')),
    )
    expect(new Set(threads).size).toBe(1)
  })

  test(`a worker that is stopped ${full ? 'for 60 s' : 'until others took over'} and goes on: its late records are refused, 4 of 4`, async () => {
    const there = await yard()
    expect(await stopped(there, full ? 60_000 : 0)).toEqual([])
    expect(there.faults).toEqual([])
    expect(there.said('next').length).toBe(4)
  })

  test('without the check of the epoch it goes on, which the same test finds', async () => {
    const there = await yard()
    expect((await stopped(there, 0, 'no epoch')).length).toBeGreaterThan(0)
  })

  test('SIGTERM lets a step end that can, cuts off one that cannot, and another takes over at once', async () => {
    const there = await yard()
    const first = await there.hire({ grace: 1500 })
    for (const [id, ms] of [
      ['short', 800],
      ['long', 60_000],
    ] as const)
      await there.outside.run({ flow: 'long', input: ms, id })
    while (there.said('began').length < 2) await pause(20)
    const second = await there.hire()
    first.process.kill('SIGTERM')
    expect(await first.ended).toBe(0)
    const begin = performance.now()
    const records = await there.settle(['short', 'long'], 10_000)
    expect(performance.now() - begin).toBeLessThan(4000)
    expect(Object.fromEntries(records.map(run => [run.id, [run.output, run.deaths]]))).toEqual({
      short: [first.who, 0],
      long: [second.who, 0],
    })
    expect(
      there
        .said('began')
        .map(words => words.join(' '))
        .sort(),
    ).toEqual([`long ${first.who} 1`, `long ${second.who} 2`, `short ${first.who} 1`])
  })

  test('a rolling deploy: runs stay with their code, go on with code that fits, and wait for it where it does not', async () => {
    const there = await yard()
    const yes = (id: string) => there.outside.decide(id, 'ask', { approved: true })
    const asked = async (n: number): Promise<void> => {
      while ((await there.outside.asks()).length < n) await pause(20)
    }
    const start = (...some: string[]) =>
      Promise.all(some.map(id => there.outside.run({ flow: 'deploy', input: null, id })))
    const one = await there.hire({ code: 'one' })
    await start('a', 'b', 'c')
    await asked(3)
    // Both are there: each run stays with its code.
    const two = await there.hire({ code: 'two', version: 'two' })
    await start('d')
    await asked(4)
    await yes('a')
    expect((await there.outside.settled('a')).output).toEqual(['one', true])
    // The old code is gone, and the new fits.
    one.process.kill('SIGTERM')
    await one.ended
    await yes('b')
    expect((await there.outside.settled('b')).output).toEqual(['two', true])
    // Back, and code that does not fit: it leaves the run to code that does, and says so where there is none.
    const back = await there.hire({ code: 'one' })
    two.process.kill('SIGTERM')
    await two.ended
    await yes('d')
    expect((await there.outside.settled('d')).output).toEqual(['one', true])
    back.process.kill('SIGTERM')
    await back.ended
    expect((await there.outside.list()).filter(run => run.unworked).map(run => run.id)).toEqual(['c'])
    await there.hire({ code: 'other', version: 'other' })
    await yes('c')
    const stuck = await there.outside.settled('c')
    expect([stuck.status, stuck.error?.code]).toEqual(['stuck', 'T6006'])
    expect(stuck.error?.message).toMatch('"ask"')
    await there.hire({ code: 'one' })
    expect(await there.outside.resume('c')).toBe(true)
    expect((await there.outside.settled('c')).output).toEqual(['one', true])
    expect([...there.effects()].filter(([, n]) => n !== 1)).toEqual([])
    expect(there.faults).toEqual([])
  })

  test(`${full ? '10,000' : '200'} waiting runs cost a worker nothing`, async () => {
    const there = await yard()
    const n = full ? 10_000 : 200
    const hand = await there.hire({ leaveAfter: 1 })
    const runs = ids(n)
    for (let i = 0; i < n; i += 100)
      await Promise.all(runs.slice(i, i + 100).map(id => there.outside.run({ flow: 'ask', input: null, id })))
    while ((await there.outside.asks()).length < n) await pause(100)
    await pause(1500)
    const database = new URL(there.url).pathname.slice(1)
    const [held] = await server.query(
      `select count(*)::int as n from toolwright.runs where owner is not null`,
      database,
    )
    expect(held).toEqual({ n: 0 })
    const transactions = async (): Promise<number> => {
      const [line] = await server.query(
        `select (xact_commit + xact_rollback)::int as n from pg_stat_database where datname = '${database}'`,
      )
      return Number(line!['n'])
    }
    // What one worker asks when it has nothing to do at all. PostgreSQL counts what was before it up to 10 s late.
    let asked = Number.POSITIVE_INFINITY
    for (let tries = 0; tries < 8 && asked >= 3 * 40; tries++) {
      const before = await transactions()
      await pause(3000)
      asked = (await transactions()) - before
    }
    expect(asked).toBeLessThan(3 * 40)
    const chosen = runs[Math.floor(n / 2)]!
    const begin = performance.now()
    await there.outside.decide(chosen, 'ask', { approved: true })
    expect((await there.outside.settled(chosen)).status).toBe('done')
    expect(performance.now() - begin).toBeLessThan(full ? 1000 : 5000)
    hand.process.kill('SIGTERM')
    expect(await hand.ended).toBe(0)
  })
})

describe.skipIf(!hasPostgres)(`a database that is killed${without}`, { timeout }, () => {
  test('kill -9 of PostgreSQL under load: nothing is lost, and no finished step is done again', async () => {
    const own = await startServer()
    try {
      const there = await yard(own)
      const runs = ids(full ? 250 : 10)
      for (let n = 0; n < 2; n++) await there.hire({ works: 'agent' })
      for (const id of runs) await there.outside.run({ flow: 'main', input: { message: 'go' }, id })
      const attending = there.attend(runs, timeout - 10_000)
      for (let n = 0; n < (full ? 6 : 1); n++) {
        await pause(full ? 3000 : 400)
        await there.look(own)
        await own.crash(300)
      }
      const records = await attending
      await there.look(own)
      expect(there.faults).toEqual([])
      expect(
        records.map(run => run.status),
        JSON.stringify(records),
      ).toEqual(runs.map(() => 'done'))
      expect([...there.effects().keys()].sort()).toEqual(
        runs.flatMap(id => EFFECTS.map(key => `${id}${key}`)).sort(),
      )
      await there.clear()
    } finally {
      await own.stop()
    }
  })
})
