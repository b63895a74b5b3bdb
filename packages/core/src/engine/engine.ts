// What lasts: the port between apps and whatever keeps their runs. Every engine passes test/engines/conformance.ts.
import type { Json, Piece } from '../define/records.ts'
import type { Ask, Decision, Outcome, Place, Row } from './place.ts'

/** What an engine can do, for those who must tell people. */
export interface Caps {
  /** A run outlives the process. */
  durable: boolean
  /** Other processes may answer, send, stop and read while one works. */
  shared: boolean
  /** Many processes work at once: each run is worked by one of them, and may move between its wakes. */
  many: boolean
}

/**
 * The code of a run: begun anew from the start each time the run wakes, with a place that gives what was kept.
 * What it does outside of the place's steps must come out the same each time. What it gives is the run's output;
 * what it throws makes the run `failed`.
 */
export interface Flow {
  (place: RunPlace, run: RunRecord): Promise<Json>
  /**
   * Names the code: the same text for the same code. Where many processes work, a run stays with its code as long as
   * a process has it, and is handed to other code only then. Left out: code of one name is all the same.
   */
  code?: string
}

/**
 * - `ready`: wants to work, and waits for its turn or for a process that knows its flow
 * - `running`: works in the owner's process
 * - `waiting`: for a person, a signal or a time
 * - `done`, `failed`, `stopped`: ended
 * - `parked`: its process died three times in one step; `stuck`: its code no longer follows its journal.
 *   Both wait for {@link Engine.resume}, stop or delete
 */
export type Status = 'ready' | 'running' | 'waiting' | 'done' | 'failed' | 'stopped' | 'parked' | 'stuck'

/** What is known of a run without its journal. Times are ms since 1970. */
export interface RunRecord {
  id: string
  /** The name under which its code was opened. */
  flow: string
  input: Json
  /** Who started it, where somebody did. */
  person?: string
  status: Status
  started: number
  ended?: number
  /** Until when it waits at most, where it waits. */
  due?: number
  output?: Json
  /** Why it failed, is parked or is stuck. */
  error?: { code?: string; message: string }
  /** How often its process died since it last got a step further. */
  deaths: number
  /** The run that it was told to come after, where the store knows it: see {@link Start.line}. */
  after?: string
  /** It wants to work or will, and no process that is there has code for it. Only where many processes work. */
  unworked?: true
}

/** What starts a run. */
export interface Start {
  flow: string
  input: Json
  /** Left out: a random one. */
  id?: string
  person?: string
  /** Starting again with the same key gives the run of the first time. */
  key?: string
  /**
   * It comes after the last run of that name that has not ended: `after` of its record names that one, and a null is
   * sent on `channel` when it has settled. Only where many processes work: one alone can see to it by itself.
   */
  line?: { name: string; channel: string }
  /** Begins with what another run kept before the record of that key, and with what was decided of it. */
  fork?: { run: string; before: string }
}

/** A step, as it is listed. */
export interface Step {
  /** As people see it: 'model 1', 'tool 1.1 tidy', nested behind a slash. */
  name: string
  /** Names it for ever, within its run. */
  key: string
  kind: RecordKind
  /** `begun`: not finished yet, as far as is known. */
  status: 'begun' | 'done'
  at: number
  /** What it gave, encoded (see codec.ts); of an ask, the ask and until when. */
  value?: Json
}

/**
 * `step`: anything kept once. `failure`: what a step threw, where the code went on after it. `branch`: an outcome. `ask`: a question to a person. `signal`: values taken from a
 * channel. `due`: until when something waits. `begin`: a step or a branch was begun.
 */
export type RecordKind = 'step' | 'failure' | 'branch' | 'ask' | 'signal' | 'due' | 'begin'

/** An ask that waits. */
export interface Asked extends Ask {
  run: string
  until: number
  asked: number
}

/** A place of a run of an engine: what the loop is written against, and what only flows and apps use. */
export interface RunPlace extends Place {
  /** The code is still on its way to where the run had got to: what it does was done, and told, before. */
  readonly replays: boolean
  branch(
    number: string,
    name: string,
    body: (place: RunPlace) => Promise<Outcome>,
    /**
     * States that `body` itself only works through its place, so that it may be begun anew while it waits: a flow or
     * an agent. The body of a branch without it is taken to be a function that must not be begun twice: a run that
     * waits in a branch inside of one stays in memory.
     */
    again?: { flow: string; input: Json } | true,
  ): Promise<Outcome>
  /** Waits for the next value sent on `channel`; nothing came `until` (ms since 1970, kept): undefined. */
  wait(name: string, channel: string, until: number): Promise<Json | undefined>
  /** All values sent on `channel` and not taken yet, without waiting. Keeps nothing where there are none. */
  receive(name: string, channel: string): Promise<readonly Json[]>
}

/** `taken`: it counts. `already`: decided or expired before, nothing changed. `unknown`: no such run works any more. */
export type Answer = 'taken' | 'already' | 'unknown'

/** What is listed; each part left out matches all. */
export interface Filter {
  status?: readonly Status[]
  flow?: string
  person?: string
  /** At most so many, the newest first. Default 1000. */
  limit?: number
}

/**
 * Keeps runs. One process at a time opens it with code and owns it, or as many as like where `caps.many` says so; every
 * other may start, answer, send, stop and read, and who works notices at once. All functions may be called before `open`, and none changes anything twice.
 * They reject with `T6xxx` where the store cannot be reached, read or written.
 */
export interface Engine {
  readonly caps: Caps
  /** Becomes the owner and wakes what is ready or due. Runs of flows that are not among `flows` are left alone. */
  open(flows: Readonly<Record<string, Flow>>): Promise<void>
  /** Starts a run; it is durable when this resolves. */
  run(start: Start): Promise<RunRecord>
  get(run: string): Promise<RunRecord | undefined>
  /** Resolves when the run is done, failed, stopped, parked or stuck; rejects with `T6008` where there is none. */
  settled(run: string): Promise<RunRecord>
  list(filter?: Filter): Promise<RunRecord[]>
  /** The asks that wait, of one run or of all, the oldest first. */
  asks(run?: string): Promise<Asked[]>
  /** The journal of a run, in the order in which it was written. */
  steps(run: string): Promise<Step[]>
  /** The rows of a thread, from (included) to (excluded). */
  rows(thread: string, from?: number, to?: number): Promise<readonly Row[]>
  /**
   * Pieces as the run shows them, from position `from`, until it settles; where this process does not own the store
   * and `caps.many` is false there are none. A piece of work that was kept before is not shown again when the run wakes. The latest 10,000 can
   * be had.
   */
  pieces(run: string, from?: number): AsyncIterable<{ at: number; piece: Piece }>
  /**
   * Decides the ask that is listed as `step`. The first decision wins, and is durable when this resolves. One that
   * comes before its ask waits for it.
   */
  decide(run: string, step: string, decision: Decision): Promise<Answer>
  /** Sends a value on a channel of the run. With `decline`, all its open asks are decided so first, in one commit. */
  send(run: string, channel: string, value: Json, o?: { decline?: Decision }): Promise<'taken' | 'unknown'>
  /** Asks the run to stop; one that does not work (parked, stuck) ends as `stopped` at once. */
  stop(run: string): Promise<boolean>
  /** Lets a parked or stuck run try again. */
  resume(run: string): Promise<boolean>
  /** Deletes a run that does not work, with its journal and rows. False where there is none, or where it works. */
  delete(run: string): Promise<boolean>
  /**
   * Begins no new step, lets those that are under way end for `grace` ms [5000], aborts the rest and lets go of the
   * store. Runs that were cut off go on, uncounted as deaths, when it is opened again.
   */
  close(o?: { grace?: number }): Promise<void>
}

export function settledAs(status: Status): boolean {
  return status !== 'ready' && status !== 'running' && status !== 'waiting'
}
