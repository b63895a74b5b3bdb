// A conversation: one pass of the loop, with all that its stages need. A run has one, and so has every agent that is
// called as a tool and every `llm` call in a tool's function.
import type { Agent } from '../define/agent.ts'
import type { Limits } from '../define/limits.ts'
import type { Json, Message, Model, Request, Settings, Turn } from '../define/records.ts'
import type { Definition } from '../define/tool.ts'
import type { Clock } from '../engine/clock.ts'
import type { Decision, Place } from '../engine/place.ts'
import type { Stop } from '../engine/stop.ts'
import type { Toolbox } from '../tell/tell.ts'
import type { Shape } from '../value/shape.ts'
import type { Budget } from './budget.ts'
import type { Compact } from './fit.ts'
import type { Log, LogEvent } from './log.ts'
import type { Queue } from './queue.ts'
import type { Repeats } from './repeats.ts'
import type { Slots } from './slots.ts'
import type { Thread } from './thread.ts'
import type { Kept } from './variables.ts'
import type { Watch } from './watch.ts'
import type { Work } from './work.ts'

/** What is the same everywhere in a run, however deep. */
export interface Session {
  readonly id: string
  readonly clock: Clock
  readonly deps: unknown
  /** What the run was told for its calls, by key. */
  readonly variables: Readonly<Record<string, Json>> | undefined
  readonly person: string | undefined
  readonly log: Log | undefined
  /** The script asks before each call of a tool that is not read-only. */
  readonly asksEach: boolean
  /** How often a person may be asked. */
  readonly asks: number
  /** Why the run may not make a call of this definition now, where an app says so: who started it is looked up anew. */
  readonly bars: ((definition: Definition) => Promise<string | undefined>) | undefined
  /** The thread that an app keeps under a label of the caller's; left out: for as long as the caller's thread is there. */
  readonly remembers:
    | ((place: Place, agent: Agent, caller: Thread, label: string) => Promise<Thread>)
    | undefined
  /** The conversations that are kept and go on in this run: one at a time writes to each. */
  readonly memories: Map<string, { queue: Queue; thread: Thread | undefined }>
  /** A model that cannot be had is asked again for `limits.outage`. */
  readonly patient: boolean
  /** How deep agents may stand in agents. */
  readonly depth: number
  /** The loop itself, for conversations inside of calls. */
  readonly loop: (c: Conversation) => Promise<Ending>
  /** What the model is told of a call that was not agreed to. */
  declined(tool: string, decision: Decision & { approved: false }): string
  /** Stops the whole run. */
  readonly stop: Stop
  /** The threads that wait for this run, its own among them: a run on one of them would wait for itself. */
  readonly held: readonly Thread[]
  /** A person's own word to stop, asked between pieces and rounds. */
  readonly asksToStop: (() => boolean) | undefined
}

export interface Conversation {
  readonly session: Session
  readonly place: Place
  readonly thread: Thread
  readonly model: Model
  /** The name of the agent, for the log. */
  readonly agent: string
  readonly tools: Toolbox
  readonly output: Shape | undefined
  /** The output is asked for by the response format of the model; left out: by `answer`. */
  readonly format?: Request['format']
  /** What the log calls it [the agent's name]. */
  readonly label?: string | undefined
  readonly settings: Settings | undefined
  /** How it is summed up where it grows too long; left out: not at all. */
  readonly compact: Compact | undefined
  readonly limits: Limits
  readonly budget: Budget
  readonly watch: Watch
  readonly stop: Stop
  readonly slots: Slots
  readonly repeats: Repeats
  /** What its calls kept for later ones. */
  readonly kept: Kept
  /** 0 for the run's own agent, one more for each agent around it. */
  readonly depth: number
  /** May this tool send data out without asking? */
  trusts(definition: Definition): boolean
  /** Where the log puts it, and the call that it is in. */
  readonly span: string
  readonly parent: string | undefined
  /** Where the log puts its messages: where the thread is that a handoff works on. Left out: where the conversation is. */
  readonly shown: Where | undefined
  /** The call that it happens in; absent of the run's own. */
  readonly inside: Work | undefined
  /** What people say while the run works, read before the model's turn `n`. */
  readonly hears: ((when: string) => Promise<readonly Message[]>) | undefined
  /** The last turn so far. */
  turn: Turn | undefined
}

/** A span of the log, and the one it is in. */
export interface Where {
  readonly span: string
  readonly parent: string | undefined
}

/** How a conversation ended. */
export interface Ending {
  ended: 'answer' | 'turn' | 'limit' | 'stopped'
  limit?: string
  /** Of `turn`: whether only this conversation's turn was ended, or every one around it too. */
  scope?: 'call' | 'turn'
  /** The answer, or what was written when it was stopped. */
  text: string
  /** The record, where one was asked for. */
  output?: unknown
}

/** Puts on the thread what people said since; true where there was anything. */
export async function hear(c: Conversation, when: string): Promise<boolean> {
  if (!c.hears) return false
  const said = await c.hears(when)
  for (const message of said) post(c, message)
  return said.length > 0
}

/** True where the conversation is to stop; asks the person's `stop` too. */
export function stopped(c: Conversation): boolean {
  if (c.stop.stopped) return true
  if (!c.session.asksToStop?.()) return false
  c.session.stop.stop()
  return true
}

/** Puts a message on the conversation's thread; gives the number of its row. */
export function post(c: Conversation, message: Message): number {
  const row = c.thread.add(c.place, message)
  if (c.session.log) logThread(c, { kind: 'message', thread: c.thread.id, row, message })
  return row
}

/** From here on, the thread shows `message` in place of what row `row` shows, or nothing. */
export function show(c: Conversation, row: number, message?: Message): void {
  c.thread.show(c.place, row, message)
  if (c.session.log)
    logThread(c, { kind: 'change', thread: c.thread.id, row, ...(message ? { message } : {}) })
}

function logThread(c: Conversation, event: Parameters<typeof log>[3]): void {
  const { span, parent } = c.shown ?? c
  log(c, span, parent, event)
}

type Told<E> = E extends LogEvent ? Omit<E, 'at' | 'run' | 'span' | 'parent'> : never

/** Tells the log, if there is one, what happened in `span`. What a log throws is dropped. */
export function log(c: Conversation, span: string, parent: string | undefined, event: Told<LogEvent>): void {
  const { log, clock, id } = c.session
  if (!log) return
  const where =
    parent === undefined ? { at: clock.now(), run: id, span } : { at: clock.now(), run: id, span, parent }
  try {
    log({ ...where, ...event } as LogEvent)
  } catch {
    // A log that fails must not end the run it describes.
  }
}

/** The path of `step` as people see it, in the place of the conversation. */
export function listed(c: Conversation, step: string): string {
  return c.place.path === '' ? step : `${c.place.path}/${step}`
}
