// Taking the store over, and taking runs up.

import type { Json } from '../define/records.ts'
import type { RecordKind } from '../engine/engine.ts'
import type { Decision } from '../engine/place.ts'
import type { Claimed, Kept, News } from '../engine/store.ts'
import type { Base } from './base.ts'
import { valueIn } from './blob.ts'
import { runOf } from './run.ts'

/** What worked when the process before died is counted and wants to go on; what was answered meanwhile wakes. */
export function takeOver(base: Base): void {
  base.run(
    `update runs set status = 'ready', wake_at = 0, cuts = cuts + 1, deaths = deaths + 1 where status = 'running'`,
  )
  base.run(`update runs set wake_at = 0 where status = 'waiting' and wake_at is null`)
}

/** Inside of a transaction. */
export function claim(base: Base, id: string): Claimed | undefined {
  const taken = base.run(
    `update runs set status = 'running', wake_at = null, due = null where id = ? and status in ('ready', 'waiting')`,
    id,
  )
  if (taken === 0) return undefined
  const line = base.get('select * from runs where id = ?', id)!
  const last = base.get('select max(seq) as last from journal where run = ?', id)!['last']
  return {
    run: runOf(line),
    next: last === null ? 0 : Number(last) + 1,
    cuts: Number(line['cuts']),
    ...came(base, id, 0),
    records: recordsOf(base, id),
    rows: base
      .all('select thread, row from rows where run = ?', id)
      .map(row => ({ thread: String(row['thread']), row: Number(row['row']) })),
  }
}

/** Inside of a transaction. */
export function news(base: Base, id: string, after: number): News {
  base.run('update runs set wake_at = null where id = ?', id)
  return came(base, id, after)
}

function came(base: Base, id: string, after: number): News {
  const decisions = base.all('select step, decision from asks where run = ? and decision is not null', id)
  const signals = base.all(
    'select id, channel, value from signals where run = ? and id > ? order by id',
    id,
    after,
  )
  return {
    stopping: base.get('select stopping from runs where id = ?', id)?.['stopping'] === 1,
    decisions: decisions.map(line => ({
      step: String(line['step']),
      decision: JSON.parse(String(line['decision'])) as Decision,
    })),
    signals: signals.map(line => ({
      id: Number(line['id']),
      channel: String(line['channel']),
      value: JSON.parse(String(line['value'])) as Json,
    })),
  }
}

/** The journal of a run, in order. */
export function recordsOf(base: Base, id: string): Kept[] {
  const lines = base.all(
    `select kind, key, name, cuts, at, journal.value, blobs.value as large from journal
     left join blobs on blobs.run = journal.run and blobs.hash = journal.blob where journal.run = ? order by seq`,
    id,
  )
  return lines.map(line => ({
    kind: line['kind'] as RecordKind,
    key: String(line['key']),
    name: String(line['name']),
    value: valueIn(line),
    cuts: Number(line['cuts']),
    at: Number(line['at']),
  }))
}
