// What a journaled engine stores: rows, and nothing about how runs work. sqlite implements it, and postgres can.
// The engine above it (keeper.ts) holds one journal per working run in memory and only appends.
import type { Json, Piece } from '../define/records.ts'
import type { Answer, Asked, Caps, Filter, RecordKind, RunRecord, Start, Status, Step } from './engine.ts'
import type { Ask, Decision, Row } from './place.ts'

/** What the keys of threads begin with that outlive their runs: of a deleted run, rows of them are marked as gone. */
export const THREAD = 'thread:'

/** What stands in place of a row that went with its run. */
export const GONE = '{"kind":"gone"}'

/** A record of a run's journal, written once. */
export interface Kept {
  kind: RecordKind
  /** Place and name, relative to the run: '/1.1/note'. */
  key: string
  /** As people see it; may change from run to run. */
  name: string
  /** Encoded JSON; '' where there is nothing to keep. */
  value: string
  /** How often the run had been cut off when this was written: tells how often what comes next may have begun. */
  cuts: number
  at: number
}

/** One write of a working run. A store commits many, of many runs, at once, in their order. */
export type Write = RecordWrite | AskWrite | RowWrite | StateWrite

export interface RecordWrite {
  what: 'record'
  run: string
  /** Numbers the records of a run, from 0. Where there is one of that number, somebody else writes: {@link Lost}. */
  seq: number
  record: Kept
}

/** Lists an ask; in the same commit as its record. */
export interface AskWrite {
  what: 'ask'
  run: string
  ask: Ask
  until: number
  at: number
}

/** A row of a thread. Rows stay as they were first written. */
export interface RowWrite {
  what: 'row'
  run: string
  thread: string
  row: number
  value: string
}

/** Where a run stands. */
export interface StateWrite {
  what: 'state'
  run: string
  state: State
}

export type State =
  /** Works again after it waited in memory. */
  | { status: 'running' }
  /** Waits; wakes at `due` at the latest, and at once where something came that it has not read. */
  | { status: 'waiting'; due: number | undefined }
  /** Was cut off by a close: goes on when the store is opened again, and is not counted as dead. */
  | { status: 'ready' }
  /** Got a step further after a death. */
  | { status: 'alive' }
  | { status: Exclude<Status, 'ready' | 'running' | 'waiting'>; output?: string; error?: string; at: number }

/** What came from outside: decisions by the step of their ask, values by their number. */
export interface News {
  decisions: readonly { step: string; decision: Decision }[]
  signals: readonly { id: number; channel: string; value: Json }[]
  stopping: boolean
}

/** A run as it is taken up: everything that its work needs. */
export interface Claimed extends News {
  run: RunRecord
  cuts: number
  records: readonly Kept[]
  /** The number of its next record. */
  next: number
  /** Which rows of which threads it wrote. */
  rows: readonly { thread: string; row: number }[]
}

/** A run that ought to be taken up, or that has news. */
export interface Wakeable {
  id: string
  deaths: number
}

/** What a store tells its engine. */
export interface Watcher {
  /** Something came from outside: look for what is wakeable. */
  changed(): void
  /** Another process owns the store now. Nothing may be written any more. */
  lost(): void
  /** Another process has taken this run up. Nothing of it may be written any more. */
  lostRun(run: string): void
  /** How many more runs it would let work now. */
  room(): number
}

/** Thrown by {@link Store.commit} and {@link Store.claim} where another process owns the store. */
export class Lost extends Error {}

/** What runs show, for readers in other processes. Only where many processes work. */
export interface Shown {
  /** A run of this process shows a piece. */
  emit(run: string, piece: Piece): void
  /** Resolves when whoever reads elsewhere can have all that the run has shown. */
  flush(run: string): Promise<void>
  /** From position `from` until the run settles, whichever process works on it. */
  read(run: string, from: number): AsyncIterable<{ at: number; piece: Piece }>
}

/**
 * Rows that last. Errors of the medium are `T6003` (cannot be written now; nothing of the commit is kept, it may be
 * tried again) or `T6005` (damaged).
 */
export interface Store {
  readonly caps: Caps
  /** Runs `fn` soon, when what can settle by itself has settled: what is written until then is one commit. */
  soon(fn: () => void): void
  /**
   * Becomes the owner; counts a death for each run that was working, and makes it ready. `T6001` where another owns it.
   * Where many may work: becomes one of them.
   */
  open(watcher: Watcher, flows: Readonly<Record<string, { code?: string }>>): Promise<void>
  /**
   * All or nothing, durable when it is done; where many may work, all or nothing of each run. Gives the runs that
   * another process has taken up, of which nothing was written.
   */
  commit(writes: readonly Write[]): void | Promise<readonly string[] | void>
  /**
   * Takes a run up: it is `running` from here on, its wake is used up. Nothing where it does not want to work. Where
   * its process died and nobody else noticed, this counts the death.
   */
  claim(run: string): Promise<Claimed | undefined>
  /**
   * What came for a working run; its wake is used up. Decisions known before and signals up to `after` may be left out.
   * Nothing where another process has taken the run up.
   */
  news(run: string, after: number): Promise<News | undefined>
  /**
   * A run that waits leaves this process. False where something came that was not read: it must be read first. Left
   * out where only one process works: there it may always leave.
   */
  release?(run: string): Promise<boolean>
  /**
   * The code of this process does not follow the run's journal. True where it was left to a process whose code may;
   * else it is stuck.
   */
  refuse?(run: string): Promise<boolean>
  shown?: Shown
  /** Tells from here on which runs have settled, in whichever process. Now and then one may not be told. */
  watch?(settled: (run: string) => void): Promise<void>
  /** Those of `flows` that want to work or have news, in the order in which they began to. */
  wakeable(flows: readonly string[], now: number): Promise<Wakeable[]>
  /** When, after `now`, the next run of `flows` is due. */
  nextDue(flows: readonly string[], now: number): Promise<number | undefined>

  // From here on: from any process.
  start(start: Start & { id: string }, now: number): Promise<RunRecord>
  get(run: string): Promise<RunRecord | undefined>
  list(filter: Filter): Promise<RunRecord[]>
  asks(run: string | undefined, now: number): Promise<Asked[]>
  steps(run: string): Promise<Step[]>
  rows(thread: string, from: number, to: number): Promise<readonly Row[]>
  decide(run: string, step: string, decision: Decision, now: number): Promise<Answer>
  send(
    run: string,
    channel: string,
    value: Json,
    decline: Decision | undefined,
    now: number,
  ): Promise<'taken' | 'unknown'>
  stop(run: string, now: number): Promise<boolean>
  resume(run: string, now: number): Promise<boolean>
  delete(run: string): Promise<boolean>
  /** Lets go of everything. */
  close(): Promise<void>
}
