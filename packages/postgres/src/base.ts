// The connections to the database: statements, transactions, and what other processes tell.
import { createHash } from 'node:crypto'
import pg from 'pg'
import { whole } from './together.ts'
import { translated } from './trouble.ts'

export type Line = Record<string, string | number | boolean | null>

/** Runs a statement: in a transaction or by itself. `name`: it is prepared once a connection. */
export type Query = (text: string, values?: readonly unknown[], name?: string) => Promise<Line[]>

/** A statement: its text, its values, and the name under which it is prepared. */
export type Statement = Parameters<Query>

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

/**
 * Connections on which commits are not waited for, and whose few statements always take the same way: over an index.
 * Said by a statement, not by the url's options, which poolers of connections refuse.
 */
const QUICK =
  'set synchronous_commit = off; set plan_cache_mode = force_generic_plan; set enable_seqscan = off'

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
    this.pool = poolOf(url, most - Math.floor(most / 3))
    this.quick = poolOf(url, Math.floor(most / 3) || 1, QUICK)
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

  /** Several statements quickly, in one trip: each sees what the ones before it did. Each is done by itself. */
  async quicklyAll(statements: readonly Statement[]): Promise<Line[][]> {
    return await translated(this.where, () =>
      again(() =>
        this.held(this.quick, async client => {
          const all = await whole(statements.map(statement => this.run(client, ...statement)))
          return all.map(({ rows }) => rows)
        }),
      ),
    )
  }

  /** One statement quickly, prepared by its text. */
  async quicklyOnce(text: string, values: readonly unknown[]): Promise<Line[]> {
    return await this.quickly(text, values, nameOf(text))
  }

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

  /**
   * All that `fn` writes is durable when this resolves; where anything rejects, none of it happened. The begin goes
   * with the first statement; `last` sends a statement together with the commit, and none may follow it.
   */
  async transaction<T>(fn: (query: Query, last: Query) => Promise<T>): Promise<T> {
    return await translated(this.where, () =>
      again(() => this.held(this.pool, client => this.once(client, fn))),
    )
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

  private async once<T>(client: pg.PoolClient, fn: (query: Query, last: Query) => Promise<T>): Promise<T> {
    let begun = false
    let open = false
    const begin = (): Promise<unknown>[] => {
      if (begun) return []
      begun = true
      open = true
      return [client.query('begin')]
    }
    const rows = async (sent: Promise<unknown>[]): Promise<Line[]> =>
      ((await whole(sent)).at(-1) as { rows: Line[] }).rows
    const query: Query = (...statement) => rows([...begin(), this.run(client, ...statement)])
    const last: Query = async (...statement) => {
      const before = begin()
      open = false
      // Where the statement fails, the commit behind it is a rollback.
      const statements = [...before, this.run(client, ...statement)]
      const [given] = await whole([rows(statements), client.query('commit')])
      return given
    }
    try {
      const given = await fn(query, last)
      if (open) await client.query('commit')
      return given
    } catch (error) {
      if (open) await client.query('rollback').catch(() => {})
      throw error
    }
  }

  /** A connection of the pool for `fn`. The pool drops one that was lost. */
  private async held<T>(pool: pg.Pool, fn: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect()
    try {
      return await fn(client)
    } finally {
      client.release()
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

/** `settings`: statements that each of its connections begins with. */
function poolOf(url: string, max: number, settings = ''): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: 'toolwright',
    // How long a statement waits for a connection that is free, too: in a burst that may be a while.
    connectionTimeoutMillis: 30_000,
    keepAlive: true,
    // What is sent does not wait for the answer to what was sent before.
    pipeline: true,
    types,
  })
  // Without these two, a database that goes away takes the process with it.
  pool.on('error', () => {})
  pool.on('connect', client => {
    client.on('error', () => {})
    if (settings !== '') client.query(settings).catch(() => {})
  })
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
