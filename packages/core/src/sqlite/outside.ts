// What every process may do with a store, its owner or not: start, answer, send, stop, read. Each is one transaction.
import type { Json } from '../define/records.ts'
import { type Status, settledAs } from '../engine/engine.ts'
import { fromText } from '../engine/journal.ts'
import type { Ask, Decision, Row } from '../engine/place.ts'
import { listed } from '../engine/steps.ts'
import { GONE, type Store, THREAD } from '../engine/store.ts'
import type { Base } from './base.ts'
import { valueIn } from './blob.ts'
import { recordsOf } from './claim.ts'
import { runOf } from './run.ts'

type Outside = Pick<
  Store,
  'start' | 'get' | 'list' | 'asks' | 'steps' | 'rows' | 'decide' | 'send' | 'stop' | 'resume' | 'delete'
>

const EXPIRED = JSON.stringify({ approved: false, expired: true } satisfies Decision)

/** `wrote` is called after each commit that a run may have to hear of. */
export function fromOutside(base: Base, wrote: () => void): Outside {
  const statusOf = (run: string): Status | undefined =>
    base.get('select status from runs where id = ?', run)?.['status'] as Status | undefined

  const writing = <T>(fn: () => T): T => {
    const given = base.transaction(fn)
    wrote()
    return given
  }

  return {
    async start({ id, flow, input, person, key, fork }, now) {
      return writing(() => {
        if (fork && !base.get('select 1 from runs where id = ? or dedupe = ?', id, key ?? null))
          copyBefore(base, fork, id)
        base.run(
          `insert or ignore into runs (id, flow, input, person, dedupe, status, wake_at, started)
           values (?, ?, ?, ?, ?, 'ready', 0, ?)`,
          id,
          flow,
          JSON.stringify(input),
          person ?? null,
          key ?? null,
          now,
        )
        return runOf(base.get('select * from runs where dedupe = ? or id = ?', key ?? null, id)!)
      })
    },

    async get(run) {
      const line = base.get('select * from runs where id = ?', run)
      return line && runOf(line)
    },

    async list({ status, flow, person, limit = 1000 }) {
      const lines = base.all(
        `select * from runs where (?1 is null or flow = ?1) and (?2 is null or person = ?2)
           and (?3 is null or status in (select value from json_each(?3)))
         order by started desc, rowid desc limit ?4`,
        flow ?? null,
        person ?? null,
        status ? JSON.stringify(status) : null,
        limit,
      )
      return lines.map(runOf)
    },

    async asks(run, now) {
      const lines = base.all(
        `select asks.* from asks join runs on runs.id = asks.run
         where ask is not null and decision is null and until > ?1 and ended is null and (?2 is null or run = ?2)
         order by asks.at`,
        now,
        run ?? null,
      )
      return lines.map(line => ({
        ...(JSON.parse(String(line['ask'])) as Ask),
        run: String(line['run']),
        until: Number(line['until']),
        asked: Number(line['at']),
      }))
    },

    steps: async run => listed(recordsOf(base, run)),

    async rows(thread, from, to) {
      const lines = base.all(
        `select rows.value, blobs.value as large from rows
         left join blobs on blobs.run = rows.run and blobs.hash = rows.blob
         where thread = ? and row >= ? and row < ? order by row`,
        thread,
        from,
        to,
      )
      return lines.map(line => fromText(valueIn(line)) as Row)
    },

    async decide(run, step, decision, now) {
      return writing(() => {
        const line = base.get('select until, decision from asks where run = ? and step = ?', run, step)
        if (line?.['decision']) return 'already'
        const status = statusOf(run)
        if (status === undefined || ended(status)) return 'unknown'
        const late = line !== undefined && Number(line['until']) <= now && !('expired' in decision)
        base.run(
          `insert into asks (run, step, decision, decided) values (?, ?, ?, ?)
           on conflict do update set decision = excluded.decision, decided = excluded.decided`,
          run,
          step,
          late ? EXPIRED : JSON.stringify(decision),
          now,
        )
        wake(base, run)
        return late ? 'already' : 'taken'
      })
    },

    async send(run, channel, value: Json, decline, now) {
      return writing(() => {
        const status = statusOf(run)
        if (status === undefined || ended(status)) return 'unknown'
        if (decline)
          base.run(
            'update asks set decision = ?, decided = ? where run = ? and ask is not null and decision is null',
            JSON.stringify(decline),
            now,
            run,
          )
        base.run(
          'insert into signals (run, channel, value, at) values (?, ?, ?, ?)',
          run,
          channel,
          JSON.stringify(value),
          now,
        )
        wake(base, run)
        return 'taken'
      })
    },

    async stop(run, now) {
      return writing(() => {
        const status = statusOf(run)
        if (status === undefined || ended(status)) return false
        if (status === 'parked' || status === 'stuck')
          base.run(`update runs set status = 'stopped', ended = ? where id = ?`, now, run)
        else base.run('update runs set stopping = 1, wake_at = 0 where id = ?', run)
        return true
      })
    },

    async resume(run) {
      return writing(
        () =>
          base.run(
            `update runs set status = 'ready', wake_at = 0, deaths = 0, error = null, ended = null
             where id = ? and status in ('parked', 'stuck')`,
            run,
          ) > 0,
      )
    },

    async delete(run) {
      const gone = base.transaction(() => {
        const status = statusOf(run)
        if (status === undefined || !settledAs(status)) return false
        base.run(
          `update rows set value = ?, blob = null, run = '' where run = ? and substr(thread, 1, ?) = ?`,
          GONE,
          run,
          THREAD.length,
          THREAD,
        )
        base.run('delete from rows where run = ? and substr(thread, 1, ?) != ?', run, THREAD.length, THREAD)
        // A thread of which nothing is left is gone too, the name of its person with it.
        base.run(
          `delete from rows where run = '' and not exists
             (select 1 from rows as other where other.thread = rows.thread and other.run != '')`,
        )
        for (const table of ['journal', 'asks', 'signals', 'blobs'])
          base.run(`delete from ${table} where run = ?`, run)
        base.run('delete from runs where id = ?', run)
        return true
      })
      if (gone) base.checkpoint()
      return gone
    },
  }
}

/** Gives a new run what another kept before the record of that key, and what was decided of it. */
function copyBefore(base: Base, { run, before }: { run: string; before: string }, id: string): void {
  const line = base.get('select min(seq) as seq from journal where run = ? and key = ?', run, before)
  const seq = Number(line?.['seq'] ?? Number.MAX_SAFE_INTEGER)
  base.run(
    `insert into journal (run, seq, kind, key, name, value, blob, cuts, at)
     select ?, seq, kind, key, name, value, blob, 0, at from journal where run = ? and seq < ?`,
    id,
    run,
    seq,
  )
  base.run('insert into blobs (run, hash, value) select ?, hash, value from blobs where run = ?', id, run)
  base.run(
    `insert into asks (run, step, ask, until, at, decision, decided)
     select ?, step, ask, until, at, decision, decided from asks where run = ? and decision is not null`,
    id,
    run,
  )
}

function ended(status: Status): boolean {
  return status === 'done' || status === 'failed' || status === 'stopped'
}

function wake(base: Base, run: string): void {
  base.run(`update runs set wake_at = 0 where id = ? and status in ('ready', 'running', 'waiting')`, run)
}
