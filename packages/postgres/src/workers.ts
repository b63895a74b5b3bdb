// Which processes are there, and what they look after together: wakes that got lost, times that came, runs whose code
// is gone. Each of these may be done twice without harm.
import type { Base, Query } from './base.ts'
import { plain, quoted, restored } from './schema.ts'

/** A line of the table of workers whose process is there. */
export const ALIVE = `seen > now() - interval '10 seconds'`

/** Sends the wakes of runs, in the transaction of `query`. `news`: the run for which something came, to be read. */
export type Send = (query: Query, queue: string, runs: readonly string[], news?: string) => Promise<void>

export interface Crew {
  base: Base
  schema: string
  me: string
  /** The queue of each flow that this process works. */
  queues: ReadonlyMap<string, string>
  send: Send
}

/** Most of what one look takes care of. */
const MOST = 1000

/** This process is there. */
export async function appear({ base, schema, me, queues }: Crew): Promise<void> {
  const s = quoted(schema)
  await base.query(
    `insert into ${s}.workers (id, flow, queue) select $1, w.flow, w.queue from unnest($2::text[], $3::text[]) as w(flow, queue)
     on conflict (id, flow) do update set seen = now()`,
    [me, [...queues.keys()].map(plain), [...queues.values()]],
    'appear',
  )
}

export async function disappear({ base, schema, me }: Crew): Promise<void> {
  await base.query(`delete from ${quoted(schema)}.workers where id = $1`, [me])
}

/** Wakes whose time has come are sent. */
export async function wakeDue(crew: Crew, now: number): Promise<void> {
  const s = quoted(crew.schema)
  const queues = [...crew.queues.values()]
  const due = `status = 'waiting' and due is not null and due <= $1 and owner is null and wakes = seen and queue = any($2)`
  const some = await crew.base.query(`select 1 from ${s}.runs where ${due} limit 1`, [now, queues], 'due')
  if (some.length === 0) return
  await crew.base.transaction(async query => {
    const lines = await query(
      `update ${s}.runs set wakes = wakes + 1 where id in (
         select id from ${s}.runs where ${due} order by due limit ${MOST} for update skip locked) returning id, queue`,
      [now, queues],
    )
    await sendAll(crew, query, lines)
  })
}

/** When the next run is due that no process has in memory. */
export async function nextDue({ base, schema, queues }: Crew, now: number): Promise<number | undefined> {
  const [line] = await base.query(
    `select min(due) as due from ${quoted(schema)}.runs
     where status = 'waiting' and due is not null and due > $1 and owner is null and queue = any($2)`,
    [now, [...queues.values()]],
    'next due',
  )
  return line && line['due'] !== null ? Number(line['due']) : undefined
}

/** Sends wakes again that ought to be there, takes over what nobody works any more, and forgets who is gone. */
export async function sweep(crew: Crew, now: number): Promise<void> {
  const s = quoted(crew.schema)
  const alive = `select id from ${s}.workers where ${ALIVE}`
  const wants = `(status in ('ready', 'running') or (status = 'waiting' and wakes > seen))`
  await crew.base.transaction(async query => {
    // One process at a time: two would send everything twice.
    const [turn] = await query(`select pg_try_advisory_xact_lock(hashtext($1)) as mine`, [
      `sweep ${crew.schema}`,
    ])
    if (!turn?.['mine']) return
    const lost = await query(
      `select id, queue from ${s}.runs where ${wants} and queue = any($1)
         and (owner is null or owner not in (${alive})) limit ${MOST}`,
      [[...crew.queues.values()]],
    )
    await sendAll(crew, query, lost)
    await freeNext(crew, query, now)
    await query(`delete from ${s}.workers where seen < now() - interval '1 minute'`)
    await query(`delete from ${s}.watched where until < now() - interval '1 minute'`)
    await query(`delete from ${s}.pieces p where not exists (select from ${s}.watched w where w.run = p.run)`)
  })
  await adopt(crew, now)
}

/** Tells those that come after one of `ended`, or after anybody who has settled, that it is their turn. */
export async function freeNext(
  crew: Crew,
  query: Query,
  now: number,
  ended?: readonly string[],
): Promise<void> {
  const s = quoted(crew.schema)
  const lines = await query(
    `update ${s}.runs r set freed = true, wakes = wakes + 1
     where after is not null and not freed and ($1::text[] is null or after = any($1))
       and status in ('ready', 'running', 'waiting') and not exists (select from ${s}.runs b
         where b.id = r.after and b.status in ('ready', 'running', 'waiting'))
     returning id, queue, channel`,
    [ended ?? null],
    'free',
  )
  for (const { id, queue, channel } of lines) {
    await query(`insert into ${s}.signals (run, channel, value, at) values ($1, $2, 'null', $3)`, [
      id,
      channel,
      now,
    ])
    if (queue !== null) await crew.send(query, String(queue), [String(id)], String(id))
  }
}

/** Runs that this process has in memory and for which something came since it took them up, and how much. */
export async function unheard({ base, schema, me }: Crew): Promise<{ run: string; wakes: number }[]> {
  const lines = await base.query(
    `select id, wakes from ${quoted(schema)}.runs where owner = $1 and wakes > seen`,
    [me],
    'unheard',
  )
  return lines.map(line => ({ run: restored(String(line['id'])), wakes: Number(line['wakes']) }))
}

/** Runs of flows that we have, and whose own code no process has any more, are ours from here on. */
export async function adopt(crew: Crew, now: number): Promise<void> {
  const s = quoted(crew.schema)
  const alive = `select id from ${s}.workers where ${ALIVE}`
  const orphans = `(status in ('ready', 'running') or (status = 'waiting' and (wakes > seen or due <= $3)))
    and (owner is null or owner not in (${alive})) and not ($2 = any(refused)) and flow = $1
    and (queue is null or queue not in (select queue from ${s}.workers where ${ALIVE}))`
  for (const [flow, queue] of crew.queues)
    await crew.base.transaction(async query => {
      const some = await query(
        `select id from ${s}.runs where ${orphans} limit ${MOST} for update skip locked`,
        [plain(flow), queue, now],
      )
      if (some.length === 0) return
      const lines = await query(
        `update ${s}.runs set queue = $2, home = coalesce(home, $2), wakes = wakes + 1 where id = any($1) returning id, queue`,
        [some.map(line => line['id']), queue],
      )
      await sendAll(crew, query, lines)
    })
}

/** Hands a run on to code of another process that has not refused it. False where there is none. */
export async function handOn(crew: Crew, run: string, flow: string, epoch: number): Promise<boolean> {
  const s = quoted(crew.schema)
  const mine = crew.queues.get(flow)!
  return await crew.base.transaction(async query => {
    const [next] = await query(
      `select w.queue from ${s}.workers w join ${s}.runs r on r.id = $1 and r.epoch = $2 and r.owner = $5
       where w.flow = $3 and w.queue <> $4 and w.queue <> all(r.refused) and w.${ALIVE}
       order by w.queue = r.home desc, w.started desc limit 1`,
      [plain(run), epoch, plain(flow), mine, crew.me],
    )
    if (!next) return false
    const gone = await query(
      `update ${s}.runs set status = 'ready', owner = null, queue = $3, refused = array_append(refused, $4),
         wakes = wakes + 1, epoch = epoch + 1 where id = $1 and epoch = $2 and owner = $5 returning id, queue`,
      [plain(run), epoch, next['queue'], mine, crew.me],
    )
    await sendAll(crew, query, gone)
    return gone.length > 0
  })
}

async function sendAll(
  crew: Crew,
  query: Query,
  lines: readonly { [name: string]: unknown }[],
): Promise<void> {
  const queues = Map.groupBy(lines, line => String(line['queue']))
  for (const [queue, some] of queues)
    await crew.send(
      query,
      queue,
      some.map(line => String(line['id'])),
    )
}
