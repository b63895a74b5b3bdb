// A store in PostgreSQL, worked by as many processes as like.

import type { Seal } from '@toolwright/core/engine'
import {
  type Claimed,
  type News,
  type Store,
  settledAs,
  type Wakeable,
  type Watcher,
  type Write,
} from '@toolwright/core/engine'
import type { Base, Query } from './base.ts'
import { claimAll, fetchAndClaim, news, type Owner, release, type Taken } from './claim.ts'
import { fromOutside } from './outside.ts'
import { shownPieces } from './pieces.ts'
import { Recent } from './recent.ts'
import { plain, prepareTables, quoted, restored } from './schema.ts'
import type { ServerClock } from './time.ts'
import { together } from './together.ts'
import { queueOf, Wakes } from './wakes.ts'
import {
  adopt,
  appear,
  type Crew,
  disappear,
  freeNext,
  handOn,
  nextDue,
  type Send,
  sweep,
  unheard,
  wakeDue,
} from './workers.ts'
import { writing } from './write.ts'

export interface StoreOptions {
  schema: string
  /** Names the code of flows that do not name theirs. */
  code: string
  /** How often a process looks after what others may have lost, in ms. */
  sweep: number
  clock: { now(): number } & Partial<Pick<ServerClock, 'set'>>
  warn: (error: unknown) => void
  /** Seals what is shown; the rest is sealed around this store. */
  seal?: Seal | undefined
}

/** How often at most it is looked for what is due, in ms. */
const DUE = 100
/** Of how many runs it is remembered in which queue they were. */
const SEEN = 10_000
/** How long `close` waits for a database that may be gone, in ms. */
const LEAVE = 3000

export function postgresStore(base: Base, o: StoreOptions): Store {
  const { schema, clock } = o
  // What was still under way when it was closed is nobody's trouble.
  const warn = (error: unknown): void => {
    if (!closed) o.warn(error)
  }
  const me = crypto.randomUUID()
  const owner: Owner = { base, schema, me }
  const channel = `toolwright ${schema}`
  const writeAll = writing(base.query, schema, me)
  /** The epochs of the runs that this process has. */
  const epochs = new Map<string, number>()
  /** How far the counters of what came for them were when that was last read. */
  const read = new Map<string, number>()
  /** Wakes that are here and whose runs are not taken up yet. */
  const came = new Map<string, string>()
  /** Runs that were taken up with their wakes, and do not work yet. */
  const takenUp = new Map<string, Taken>()
  /** Runs that are being taken up. */
  const taking = new Set<string>()
  /** Runs of this process for which something came. */
  const told = new Set<string>()
  const queues = new Map<string, string>()
  const seen = new Recent<string, string>(SEEN)
  let watcher: Watcher | undefined
  let settled = (_run: string): void => {}
  let prepared: Promise<unknown> | undefined
  let listening: Promise<void> | undefined
  let sweeping: NodeJS.Timeout | undefined
  let due: { at: number; next: number | undefined; again: NodeJS.Timeout | undefined } | undefined
  let closed = false

  const wakes = new Wakes(base, {
    schema,
    warn,
    room: () => (watcher?.room() ?? 0) - came.size,
    came: held => {
      came.set(held.run, held.queue)
      watcher?.changed()
    },
    fetch: async (queue, statement) => {
      const { jobs, taken, more } = await fetchAndClaim(owner, queue, statement, clock.now())
      for (const [run, each] of taken) {
        takenUp.set(run, each)
        has(run, each)
      }
      for (const run of more) told.add(run)
      return jobs
    },
  })
  /** The run is ours from here on. */
  const has = (run: string, { epoch, wakes }: Taken): void => {
    epochs.set(run, epoch)
    read.set(run, wakes)
  }

  /** What every use of the store needs first. Tried again at the next use where it fails. */
  const ready = (): Promise<unknown> => {
    prepared ??= prepare().catch(error => {
      prepared = undefined
      throw error
    })
    return prepared
  }
  const prepare = async (): Promise<void> => {
    await prepareTables(base, schema)
    await clock.set?.(base)
    await wakes.start(false)
  }
  const listen = (): Promise<void> => {
    listening ??= base.listen(channel, hear)
    return listening
  }

  const tell = async (query: Query, said: string): Promise<void> => {
    await query('select pg_notify($1, $2)', [channel, said], 'tell')
  }
  const send: Send = async (query, queue, runs, news = '') => {
    await wakes.send(query, queue, runs)
    // A name that is too long for a notification is not told: whoever has the run looks for it now and then.
    await tell(query, saidOf(queue, news))
  }
  const saidOf = (queue: string, news: string): string => `wake ${queue} ${news.length < 2000 ? news : ''}`

  /** Who misses it looks by itself after a while. */
  const over = (ended: ReadonlySet<string>): void => {
    const runs = [...ended].map(plain)
    base.transaction(query => freeNext(crew, query, clock.now(), runs)).catch(() => {})
    const said = [...ended].filter(run => run.length < 2000).map(run => `settled ${plain(run)}`)
    base
      .query('select pg_notify($1, said) from unnest($2::text[]) as said', [channel, said], 'tell all')
      .catch(() => {})
  }

  const hear = (said: string): void => {
    const [what = '', ...rest] = said.split(' ')
    if (what === 'wake') {
      const [queue = '', ...run] = rest
      heard(queue, restored(run.join(' ')))
    } else if (what === 'shown' || what === 'watch') pieces.hear(what, restored(rest.join(' ')))
    else if (what === 'settled') settled(restored(rest.join(' ')))
    else if (what === '') {
      // Something may have been missed while nobody listened.
      for (const run of epochs.keys()) told.add(run)
      watcher?.changed()
      wakes.look(...queues.values())
    }
  }
  const heard = (queue: string, run: string): void => {
    if (run === '' || !(epochs.has(run) || taking.has(run))) {
      wakes.look(queue)
      return
    }
    told.add(run)
    watcher?.changed()
  }

  const crew: Crew = { base, schema, me, queues, send }
  const outside = fromOutside({
    base,
    schema,
    ready,
    now: () => clock.now(),
    mine: flow => queues.get(flow),
    send,
    seen,
    sendQuietly: (query, queue, runs) => wakes.send(query, queue, runs),
    news: (queue, run) => [channel, saidOf(queue, run)],
  })
  const pieces = shownPieces({
    base,
    schema,
    now: () => clock.now(),
    ready: async () => {
      await ready()
      await listen()
    },
    get: outside.get,
    seal: o.seal,
    tell: (what, run) => tell(base.query, `${what} ${plain(run)}`),
    warn,
  })

  const claim = together((runs: ReadonlySet<string>) =>
    claimAll(owner, new Map([...runs].map(run => [run, came.get(run) ?? ''])), clock.now()),
  )
  /** The run is not in memory any more. */
  const leave = (run: string): void => {
    takenUp.delete(run)
    epochs.delete(run)
    read.delete(run)
    told.delete(run)
    wakes.end(run)
  }
  const lost = (run: string): void => {
    takenUp.delete(run)
    epochs.delete(run)
    read.delete(run)
    told.delete(run)
    wakes.drop(run)
  }
  const lookAfter = async (): Promise<void> => {
    try {
      await appear(crew)
      await sweep(crew, clock.now())
      for (const { run, wakes } of await unheard(crew)) if (wakes > (read.get(run) ?? wakes)) told.add(run)
      await clock.set?.(base)
      watcher?.changed()
    } catch (error) {
      warn(error)
    }
  }

  return {
    caps: { durable: true, shared: true, many: true },
    ...outside,
    soon: fn => void setImmediate(fn),
    shown: pieces,

    async watch(given) {
      settled = given
      await ready()
      await listen()
    },

    async open(given, flows) {
      await ready()
      await wakes.start(true)
      for (const [flow, { code }] of Object.entries(flows)) queues.set(flow, queueOf(flow, code ?? o.code))
      watcher = given
      await appear(crew)
      await listen()
      await wakes.serve([...queues.values()])
      await adopt(crew, clock.now())
      let looking = false
      sweeping = setInterval(() => {
        if (looking) return
        looking = true
        void lookAfter().then(() => {
          looking = false
        })
      }, o.sweep)
      sweeping.unref()
    },

    async commit(writes: readonly Write[]) {
      const others = await writeAll(writes, epochs)
      for (const run of others) lost(run)
      const ended = new Set<string>()
      for (const write of writes) {
        if (write.what !== 'state' || others.includes(write.run)) continue
        if (settledAs(write.state.status as never) && 'at' in write.state) {
          leave(write.run)
          ended.add(write.run)
        }
        // There is room for another.
        else if (write.state.status === 'waiting') setImmediate(() => wakes.look())
      }
      if (ended.size > 0) over(ended)
      return others
    },

    async claim(run: string): Promise<Claimed | undefined> {
      const queue = came.get(run)
      if (queue === undefined) {
        told.delete(run)
        return undefined
      }
      taking.add(run)
      const known = takenUp.get(run)
      const taken = known ?? (await claim(run).finally(() => taking.delete(run)))
      takenUp.delete(run)
      taking.delete(run)
      came.delete(run)
      if (!taken) {
        wakes.end(run)
        return undefined
      }
      if (!known) has(run, taken)
      seen.put(run, queue)
      pieces.begin(run, taken.watched)
      // What came meanwhile is read when the run works.
      if (told.has(run)) setImmediate(() => watcher?.changed())
      wakes.look()
      return taken.claimed
    },

    async news(run: string, after: number): Promise<News | undefined> {
      told.delete(run)
      const epoch = epochs.get(run)
      if (epoch === undefined) return undefined
      const found = await news(owner, run, epoch, after).catch(error => {
        told.add(run)
        throw error
      })
      if (found) read.set(run, found.wakes)
      else lost(run)
      return found?.news
    },

    async release(run: string): Promise<boolean> {
      const epoch = epochs.get(run)
      if (epoch === undefined) return true
      const what = await release(owner, run, epoch, read.get(run) ?? -1)
      if (what === 'left') leave(run)
      else if (what === 'news') told.add(run)
      else {
        lost(run)
        watcher?.lostRun(run)
      }
      return what === 'left'
    },

    async refuse(run: string): Promise<boolean> {
      const epoch = epochs.get(run)
      if (epoch === undefined) return true
      const record = await outside.get(run)
      if (!record || !(await handOn(crew, run, record.flow, epoch))) return false
      leave(run)
      return true
    },

    async wakeable(): Promise<Wakeable[]> {
      const ids = [...came.keys()]
      const deaths = new Map<string, number>()
      // A job that is here for the first time is not that of a process that died.
      const again = ids.filter(id => wakes.isAgain(id) && !takenUp.has(id))
      if (again.length > 0) {
        // Who still stands as working died once more.
        const lines = await base.query(
          `select id, deaths + (status = 'running')::int as deaths from ${quoted(schema)}.runs
           where id = any($1) and (deaths > 0 or status = 'running')`,
          [again.map(plain)],
          'deaths',
        )
        for (const line of lines) deaths.set(restored(String(line['id'])), Number(line['deaths']))
      }
      for (const id of ids) if (takenUp.has(id)) deaths.set(id, takenUp.get(id)!.claimed.run.deaths)
      return [...ids, ...told].map(id => ({ id, deaths: deaths.get(id) ?? 0 }))
    },

    async nextDue(_flows, now): Promise<number | undefined> {
      const since = performance.now() - (due?.at ?? Number.NEGATIVE_INFINITY)
      if (due && since < DUE) {
        const last = due
        // A timer may come early: then it is set anew.
        last.again ??= setTimeout(() => {
          last.again = undefined
          watcher?.changed()
        }, DUE - since)
        return due.next
      }
      clearTimeout(due?.again)
      due = { at: performance.now(), next: undefined, again: undefined }
      await wakeDue(crew, now)
      due.next = await nextDue(crew, now)
      return due.next
    },

    async close() {
      if (closed) return
      closed = true
      watcher = undefined
      clearInterval(sweeping)
      clearTimeout(due?.again)
      pieces.close()
      const leaving = (async () => {
        if (queues.size > 0) await disappear(crew)
        await giveBack()
        await wakes.stop()
      })()
      let late: NodeJS.Timeout | undefined
      await Promise.race([
        leaving.catch(warn),
        new Promise<void>(resolve => {
          late = setTimeout(resolve, LEAVE)
        }),
      ])
      clearTimeout(late)
      await base.close()
    },
  }

  /** Runs that are still here are for others, at once. */
  async function giveBack(): Promise<void> {
    wakes.shut()
    if (epochs.size === 0) return
    const s = quoted(schema)
    await base.transaction(async query => {
      // One that did not come to say how it stands goes on too, and did not die.
      const lines = await query(
        `update ${s}.runs set owner = null, epoch = epoch + 1, wakes = wakes + 1,
           cuts = cuts + (status = 'running')::int, status = case when status = 'running' then 'ready' else status end
         where id = any($1) and owner = $2 and status in ('ready', 'running', 'waiting') returning id, queue`,
        [[...epochs.keys()].map(plain), me],
      )
      for (const [queue, some] of Map.groupBy(lines, line => String(line['queue'])))
        await send(
          query,
          queue,
          some.map(line => String(line['id'])),
        )
    })
    epochs.clear()
  }
}
