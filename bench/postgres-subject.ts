// One subject of postgres.ts. Arguments: which, and the url of an empty database.
import { DBOS } from '@dbos-inc/dbos-sdk'
import type { Engine } from '../packages/core/src/engine.ts'
import { postgres } from '../packages/postgres/src/index.ts'

/** What is measured: the same work, written as the subject's own documentation has it. */
export interface Subject {
  measure(): Promise<{ rates: number[]; wakes: number[] }>
}

interface Hands {
  /** Starts a run of so many steps; gives what resolves when it has ended. */
  start(id: string, steps: number): Promise<() => Promise<unknown>>
  /** Starts a run that waits for a message, and does a step for each. */
  wait(id: string): Promise<void>
  send(id: string): Promise<void>
}

const value = (n: number) => ({ n, text: 'x'.repeat(100) })
const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))
/** How many messages a waiting run is sent, each time that it is measured. */
const WAKES = 5
const WAITING = 20

let woke = (_id: string): void => {}

async function measure(hands: Hands): Promise<{ rates: number[]; wakes: number[] }> {
  const rates: number[] = []
  const timed = async (name: string, runs: number, steps: number): Promise<number> => {
    const begin = performance.now()
    const ends = await Promise.all(
      Array.from({ length: runs }, (_, n) => hands.start(`${name} ${runs} ${n}`, steps)),
    )
    await Promise.all(ends.map(end => end()))
    return (runs * steps * 1000) / (performance.now() - begin)
  }
  await timed('warm', 10, 50)
  for (const [runs, steps] of [
    [1, 600],
    [10, 150],
    [100, 50],
  ] as const)
    rates.push(await timed('run', runs, steps))
  const ids = Array.from({ length: WAITING }, (_, n) => `wait ${n}`)
  for (const id of ids) await hands.wait(id)
  const wakes: number[] = []
  // First they have just begun to wait; then so long that whoever lets waiting runs leave memory has done so.
  for (const waited of [300, 1500]) {
    const took: number[] = []
    for (let n = 0; n < WAKES; n++) {
      await pause(waited)
      for (const id of ids) took.push(await wake(hands, id))
    }
    took.sort((a, b) => a - b)
    wakes.push(took[took.length >> 1]!, took[Math.floor(took.length * 0.99)]!)
  }
  return { rates, wakes }
}

/** From what is sent until the next step, in ms. */
async function wake(hands: Hands, id: string): Promise<number> {
  const begin = performance.now()
  const done = new Promise<void>(resolve => {
    woke = who => {
      if (who === id) resolve()
    }
  })
  await hands.send(id)
  await done
  return performance.now() - begin
}

async function toolwright(url: string): Promise<Hands & { close(): Promise<unknown> }> {
  const engine: Engine = postgres(url, { runsAtOnce: 100 })
  await engine.open({
    async steps(place, run) {
      for (let n = 0; n < Number(run.input); n++) await place.step(`step ${n}`, async () => value(n))
      return null
    },
    async wait(place, run) {
      for (let n = 0; n < 2 * WAKES; n++) {
        await place.wait(`wait ${n}`, 'go', Number.POSITIVE_INFINITY)
        await place.step(`step ${n}`, async () => woke(run.id))
      }
      return null
    },
  })
  return {
    async start(id, steps) {
      await engine.run({ flow: 'steps', input: steps, id })
      return () => engine.settled(id)
    },
    wait: async id => void (await engine.run({ flow: 'wait', input: null, id })),
    send: async id => void (await engine.send(id, 'go', 1)),
    close: () => engine.close(),
  }
}

async function dbos(url: string): Promise<Hands & { close(): Promise<unknown> }> {
  const steps = DBOS.registerWorkflow(
    async (count: number) => {
      for (let n = 0; n < count; n++) await DBOS.runStep(async () => value(n), { name: `step ${n}` })
    },
    { name: 'steps' },
  )
  const wait = DBOS.registerWorkflow(
    async (id: string) => {
      for (let n = 0; n < 2 * WAKES; n++) {
        await DBOS.recv('go', 3600)
        await DBOS.runStep(async () => woke(id), { name: `step ${n}` })
      }
    },
    { name: 'wait' },
  )
  DBOS.setConfig({ name: 'bench', systemDatabaseUrl: url, systemDatabasePoolSize: 10, logLevel: 'error' })
  await DBOS.launch()
  return {
    async start(id, count) {
      const handle = await DBOS.startWorkflow(steps, { workflowID: id })(count)
      return () => handle.getResult()
    },
    wait: async id => void (await DBOS.startWorkflow(wait, { workflowID: id })(id)),
    send: id => DBOS.send(id, 1, 'go'),
    close: () => DBOS.shutdown(),
  }
}

const [subject, url = ''] = process.argv.slice(2)
if (subject) {
  const hands = await (subject === 'dbos' ? dbos : toolwright)(url)
  const result = await measure(hands)
  process.stdout.write(`RESULT ${JSON.stringify(result)}\n`)
  await Promise.race([hands.close(), pause(3000)])
  process.exit(0)
}
