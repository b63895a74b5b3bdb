// Wakes are jobs of pg-boss: one queue for each flow and code, one job for each run that wants to work.
// A job is held as long as its run is in memory, so nobody else takes the run up; where the process dies or hangs,
// its heartbeat stops and the job goes to another.
import { createHash } from 'node:crypto'
import { type ConnectionOptions, PgBoss } from 'pg-boss'
import { type Base, nameOf, type Query } from './base.ts'
import { restored } from './schema.ts'
import { told } from './trouble.ts'

/** pg-boss's defaults are for short jobs that may be lost after a while; ours may neither take long nor be lost. */
const QUEUE = {
  // One job of a run that waits and one that is held: what comes while a run works wakes it again afterwards.
  policy: 'stately',
  heartbeatSeconds: 10,
  expireInSeconds: 86_400,
  // Deaths are counted by the run's row.
  retryLimit: 1000,
  retentionSeconds: 31_536_000,
  deleteAfterSeconds: 60,
} as const

/** How often what is held is told to be alive, in ms. */
const BEAT = 3000
/** How often queues are looked at where nobody told of a job, in ms: jobs of dead processes are not told. */
const LOOK = 1000
/** How many jobs are fetched at once: few sizes, so that each is one prepared statement. */
const SIZES = [100, 60, 30, 8, 1]

export interface Held {
  run: string
  queue: string
  job: { id: string; retryCount: number }
}

interface Job {
  id: string
  retryCount: number
  data: { run: string }
}

export interface WakesOptions {
  schema: string
  warn: (error: unknown) => void
  /** How many more runs may be fetched. */
  room: () => number
  /** A run's wake is here. */
  came: (held: Held) => void
  /** Fetches by that statement, and takes up what it finds; gives the jobs. */
  fetch: (queue: string, statement: { text: string; values: readonly unknown[] }) => Promise<unknown[]>
}

/** The name of a queue. */
export function queueOf(flow: string, code: string): string {
  const hash = createHash('sha256').update(`${flow}\0${code}`).digest('hex').slice(0, 16)
  return `${flow.replace(/[^\w.-]/g, '_').slice(0, 60)}/${hash}`
}

export class Wakes {
  private readonly base: Base
  private readonly o: WakesOptions
  private boss: PgBoss | undefined
  private readonly queues = new Set<string>()
  /** Queues in which there may be jobs. */
  private readonly due = new Set<string>()
  private readonly held = new Map<string, Held>()
  private readonly ended: Held[] = []
  private ending: Promise<void> | undefined
  private fetching: Promise<void> | undefined
  private readonly timers: NodeJS.Timeout[] = []
  private open = false
  /** Nothing is lost with a fetch, an end or a heartbeat that the disk did not get. */
  private readonly quick: ConnectionOptions

  constructor(base: Base, o: WakesOptions) {
    this.base = base
    this.o = o
    this.quick = { db: { executeSql: (text, values) => base.rawQuickly(text, values) } }
  }

  /** Makes pg-boss's tables. `supervise`: this process works, and looks after the jobs of those that died. */
  async start(supervise: boolean): Promise<void> {
    await this.boss?.stop({ graceful: false, close: false })
    const boss = new PgBoss({
      db: { executeSql: (text, values) => this.base.raw(text, values) },
      schema: `${this.o.schema}_wakes`,
      migrate: true,
      schedule: false,
      supervise,
      superviseIntervalSeconds: 2,
      monitorIntervalSeconds: 2,
      maintenanceIntervalSeconds: 30,
      registerInstance: false,
    })
    boss.on('error', error => this.o.warn(told(this.base.where, error)))
    // Two processes that make its tables in the same moment would get in each other's way.
    await this.base.alone(`wakes ${this.o.schema}`, () => boss.start())
    this.boss = boss
  }

  /** Works these queues from here on. */
  async serve(queues: readonly string[]): Promise<void> {
    for (const queue of queues) {
      await this.boss!.createQueue(queue, QUEUE)
      this.queues.add(queue)
    }
    this.open = true
    this.every(BEAT, () => this.beat())
    this.every(LOOK, () => this.look(...this.queues))
    this.look(...queues)
  }

  private every(ms: number, fn: () => unknown): void {
    const timer = setInterval(fn, ms)
    timer.unref()
    this.timers.push(timer)
  }

  /** Sends the wakes of runs, in the transaction of `query`. A run that has one gets no second. */
  async send(query: Query, queue: string, runs: readonly string[]): Promise<void> {
    const jobs = runs.map(run => ({ singletonKey: run, data: { run } }))
    const db = {
      executeSql: async (text: string, values?: unknown[]) => ({
        rows: await query(text, values, nameOf(text)),
      }),
    }
    try {
      await this.boss!.insert(queue, jobs, { db })
    } catch (error) {
      // The queue is gone: whoever works the run next makes another.
      if ((error as { code?: string }).code !== 'PGBOSS_QUEUE_NOT_FOUND') throw error
    }
  }

  /** There may be jobs in these queues. */
  look(...queues: readonly string[]): void {
    for (const queue of queues) if (this.queues.has(queue)) this.due.add(queue)
    if (this.due.size === 0 || this.fetching || !this.open) return
    this.fetching = this.fetchAll()
      .catch(error => {
        this.o.warn(told(this.base.where, error))
        return false
      })
      .then(again => {
        this.fetching = undefined
        if (again) this.look()
      })
  }

  /** Whether there may be more, and room for it. */
  private async fetchAll(): Promise<boolean> {
    for (const queue of [...this.due]) {
      const room = this.o.room()
      const size = SIZES.find(each => each <= room)
      if (size === undefined || !this.open) return false
      this.due.delete(queue)
      const jobs = (await this.boss!.fetch<Job['data']>(queue, {
        batchSize: size,
        db: {
          executeSql: async (text: string, values: readonly unknown[] = []) => ({
            rows: await this.o.fetch(queue, { text, values }),
          }),
        },
      })) as unknown as Job[]
      if (jobs.length === size) this.due.add(queue)
      for (const job of jobs) this.take(queue, job)
    }
    return true
  }

  private take(queue: string, { id, retryCount, data }: Job): void {
    const run = restored(data.run)
    const known = this.held.get(run)
    const held = { run, queue, job: { id, retryCount } }
    // The process hung so long that its job was given to another: itself. The run is where it was.
    if (known) {
      if (known.job.id !== id) this.ended.push({ ...known })
      Object.assign(known, held)
      return
    }
    this.held.set(run, held)
    this.o.came(held)
  }

  /** The run is not in memory any more: what came for it meanwhile may be fetched. */
  end(run: string): void {
    const held = this.held.get(run)
    if (!held) return
    this.held.delete(run)
    this.ended.push(held)
    this.ending ??= Promise.resolve().then(() => this.endAll())
  }

  /** The job of the run was held by another process before, which died or let it lapse. */
  isAgain(run: string): boolean {
    return (this.held.get(run)?.job.retryCount ?? 0) > 0
  }

  /** The run is another's, and so is the job. */
  drop(run: string): void {
    this.held.delete(run)
  }

  private async endAll(): Promise<void> {
    while (this.ended.length > 0) {
      const ended = this.ended.splice(0)
      try {
        for (const [queue, some] of byQueue(ended))
          await this.boss!.complete(
            queue,
            some.map(held => held.job),
            null,
            this.quick,
          )
      } catch (error) {
        // Without a heartbeat they are given to somebody who finds nothing to do.
        this.o.warn(told(this.base.where, error))
      }
      this.look(...ended.map(held => held.queue))
    }
    this.ending = undefined
  }

  private async beat(): Promise<void> {
    try {
      for (const [queue, some] of byQueue([...this.held.values()]))
        await this.boss!.touch(
          queue,
          some.map(held => held.job),
          this.quick,
        )
    } catch (error) {
      this.o.warn(told(this.base.where, error))
    }
  }

  /** Fetches nothing more. */
  shut(): void {
    this.open = false
    for (const timer of this.timers) clearInterval(timer)
  }

  /** Gives back what is held: it can be fetched by others when this resolves. */
  async stop(): Promise<void> {
    this.shut()
    await this.fetching
    for (const run of [...this.held.keys()]) this.end(run)
    await this.ending
    await this.boss?.stop({ graceful: false, close: false })
    this.boss = undefined
  }
}

function byQueue(held: readonly Held[]): Map<string, Held[]> {
  return Map.groupBy(held, each => each.queue)
}
