// What every process may do: start, answer, send, stop, read. What wakes a run is one transaction: the run's row is
// locked and its counter of wakes goes up, what was said is written, and its wake is sent.
import type { Json } from '@toolwright/core'
import {
  type Ask,
  type Decision,
  fromText,
  GONE,
  listed,
  type Row,
  type Status,
  type Store,
  settledAs,
  THREAD,
} from '@toolwright/core/engine'
import type { Base, Line, Query } from './base.ts'
import { recordsOf } from './claim.ts'
import type { Recent } from './recent.ts'
import { runOf } from './run.ts'
import { plain, quoted, restored } from './schema.ts'
import { queues, whole } from './together.ts'
import { ALIVE, type Send } from './workers.ts'

type Outside = Pick<
  Store,
  'start' | 'get' | 'list' | 'asks' | 'steps' | 'rows' | 'decide' | 'send' | 'stop' | 'resume' | 'delete'
>

const DIVISION_BY_ZERO = '22012'
const EXPIRED = JSON.stringify({ approved: false, expired: true } satisfies Decision)

export interface OutsideOptions {
  base: Base
  schema: string
  /** Resolves when the tables are there. */
  ready: () => Promise<unknown>
  now: () => number
  /** The queue of a flow that this process works. */
  mine: (flow: string) => string | undefined
  send: Send
  /** The same without telling of it. */
  sendQuietly: Send
  /** In which queue runs were when they were last heard of here. */
  seen: Recent<string, string>
  /** The channel on which, and the words with which, it is told that something came for a run. */
  news: (queue: string, run: string) => [channel: string, said: string]
}

export function fromOutside(o: OutsideOptions): Outside {
  const { base, schema, ready, now, mine, send, sendQuietly, seen, news } = o
  const s = quoted(schema)

  const inOrder = queues()
  /** Nobody else changes the run until `fn` is done. What this process asks of a run happens in the order of asking. */
  const locked = async <T>(
    run: string,
    none: T,
    fn: (query: Query, line: Line, last: Query) => Promise<T>,
  ): Promise<T> => {
    const lock = async (query: Query, last: Query): Promise<T> => {
      const [line] = await query(
        `select status, queue from ${s}.runs where id = $1 for update`,
        [plain(run)],
        'lock',
      )
      return line ? await fn(query, line, last) : none
    }
    return await inOrder(run, async () => {
      await ready()
      return await base.transaction(lock)
    })
  }
  /** The last of a transaction. */
  const wake = async (query: Query, line: Line, run: string, last: Query): Promise<void> => {
    if (settledAs(line['status'] as Status)) return
    const queue = line['queue'] === null ? '' : String(line['queue'])
    const up = query(
      `with up as (update ${s}.runs set wakes = wakes + 1 where id = $1 returning id)
       select pg_notify($2, $3) from up where $4`,
      [plain(run), ...news(queue, plain(run)), queue !== ''],
      'wake',
    )
    await whole(queue === '' ? [up] : [up, sendQuietly(last, queue, [plain(run)])])
  }

  /** What is sent most often, in as few trips as can be: the first statement locks the run's row, and counts. */
  const sendOnly = (run: string, channel: string, value: Json): Promise<'taken' | 'unknown'> =>
    inOrder(run, async () => {
      await ready()
      const said = [plain(run), plain(channel), JSON.stringify(value), now()]
      const queue = seen.get(run)
      if (queue !== undefined && (await sendInto(queue, run, said))) return 'taken'
      return await sendAnywhere(run, said)
    })
  /** In one trip, where the run is still in the queue where it was. */
  const sendInto = async (queue: string, run: string, said: readonly unknown[]): Promise<boolean> => {
    try {
      await base.transaction(async (query, last) => {
        // Where the run is not there, dividing by nothing undoes all of it.
        const up = query(
          `with up as (
             update ${s}.runs set wakes = wakes + 1 where id = $1 and queue = $7
               and status in ('ready', 'running', 'waiting') returning id),
           said as (insert into ${s}.signals (run, channel, value, at) select $1, $2, $3, $4 from up)
           select pg_notify($5, $6)::text, 1 / count(*) from up`,
          [...said, ...news(queue, plain(run)), queue],
          'send into',
        )
        await whole([up, sendQuietly(last, queue, [plain(run)])])
      })
      return true
    } catch (error) {
      if ((error as { code?: string }).code !== DIVISION_BY_ZERO) throw error
      seen.delete(run)
      return false
    }
  }
  const sendAnywhere = (run: string, said: readonly unknown[]): Promise<'taken' | 'unknown'> =>
    base.transaction(async (query, last) => {
      const [line] = await query(
        `with up as (
           update ${s}.runs set wakes = wakes + 1 where id = $1 and status not in ('done', 'failed', 'stopped')
           returning case when status in ('ready', 'running', 'waiting') then queue end as queue),
         said as (insert into ${s}.signals (run, channel, value, at) select $1, $2, $3, $4 from up)
         select queue, case when queue is not null then pg_notify($5, replace($6, 'QUEUE', queue))::text end from up`,
        [...said, ...news('QUEUE', plain(run))],
        'send',
      )
      if (!line) return 'unknown'
      if (line['queue'] === null) return 'taken'
      const queue = String(line['queue'])
      await sendQuietly(last, queue, [plain(run)])
      seen.put(run, queue)
      return 'taken'
    })
  const worked = (flow: string): Promise<Line[]> =>
    base.query(
      `select queue from ${s}.workers where flow = $1 and ${ALIVE} order by started desc limit 1`,
      [plain(flow)],
      'worked',
    )

  return {
    async start({ id, flow, input, person, key, fork, line: inLine }) {
      await ready()
      const queue = mine(flow) ?? (await worked(flow))[0]?.['queue'] ?? null
      return await base.transaction(async query => {
        const after = inLine ? await lastIn(query, s, plain(inLine.name)) : null
        const values = [
          plain(id),
          plain(flow),
          JSON.stringify(input),
          person === undefined ? null : plain(person),
          key === undefined ? null : plain(key),
          now(),
          queue,
          inLine ? plain(inLine.name) : null,
          after,
          inLine ? plain(inLine.channel) : null,
        ]
        const [line] = await query(
          `insert into ${s}.runs (id, flow, input, person, dedupe, status, started, queue, home, in_line, after, channel)
           values ($1, $2, $3, $4, $5, 'ready', $6, $7, $7, $8, $9, $10) on conflict do nothing returning *`,
          values,
          'start',
        )
        if (line) {
          if (fork) await copyBefore(query, s, fork, plain(id))
          if (queue !== null) await send(query, String(queue), [plain(id)])
          return runOf(line)
        }
        const [known] = await query(`select * from ${s}.runs where dedupe = $1 or id = $2`, [
          key === undefined ? null : plain(key),
          plain(id),
        ])
        return runOf(known!)
      })
    },

    async get(run) {
      await ready()
      const [line] = await base.query(`select * from ${s}.runs where id = $1`, [plain(run)], 'get')
      return line && runOf(line)
    },

    async list({ status, flow, person, limit = 1000 }) {
      await ready()
      const lines = await base.query(
        `select r.*, r.status in ('ready', 'running', 'waiting')
           and not exists (select from ${s}.workers w where w.queue = r.queue and ${ALIVE}) as unworked
         from ${s}.runs r where ($1::text is null or flow = $1) and ($2::text is null or person = $2)
           and ($3::text[] is null or status = any($3)) order by started desc, line desc limit $4`,
        [
          flow === undefined ? null : plain(flow),
          person === undefined ? null : plain(person),
          status ?? null,
          limit,
        ],
        'list',
      )
      return lines.map(runOf)
    },

    async asks(run) {
      await ready()
      const lines = await base.query(
        `select a.* from ${s}.asks a join ${s}.runs r on r.id = a.run
         where ask is not null and decision is null and until > $1 and ended is null and ($2::text is null or run = $2)
         order by a.at`,
        [now(), run === undefined ? null : plain(run)],
        'asks',
      )
      return lines.map(line => ({
        ...(JSON.parse(String(line['ask'])) as Ask),
        run: restored(String(line['run'])),
        until: Number(line['until']),
        asked: Number(line['at']),
      }))
    },

    async steps(run) {
      await ready()
      return listed(await recordsOf(base, schema, run))
    },

    async rows(thread, from, to) {
      await ready()
      const lines = await base.query(
        `select coalesce(r.value, b.value) as value from ${s}.rows r
         left join ${s}.blobs b on b.run = r.run and b.hash = r.blob
         where thread = $1 and "row" >= $2::bigint and "row" < $3::bigint order by "row"`,
        [plain(thread), from, to],
        'rows',
      )
      return lines.map(line => fromText(String(line['value'])) as Row)
    },

    async decide(run, step, decision) {
      return await locked<'taken' | 'already' | 'unknown'>(run, 'unknown', async (query, line, last) => {
        const [known] = await query(
          `select until, decision from ${s}.asks where run = $1 and step = $2`,
          [plain(run), plain(step)],
          'asked',
        )
        if (known && known['decision'] !== null) return 'already'
        if (ended(line)) return 'unknown'
        const expires = 'expired' in decision
        const late =
          known !== undefined && known['until'] !== null && Number(known['until']) <= now() && !expires
        await query(
          `insert into ${s}.asks (run, step, decision, decided) values ($1, $2, $3, $4)
           on conflict (run, step) do update set decision = excluded.decision, decided = excluded.decided`,
          [plain(run), plain(step), late ? EXPIRED : JSON.stringify(decision), now()],
          'decide',
        )
        // Whoever lets an ask expire works on the run.
        if (!expires) await wake(query, line, run, last)
        return late ? 'already' : 'taken'
      })
    },

    async send(run, channel, value: Json, decline) {
      if (!decline) return await sendOnly(run, channel, value)
      return await locked<'taken' | 'unknown'>(run, 'unknown', async (query, line, last) => {
        if (ended(line)) return 'unknown'
        await query(
          `update ${s}.asks set decision = $1, decided = $2 where run = $3 and ask is not null and decision is null`,
          [JSON.stringify(decline), now(), plain(run)],
        )
        await query(
          `insert into ${s}.signals (run, channel, value, at) values ($1, $2, $3, $4)`,
          [plain(run), plain(channel), JSON.stringify(value), now()],
          'signal',
        )
        await wake(query, line, run, last)
        return 'taken'
      })
    },

    async stop(run) {
      return await locked(run, false, async (query, line, last) => {
        if (ended(line)) return false
        if (settledAs(line['status'] as Status))
          await query(`update ${s}.runs set status = 'stopped', ended = $2 where id = $1`, [
            plain(run),
            now(),
          ])
        else {
          await query(`update ${s}.runs set stopping = true where id = $1`, [plain(run)])
          await wake(query, line, run, last)
        }
        return true
      })
    },

    async resume(run) {
      return await locked(run, false, async query => {
        // Whatever code is there may try, the one that it began under first.
        const [line] = await query(
          `update ${s}.runs set status = 'ready', wakes = wakes + 1, deaths = 0, error = null, ended = null,
             refused = '{}', owner = null, queue = coalesce(home, queue)
           where id = $1 and status in ('parked', 'stuck') returning queue`,
          [plain(run)],
        )
        if (line && line['queue'] !== null) await send(query, String(line['queue']), [plain(run)])
        return line !== undefined
      })
    },

    async delete(run) {
      return await locked(run, false, async (query, line) => {
        if (!settledAs(line['status'] as Status)) return false
        // Rows of threads that go on keep their place.
        const ofThread = `run = $1 and starts_with(thread, '${THREAD}')`
        const gone = await query(
          `update ${s}.rows set value = $2, blob = null, run = '' where ${ofThread} returning thread`,
          [plain(run), GONE],
        )
        await query(`delete from ${s}.rows where run = $1`, [plain(run)])
        // A thread of which nothing is left is gone too, the name of its person with it.
        await query(
          `delete from ${s}.rows r where thread = any($1) and run = ''
             and not exists (select from ${s}.rows o where o.thread = r.thread and o.run <> '')`,
          [[...new Set(gone.map(each => each['thread']))]],
        )
        for (const table of ['journal', 'asks', 'signals', 'blobs', 'pieces', 'watched'])
          await query(`delete from ${s}.${table} where run = $1`, [plain(run)])
        await query(`delete from ${s}.runs where id = $1`, [plain(run)])
        return true
      })
    },
  }
}

/** The last run of a line that has not ended; nobody else joins the line until the transaction is over. */
async function lastIn(query: Query, s: string, name: string): Promise<Line[string]> {
  await query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${s} ${name}`], 'line')
  const [last] = await query(
    `select id from ${s}.runs where in_line = $1 and status in ('ready', 'running', 'waiting')
     order by line desc limit 1`,
    [name],
    'last in line',
  )
  return last?.['id'] ?? null
}

/** Gives a new run what another kept before the record of that key, and what was decided of it. */
async function copyBefore(
  query: Query,
  s: string,
  { run, before }: { run: string; before: string },
  id: string,
): Promise<void> {
  const from = plain(run)
  await query(
    `insert into ${s}.journal (run, seq, kind, key, name, value, blob, cuts, at)
     select $1, seq, kind, key, name, value, blob, 0, at from ${s}.journal where run = $2
       and seq < coalesce((select min(seq) from ${s}.journal where run = $2 and key = $3), 2147483647)`,
    [id, from, plain(before)],
  )
  await query(
    `insert into ${s}.blobs (run, hash, value) select $1, hash, value from ${s}.blobs where run = $2`,
    [id, from],
  )
  await query(
    `insert into ${s}.asks (run, step, ask, until, at, decision, decided)
     select $1, step, ask, until, at, decision, decided from ${s}.asks where run = $2 and decision is not null`,
    [id, from],
  )
}

function ended({ status }: Line): boolean {
  return status === 'done' || status === 'failed' || status === 'stopped'
}
