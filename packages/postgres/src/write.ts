// What working runs write: the batch of a process is one statement, checked for each run against its epoch.
import { createHash } from 'node:crypto'
import type { RecordWrite, State, Write } from '@toolwright/core/engine'
import type { Query } from './base.ts'
import { plain, quoted } from './schema.ts'

/** Values of more bytes stand in a table of their own. */
const LARGE = 256 * 1024

/** Waits for ever, as a number. */
export const NEVER = 8.64e15

/** What the states of a batch come to, for one run. */
interface Change {
  run: string
  status: string | null
  due: number | null
  alive: boolean
  cuts: number
  output: string | null
  error: string | null
  ended: number | null
}

/** Writes what it is given of the runs whose epoch still holds, and gives the runs for which it does not. */
export type WriteAll = (writes: readonly Write[], epochs: ReadonlyMap<string, number>) => Promise<string[]>

export function writing(query: Query, schema: string, me: string | null): WriteAll {
  const s = quoted(schema)

  /** One record, as a run alone writes it: the same with less to read. */
  const writeOne = async ({ run, seq, record }: RecordWrite, epoch: number): Promise<boolean> => {
    const { kind, key, name, value, cuts, at } = record
    const kept = await query(
      `with mine as materialized (
         select id from ${s}.runs r where id = $1 and r.epoch = $2 and owner is not distinct from $3 for share),
       did as (insert into ${s}.journal (run, seq, kind, key, name, value, cuts, at)
         select id, $4, $5, $6, $7, $8, $9, $10 from mine on conflict do nothing)
       select id from mine`,
      [plain(run), epoch, me, seq, kind, plain(key), plain(name), value, cuts, time(at)],
      'write one',
    )
    return kept.length > 0
  }

  return async (writes, epochs) => {
    const runs = [...new Set(writes.map(write => write.run))].sort()
    const ours = runs.filter(run => epochs.has(run))
    if (ours.length === 0) return runs
    const [one] = writes
    if (writes.length === 1 && one!.what === 'record' && one!.record.value.length * 3 <= LARGE)
      return (await writeOne(one!, epochs.get(one!.run)!)) ? [] : runs
    const b = batch(writes.filter(write => epochs.has(write.run)))
    const text: string[] = []
    const values: unknown[] = [ours.map(plain), ours.map(run => epochs.get(run)), me]
    const name: string[] = []
    const part = (what: keyof typeof b, sql: (lines: string) => string): void => {
      if (b[what].length === 0) return
      values.push(JSON.stringify(b[what]))
      name.push(what)
      text.push(`, did_${what} as (${sql(`$${values.length}::json`)})`)
    }
    // The lock holds off whoever would take a run up until this is committed: FOR KEY SHARE would not.
    text.push(`with mine as materialized (
      select r.id from ${s}.runs r join unnest($1::text[], $2::bigint[]) as w(id, epoch) on r.id = w.id
      where r.epoch = w.epoch and r.owner is not distinct from $3 order by r.id for ${b.changes.length > 0 ? 'no key update' : 'share'} of r)`)
    part(
      'blobs',
      lines => `insert into ${s}.blobs (run, hash, value) select w.run, decode(w.blob, 'hex'), w.value
        from json_to_recordset(${lines}) as w(run text, blob text, value text)
        join mine on mine.id = w.run on conflict do nothing`,
    )
    part(
      'records',
      lines => `insert into ${s}.journal (run, seq, kind, key, name, value, blob, cuts, at)
        select w.run, w.seq, w.kind, w.key, w.name, w.value, decode(w.blob, 'hex'), w.cuts, w.at
        from json_to_recordset(${lines}) as w(run text, seq int, kind text, key text, name text, value text,
          blob text, cuts int, at bigint)
        join mine on mine.id = w.run on conflict do nothing`,
    )
    part(
      'asks',
      lines => `insert into ${s}.asks (run, step, ask, until, at) select w.run, w.step, w.ask, w.until, w.at
        from json_to_recordset(${lines}) as w(run text, step text, ask text, until bigint, at bigint)
        join mine on mine.id = w.run order by w.run, w.step
        on conflict (run, step) do update set ask = excluded.ask, until = excluded.until, at = excluded.at
        where asks.ask is null`,
    )
    part(
      'rows',
      lines => `insert into ${s}.rows (thread, "row", run, value, blob)
        select w.thread, w.row, w.run, w.value, decode(w.blob, 'hex')
        from json_to_recordset(${lines}) as w(run text, thread text, "row" int, value text, blob text)
        join mine on mine.id = w.run order by w.thread, w.row on conflict do nothing`,
    )
    part(
      'changes',
      lines => `update ${s}.runs r set status = coalesce(w.status, r.status),
          due = case when w.status is null then r.due else w.due end,
          deaths = case when w.alive then 0 else r.deaths end, cuts = r.cuts + w.cuts,
          output = coalesce(w.output, r.output), error = coalesce(w.error, r.error),
          ended = coalesce(w.ended, r.ended), owner = case when w.ended is null then r.owner end
        from json_to_recordset(${lines}) as w(run text, status text, due bigint, alive boolean, cuts int,
          output text, error text, ended bigint) join mine on mine.id = w.run where r.id = w.run`,
    )
    const statement = `${text.join('\n')} select id from mine`
    const kept = await query(statement, values, `write ${name.join(' ')}`)
    const mine = new Set(kept.map(line => line['id']))
    return runs.filter(run => !mine.has(plain(run)))
  }
}

function batch(writes: readonly Write[]) {
  const blobs = new Map<string, { run: string; blob: string; value: string }>()
  const records: object[] = []
  const asks: object[] = []
  const rows: object[] = []
  const changes = new Map<string, Change>()
  const place = (run: string, value: string): { value: string | null; blob: string | null } => {
    if (value.length * 3 <= LARGE || Buffer.byteLength(value) <= LARGE) return { value, blob: null }
    const blob = createHash('sha256').update(value).digest('hex')
    blobs.set(`${run} ${blob}`, { run, blob, value })
    return { value: null, blob }
  }
  for (const write of writes) {
    const run = plain(write.run)
    if (write.what === 'record') {
      const { kind, key, name, value, cuts, at } = write.record
      records.push({
        run,
        seq: write.seq,
        kind,
        key: plain(key),
        name: plain(name),
        ...place(run, value),
        cuts,
        at: time(at),
      })
    } else if (write.what === 'ask') {
      const { ask, until, at } = write
      asks.push({ run, step: plain(ask.step), ask: JSON.stringify(ask), until: time(until), at: time(at) })
    } else if (write.what === 'row')
      rows.push({ run, thread: plain(write.thread), row: write.row, ...place(run, write.value) })
    else {
      const change = changes.get(run) ?? { ...NOTHING, run }
      changes.set(run, change)
      fold(change, write.state)
    }
  }
  return { blobs: [...blobs.values()], records, asks: once(asks), rows, changes: [...changes.values()] }
}

const NOTHING = { status: null, due: null, alive: false, cuts: 0, output: null, error: null, ended: null }

/** One statement may touch a row once. */
function once(asks: object[]): object[] {
  const known = new Map(
    asks.map(ask => [JSON.stringify([(ask as { run: string }).run, (ask as { step: string }).step]), ask]),
  )
  return [...known.values()]
}

function fold(change: Change, state: State): void {
  if (state.status === 'alive') {
    change.alive = true
    return
  }
  change.status = state.status
  change.due = state.status === 'waiting' && state.due !== undefined ? time(state.due) : null
  if (state.status === 'ready') change.cuts++
  if (!('at' in state)) return
  change.output = state.output ?? null
  change.error = state.error ?? null
  change.ended = time(state.at)
}

/** A time as a bigint can hold it. */
export function time(ms: number): number {
  return Math.round(Math.min(ms, NEVER))
}
