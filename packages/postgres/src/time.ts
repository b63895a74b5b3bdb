// Time is PostgreSQL's: machines whose clocks differ agree on when something is due.
import { type Clock, realClock } from '@toolwright/core/engine'
import type { Base } from './base.ts'

export interface ServerClock extends Clock {
  /** Asks the server what time it is. */
  set(base: Base): Promise<void>
}

export function serverClock(): ServerClock {
  let ahead = 0
  return {
    now: () => Date.now() + ahead,
    after: realClock.after,
    async set(base) {
      const sent = Date.now()
      const [line] = await base.query(`select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`)
      const got = Date.now()
      // A clock of the machine that was just set back or forward says nothing.
      if (got >= sent && got - sent < 1000) ahead = Math.round(Number(line!['now']) - (sent + got) / 2)
    },
  }
}
