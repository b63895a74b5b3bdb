// Begins a run at a place: what every door (a script, an app, a language) does to let an agent work.
import type { AgentDefinition } from '../define/agent.ts'
import type { Limits } from '../define/limits.ts'
import type { Message } from '../define/records.ts'
import type { Clock } from '../engine/clock.ts'
import type { Place } from '../engine/place.ts'
import { agentToolbox } from '../tell/tell.ts'
import type { Shape } from '../value/shape.ts'
import { Budget } from './budget.ts'
import { type Conversation, type Ending, post, type Session } from './conversation.ts'
import type { Log } from './log.ts'
import { loop } from './loop.ts'
import { Repeats } from './repeats.ts'
import { Slots } from './slots.ts'
import type { Thread } from './thread.ts'
import { names } from './trust.ts'
import { Watch } from './watch.ts'

/** What a door knows of the run that it begins. */
export interface Beginning {
  id: string
  place: Place
  thread: Thread
  clock: Clock
  /** The shape of the answer, where one is asked for. */
  output: Shape | undefined
  /** The agent's limits, as they are for this run. */
  limits: Limits
  deps?: unknown
  person?: string | undefined
  log?: Log | undefined
  asksEach: boolean
  asksToStop?: (() => boolean) | undefined
  declined: Session['declined']
  /** The threads that wait for this run; left out: its own. */
  held?: readonly Thread[]
}

/** Puts `prompt` on the thread and runs the agent to its end. */
export function begin(
  agent: AgentDefinition,
  prompt: Message,
  b: Beginning,
): { conversation: Conversation; ending: Promise<Ending> } {
  const { id, place, thread, clock, output, limits } = b
  const watch = new Watch(clock)
  const session: Session = {
    id,
    clock,
    loop,
    deps: b.deps,
    person: b.person,
    log: b.log,
    asksEach: b.asksEach,
    asksToStop: b.asksToStop,
    asksLeft: limits.asks,
    depth: limits.depth,
    stop: place.stop,
    held: b.held ?? [thread],
    declined: b.declined,
  }
  const conversation: Conversation = {
    session,
    place,
    thread,
    model: agent.model,
    agent: agent.name,
    tools: agentToolbox(agent, output, thread.extra),
    output,
    settings: agent.settings,
    compact: agent.compact,
    limits,
    budget: new Budget(undefined, limits, watch),
    watch,
    stop: place.stop,
    slots: new Slots(limits.toolsAtOnce),
    repeats: new Repeats(limits.repeats),
    depth: 0,
    trusts: definition => names(agent.trust, definition),
    span: place.path,
    parent: undefined,
    shown: undefined,
    inside: undefined,
    turn: undefined,
  }
  post(conversation, prompt)
  return { conversation, ending: loop(conversation) }
}
