// What a run writes and reads grows with its rounds, not with their square.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { keeper } from '../../src/engine/keeper.ts'
import { agent, app, tool } from '../../src/index.ts'
import { sqliteStore } from '../../src/sqlite/store.ts'
import { calls, says } from '../../src/test.ts'
import { byTurn } from './byturn.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolwright-cost-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A run of so many rounds, one of them in a child agent, that waits for a person before its last turn. */
async function costs(rounds: number): Promise<{ bytes: number; read: number; asked: number }> {
  const file = join(folder, `${rounds}.db`)
  const look = tool('look', { about: 'Looks', readOnly: true, polls: true, run: () => 'x'.repeat(500) })
  const pay = tool('pay', { about: 'Pays', danger: 'ask', run: () => 'paid' })
  const turns = (n: number, last: [string, string]) => [
    ...Array.from({ length: n }, () => calls([['look', '{}']])),
    calls([last]),
    says('done'),
  ]
  const child = agent('child', {
    model: byTurn(turns(rounds, ['look', '{}'])),
    instructions: '',
    tools: [look],
    limits: { steps: 10_000 },
  })
  const model = byTurn([calls([['child', '{"message":"go"}']]), ...turns(rounds, ['pay', '{}'])])
  const main = agent('main', {
    model,
    instructions: '',
    tools: [look, pay, child],
    limits: { steps: 10_000 },
  })
  let read = 0
  const open = () => {
    const store = sqliteStore(file, { patience: 0, look: 20 })
    const counting = {
      ...store,
      claim: async (run: string) => {
        const claimed = await store.claim(run)
        read += JSON.stringify(claimed?.records ?? []).length
        return claimed
      },
    }
    return app({ agents: [main], store: keeper(counting), drain: false })
  }
  const first = open()
  const run = await first.runs.start(main, 'go')
  await expect.poll(async () => (await first.runs.asks(run)).length, { timeout: 60_000 }).toBe(1)
  await first.close()
  read = 0
  const before = model.asked
  const second = open()
  await second.open()
  await second.runs.approve(run, `ask ${rounds + 2}.1`)
  expect(await second.runs.answer(run)).toBe('done')
  await second.close()
  const db = new DatabaseSync(file)
  const sum = (table: string): number =>
    Number((db.prepare(`select sum(length(value)) as n from ${table}`).get() as { n: number }).n)
  const bytes = sum('journal') + sum('rows')
  db.close()
  return { bytes, read, asked: model.asked - before }
}

test('four times the rounds write and read about four times as much, and no turn is asked for again', async () => {
  const [few, many] = [await costs(40), await costs(160)]
  expect([few.asked, many.asked]).toEqual([1, 1])
  expect(many.bytes / few.bytes).toBeLessThan(4.4)
  expect(many.read / few.read).toBeLessThan(4.4)
  expect(many.bytes / few.bytes).toBeGreaterThan(3)
}, 120_000)
