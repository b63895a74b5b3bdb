// Stores with a defect, which the tests must find.
import { type Engine, keeper } from '@toolwright/core/engine'
import { Base } from '../src/base.ts'
import { postgresStore } from '../src/store.ts'
import { serverClock } from '../src/time.ts'

/** `no epoch`: writes are not checked. `no wakes`: nothing counts what comes from outside. */
export type Defect = 'no epoch' | 'no wakes'

const changed: Record<Defect, (text: string) => string> = {
  'no epoch': text =>
    text
      .replace('where r.epoch = w.epoch and r.owner is not distinct from $3', 'where $3::text is not null')
      .replace(
        'and r.epoch = $2 and owner is not distinct from $3',
        'and $2::bigint > 0 and $3::text is not null',
      ),
  'no wakes': text => text.replace('set wakes = wakes + 1 where id = $1', 'set wakes = wakes where id = $1'),
}

export interface Made {
  url: string
  schema?: string
  code?: string
  leaveAfter?: number
  warn: (error: unknown) => void
  defect?: Defect | undefined
}

export function engineOf({
  url,
  schema = 'toolwright',
  code = '',
  leaveAfter = 1000,
  warn,
  defect,
}: Made): Engine {
  const base = new Base(url, 10, defect ? changed[defect] : undefined)
  const clock = serverClock()
  const store = postgresStore(base, { schema, code, sweep: 1000, clock, warn })
  return keeper(store, { clock, warn, leaveAfter })
}
