// The open file: its settings, its statements, and transactions that either happen or do not.
import { chmodSync, closeSync, existsSync, openSync } from 'node:fs'
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { ToolwrightError } from '../errors.ts'
import { database } from './node.ts'
import { prepareTables, refuseForeign, whoseIs } from './schema.ts'

/** Called before and after each commit, with its number: tests let the process die there, or the disk run full. */
export type Fault = (when: 'before' | 'after', commit: number, db: DatabaseSync) => void

export type Line = Record<string, string | number | bigint | Uint8Array | null>

export class Base {
  readonly file: string
  private readonly db: DatabaseSync
  private readonly statements = new Map<string, StatementSync>()
  private readonly fault: Fault | undefined
  private commits = 0

  constructor(file: string, fault?: Fault) {
    this.file = file
    this.fault = fault
    this.db = translated(file, () => opened(file))
  }

  all(sql: string, ...values: SQLInputValue[]): Line[] {
    return translated(this.file, () => this.statement(sql).all(...values) as Line[])
  }

  get(sql: string, ...values: SQLInputValue[]): Line | undefined {
    return translated(this.file, () => this.statement(sql).get(...values) as Line | undefined)
  }

  /** Line by line, for what may be more than memory holds. */
  *each(sql: string): Iterable<Line> {
    // A statement of its own: one that is kept could be begun again by somebody else meanwhile.
    yield* this.db.prepare(sql).iterate() as Iterable<Line>
  }

  /** How many rows it changed. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.statement(sql).run(...values).changes)
  }

  /** All that `fn` writes is durable when this returns; where anything throws, none of it happened. */
  transaction<T>(fn: () => T): T {
    return translated(this.file, () => {
      this.db.exec('begin immediate')
      try {
        const given = fn()
        this.commits++
        this.fault?.('before', this.commits, this.db)
        this.db.exec('commit')
        this.fault?.('after', this.commits, this.db)
        return given
      } catch (error) {
        if (this.db.isTransaction) this.db.exec('rollback')
        throw error
      }
    })
  }

  /** Puts the log into the file, so that nothing deleted is left in it. */
  checkpoint(): void {
    translated(this.file, () => this.db.exec('pragma wal_checkpoint(truncate)'))
  }

  /** Changes whenever another connection has committed. */
  get version(): number {
    return Number(this.get('pragma data_version')!['data_version'])
  }

  close(): void {
    this.statements.clear()
    if (this.db.isOpen) this.db.close()
  }

  private statement(sql: string): StatementSync {
    if (!this.db.isOpen) throw new ToolwrightError('T6003', `${this.file} is closed`)
    let statement = this.statements.get(sql)
    if (!statement) {
      statement = this.db.prepare(sql)
      this.statements.set(sql, statement)
    }
    return statement
  }
}

/** How long a write waits for another process, in ms. Theirs are single rows. */
const BUSY = 5000

function opened(file: string): DatabaseSync {
  const lasts = file !== ':memory:'
  if (lasts && !existsSync(file)) makePrivate(file)
  const db = database(file, { timeout: BUSY })
  try {
    // Before anything of the file is changed.
    refuseForeign(db, file)
    if (lasts) makePrivate(file)
    db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma secure_delete = on')
    prepareTables(db, file)
  } catch (error) {
    db.close()
    throw error
  }
  return db
}

/** Whether the file is a store of ours. Nothing of it is changed. */
export function isStore(file: string): boolean {
  if (!existsSync(file)) return false
  try {
    const db = database(file, { readOnly: true, timeout: BUSY })
    try {
      return whoseIs(db) === 'ours'
    } finally {
      db.close()
    }
  } catch {
    return false
  }
}

/** Only its owner may read what runs keep. SQLite makes its other files like the first one. */
export function makePrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
}

/** SQLite's own trouble as an error with a code; any other as it is. */
function translated<T>(file: string, fn: () => T): T {
  try {
    return fn()
  } catch (error) {
    const code = codeOf(error)
    if (code === undefined) throw error
    const { message } = error as Error
    if (DAMAGED.has(code))
      throw new ToolwrightError('T6005', `${file} is damaged: ${message}`, {
        fix: 'stop every process that uses it, keep a copy, and put a backup in its place',
        cause: error,
      })
    throw new ToolwrightError('T6003', `${file} cannot be used now: ${message}`, {
      fix: 'look for a full disk, another program that holds the file, or missing rights',
      cause: error,
    })
  }
}

/** SQLITE_CORRUPT, SQLITE_NOTADB. */
const DAMAGED = new Set([11, 26])

function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, errcode } = error as { code?: string; errcode?: number }
  if (code === 'ERR_SQLITE_ERROR') return (errcode ?? 1) & 0xff
  // Making the file itself failed.
  return code !== undefined && /^E[A-Z]+$/.test(code) ? 14 : undefined
}
