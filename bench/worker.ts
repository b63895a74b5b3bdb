// The process of one subject. It is told what to do by messages and does one thing at a time, so subjects share
// neither a heap nor compiled code, and still take turns.
import { cases } from './cases.ts'
import { perform, type Subject } from './work.ts'

export type Order =
  | { do: 'check'; name: string }
  /** Performs until it gets no faster; answers what one performance takes. */
  | { do: 'warm'; name: string; atMost: number }
  /** Performs `times` times; answers the milliseconds of one. */
  | { do: 'pass'; name: string; times: number }

export type Answer = { ms: number } | { error: string }

const BATCH_MS = 50
/** So many batches in a row that were no faster end a warm-up: compilers come in waves. */
const CALM = 6

const { subject } = (await import(`./peers/${process.argv[2]}.ts`)) as { subject: Subject }
const collect = (globalThis as { gc?: () => void }).gc ?? (() => {})

async function time(name: string, times: number): Promise<number> {
  const given = cases.find(c => c.name === name)!.work
  const began = performance.now()
  for (let i = 0; i < times; i++) await perform(subject, given)
  return (performance.now() - began) / times
}

/** Batches of at least 50 ms, until six in a row were not 3% faster than the best before them, for a second at least. */
async function warm(name: string, atMost: number): Promise<number> {
  const soonest = performance.now() + Math.min(1000, atMost)
  const until = performance.now() + atMost
  let best = await time(name, 1)
  for (let calm = 0, now = 0; (calm < CALM || now < soonest) && now < until; now = performance.now()) {
    const ms = await time(name, Math.max(1, Math.ceil(BATCH_MS / best)))
    if (ms < best * 0.97) calm = 0
    else calm++
    best = Math.min(best, ms)
  }
  return best
}

async function obey(order: Order): Promise<Answer> {
  try {
    if (order.do === 'check') {
      await perform(subject, cases.find(c => c.name === order.name)!.work, true)
      return { ms: 0 }
    }
    if (order.do === 'warm') return { ms: await warm(order.name, order.atMost) }
    collect()
    return { ms: await time(order.name, order.times) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

process.on('message', async (order: Order) => process.send!(await obey(order)))
process.on('disconnect', () => process.exit(0))
const { name, packages, imports, cannot = {} } = subject
process.send!({ name, packages, imports, cannot })
