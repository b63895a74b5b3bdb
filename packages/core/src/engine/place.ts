// The port: what the loop and everything above it may ask of an engine. A run is written against places only,
// so the same code runs with no durability (memory) or survives a kill (an engine with a journal).
import type { FileRead } from '../define/files.ts'
import type { Call, Json, Message, Piece, Usage } from '../define/records.ts'
import type { Soon } from './soon.ts'
import type { Stop } from './stop.ts'

/** All that a call leaves behind: what a journal keeps of it, and all that a replay needs. */
export interface Outcome {
  /** What the model is told. */
  text: string
  /** What code gets; absent where it is the text itself. */
  value?: unknown
  failed?: true
  /** It may have been carried out, as a whole or in part, so it is not tried again by itself. */
  unknown?: true
  /** It gave nothing at all. */
  nothing?: true
  /** The call ended the turn of its own `llm` call, or of every one up to the person's turn. */
  ended?: 'call' | 'turn'
  /** What is told in place of the usual message when a handoff hands back. */
  handBack?: string
  /** The rows that a handoff added to its thread, from (included) to (excluded). */
  rows?: { thread: string; from: number; to: number }
  images?: string[]
  /** Values that it kept for later calls, by key. */
  remembered?: Readonly<Record<string, Json>>
  /** What it used, its children included. */
  usage?: Usage
}

/** A row of a thread: messages are written once; a change of what the thread shows is a row of its own. */
export type Row =
  | { kind: 'add'; message: Message }
  /** From here on, the message of row `row` is shown as `message`, or not at all. */
  | { kind: 'show'; row: number; message?: Message }
  /** A file that a person gave, for tools and agents to name. */
  | { kind: 'file'; file: FileRead }
  /** Values of the conversation, by key: kept by calls, or stated with a run, which beats every owner's before. */
  | { kind: 'keep'; values: Readonly<Record<string, Json>>; stated?: true }
  /** The messages of the rows before row `before` are told as this summary; what the thread shows stays as it is. */
  | { kind: 'summary'; before: number; message: Message }
  /** Something was here, of a run that was deleted. */
  | { kind: 'gone' }

/** What a step's function is handed. */
export interface StepContext {
  /** 1 for the first time, one more each time it was begun and not finished. */
  attempt: number
  /** Names this step of this run for ever: the same after a kill. */
  key: string
}

/**
 * What a person decided about an ask; `why` is the reason given, `expired` that nobody answered in time. `forRun` names
 * the definition that is refused for the rest of the run, its children included, without asking again.
 */
export type Decision =
  | { approved: true; by?: string }
  | { approved: false; why?: string; expired?: true; nobody?: true; forRun?: string; by?: string }

/** What a person is shown who is asked: the call, its input as it would run, and why it asks. */
export interface Ask {
  /** Where it asks: 'ask 1.1', of nested work behind a slash. */
  step: string
  /** The call; its arguments are the input as it was read, repaired and filled: exactly what will run. */
  call: Call
  /** Why: the tool's own rule, that it sends data out, or that the agent asks before each call. */
  why: string
  /** What the tool does. */
  about: string
  readOnly: boolean
  /** The definition's own name, where it is told under another. */
  definition?: string
  /** What the effect depends on beside the input, as it was when it asked. */
  resolved?: Json
  /** Which version of its definition would run, where the definition has versions. */
  version?: string
}

/**
 * A place in a run. Its steps are sequential: the next may begin when the one before has ended.
 * To do two things at once, open a branch for each.
 */
export interface Place {
  /** Where it is, as listed: '' at the root of a run, 'tool 1.1 tidy' in a branch, nested behind a slash. */
  readonly path: string
  /** Names this place of this run for ever, the same after a kill. */
  readonly key: string
  /** What was done here before is not all reached again yet: whoever watches was told of it already. */
  readonly replaying?: boolean
  /** Stops the run; an engine that shuts down stops it too. */
  readonly stop: Stop
  /**
   * Does `fn` once and keeps what it gives; a replay gives what was kept. A rejection is kept by nobody:
   * the step is done again. `name` must be the same at each replay, and once in its place.
   */
  step<T>(name: string, fn: (s: StepContext) => Promise<T>): Promise<T>
  /** Waits for a person's decision, `until` a time in ms since 1970. The first decision wins and stays. */
  decide(name: string, ask: Ask, until: number): Promise<Decision>
  /**
   * Opens a place and keeps its outcome; a replay gives the kept outcome and does not run `body`.
   * `number` is its key; `name` is what people see behind it and may change from run to run.
   * An engine that keeps nothing gives at once what `body` gives at once.
   * `again`: the body only works through its place, so it need not stay in memory while it waits; of a run in the run,
   * what is listed with it.
   */
  branch(
    number: string,
    name: string,
    body: (place: Place) => Soon<Outcome>,
    again?: { flow: string; input: Json } | true,
  ): Soon<Outcome>
  /**
   * The outcome that is kept of branch `number`, so that what it used counts before anything begins anew.
   * An engine that cannot know it yet gives nothing.
   */
  kept(number: string): Outcome | undefined
  /**
   * The ask that was kept under `name` and is to be followed, whatever the code would do now: what was kept before it in
   * this place is passed over. Nothing where none was kept.
   */
  asked(name: string): Ask | undefined
  /** The decision that refuses a definition for the rest of the run, where there is one. */
  refused(definition: string): (Decision & { approved: false }) | undefined
  /** What was kept in this place is followed no further: it ends without. */
  drop(): void
  /** Waits until `ms` from the first time that this was reached. */
  sleep(name: string, ms: number): Promise<void>
  /** The time now, ms since 1970, kept like a step. */
  now(name: string): Promise<number>
  /** Shows a piece to whoever watches. Never kept by the place; an engine may. */
  emit(piece: Piece): void
  /** Keeps row number `row` of a thread, once: writing it again at a replay changes nothing. */
  write(thread: string, row: number, content: Row): void
  /** The kept rows of a thread, from (included) to (excluded). */
  rows(thread: string, from: number, to: number): Promise<readonly Row[]>
}
