// A store in memory: for apps in tests, and where nothing shall outlive the process. Its rows last as long as it does.
import type { Json } from '../define/records.ts'
import { type RunRecord, settledAs } from './engine.ts'
import { fromText } from './journal.ts'
import type { Ask, Decision, Row } from './place.ts'
import { listed } from './steps.ts'
import {
  GONE,
  type Kept,
  type News,
  type RowWrite,
  type State,
  type Store,
  THREAD,
  type Write,
} from './store.ts'

interface Asking {
  ask?: Ask
  until: number
  at: number
  decision?: Decision
}

interface Line {
  run: RunRecord
  key: string | undefined
  wakeAt: number | undefined
  cuts: number
  stopping: boolean
  records: Kept[]
  asks: Map<string, Asking>
  signals: { id: number; channel: string; value: Json }[]
  rows: RowWrite[]
}

const EXPIRED: Decision = { approved: false, expired: true }

/** A store whose rows are gone with it. Opening it again after a close goes on with what it has. */
export function memoryStore(): Store {
  const lines = new Map<string, Line>()
  const threads = new Map<string, Map<number, RowWrite>>()
  let signals = 0

  const working = (id: string): Line | undefined => {
    const line = lines.get(id)
    return line?.run.ended === undefined || line.run.status === 'parked' || line.run.status === 'stuck'
      ? line
      : undefined
  }
  const wake = (line: Line): void => {
    if (!settledAs(line.run.status)) line.wakeAt = 0
  }
  const newsOf = (line: Line, after: number): News => ({
    stopping: line.stopping,
    decisions: [...line.asks].flatMap(([step, { decision }]) => (decision ? [{ step, decision }] : [])),
    signals: line.signals.filter(signal => signal.id > after),
  })

  const write = (line: Line, write: Write): void => {
    if (write.what === 'record') line.records[write.seq] = write.record
    else if (write.what === 'state') change(line, write.state)
    else if (write.what === 'ask') {
      const { ask, until, at } = write
      line.asks.set(ask.step, { ...line.asks.get(ask.step), ask, until, at })
    } else {
      const thread = threads.get(write.thread) ?? new Map<number, RowWrite>()
      threads.set(write.thread, thread)
      if (thread.has(write.row)) return
      thread.set(write.row, write)
      line.rows.push(write)
    }
  }

  return {
    caps: { durable: false, shared: false, many: false },
    soon: fn => void setTimeout(fn, 0),

    async open() {
      for (const line of lines.values()) if (line.run.status === 'waiting') line.wakeAt ??= 0
    },
    commit(writes) {
      for (const each of writes) {
        const line = lines.get(each.run)
        if (line) write(line, each)
      }
    },
    async claim(id) {
      const line = lines.get(id)
      if (!line || (line.run.status !== 'ready' && line.run.status !== 'waiting')) return undefined
      line.run.status = 'running'
      line.wakeAt = undefined
      delete line.run.due
      const { run, cuts, records, rows } = line
      return { run: { ...run }, cuts, records: [...records], next: records.length, rows, ...newsOf(line, 0) }
    },
    async news(id, after) {
      const line = lines.get(id)!
      line.wakeAt = undefined
      return newsOf(line, after)
    },
    async wakeable(flows, now) {
      const due = [...lines.values()].filter(l => (l.wakeAt ?? Infinity) <= now && flows.includes(l.run.flow))
      return due
        .sort((a, b) => a.wakeAt! - b.wakeAt!)
        .slice(0, 1000)
        .map(({ run }) => ({ id: run.id, deaths: run.deaths }))
    },
    async nextDue(flows, now) {
      let next = Number.POSITIVE_INFINITY
      for (const { run, wakeAt = 0 } of lines.values())
        if (wakeAt > now && flows.includes(run.flow)) next = Math.min(next, wakeAt)
      return next === Number.POSITIVE_INFINITY ? undefined : next
    },

    async start({ id, flow, input, person, key, fork }, now) {
      const known =
        lines.get(id) ?? (key === undefined ? undefined : [...lines.values()].find(line => line.key === key))
      if (known) return { ...known.run }
      const who = person === undefined ? {} : { person }
      const run: RunRecord = { id, flow, input, ...who, status: 'ready', started: now, deaths: 0 }
      lines.set(id, {
        run,
        key,
        wakeAt: 0,
        cuts: 0,
        stopping: false,
        records: fork ? before(lines.get(fork.run)?.records ?? [], fork.before) : [],
        asks: new Map(fork ? [...(lines.get(fork.run)?.asks ?? [])] : []),
        signals: [],
        rows: [],
      })
      return { ...run }
    },
    async get(id) {
      const run = lines.get(id)?.run
      return run && { ...run }
    },
    async list({ status, flow, person, limit = 1000 }) {
      return [...lines.values()]
        .map(line => ({ ...line.run }))
        .filter(run => (status?.includes(run.status) ?? true) && run.flow === (flow ?? run.flow))
        .filter(run => person === undefined || run.person === person)
        .reverse()
        .slice(0, limit)
    },
    async asks(id, now) {
      return [...lines.values()]
        .filter(line => line.run.ended === undefined && line.run.id === (id ?? line.run.id))
        .flatMap(line =>
          [...line.asks.values()].flatMap(({ ask, until, at, decision }) =>
            ask && !decision && until > now ? [{ ...ask, run: line.run.id, until, asked: at }] : [],
          ),
        )
        .sort((a, b) => a.asked - b.asked)
    },
    async steps(id) {
      return listed(lines.get(id)?.records ?? [])
    },
    async rows(thread, from, to) {
      const rows = [...(threads.get(thread)?.values() ?? [])].filter(({ row }) => row >= from && row < to)
      return rows.sort((a, b) => a.row - b.row).map(({ value }) => fromText(value) as Row)
    },
    async decide(id, step, decision, now) {
      const asking = lines.get(id)?.asks.get(step)
      if (asking?.decision) return 'already'
      const line = working(id)
      if (!line) return 'unknown'
      const late = asking !== undefined && asking.until <= now && !('expired' in decision)
      line.asks.set(step, { until: 0, at: now, ...asking, decision: late ? EXPIRED : decision })
      wake(line)
      return late ? 'already' : 'taken'
    },
    async send(id, channel, value, decline) {
      const line = working(id)
      if (!line) return 'unknown'
      if (decline) for (const asking of line.asks.values()) if (asking.ask) asking.decision ??= decline
      line.signals.push({ id: ++signals, channel, value })
      wake(line)
      return 'taken'
    },
    async stop(id, now) {
      const line = working(id)
      if (!line) return false
      if (settledAs(line.run.status)) Object.assign(line.run, { status: 'stopped', ended: now })
      else line.stopping = true
      wake(line)
      return true
    },
    async resume(id) {
      const line = lines.get(id)
      if (line?.run.status !== 'parked' && line?.run.status !== 'stuck') return false
      const { ended: _, error: __, ...run } = line.run
      line.run = { ...run, status: 'ready', deaths: 0 }
      wake(line)
      return true
    },
    async delete(id) {
      const line = lines.get(id)
      if (!line || !settledAs(line.run.status)) return false
      for (const row of line.rows)
        if (row.thread.startsWith(THREAD)) threads.get(row.thread)?.set(row.row, { ...row, value: GONE })
        else threads.get(row.thread)?.delete(row.row)
      for (const [thread, rows] of threads)
        if ([...rows.values()].every(row => row.value === GONE)) threads.delete(thread)
      lines.delete(id)
      return true
    },
    async close() {},
  }
}

/** What was kept before the first record of `key`. */
function before(records: readonly Kept[], key: string): Kept[] {
  const at = records.findIndex(record => record.key === key)
  return records.slice(0, at < 0 ? records.length : at)
}

function change(line: Line, state: State): void {
  const { run } = line
  if (state.status === 'alive') run.deaths = 0
  else run.status = state.status
  if (state.status === 'running') delete run.due
  else if (state.status === 'waiting') {
    delete run.due
    if (state.due !== undefined) run.due = state.due
    line.wakeAt = Math.min(line.wakeAt ?? Number.POSITIVE_INFINITY, state.due ?? Number.POSITIVE_INFINITY)
  } else if (state.status === 'ready') {
    line.cuts++
    line.wakeAt = 0
  } else if ('at' in state) {
    run.ended = state.at
    line.wakeAt = undefined
    if (state.output !== undefined) run.output = JSON.parse(state.output) as Json
    if (state.error !== undefined) run.error = JSON.parse(state.error) as NonNullable<RunRecord['error']>
  }
}
