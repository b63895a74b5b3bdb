// The tables of a store. A change of them is a new version, with a step here that brings older ones up to it.
import { ToolwrightError } from '@toolwright/core'
import type { Base } from './base.ts'

/** The steps from nothing to the newest version; what stands here is never changed, only added to. */
const steps: ((s: string) => string)[] = [
  s => `
-- queue: who works it, by flow and code; null until somebody does. epoch: who works it writes with this number.
-- in_line: the line it stands in, after the run it comes after, and freed when that had settled and it was told on channel.
-- owner: the process that has it in memory. wakes counts what came from outside, seen what of it was read.
create table ${s}.runs (
  id text primary key, flow text not null, input text not null, person text, dedupe text unique,
  status text not null, due bigint, stopping boolean not null default false,
  cuts integer not null default 0, deaths integer not null default 0,
  started bigint not null, ended bigint, output text, error text,
  queue text, home text, refused text[] not null default '{}', epoch bigint not null default 0, owner text,
  wakes bigint not null default 1, seen bigint not null default 0,
  in_line text, after text, channel text, freed boolean not null default false, line bigint generated always as identity
) with (fillfactor = 70);
create index runs_wanting on ${s}.runs (queue)
  where status in ('ready', 'running') or (status = 'waiting' and wakes > seen);
create index runs_due on ${s}.runs (due) where status = 'waiting' and due is not null;
create index runs_owned on ${s}.runs (owner) where owner is not null;
create index runs_in_line on ${s}.runs (in_line, line) where in_line is not null;
create index runs_after on ${s}.runs (after) where after is not null and not freed;
create index runs_listed on ${s}.runs (started desc, line desc);

create table ${s}.journal (
  run text not null, seq integer not null, kind text not null, key text not null, name text not null,
  value text, blob bytea, cuts integer not null, at bigint not null, primary key (run, seq)
);
-- A decision may be there before its ask is: then ask is null.
create table ${s}.asks (
  run text not null, step text not null, ask text, until bigint, at bigint, decision text, decided bigint,
  primary key (run, step)
);
create index asks_open on ${s}.asks (at) where decision is null;
create table ${s}.signals (
  id bigint generated always as identity primary key, run text not null, channel text not null, value text not null,
  at bigint not null
);
create index signals_of on ${s}.signals (run);
-- Rows belong to threads, which may outlive the run that wrote them.
create table ${s}.rows (
  thread text not null, "row" integer not null, run text not null, value text, blob bytea,
  primary key (thread, "row")
);
create index rows_of on ${s}.rows (run);
-- What is too large for a row, once a run.
create table ${s}.blobs (run text not null, hash bytea not null, value text not null, primary key (run, hash));

-- Which processes are there, and what they can work.
create table ${s}.workers (
  id text not null, flow text not null, queue text not null, started timestamptz not null default now(),
  seen timestamptz not null default now(), primary key (id, flow)
);
-- Which runs are watched from where they do not work, and what they showed since. Lost with the server: a viewer begins anew.
create unlogged table ${s}.watched (run text primary key, until timestamptz not null);
create unlogged table ${s}.pieces (run text not null, at bigint not null, piece text not null, primary key (run, at));
`,
]

/** Makes the tables where there are none, and brings older ones up. Throws `T6004` where a newer version made them. */
export async function prepareTables(base: Base, schema: string): Promise<void> {
  const s = quoted(schema)
  if ((await versionOf(base, s)) === steps.length) return
  await base.transaction(async query => {
    await query(`select pg_advisory_xact_lock(hashtext($1))`, [`toolwright ${schema}`])
    const there = await query('select 1 from pg_namespace where nspname = $1', [schema])
    if (there.length === 0) await query(`create schema ${s}`)
    await query(`create table if not exists ${s}.meta (version integer not null)`)
    const [line] = await query(`select version from ${s}.meta`)
    const version = Number(line?.['version'] ?? 0)
    if (version > steps.length)
      throw new ToolwrightError(
        'T6004',
        `${base.where} was written by a newer version (its format is ${version}, not ${steps.length})`,
        { fix: 'use the version that wrote it, or a newer one' },
      )
    for (const step of steps.slice(version)) for (const each of statementsOf(step(s))) await query(each)
    await query(`delete from ${s}.meta`)
    await query(`insert into ${s}.meta values ($1)`, [steps.length])
  })
}

async function versionOf(base: Base, s: string): Promise<number> {
  const [there] = await base.query('select to_regclass($1) is not null as there', [`${s}.meta`])
  if (!there?.['there']) return 0
  const [line] = await base.query(`select version from ${s}.meta`)
  return Number(line?.['version'] ?? 0)
}

function statementsOf(text: string): string[] {
  return text
    .replace(/^--.*$/gm, '')
    .split(';')
    .map(each => each.trim())
    .filter(each => each !== '')
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Begins what {@link plain} writes in place of what PostgreSQL cannot hold; no text has it, and if one does it is escaped. */
const MARK = '\uFFFF'
const strange = /[\0\uFFFF]|\p{Surrogate}/gu
const escaped = /\uFFFF([0-9a-f]+)\./g

/**
 * A text as PostgreSQL can hold it: no zero byte, and no half of a character. Values need none of this: they are
 * JSON, which escapes both.
 */
export function plain(text: string): string {
  return text.replace(strange, found => `${MARK}${found.charCodeAt(0).toString(16)}.`)
}

/** What {@link plain} was given. */
export function restored(text: string): string {
  return text.includes(MARK)
    ? text.replace(escaped, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text
}
