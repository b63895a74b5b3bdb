// An engine over a store of rows: what is asked of it from outside; lives.ts lets the runs work.
import { ToolwrightError } from '../errors.ts'
import { type Clock, realClock } from './clock.ts'
import { type Engine, settledAs } from './engine.ts'
import { Lives } from './lives.ts'
import type { Store } from './store.ts'

export interface KeeperOptions {
  clock?: Clock
  /** How many runs work at once; those that wait do not count. Default 64. */
  runsAtOnce?: number
  /** How long a run waits in memory before it leaves, in ms. Default 1000. */
  leaveAfter?: number
  /** Up to how many ms pass between two runs that wake in a crowd. Default 10. */
  jitter?: number
  random?: () => number
  /** Told of what went wrong that the engine mends by itself, such as a full disk. Default `console.warn`. */
  warn?: (error: unknown) => void
}

/** How often a process that does not own the store looks whether a run has settled, in ms; where it is told, too. */
const LOOK = 200
const LOOK_TOLD = 5000

/** An engine that keeps its runs in `store`. */
export function keeper(store: Store, o: KeeperOptions = {}): Engine {
  const { clock = realClock, runsAtOnce = 64, leaveAfter = 1000, jitter = 10, random = Math.random } = o
  const warn = o.warn ?? ((error: unknown) => console.warn(error))
  const settling = new Map<string, Set<() => void>>()
  const settled = (run: string): void => {
    const waiting = settling.get(run)
    settling.delete(run)
    for (const wake of waiting ?? []) wake()
  }
  let watching: Promise<void> | undefined
  let owner = false
  let closed = false

  const stopOwning = (): void => {
    owner = false
    for (const run of [...settling.keys()]) settled(run)
  }
  const lives = new Lives(store, {
    clock,
    runsAtOnce,
    leaveAfter,
    jitter,
    random,
    warn,
    settled,
    lost: stopOwning,
  })

  /** What was written may concern a run of ours. */
  const heard = async <T>(writing: Promise<T>): Promise<T> => {
    const given = await writing
    lives.look(false)
    return given
  }

  return {
    caps: store.caps,

    async open(flows) {
      await store.open(
        {
          changed: () => lives.look(false),
          lost: () => lives.lost(),
          lostRun: run => lives.lostRun(run),
          room: () => lives.room,
        },
        flows,
      )
      owner = true
      await lives.begins(flows)
    },

    run: start => heard(store.start({ ...start, id: start.id ?? crypto.randomUUID() }, clock.now())),
    get: run => store.get(run),

    async settled(run) {
      if (store.watch) {
        watching ??= store.watch(settled).catch(() => {
          watching = undefined
        })
        await watching
      }
      for (;;) {
        const waiting = settling.get(run) ?? new Set()
        settling.set(run, waiting)
        let callOff = (): void => {}
        const woken = new Promise<void>(resolve => {
          waiting.add(resolve)
          if (watching) callOff = clock.after(LOOK_TOLD, resolve)
          else if (!owner) callOff = clock.after(LOOK, resolve)
        })
        const record = await store.get(run)
        if (record && !settledAs(record.status)) {
          await woken
          callOff()
          continue
        }
        callOff()
        settled(run)
        if (!record) throw new ToolwrightError('T6008', `there is no run ${JSON.stringify(run)}`)
        return record
      }
    },

    list: (filter = {}) => store.list(filter),
    asks: run => store.asks(run, clock.now()),
    steps: run => store.steps(run),
    rows: (thread, from = 0, to = Number.MAX_SAFE_INTEGER) => store.rows(thread, from, to),
    async *pieces(run, from = 0) {
      if (store.shown) return yield* store.shown.read(run, from)
      if (!owner) return
      lives.shown.open(run)
      const record = await store.get(run)
      if (!record || settledAs(record.status)) lives.shown.end(run)
      yield* lives.shown.read(run, from)
    },
    decide: (run, step, decision) => heard(store.decide(run, step, decision, clock.now())),
    send: (run, channel, value, o) => heard(store.send(run, channel, value, o?.decline, clock.now())),
    stop: run => heard(store.stop(run, clock.now())),
    resume: run => heard(store.resume(run, clock.now())),
    delete: run => store.delete(run),

    async close({ grace = 5000 } = {}) {
      if (closed) return
      closed = true
      await lives.ends(grace)
      await store.close()
      stopOwning()
    },
  }
}
