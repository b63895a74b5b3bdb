// The engine of an app on many machines.

import type { Seal } from '@toolwright/core/engine'
import { type Clock, type Engine, keeper, sealed } from '@toolwright/core/engine'
import { Base } from './base.ts'
import { postgresStore } from './store.ts'
import { serverClock } from './time.ts'

export interface PostgresOptions {
  /** The schema of its tables; pg-boss's stand in `SCHEMA_wakes`. Default `toolwright`. */
  schema?: string
  /**
   * Names the code of this process, such as a commit: the same text for the same code. Runs stay with their code as
   * long as a process has it. Only for flows that do not name theirs. Default: all code is the same.
   */
  code?: string
  /** How many runs work at once in this process; those that wait do not count. Default 64. */
  runsAtOnce?: number
  /** How long a run waits in memory before it leaves and costs no more than its row, in ms. Default 1000. */
  leaveAfter?: number
  /** Connections to the database, one for listening not counted. Default 10. */
  connections?: number
  /** How often this process looks after runs whose process or code is gone, in ms. Default 2000. */
  sweep?: number
  /** Seals every value that is kept: inputs, answers, steps, messages, asks, pieces. Left out: they are kept as they are. */
  seal?: Seal
  /** Default: PostgreSQL's time. */
  clock?: Clock
  /** Told of trouble that the engine mends by itself, such as a lost connection. Default `console.warn`. */
  warn?: (error: unknown) => void
}

/**
 * Keeps runs in the PostgreSQL database at `url`, worked by as many processes on as many machines as like. The tables
 * are made at the first use. Its functions reject with `T6003` where the database cannot be used for now, `T6004` where
 * a newer version wrote it, `T6021` where it cannot be reached, `T6022` where a right is missing.
 */
export function postgres(url: string, options: PostgresOptions = {}): Engine {
  const { schema = 'toolwright', code = '', connections = 10, sweep = 2000, seal, ...rest } = options
  const warn = options.warn ?? ((error: unknown) => console.warn(error))
  const clock = options.clock ?? serverClock()
  const store = postgresStore(new Base(url, connections), { schema, code, sweep, clock, warn, seal })
  return keeper(seal ? sealed(store, seal) : store, { ...rest, clock, warn })
}
