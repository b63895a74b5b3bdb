// Takes the runs and threads of a SQLite file into PostgreSQL.
import { existsSync, renameSync } from 'node:fs'
import { ToolwrightError } from '@toolwright/core'
import type { Seal } from '@toolwright/core/engine'
import { type Contents, contents, sqlite } from '@toolwright/core/sqlite'
import { Base, type Query } from './base.ts'
import { plain, prepareTables, quoted } from './schema.ts'
import { time, writing } from './write.ts'

/** How many lines are written at once. */
const LINES = 500

export interface MoveOptions {
  /** The schema of the tables in PostgreSQL. Default `toolwright`. */
  schema?: string
  /** The seal of the file, where it has one; the database keeps it. */
  seal?: Seal
}

export interface Moved {
  runs: number
  /** Runs of these ids were there already, and stayed as they were. */
  there: number
  /** What the file is called now. */
  file: string
}

/**
 * Moves all runs and threads of the SQLite store `file` into the database at `url`, in one transaction. The file is
 * called `FILE.moved` from then on, so that nobody works on it again. `T6001` where a process works on it, `T6003` where
 * there is none. Done again after it was cut off, it does what is left.
 */
export async function move(
  file: string,
  url: string,
  { schema = 'toolwright', seal }: MoveOptions = {},
): Promise<Moved> {
  if (!existsSync(file))
    throw new ToolwrightError('T6003', `there is no file ${file}`, {
      fix: 'name the file of the SQLite store',
    })
  const base = new Base(url, 3)
  const owner = sqlite(file, { patience: 0, warn: () => {} })
  try {
    // Nobody else works on it, and what worked when its process died is made ready.
    await owner.open({})
    await prepareTables(base, schema)
    const from = contents(file)
    let counts: { runs: number; there: number }
    try {
      counts = await base.transaction(query => moveAll(query, from, schema, seal))
    } finally {
      from.close()
    }
    await owner.close()
    const moved = `${file}.moved`
    renameSync(file, moved)
    for (const end of ['-wal', '-shm']) if (existsSync(file + end)) renameSync(file + end, moved + end)
    return { ...counts, file: moved }
  } finally {
    await owner.close()
    await base.close()
  }
}

async function moveAll(
  query: Query,
  from: Contents,
  schema: string,
  seal: Seal | undefined,
): Promise<{ runs: number; there: number }> {
  const s = quoted(schema)
  const mine = new Set<string>()
  let there = 0
  for (const some of inParts(from.runs())) {
    const lines = await query(
      `insert into ${s}.runs (id, flow, input, person, dedupe, status, due, stopping, cuts, deaths, started, ended,
         output, error, wakes, seen)
       select id, flow, input, person, dedupe, status, due, stopping, cuts, deaths, started, ended, output, error, 1,
         case when wants then 0 else 1 end
       from json_to_recordset($1::json) as w(id text, flow text, input text, person text, dedupe text, status text,
         due bigint, stopping boolean, cuts int, deaths int, started bigint, ended bigint, output text, error text,
         wants boolean)
       on conflict do nothing returning id`,
      [
        JSON.stringify(
          some.map(run => ({
            ...run,
            id: plain(run.id),
            flow: plain(run.flow),
            person: run.person === null ? null : plain(run.person),
            dedupe: run.key === null ? null : plain(run.key),
            due: run.due === null ? null : time(run.due),
          })),
        ),
      ],
    )
    for (const line of lines) mine.add(String(line['id']))
    there += some.length - lines.length
  }
  const epochs = new Map([...mine].map(run => [run, 0]))
  const write = writing(query, schema, null)
  const taken = new Map<string, Set<number>>()
  for (const some of inParts(from.records())) {
    for (const { run, record } of some)
      if (record.kind === 'signal') for (const id of idsOf(record.value, seal)) setOf(taken, run).add(id)
    await write(
      some.map(each => ({ what: 'record', ...each })),
      epochs,
    )
  }
  // Rows of runs that were deleted as well: without them a thread would have gaps.
  for (const some of inParts(from.rows()))
    await query(
      `insert into ${s}.rows (thread, "row", run, value) select thread, "row", run, value
       from json_to_recordset($1::json) as w(thread text, "row" int, run text, value text) on conflict do nothing`,
      [JSON.stringify(some.map(each => ({ ...each, thread: plain(each.thread), run: plain(each.run) })))],
    )
  for (const some of inParts(from.asks()))
    await query(
      `insert into ${s}.asks (run, step, ask, until, at, decision, decided)
       select run, step, ask, until, at, decision, decided
       from json_to_recordset($1::json) as w(run text, step text, ask text, until bigint, at bigint, decision text,
         decided bigint) on conflict do nothing`,
      [
        JSON.stringify(
          some
            .filter(ask => mine.has(plain(ask.run)))
            .map(ask => ({ ...ask, run: plain(ask.run), step: plain(ask.step) })),
        ),
      ],
    )
  await moveSignals(query, s, from, mine, taken)
  return { runs: mine.size, there }
}

/** What was sent and not taken gets numbers that no journal has as taken. */
async function moveSignals(
  query: Query,
  s: string,
  from: Contents,
  mine: ReadonlySet<string>,
  taken: ReadonlyMap<string, ReadonlySet<number>>,
): Promise<void> {
  let highest = 0
  for (const { id } of from.signals()) highest = Math.max(highest, id)
  await query(
    `select setval(pg_get_serial_sequence($1, 'id'), greatest($2::bigint, (select coalesce(max(id), 0) from ${s}.signals)) + 1)`,
    [`${s}.signals`, highest],
  )
  for (const some of inParts(from.signals())) {
    const left = some.filter(each => mine.has(plain(each.run)) && !taken.get(each.run)?.has(each.id))
    await query(
      `insert into ${s}.signals (run, channel, value, at) select run, channel, value, at
       from json_to_recordset($1::json) as w(id bigint, run text, channel text, value text, at bigint) order by id`,
      [JSON.stringify(left.map(each => ({ ...each, run: plain(each.run), channel: plain(each.channel) })))],
    )
  }
}

/** Which signals a record says were taken. */
function idsOf(value: string, seal: Seal | undefined): number[] {
  const kept = JSON.parse(value) as string | { ids: number[] }
  if (typeof kept !== 'string') return kept.ids
  if (!seal)
    throw new ToolwrightError('T6010', 'the values of this store are sealed', {
      fix: 'move it with its seal: move(file, url, { seal })',
    })
  return (JSON.parse(seal.open(kept)) as { ids: number[] }).ids
}

function setOf(sets: Map<string, Set<number>>, key: string): Set<number> {
  const known = sets.get(key) ?? new Set<number>()
  sets.set(key, known)
  return known
}

function* inParts<T>(lines: Iterable<T>): Iterable<T[]> {
  let part: T[] = []
  for (const line of lines) {
    part.push(line)
    if (part.length < LINES) continue
    yield part
    part = []
  }
  if (part.length > 0) yield part
}
