// A worker: a process that works the runs of a database until it is told to end, or is killed. Argument: what it is,
// as JSON. It says `ready` when it works.
import { appendFileSync } from 'node:fs'
import type { Flow, RunPlace } from '@toolwright/core/engine'
import { app } from '../../core/src/index.ts'
import { work } from '../../core/test/app/chaoswork.ts'
import { type Defect, engineOf } from './defects.ts'

export interface Worker {
  url: string
  schema: string
  /** The file for its lines. */
  lines: string
  who: string
  /** Which of the flows; `agent` is an app with an agent. */
  works: 'flows' | 'agent'
  code?: string
  /** What its code of `deploy` does: see below. */
  version?: string
  leaveAfter?: number
  grace?: number
  defect?: Defect
}

const worker = JSON.parse(process.argv[2]!) as Worker
const { lines, who } = worker
const note = (...words: unknown[]): void => appendFileSync(lines, `${words.join(' ')}\n`)
const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))
const far = Date.UTC(2100, 0)

async function ask(place: RunPlace): Promise<boolean> {
  const call = { id: '', tool: 'pay', arguments: '{}' }
  const step = place.path === '' ? 'ask' : `${place.path}/ask`
  return (await place.decide('ask', { step, call, why: 'it asks', about: 'pays', readOnly: false }, far))
    .approved
}

const flows: Record<string, Flow> = {
  /** Asks, and does something before and after. */
  ask: async (place, run) => {
    await place.step('before', async () => note('did', `${run.id}/before`))
    const approved = await ask(place)
    await place.step('after', async () => note('did', `${run.id}/after`))
    return approved
  },
  /** Does one thing that takes as long as its input says, and another. */
  long: async (place, run) => {
    const by = await place.step('long', async ({ attempt }) => {
      note('began', run.id, who, attempt)
      // Whoever takes it over is quick.
      await pause(attempt === 1 ? Number(run.input) : 10)
      return who
    })
    note('went on', run.id, who)
    await place.step('next', async () => note('next', run.id, who))
    return by
  },
  /** Its versions: `two` goes on from the journal of `one`, `other` cannot. */
  deploy: async (place, run) => {
    await place.step('load', async () => note('did', `${run.id}/load`))
    if (worker.version === 'other') await place.step('check', async () => note('did', `${run.id}/check`))
    const approved = await ask(place)
    if (worker.version === 'two') await place.step('mail', async () => note('did', `${run.id}/mail`))
    await place.step('save', async () => note('did', `${run.id}/save`))
    return [worker.version ?? 'one', approved]
  },
}

const warn = (error: unknown): void => note('warned', who, String(error).split('\n')[0])
const engine = engineOf({ leaveAfter: 20, ...worker, warn })
if (worker.works === 'agent') {
  const made = app({ agents: [work(key => note('did', key))], store: engine, drain: worker.grace ?? 2000 })
  await made.open()
} else {
  await engine.open(flows)
  process.once('SIGTERM', () => {
    void engine.close({ grace: worker.grace ?? 2000 }).then(() => process.exit(0))
  })
}
process.stdout.write('ready\n')
