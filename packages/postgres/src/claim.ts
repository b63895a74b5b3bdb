// Taking runs up, hearing what came for them, and letting go of them. All of it is checked against the run's epoch.
import type { Json } from '@toolwright/core'
import type { Claimed, Decision, Kept, News, RecordKind } from '@toolwright/core/engine'
import type { Base, Line, Statement } from './base.ts'
import { runOf } from './run.ts'
import { plain, quoted, restored } from './schema.ts'

/** Who takes runs up: a process, by its name. */
export interface Owner {
  base: Base
  schema: string
  me: string
}

export interface Taken {
  claimed: Claimed
  epoch: number
  /** The counter of what came, as it was when all that came was read. */
  wakes: number
  /** Somebody reads its pieces elsewhere. */
  watched: boolean
}

/**
 * Takes runs up, each by its queue. Left out are those that do not want to work, or belong to other code by now. Their
 * wakes must be held.
 */
export async function claimAll(
  o: Owner,
  wanted: ReadonlyMap<string, string>,
  now: number,
): Promise<Map<string, Taken>> {
  const s = quoted(o.schema)
  const ids = [...wanted.keys()].map(plain)
  const queues = [...wanted.values()]
  // Who still stands as its owner died or hangs: its wake would not be held here otherwise. Where the server dies and
  // forgets this, another may have the same epoch: that is why the owner is checked with it.
  const [lines = [], loaded = []] = await o.base.quicklyAll([
    [
      `${claiming(s, '$3')}
       from unnest($1::text[], $2::text[]) as w(id, q),
         (select id from ${s}.runs where id = any($1) order by id for no key update) as l
       where r.id = w.id and r.id = l.id and r.queue = w.q and ${WANTS('$4')} ${returning(s)}`,
      [ids, queues, o.me, now],
      'claim',
    ],
    // A later statement than the claim: what was decided up to then is seen.
    loading(s, ids),
  ])
  const mine = lines.map(line => String(line['id']))
  if (mine.length < ids.length)
    await o.base.query(
      `update ${s}.runs r set epoch = epoch + 1, owner = null from unnest($1::text[], $2::text[]) as w(id, q)
       where r.id = w.id and r.queue = w.q and r.id <> all($3) and status = 'waiting' and owner is not null`,
      [ids, queues, mine],
      'disown',
    )
  if (mine.length === 0) return new Map()
  const of = Map.groupBy(loaded, line => String(line['run']))
  return new Map(
    [...wanted.keys()].flatMap(run => {
      const line = lines.find(each => each['id'] === plain(run))
      return line ? [[run, taken(line, of.get(plain(run)) ?? [])]] : []
    }),
  )
}

/** What a fetch of wakes found, with the runs that could be taken up by them in the same trip. */
export interface Fetched {
  /** The jobs, as the fetch alone gives them. */
  jobs: unknown[]
  taken: Map<string, Taken>
  /** Runs for which more came in that very moment than was read. */
  more: string[]
}

/**
 * Fetches wakes of `queue` by the statement that pg-boss has for it, takes their runs up, and reads them: one trip where
 * there were two. Left out are runs that this process has already, and those that died: others are not taken up before
 * one that may kill its process.
 */
export async function fetchAndClaim(
  o: Owner,
  queue: string,
  { text, values }: { text: string; values: readonly unknown[] },
  now: number,
): Promise<Fetched> {
  const s = quoted(o.schema)
  const [q, me, at] = [1, 2, 3].map(n => `$${values.length + n}`)
  const rest = 'null::text as b, null::text as c, null::text as d, null::int as cuts, null::bigint as at'
  const ours = '(select id from claimed)'
  const lines = await o.base.quicklyOnce(
    `with fetched as (${text}),
     ids as materialized (select data->>'run' as id from fetched),
     before as materialized (select id, wakes from ${s}.runs where id in (select id from ids)),
     claimed as (${claiming(s, me!)}
       from (select id from ${s}.runs where id in (select id from ids) order by id for no key update) as l
       where r.id = l.id and r.queue = ${q} and owner is distinct from ${me} and deaths = 0 and status <> 'running'
         and ${WANTS(at!)} ${returning(s)})
     select data->>'run' as run, -2 as part, 0::bigint as n, row_to_json(fetched)::text as a, ${rest} from fetched
     union all select claimed.id, -1, before.wakes::bigint, row_to_json(claimed)::text, ${rest.replaceAll(/ as \w+/g, '')}
       from claimed join before on before.id = claimed.id
     union all ${kept(s, run => `${run} in ${ours}`)}
     order by run, part, n`,
    [...values, queue, o.me, now],
  )
  const found: Fetched = { jobs: [], taken: new Map(), more: [] }
  for (const [run, of] of Map.groupBy(lines, line => String(line['run']))) {
    for (const line of of) if (line['part'] === -2) found.jobs.push(JSON.parse(String(line['a'])))
    const claimed = of.find(line => line['part'] === -1)
    if (!claimed) continue
    const line = JSON.parse(String(claimed['a'])) as Line
    // All of it was read as it was in one moment; the run itself as it was when it could be locked.
    const wakes = Number(claimed['n'])
    if (Number(line['wakes']) !== wakes) found.more.push(restored(run))
    found.taken.set(restored(run), { ...taken(line, of), wakes })
  }
  return found
}

/** The run is ours: who still stands as its owner died or hangs, or its wake would not be held here. */
const claiming = (s: string, me: string): string =>
  `update ${s}.runs r set epoch = epoch + 1, owner = ${me}, status = 'running', seen = wakes, due = null,
     deaths = deaths + (status = 'running' and owner is distinct from ${me})::int, cuts = cuts + (status = 'running')::int`

const WANTS = (now: string): string =>
  `(status in ('ready', 'running') or (status = 'waiting' and (wakes > seen or due <= ${now})))`

const returning = (s: string): string =>
  `returning r.*, exists (select from ${s}.watched v where v.run = r.id and v.until > now()) as watched`

/** All that is kept of runs: the journals, the decisions, the signals, and which rows of threads they wrote. */
function loading(s: string, runs: readonly string[]): Statement {
  return [`${kept(s, run => `${run} = any($1)`)} order by run, part, n`, [runs], 'load']
}

const kept = (s: string, of: (run: string) => string): string =>
  `select j.run, 0 as part, seq::bigint as n, kind as a, key as b, name as c, coalesce(j.value, b.value) as d, cuts, at
     from ${s}.journal j left join ${s}.blobs b on b.run = j.run and b.hash = j.blob where ${of('j.run')}
   union all select run, 1, 0, step, decision, null, null, null, null from ${s}.asks
     where ${of('run')} and decision is not null
   union all select run, 2, id, channel, value, null, null, null, null from ${s}.signals where ${of('run')}
   union all select run, 3, "row", thread, null, null, null, null, null from ${s}.rows where ${of('run')}`

function taken(line: Line, all: readonly Line[]): Taken {
  const part = (n: number): Line[] => all.filter(each => each['part'] === n)
  const records = part(0)
  return {
    epoch: Number(line['epoch']),
    wakes: Number(line['wakes']),
    watched: line['watched'] === true,
    claimed: {
      run: runOf(line),
      cuts: Number(line['cuts']),
      next: records.length === 0 ? 0 : Number(records.at(-1)!['n']) + 1,
      records: records.map(keptOf),
      rows: part(3).map(each => ({ thread: restored(String(each['a'])), row: Number(each['n']) })),
      stopping: line['stopping'] === true,
      decisions: part(1).map(decisionOf),
      signals: part(2).map(signalOf),
    },
  }
}

/** What came for a run of ours, and how much that is; nothing where it is another's. */
export async function news(
  o: Owner,
  run: string,
  epoch: number,
  after: number,
): Promise<{ news: News; wakes: number } | undefined> {
  const s = quoted(o.schema)
  // The counter is read in the same moment as the rest. That they were read is noted when the run is let go of.
  const lines = await o.base.query(
    `select 0 as part, wakes as n, stopping::text as a, null as b from ${s}.runs
       where id = $1 and epoch = $3 and owner = $4
     union all select 1, 0, step, decision from ${s}.asks where run = $1 and decision is not null
     union all select 2, id, channel, value from ${s}.signals where run = $1 and id > $2 order by part, n`,
    [plain(run), after, epoch, o.me],
    'news',
  )
  const [line] = lines
  if (line?.['part'] !== 0) return undefined
  return {
    wakes: Number(line['n']),
    news: {
      stopping: line['a'] === 'true',
      decisions: lines.filter(each => each['part'] === 1).map(decisionOf),
      signals: lines.filter(each => each['part'] === 2).map(signalOf),
    },
  }
}

/**
 * Lets go of a run that waits, where nothing came since its counter was `wakes`. `left`: any process may take it up.
 * `news`: something came that was not read. `lost`: it is another's.
 */
export async function release(
  o: Owner,
  run: string,
  epoch: number,
  wakes: number,
): Promise<'left' | 'news' | 'lost'> {
  const s = quoted(o.schema)
  const left = await o.base.query(
    `update ${s}.runs set owner = null, seen = wakes
     where id = $1 and epoch = $2 and owner = $3 and status = 'waiting' and wakes = $4 returning id`,
    [plain(run), epoch, o.me, wakes],
    'release',
  )
  if (left.length > 0) return 'left'
  const ours = await o.base.query(
    `select id from ${s}.runs where id = $1 and epoch = $2 and owner = $3`,
    [plain(run), epoch, o.me],
    'ours',
  )
  return ours.length > 0 ? 'news' : 'lost'
}

/** The journal of a run, in order. */
export async function recordsOf(base: Base, schema: string, run: string): Promise<Kept[]> {
  const s = quoted(schema)
  const lines = await base.query(
    `select kind as a, key as b, name as c, coalesce(j.value, b.value) as d, cuts, at
     from ${s}.journal j left join ${s}.blobs b on b.run = j.run and b.hash = j.blob where j.run = $1 order by seq`,
    [plain(run)],
    'records',
  )
  return lines.map(keptOf)
}

function keptOf(line: Line): Kept {
  return {
    kind: line['a'] as RecordKind,
    key: restored(String(line['b'])),
    name: restored(String(line['c'])),
    value: String(line['d']),
    cuts: Number(line['cuts']),
    at: Number(line['at']),
  }
}

function decisionOf(line: Line): { step: string; decision: Decision } {
  return { step: restored(String(line['a'])), decision: JSON.parse(String(line['b'])) as Decision }
}

function signalOf(line: Line): { id: number; channel: string; value: Json } {
  return {
    id: Number(line['n']),
    channel: restored(String(line['a'])),
    value: JSON.parse(String(line['b'])) as Json,
  }
}
