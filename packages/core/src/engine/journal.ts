// The journal of one working run, in memory: loaded when the run is taken up, and only added to.
// It knows what was kept, in which order it is expected, and when the code no longer follows it.
import type { Json } from '../define/records.ts'
import { decode, encode } from './codec.ts'
import type { RecordKind } from './engine.ts'
import type { Row } from './place.ts'
import type { Claimed, Kept, Write } from './store.ts'
import type { Writer } from './writer.ts'

/** The code does not do what the journal says it did. `names` are the steps that differ, as people see them. */
export class Diverged extends Error {
  readonly names: readonly string[]
  constructor(names: readonly string[], instead?: string) {
    const steps = names.map(name => JSON.stringify(name)).join(', ')
    super(
      instead === undefined
        ? `the journal has ${steps}, which the code did not reach`
        : `the journal has ${steps} where the code does ${JSON.stringify(instead)}`,
    )
    this.names = names
  }
}

/** Keys are relative to the run: places end where the next slash begins. The root is ''. */
export function placeOf(key: string): string {
  return key.slice(0, key.lastIndexOf('/'))
}

/** A name as a part of a key. */
export function part(name: string): string {
  return name.includes('/') || name.includes('%') ? name.replaceAll('%', '%25').replaceAll('/', '%2F') : name
}

export class Journal {
  readonly run: string
  /** How often the run was cut off before. */
  readonly cuts: number
  private readonly clock: { now(): number }
  private readonly writer: Writer
  private readonly branches = new Map<string, Kept>()
  /** What was kept in each place that is not finished, in order, and how much of it was reached. */
  private readonly expected = new Map<string, { records: Kept[]; reached: number }>()
  private readonly begun = new Set<string>()
  private readonly lastCuts = new Map<string, number>()
  private readonly rows = new Set<string>()
  private seq: number
  private stale: boolean
  /** How many records were kept before this life and have not been reached yet. */
  ahead = 0

  constructor(claimed: Claimed, writer: Writer, clock: { now(): number }) {
    this.run = claimed.run.id
    this.cuts = claimed.cuts
    this.stale = claimed.run.deaths > 0
    this.seq = claimed.next
    this.writer = writer
    this.clock = clock
    for (const record of claimed.records) if (record.kind === 'branch') this.branches.set(record.key, record)
    for (const record of claimed.records) this.load(record)
    for (const { thread, row } of claimed.rows) this.rows.add(`${row} ${thread}`)
  }

  private load(record: Kept): void {
    const place = placeOf(record.key)
    if (this.inFinished(place)) return
    if (record.kind === 'begin') {
      this.begun.add(record.key)
      this.lastCuts.set(record.key, record.cuts)
      return
    }
    this.lastCuts.set(place, record.cuts)
    this.ahead++
    if (record.kind === 'branch') return
    const there = this.expected.get(place)
    if (there) there.records.push(record)
    else this.expected.set(place, { records: [record], reached: 0 })
  }

  /** Nothing inside a finished branch is needed again: its outcome stands for it. */
  private inFinished(place: string): boolean {
    for (let at = place; at !== ''; at = placeOf(at)) if (this.branches.has(at)) return true
    return false
  }

  /** What was kept under `key`, now reached. Rejects with {@link Diverged} where the journal has something else next. */
  take(kind: RecordKind, key: string): Kept | undefined {
    const there = this.expected.get(placeOf(key))
    const next = there?.records[there.reached]
    if (!there || !next) return undefined
    if (next.kind !== kind || next.key !== key) throw new Diverged([next.name], key.slice(1))
    there.reached++
    this.ahead--
    return next
  }

  /** What is still to come under `key` in its place: what stands before it there is passed over. */
  skipTo(kind: RecordKind, key: string): Kept | undefined {
    const there = this.expected.get(placeOf(key))
    if (!there) return undefined
    const at = there.records.findIndex((r, i) => i >= there.reached && r.kind === kind && r.key === key)
    if (at < 0) return undefined
    this.ahead -= at - there.reached
    there.reached = at
    return there.records[at]
  }

  /** True where the journal goes on in `place`: what comes next there was kept. */
  goesOn(place: string): Kept | undefined {
    const there = this.expected.get(place)
    return there?.records[there.reached]
  }

  /** The kept outcome of a branch. */
  outcome(key: string): Kept | undefined {
    return this.branches.get(key)
  }

  /** The kept outcome of a branch, now reached. */
  takeOutcome(key: string): Kept | undefined {
    const kept = this.branches.get(key)
    if (kept) this.ahead--
    return kept
  }

  /** The names of what was kept at `place` or inside of it and was not reached. */
  left(place: string): string[] {
    const names: string[] = []
    for (const [at, { records, reached }] of this.expected)
      if (at === place || at.startsWith(`${place}/`)) names.push(...records.slice(reached).map(r => r.name))
    return names
  }

  /** `place` has ended: its records are needed no more. */
  forget(place: string): void {
    for (const [at, { records, reached }] of this.expected)
      if (at === place || at.startsWith(`${place}/`)) {
        this.ahead -= records.length - reached
        this.expected.delete(at)
      }
    this.lastCuts.delete(place)
  }

  /**
   * How often what comes next in `place` may have been begun, this time included: once for each time that the run was
   * cut off since the last thing that was kept before it. May count a time in which it was only about to begin.
   */
  attempt(place: string): number {
    for (let at = place; ; at = placeOf(at)) {
      const cuts = this.lastCuts.get(at)
      if (cuts !== undefined) return 1 + this.cuts - cuts
      if (at === '') return 1 + this.cuts
    }
  }

  /** Adds a record; it is durable when {@link Writer.durable} says so. */
  add(kind: Exclude<RecordKind, 'begin'>, key: string, name: string, value: string): void {
    this.writer.add(this.next(kind, key, name, value))
  }

  /** Adds a record that is needed when something comes after it, and not before. */
  addWithNext(kind: Exclude<RecordKind, 'begin'>, key: string, name: string, value: string): void {
    this.writer.addWithNext(this.next(kind, key, name, value))
  }

  private next(kind: Exclude<RecordKind, 'begin'>, key: string, name: string, value: string): Write {
    if (this.stale) this.writer.add({ what: 'state', run: this.run, state: { status: 'alive' } })
    this.stale = false
    const record = this.record(kind, key, name, value)
    if (kind === 'branch') this.branches.set(key, record)
    this.lastCuts.set(placeOf(key), this.cuts)
    return { what: 'record', run: this.run, seq: this.seq++, record }
  }

  /** Notes that something was begun, for lists, where it takes longer than until the next commit. */
  begin(key: string, name: string, value = ''): () => void {
    if (this.begun.has(key)) return () => {}
    return this.writer.lazily(() => {
      this.begun.add(key)
      const record = this.record('begin', key, name, value)
      return { what: 'record', run: this.run, seq: this.seq++, record }
    })
  }

  /** Adds a row of a thread, unless it was written before. */
  row(thread: string, row: number, content: Row): void {
    const key = `${row} ${thread}`
    if (this.rows.has(key)) return
    this.rows.add(key)
    const value = toText(content, `row ${row} of ${thread}`)
    this.writer.add({ what: 'row', run: this.run, thread, row, value })
  }

  private record(kind: RecordKind, key: string, name: string, value: string): Kept {
    return { kind, key, name, value, cuts: this.cuts, at: this.clock.now() }
  }
}

/** A value as the journal keeps it. */
export function toText(value: unknown, step: string): string {
  return JSON.stringify(encode(value, step))
}

export function fromText(text: string): unknown {
  return decode(JSON.parse(text) as Json)
}
