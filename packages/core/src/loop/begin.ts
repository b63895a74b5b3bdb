// Begins a run at a place: what every door (a script, an app, a language) does to let an agent work.
import type { AgentDefinition } from '../define/agent.ts'
import type { Told } from '../define/entries.ts'
import type { FlowDefinition } from '../define/flow.ts'
import type { Limits } from '../define/limits.ts'
import type { Message, Model } from '../define/records.ts'
import type { Definition } from '../define/tool.ts'
import type { Clock } from '../engine/clock.ts'
import type { Outcome, Place } from '../engine/place.ts'
import { ToolwrightError } from '../errors.ts'
import { agentToolbox, toolbox } from '../tell/tell.ts'
import type { Shape } from '../value/shape.ts'
import { Budget } from './budget.ts'
import { makeCall } from './call.ts'
import { type Conversation, type Ending, post, type Session } from './conversation.ts'
import { runFlow } from './flow.ts'
import type { Log } from './log.ts'
import { loop } from './loop.ts'
import { Repeats } from './repeats.ts'
import { Slots } from './slots.ts'
import type { Thread } from './thread.ts'
import { names } from './trust.ts'
import { Kept, stated } from './variables.ts'
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
  /** What recipes and tools may take from the run, by name. */
  variables?: Readonly<Record<string, unknown>>
  bars?: Session['bars']
  remembers?: Session['remembers']
  patient?: boolean
  hears?: Conversation['hears']
}

/** Puts `prompt` on the thread and runs the agent to its end. */
export function begin(
  agent: AgentDefinition,
  prompt: Message,
  b: Beginning,
): { conversation: Conversation; ending: Promise<Ending> } {
  const { thread, output } = b
  const conversation: Conversation = {
    ...outermost(b),
    model: agent.model,
    agent: agent.name,
    tools: agentToolbox(agent, output, thread.extra),
    settings: agent.settings,
    compact: agent.compact,
    trusts: definition => names(agent.trust, definition),
  }
  const { variables } = conversation.session
  if (variables) thread.keep(b.place, variables, true)
  post(conversation, prompt)
  return { conversation, ending: loop(conversation) }
}

/** Runs a flow at the place, to its end. What its code calls is called by code: it sends out what it likes. */
export async function beginFlow(flow: FlowDefinition, input: unknown, b: Beginning): Promise<unknown> {
  const c: Conversation = {
    ...outermost(b),
    model: noModel,
    agent: flow.name,
    tools: toolbox('', [], undefined),
    settings: undefined,
    compact: undefined,
    trusts: () => true,
  }
  c.watch.enter()
  try {
    return await runFlow(flow, input, c)
  } finally {
    c.watch.leave()
    c.stop.end()
  }
}

const noModel: Model = {
  name: 'none',
  turn: () => Promise.reject(new ToolwrightError('T3014', 'a flow has no model of its own')),
}

/**
 * Makes one call at the place, as a run of its own: for a door whose callers name a tool. It is guarded like any call;
 * an agent's or a flow's own trust counts in it, and no tool sends data out unasked but those that `trust` names.
 */
export async function beginCall(
  told: Told,
  argumentsText: string,
  trust: readonly (Definition | string)[],
  b: Beginning,
  model: Model = noModel,
): Promise<Outcome> {
  const { definition } = told
  const c: Conversation = {
    ...outermost(b),
    model,
    agent: told.name,
    tools: toolbox('', [told], undefined),
    settings: undefined,
    compact: undefined,
    trusts: each => (each === definition && definition.child === true) || names(trust, each),
  }
  c.watch.enter()
  try {
    const call = { id: 'call_1', tool: told.name, arguments: argumentsText }
    return await makeCall(c, '1.1', call, told)
  } finally {
    c.watch.leave()
    c.stop.end()
  }
}

type OfWhom = 'model' | 'agent' | 'tools' | 'settings' | 'compact' | 'trusts'

/** What is the same of every run, whoever works in it. */
function outermost(b: Beginning): Omit<Conversation, OfWhom> {
  const { id, place, thread, clock, output, limits } = b
  const watch = new Watch(clock)
  const session: Session = {
    id,
    clock,
    loop,
    deps: b.deps,
    variables: b.variables && stated(b.variables),
    person: b.person,
    log: b.log,
    asksEach: b.asksEach,
    asksToStop: b.asksToStop,
    asks: limits.asks,
    depth: limits.depth,
    stop: place.stop,
    held: b.held ?? [thread],
    declined: b.declined,
    bars: b.bars,
    remembers: b.remembers,
    memories: new Map(),
    patient: b.patient ?? false,
  }
  return {
    session,
    place,
    thread,
    output,
    limits,
    budget: new Budget(undefined, limits, watch),
    watch,
    stop: place.stop,
    slots: new Slots(limits.toolsAtOnce),
    repeats: new Repeats(limits.repeats),
    kept: new Kept(),
    depth: 0,
    span: place.path,
    parent: undefined,
    shown: undefined,
    inside: undefined,
    hears: b.hears,
    turn: undefined,
  }
}
