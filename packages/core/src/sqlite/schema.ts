// The tables of a store. A change of them is a new version, with a step here that brings older files up to it.
import type { DatabaseSync } from 'node:sqlite'
import { ToolwrightError } from '../errors.ts'

const VERSION = 1

/** What marks a file as a store of ours ("twrt"). */
const MARK = 0x74777274

const tables = `
create table meta (name text primary key, value integer not null) without rowid;
insert into meta values ('epoch', 0);

-- wake_at: when it wants to be looked at, ms since 1970. Null: while nothing came for it and it works, or has settled.
create table runs (
  id text primary key, flow text not null, input text not null, person text, dedupe text unique,
  status text not null, wake_at integer, due integer, stopping integer not null default 0,
  cuts integer not null default 0, deaths integer not null default 0,
  started integer not null, ended integer, output text, error text
);
create index wakes on runs (wake_at) where wake_at is not null;
create index stati on runs (status);

create table journal (
  run text not null, seq integer not null, kind text not null, key text not null, name text not null,
  value text, blob blob, cuts integer not null, at integer not null,
  primary key (run, seq)
) without rowid;

-- A decision may be there before its ask is: then ask is null.
create table asks (
  run text not null, step text not null, ask text, until integer, at integer, decision text, decided integer,
  primary key (run, step)
) without rowid;
create index open_asks on asks (at) where decision is null;

create table signals (
  id integer primary key autoincrement, run text not null, channel text not null, value text not null, at integer not null
);
create index signals_of on signals (run);

-- Rows belong to threads, which may outlive the run that wrote them.
create table rows (
  thread text not null, row integer not null, run text not null, value text, blob blob,
  primary key (thread, row)
) without rowid;
create index rows_of on rows (run);

-- What is too large for a row, once a run.
create table blobs (run text not null, hash blob not null, value text not null, primary key (run, hash)) without rowid;
`

/** Whether a database is a store of ours: 'empty' is what none has written to yet. */
export function whoseIs(db: DatabaseSync): 'ours' | 'empty' | 'foreign' {
  const { application_id: mark } = db.prepare('pragma application_id').get() as { application_id: number }
  if (mark === MARK) return 'ours'
  const names = new Set(
    db
      .prepare('select name from sqlite_schema')
      .all()
      .map(line => line['name']),
  )
  if (names.size === 0) return mark === 0 && versionOf(db) === 0 ? 'empty' : 'foreign'
  return ['meta', 'runs', 'journal', 'asks'].every(name => names.has(name)) ? 'ours' : 'foreign'
}

/** Throws `T6011` where another program keeps something in the file; it is left as it is. */
export function refuseForeign(db: DatabaseSync, file: string): void {
  if (whoseIs(db) === 'foreign')
    throw new ToolwrightError('T6011', `${file} is the database of another program`, {
      fix: "name a file of its own for the store: sqlite('app.db')",
    })
}

/** Makes the tables where there are none. Throws `T6004` where a newer version made them. */
export function prepareTables(db: DatabaseSync, file: string): void {
  if (versionOf(db) === VERSION) return
  db.exec('begin immediate')
  try {
    const version = versionOf(db)
    if (version > VERSION)
      throw new ToolwrightError(
        'T6004',
        `${file} was written by a newer version (its format is ${version}, not ${VERSION})`,
        {
          fix: 'use the version that wrote it, or a newer one',
        },
      )
    if (version === 0) {
      db.exec(tables)
      db.exec(`pragma user_version = ${VERSION}; pragma application_id = ${MARK}`)
    }
    db.exec('commit')
  } catch (error) {
    if (db.isTransaction) db.exec('rollback')
    throw error
  }
}

function versionOf(db: DatabaseSync): number {
  return Number((db.prepare('pragma user_version').get() as { user_version: number }).user_version)
}
