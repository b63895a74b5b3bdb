// A store in one SQLite file, owned by one process at a time.
import { Lost, type Store, type Wakeable, type Watcher, type Write } from '../engine/store.ts'
import { Base, type Fault } from './base.ts'
import { claim, news, takeOver } from './claim.ts'
import { type Lock, ring, takeLock, watchOthers } from './lock.ts'
import { fromOutside } from './outside.ts'
import { writeAll } from './write.ts'

export interface StoreOptions {
  /** How long `open` waits for another owner to end, in ms. */
  patience: number
  /** How often the owner looks for what others wrote where the system did not tell, in ms. */
  look: number
  fault?: Fault
}

/** The whole store over `file`. */
export function sqliteStore(file: string, o: StoreOptions): Store {
  const base = new Base(file, o.fault)
  let epoch = 0
  let lock: Lock | undefined
  let watcher: Watcher | undefined
  let unwatch = (): void => {}

  /** A write of the owner: it fails where another has opened the store since. */
  const owning = <T>(fn: () => T): T =>
    base.transaction(() => {
      if (Number(base.get(`select value from meta where name = 'epoch'`)!['value']) !== epoch)
        throw new Lost()
      return fn()
    })

  const outside = fromOutside(base, () => {
    if (!lock) ring(file)
  })

  return {
    caps: { durable: true, shared: true, many: false },
    ...outside,
    soon: fn => void setImmediate(fn),

    async open(given: Watcher): Promise<void> {
      lock = await takeLock(file, o.patience)
      epoch = base.transaction(() => {
        base.run(`update meta set value = value + 1 where name = 'epoch'`)
        takeOver(base)
        return Number(base.get(`select value from meta where name = 'epoch'`)!['value'])
      })
      watcher = given
      unwatch = watchOthers(base, o.look, () => watcher?.changed())
    },

    commit: (writes: readonly Write[]) => owning(() => writeAll(base, writes)),
    claim: async run => owning(() => claim(base, run)),
    news: async (run, after) => owning(() => news(base, run, after)),

    async wakeable(flows: readonly string[], now: number): Promise<Wakeable[]> {
      const found = base.all(
        `select id, deaths from runs where wake_at <= ? and flow in (select value from json_each(?))
         order by wake_at, started limit 1000`,
        now,
        JSON.stringify(flows),
      )
      return found.map(line => ({ id: String(line['id']), deaths: Number(line['deaths']) }))
    },

    async nextDue(flows: readonly string[], now: number): Promise<number | undefined> {
      const line = base.get(
        `select wake_at from runs where wake_at > ? and flow in (select value from json_each(?))
         order by wake_at limit 1`,
        now,
        JSON.stringify(flows),
      )
      return line && Number(line['wake_at'])
    },

    async close(): Promise<void> {
      watcher = undefined
      unwatch()
      base.close()
      lock?.release()
      lock = undefined
    },
  }
}
