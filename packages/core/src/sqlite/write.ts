// What working runs write.
import { Lost, type RecordWrite, type RowWrite, type State, type Write } from '../engine/store.ts'
import type { Base } from './base.ts'
import { place } from './blob.ts'

/** Waits for ever, as `wake_at` has it: null would say that nobody waits. */
export const NEVER = 8.64e15

/** All writes, in their order, inside of a transaction. */
export function writeAll(base: Base, writes: readonly Write[]): void {
  for (const write of writes) {
    if (write.what === 'record') writeRecord(base, write)
    else if (write.what === 'row') writeRow(base, write)
    else if (write.what === 'state') writeState(base, write.run, write.state)
    else {
      const { run, ask, until, at } = write
      base.run(
        `insert into asks (run, step, ask, until, at) values (?, ?, ?, ?, ?)
         on conflict do update set ask = excluded.ask, until = excluded.until, at = excluded.at where ask is null`,
        run,
        ask.step,
        JSON.stringify(ask),
        Math.min(until, NEVER),
        at,
      )
    }
  }
}

function writeRecord(base: Base, { run, seq, record }: RecordWrite): void {
  const { kind, key, name, cuts, at } = record
  const [value, blob] = place(base, run, record.value)
  const added = base.run(
    `insert or ignore into journal (run, seq, kind, key, name, value, blob, cuts, at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    run,
    seq,
    kind,
    key,
    name,
    value,
    blob,
    cuts,
    at,
  )
  if (added === 0) throw new Lost()
}

/** A row stays as it was first written. */
function writeRow(base: Base, { run, thread, row, value: text }: RowWrite): void {
  const [value, blob] = place(base, run, text)
  base.run(
    'insert or ignore into rows (thread, row, run, value, blob) values (?, ?, ?, ?, ?)',
    thread,
    row,
    run,
    value,
    blob,
  )
}

function writeState(base: Base, run: string, state: State): void {
  switch (state.status) {
    case 'running':
      base.run(`update runs set status = 'running', due = null where id = ?`, run)
      return
    case 'waiting':
      base.run(
        `update runs set status = 'waiting', due = ?2, wake_at = min(coalesce(wake_at, ?3), ?3) where id = ?1`,
        run,
        state.due ?? null,
        state.due ?? NEVER,
      )
      return
    case 'ready':
      base.run(`update runs set status = 'ready', wake_at = 0, cuts = cuts + 1 where id = ?`, run)
      return
    case 'alive':
      base.run('update runs set deaths = 0 where id = ?', run)
      return
    default:
      base.run(
        `update runs set status = ?, output = ?, error = ?, ended = ?, wake_at = null, due = null where id = ?`,
        state.status,
        state.output ?? null,
        state.error ?? null,
        state.at,
        run,
      )
  }
}
