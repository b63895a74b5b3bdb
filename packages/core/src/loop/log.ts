// The log (statelog): what happens in a run, as events of plain JSON. Faces draw their trees from it.
import type { Message, Usage } from '../define/records.ts'

interface Event {
  /** When, ms since 1970. */
  at: number
  /** The run's id. */
  run: string
  /** Where: a conversation or a call, by the path of its place ('' is the run's own conversation). */
  span: string
  /** The span that this one is in; absent of the run's own conversation. */
  parent?: string
}

/** One event of the log. A conversation's parent is the call it happens in; a call's parent is its conversation. */
export type LogEvent = Event &
  (
    | { kind: 'conversation'; agent: string; model: string }
    /** A message joined the conversation's thread. */
    | { kind: 'message'; thread: string; row: number; message: Message }
    /** The message of that row of the thread is shown as this from here on, or not at all. */
    | { kind: 'change'; thread: string; row: number; message?: Message }
    | { kind: 'turn'; turn: number; model: string; ms: number; tokens: number; input: number; cost?: number }
    | { kind: 'call'; tool: string; number: string; arguments: string; handoff?: true }
    /** The call ended; `ms` is its own time, `waited` what it waited for a person. */
    | {
        kind: 'call end'
        tool: string
        number: string
        ms: number
        waited: number
        usage: Usage
        failed: boolean
      }
    | { kind: 'ask'; tool: string; number: string; arguments: string; why: string }
    | { kind: 'decision'; tool: string; number: string; approved: boolean; why?: string }
    | {
        kind: 'end'
        ended: 'answer' | 'turn' | 'limit' | 'stopped' | 'error'
        limit?: string
        /** Why it failed, of `error`. */
        error?: string
        ms: number
        waited: number
        usage: Usage
      }
    /** Something was ignored or left out that its author would want to know. */
    | { kind: 'warning'; text: string }
  )

/** Takes the events of a run as they happen. What it throws ends nothing: it is dropped. */
export interface Log {
  (event: LogEvent): void
  /** Forgets all that it was told of a run that was deleted. Left out: who keeps the events forgets them. */
  forget?(run: string): void
}
