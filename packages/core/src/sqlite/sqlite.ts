// The engine of an app on one machine: a file. `@toolwright/core/sqlite`, the only door that needs Node.
import type { Clock } from '../engine/clock.ts'
import type { Engine } from '../engine/engine.ts'
import { keeper } from '../engine/keeper.ts'
import { type Seal, sealed } from '../engine/sealed.ts'
import { sqliteStore } from './store.ts'

export interface SqliteOptions {
  /** How many runs work at once; those that wait do not count. Default 64. */
  runsAtOnce?: number
  /** How long a run waits in memory before it leaves and costs no more than its row, in ms. Default 1000. */
  leaveAfter?: number
  /** How long `open` waits for a process before this one to end, in ms. Default 10,000. */
  patience?: number
  /** Seals every value that is kept: inputs, answers, steps, messages, asks. Left out: they are kept as they are. */
  seal?: Seal
  /** Default: the clock of the machine. */
  clock?: Clock
  /** Told of trouble that the engine mends by itself, such as a full disk. Default `console.warn`. */
  warn?: (error: unknown) => void
}

/**
 * Keeps runs in the SQLite database `file`, which is made where it is not there, with `FILE-lock` beside it. Both can
 * be read by their owner only. Throws `T6003` where it cannot be opened, `T6004` where a newer version wrote it,
 * `T6005` where it is damaged.
 */
export function sqlite(file: string, options: SqliteOptions = {}): Engine {
  const { patience = 10_000, seal, ...rest } = options
  const store = sqliteStore(file, { patience, look: 100 })
  return keeper(seal ? sealed(store, seal) : store, rest)
}
