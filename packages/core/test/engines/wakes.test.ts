// What comes in a moment in which nobody seems to look is not lost.
import { expect, test, vi } from 'vitest'
import { keeper } from '../../src/engine/keeper.ts'
import { memoryStore } from '../../src/engine/memory-store.ts'
import type { Store } from '../../src/engine/store.ts'
import { ask, handClock } from './conformance.ts'

/** A gate that is open until it is shut, and lets through what waited when it is opened again. */
function gate() {
  let waiting: (() => void)[] | undefined
  return {
    shut: () => {
      waiting = []
    },
    open: () => {
      const through = waiting ?? []
      waiting = undefined
      for (const pass of through) pass()
    },
    pass: () => new Promise<void>(resolve => (waiting ? waiting.push(resolve) : resolve())),
  }
}

async function asking(change: (store: Store) => Store) {
  const clock = handClock()
  const engine = keeper(change(memoryStore()), { clock })
  await engine.open({
    pay: async place => (await place.decide('ask', ask('ask'), Date.UTC(2027, 0))).approved,
  })
  const { id } = await engine.run({ flow: 'pay', input: null })
  const status = (wanted: string) =>
    vi.waitFor(async () => expect((await engine.get(id))?.status).toBe(wanted), { interval: 1 })
  return { clock, engine, id, status }
}

test('a run does not leave memory before it is durable that it waits', async () => {
  const commits = gate()
  const waits = vi.fn()
  const { clock, engine, id } = await asking(store => ({
    ...store,
    commit: async writes => {
      if (writes.some(write => write.what === 'state' && write.state.status === 'waiting')) {
        commits.shut()
        waits()
      }
      await commits.pass()
      await store.commit(writes)
    },
  }))
  await vi.waitFor(() => expect(waits).toHaveBeenCalled(), { interval: 1 })
  clock.move(2000)
  await engine.decide(id, 'ask', { approved: true })
  await new Promise(resolve => setImmediate(resolve))
  commits.open()
  expect((await engine.settled(id)).output).toBe(true)
  await engine.close({ grace: 0 })
})

test('what comes while a run is being taken up is heard', async () => {
  const claims = gate()
  const claimed = vi.fn()
  const { clock, engine, id, status } = await asking(store => ({
    ...store,
    claim: async run => {
      const found = await store.claim(run)
      claimed()
      await claims.pass()
      return found
    },
  }))
  await status('waiting')
  clock.move(2000)
  await new Promise(resolve => setTimeout(resolve, 5))
  claimed.mockClear()
  claims.shut()
  // Something else wakes it, and the answer comes when its rows have been read.
  await engine.send(id, 'mail', 'hello')
  await vi.waitFor(() => expect(claimed).toHaveBeenCalled(), { interval: 1 })
  await engine.decide(id, 'ask', { approved: true })
  await new Promise(resolve => setImmediate(resolve))
  claims.open()
  expect((await engine.settled(id)).output).toBe(true)
  await engine.close({ grace: 0 })
})

test('a run that is being taken up when its engine closes goes on when the store is opened again', async () => {
  const claims = gate()
  const claimed = vi.fn()
  const rows = memoryStore()
  const flows = { pay: async () => 'paid' }
  const first = keeper(
    {
      ...rows,
      claim: async run => {
        const found = await rows.claim(run)
        claimed()
        await claims.pass()
        return found
      },
    },
    { clock: handClock() },
  )
  await first.open(flows)
  claims.shut()
  const { id } = await first.run({ flow: 'pay', input: null })
  await vi.waitFor(() => expect(claimed).toHaveBeenCalled(), { interval: 1 })
  const closing = first.close({ grace: 0 })
  claims.open()
  await closing
  const second = keeper(rows, { clock: handClock() })
  await second.open(flows)
  expect((await second.settled(id)).output).toBe('paid')
  await second.close({ grace: 0 })
})
