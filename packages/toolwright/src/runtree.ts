// What a log tells of a run, put together: `toolwright show --json` prints it, and trees are drawn from it.
// docs/reference/log.md describes it.
import type { Message, Usage } from '@toolwright/core'

/** A run, as its log tells it. */
export interface RunTree extends ConversationTree {
  /** The run's id. */
  run: string
  /** When its first event happened, ms since 1970. */
  at: number
  /** Calls that wait for a person, in the order in which they asked. */
  waiting: Waiting[]
  /** Conversations in calls that began before the log does; left out where there are none. */
  torn?: ConversationTree[]
}

/** What a model and those around it said. */
export interface ConversationTree {
  /** Its place in the run: '' for the run's own, else the path of its place. */
  span: string
  /** The name of the agent and of the model; '' where the log begins later. */
  agent: string
  model: string
  items: TreeItem[]
  /** How it ended; left out while it goes on, or where it was killed. */
  end?: End
}

/** `message` and `call` follow one another as on the thread: a call stands behind its message and before its result. */
export type TreeItem =
  | { kind: 'message'; message: Message }
  | ({ kind: 'call' } & CallTree)
  | { kind: 'warning'; text: string }
  /** A conversation that the program of the run held beside this one. */
  | { kind: 'thread'; inside: ConversationTree }
  /** A conversation inside of a handoff, whose messages stand here too, ended before it had an answer. */
  | ({ kind: 'end'; tool: string } & End)

/** A call, from its beginning to its end. */
export interface CallTree {
  span: string
  tool: string
  /** Turn and place in it: '2.1'. */
  number: string
  /** The arguments as the model wrote them. */
  arguments: string
  /** When it began, ms since 1970. */
  at: number
  handoff?: true
  /** It is a handoff that took over: its messages stand on this very thread, and its call does not. */
  tookOver?: true
  /** What it ended with; left out while it runs. `ms` is its own time, `waited` what it waited for a person. */
  end?: { ms: number; waited: number; usage: Usage; failed: boolean }
  /** What a person decided, where one was asked. */
  decision?: { approved: boolean; why?: string }
  /** What nobody has decided yet. */
  waiting?: Waiting
  /** The conversations that happened inside it, in the order in which they began. */
  inside: ConversationTree[]
}

/** A call that waits for a person. */
export interface Waiting {
  /** Where it asks: 'ask 1.1', of nested work behind a slash. */
  step: string
  tool: string
  /** The input as it would run, as JSON. */
  arguments: string
  why: string
  /** Since when, ms since 1970. */
  at: number
}

/** How a conversation ended. `ms` is its own time, `waited` what it waited for a person. */
export interface End {
  ended: 'answer' | 'turn' | 'limit' | 'stopped' | 'error'
  /** The limit that ended it. */
  limit?: string
  ms: number
  waited: number
  usage: Usage
}
