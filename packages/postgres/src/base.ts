// The connections to the database: statements, transactions, and what other processes tell.
import { createHash } from 'node:crypto'
import pg from 'pg'
import { translated } from './trouble.ts'

export type Line = Record<string, string | number | boolean | null>

/** Runs a statement: in a transaction or by itself. `name`: it is prepared once a connection. */
export type Query = (text: string, values?: readonly unknown[], name?: string) => Promise<Line[]>

/** Told of each notification, and with '' where some may have been missed. */
export type Hear = (said: string) => void

/** int8 is a number: nothing here counts further than 2^53. */
const types = {
  getTypeParser: (oid: number, format: 'text' | 'binary') =>
    oid === 20 ? Number : pg.types.getTypeParser(oid, format as 'text'),
} as pg.CustomTypesConfig

/** Conflicts that PostgreSQL ends by letting one side try again. */
const AGAIN = new Set(['40001', '40P01'])
const TRIES = 6

/** How long until a lost connection is tried again, in ms. */
const RECONNECT = 500

export class Base {
  /** The database, without its password. */
  readonly where: string
  private readonly url: string
  private readonly change: (text: string) => string
  private readonly pool: pg.Pool
  /** Connections whose commits are not waited for until they are on the disk. */
  private readonly quick: pg.Pool
  private readonly listeners = new Set<() => void>()
  private closed = false

  /** `change`: what a test does to a statement, such as leaving a check out. */
  constructor(url: string, connections: number, change = (text: string) => text) {
    this.url = url
    this.change = change
    this.where = placeOf(url)
    const most = Math.max(2, connections)
    this.pool = poolOf(url, most - Math.floor(most / 3), '')
    this.quick = poolOf(url, Math.floor(most / 3) || 1, '-c synchronous_commit=off')
  }

  readonly query: Query = async (text, values, name) =>
    await translated(this.where, () =>
      again(async () => (await this.run(this.pool, text, values, name)).rows),
    )

  /** What is durable a moment later, or not at all where the server dies: for what may be lost without harm. */
  readonly quickly: Query = async (text, values, name) =>
    await translated(this.where, () =>
      again(async () => (await this.run(this.quick, text, values, name)).rows),
    )

  /** As pg-boss wants it, quickly: a fetch that is lost is fetched again, and an end that is lost ends again. */
  async rawQuickly(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> {
    return await again(() => this.quick.query({ text, name: nameOf(text), ...(values ? { values } : {}) }))
  }

  /** As pg-boss wants it: several statements in one text where there are no values, and types as they come. */
  async raw(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> {
    return await again(async () => {
      const result: unknown = await this.pool.query({ text, ...(values ? { values } : {}) })
      // Of several statements, the last that gave rows.
      if (!Array.isArray(result)) return result as { rows: unknown[] }
      const results = result as { rows: unknown[] }[]
      return results.findLast(each => each.rows.length > 0) ?? { rows: [] }
    })
  }

  /** All that `fn` writes is durable when this resolves; where anything rejects, none of it happened. */
  async transaction<T>(fn: (query: Query) => Promise<T>): Promise<T> {
    return await translated(this.where, () => again(() => this.once(fn)))
  }

  /** Does `fn` while no other process does what bears this name. */
  async alone<T>(name: string, fn: () => Promise<T>): Promise<T> {
    return await translated(this.where, async () => {
      const client = await this.pool.connect()
      try {
        await client.query('select pg_advisory_lock(hashtext($1))', [name])
        return await fn()
      } finally {
        // The lock goes with its connection, whatever state that is in.
        client.release(true)
      }
    })
  }

  private async once<T>(fn: (query: Query) => Promise<T>): Promise<T> {
    const client = await this.pool.connect()
    let broken: Error | undefined
    try {
      await client.query('begin')
      const given = await fn(async (text, values, name) => (await this.run(client, text, values, name)).rows)
      await client.query('commit')
      return given
    } catch (error) {
      await client.query('rollback').catch(lost => {
        broken = lost as Error
      })
      throw error
    } finally {
      client.release(broken)
    }
  }

  private async run(
    client: pg.Pool | pg.PoolClient,
    text: string,
    values: readonly unknown[] = [],
    name?: string,
  ): Promise<{ rows: Line[] }> {
    const changed = this.change(text)
    return await client.query<Line>({
      text: changed,
      values: [...values],
      ...(name && changed === text ? { name } : {}),
    })
  }

  /** Hears what is told on `channel` until the base is closed. Resolves when it listens, or cannot for now. */
  async listen(channel: string, hear: Hear): Promise<void> {
    if (this.closed) return
    const client = new pg.Client({
      connectionString: this.url,
      application_name: 'toolwright',
      keepAlive: true,
    })
    let over = false
    const end = (): void => {
      if (over) return
      over = true
      this.listeners.delete(stop)
      client.end().catch(() => {})
      if (!this.closed) setTimeout(() => void this.listen(channel, hear), RECONNECT).unref()
    }
    const stop = (): void => {
      over = true
      client.end().catch(() => {})
    }
    client.on('error', end)
    client.on('end', end)
    client.on('notification', ({ payload }) => hear(payload ?? ''))
    this.listeners.add(stop)
    try {
      await client.connect()
      await client.query(`listen ${pg.escapeIdentifier(channel)}`)
      hear('')
    } catch {
      end()
    }
  }

  async close(): Promise<void> {
    if (this.closed) return
    this.closed = true
    for (const stop of this.listeners) stop()
    await Promise.all([this.pool.end(), this.quick.end()])
  }
}

/** The name under which a statement is prepared that has none. */
export function nameOf(text: string): string {
  return createHash('sha1').update(text).digest('hex')
}

function poolOf(url: string, max: number, options: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: 'toolwright',
    // How long a statement waits for a connection that is free, too: in a burst that may be a while.
    connectionTimeoutMillis: 30_000,
    keepAlive: true,
    types,
    ...(options === '' ? {} : { options }),
  })
  // Without these two, a database that goes away takes the process with it.
  pool.on('error', () => {})
  pool.on('connect', client => void client.on('error', () => {}))
  return pool
}

async function again<T>(fn: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await fn()
    } catch (error) {
      if (tries === TRIES || !AGAIN.has((error as { code?: string }).code ?? '')) throw error
    }
}

function placeOf(url: string): string {
  try {
    const { host, pathname } = new URL(url)
    return `${host}${pathname}`
  } catch {
    return 'the database'
  }
}
