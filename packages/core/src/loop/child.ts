// Conversations inside of a call: an agent that is a tool, and the `llm` calls of a tool's function.
import { AGENT, type Agent } from '../define/agent.ts'
import type { Handed, LlmOptions } from '../define/context.ts'
import { readEntries } from '../define/entries.ts'
import type { FlowDefinition } from '../define/flow.ts'
import type { Limits } from '../define/limits.ts'
import { unknownOptions } from '../define/names.ts'
import type { Model, Settings } from '../define/records.ts'
import type { Serving } from '../define/serving.ts'
import { readSettings } from '../define/settings.ts'
import { type Definition, statedShape, TOOL } from '../define/tool.ts'
import type { Outcome, Place } from '../engine/place.ts'
import { Stop } from '../engine/stop.ts'
import { type Fault, refuse, ToolwrightError } from '../errors.ts'
import { modelOf } from '../model/model.ts'
import { answerFormat } from '../tell/answer.ts'
import { agentToolbox, instructed, servedBox, type Toolbox, toolbox } from '../tell/tell.ts'
import type { Shape } from '../value/shape.ts'
import { handOn } from './attach.ts'
import { Budget } from './budget.ts'
import { type Conversation, type Ending, post } from './conversation.ts'
import type { Compact } from './fit.ts'
import { runFlow } from './flow.ts'
import { Queue } from './queue.ts'
import { Repeats } from './repeats.ts'
import { Slots } from './slots.ts'
import { fromInside, systemMessage, Thread } from './thread.ts'
import { trusting } from './trust.ts'
import { Kept, withKept } from './variables.ts'
import { Watch } from './watch.ts'
import type { Work } from './work.ts'

/** What tells one inner conversation from another. */
interface Parts {
  place: Place
  thread: Thread
  agent: string
  model: Model
  tools: Toolbox
  output: Shape | undefined
  /** Absent of an agent: it is asked by `answer`. */
  format?: Conversation['format']
  label?: string | undefined
  settings: Settings | undefined
  compact: Compact | undefined
  limits: Limits
  /** The limits on what it uses, where it has its own. */
  allowed?: Limits
  depth: number
  /** Where what its calls keep goes [the call's]. */
  kept?: Kept
  trusts: (definition: Definition) => boolean
}

/** Runs an agent as a child of the call, on a thread of its own. */
export async function converse(work: Work, agent: Agent, handed: Handed): Promise<unknown> {
  const outer = work.conversation
  const definition = agent[AGENT]
  const { name } = definition
  if (outer.depth >= outer.session.depth)
    throw new ToolwrightError(
      'T7006',
      `${name} stands deeper in agents than the limit depth allows (${outer.session.depth})`,
    )
  const { place, handing } = work
  const label = definition.memory && !handing ? handed.thread : undefined
  if (label === undefined)
    return await talk(work, agent, handed, handing ? work.thread : new Thread(place.key))
  // One at a time goes on with a conversation that is kept.
  const { memories } = outer.session
  const key = JSON.stringify([name, outer.thread.id, label])
  const kept = memories.get(key) ?? { queue: new Queue(), thread: undefined }
  memories.set(key, kept)
  return await kept.queue.add(async () => {
    const { remembers } = outer.session
    kept.thread = remembers
      ? await remembers(place, agent, outer.thread, label)
      : remembered(agent, outer.thread, label)
    return await talk(work, agent, handed, kept.thread)
  })
}

/** Where no app keeps threads: a label under its caller's thread, for as long as that is there. */
const labels = new WeakMap<Thread, Map<string, Thread>>()

function remembered(agent: Agent, caller: Thread, label: string): Thread {
  const under = labels.get(caller) ?? new Map<string, Thread>()
  labels.set(caller, under)
  const key = JSON.stringify([agent.name, label])
  const thread = under.get(key) ?? new Thread(key)
  under.set(key, thread)
  return thread
}

async function talk(work: Work, agent: Agent, handed: Handed, thread: Thread): Promise<unknown> {
  const outer = work.conversation
  const definition = agent[AGENT]
  const { name, model, limits, output } = definition
  const { place, handing } = work
  const { text, images } = handOn(outer.thread, handed.files ?? [], thread, handed.message)
  const tools = agentToolbox(definition, output, thread.extra)
  const c = inner(work, {
    place,
    thread,
    agent: name,
    model,
    // On the caller's thread the caller's instructions stand: the agent's own join it as a system message.
    tools: handing ? instructed(tools, outer.tools.instructions) : tools,
    output,
    settings: definition.settings,
    compact: definition.compact,
    limits,
    allowed: limits,
    depth: outer.depth + 1,
    trusts: trusting(definition.trust, agent[TOOL], outer.trusts),
  })
  if (handing && tools.instructions !== '') post(c, systemMessage(tools.instructions))
  post(c, fromInside(text, { from: 'model', model: outer.model.name }, images))
  const ending = await work.around(() => outer.session.loop(c))
  if (ending.ended === 'stopped') throw new ToolwrightError('T7007', `${name} was stopped`)
  if (ending.scope === 'turn') work.endTurn('turn')
  if (output && ending.ended !== 'turn') work.structured = c.thread.rows
  return output ? ending.output : ending.text
}

/** Runs a flow as a child of the call. */
export async function childFlow(work: Work, flow: FlowDefinition, input: unknown): Promise<unknown> {
  const outer = work.conversation
  if (outer.depth >= outer.session.depth)
    throw new ToolwrightError(
      'T7006',
      `${flow.name} stands deeper in agents and flows than the limit depth allows (${outer.session.depth})`,
    )
  const { thread, place } = work
  const c: Conversation = {
    ...work.asConversation(),
    thread,
    hears: undefined,
    depth: outer.depth + 1,
    span: place.path,
  }
  return await runFlow(flow, input, c)
}

/** The `llm` call number `n` of a tool's function, on the call's own thread. */
export async function llm(work: Work, n: number, prompt: string, options: LlmOptions): Promise<unknown> {
  const faults: Fault[] = []
  if (typeof prompt !== 'string')
    faults.push({ option: 'prompt', problem: `is ${typeof prompt}`, fix: 'write a text' })
  faults.push(
    ...unknownOptions(
      options,
      ['tools', 'output', 'system', 'model', 'settings', 'format', 'stream', 'label'],
      {
        instructions: 'write system',
      },
    ),
  )
  const output = options.output === undefined ? undefined : statedShape('output', options.output, faults)
  const telling = { list: false, sequence: false, output: output !== undefined }
  const services: Serving[] = []
  const told = readEntries(options.tools ?? [], 'tools', telling, faults, {}, services)
  const settings = readSettings(
    options.settings,
    faults,
    told.map(t => t.name),
  )
  refuse('llm', faults)
  const outer = work.conversation
  const { thread, place } = work
  const asked = options.model === undefined ? outer.model : modelOf(options.model)
  const model = options.stream === false ? unstreamed(asked) : asked
  const format = output && options.format && model.formats ? answerFormat(output) : undefined
  const said = work.handing ? outer.tools.instructions : ''
  const tools = servedBox(services, told, shown => toolbox(said, shown, format ? undefined : output))
  let live = false
  const outcome = await place.branch(
    `llm ${n}`,
    '',
    async (own): Promise<Outcome> => {
      live = true
      const { agent, limits, depth, trusts } = outer
      const c = inner(work, {
        kept: new Kept(work.kept),
        place: own,
        thread,
        agent,
        model,
        tools,
        output,
        format,
        label: options.label,
        settings,
        compact: undefined,
        limits,
        depth,
        trusts,
      })
      const from = thread.rows
      const words = await own.step('prompt', async () => prompt)
      if (options.system) post(c, systemMessage(options.system))
      post(c, fromInside(words, { from: 'tool', tool: work.made.tool }))
      const ending = await work.around(() => outer.session.loop(c))
      if (ending.ended === 'stopped') throw new ToolwrightError('T7007', 'the model was stopped')
      return withKept(kept(ending, c.budget, { thread: thread.id, from, to: thread.rows }), c.kept)
    },
    true,
  )
  if (!live) {
    if (outcome.usage) work.budget.charge(outcome.usage)
    if (outcome.rows) thread.restore(await place.rows(thread.id, outcome.rows.from, outcome.rows.to))
  }
  if (outcome.remembered) work.kept.add(outcome.remembered)
  if (outcome.ended === 'turn') work.endTurn('turn')
  if (output && !outcome.ended) work.structured = thread.rows
  return output ? outcome.value : outcome.text
}

/** The model, with what it writes shown when it is whole. */
function unstreamed(model: Model): Model {
  return { ...model, turn: (request, _, signal) => model.turn(request, () => !signal.aborted, signal) }
}

function kept(ending: Ending, budget: Budget, rows: NonNullable<Outcome['rows']>): Outcome {
  const outcome: Outcome = { text: ending.text, usage: budget.usage(), rows }
  const ended = ending.ended === 'turn' ? { ended: ending.scope ?? 'call' } : {}
  return ending.output === undefined
    ? { ...outcome, ...ended }
    : { ...outcome, ...ended, value: ending.output }
}

function inner(work: Work, parts: Parts): Conversation {
  const { session, span, parent, format: _, ...outer } = work.conversation
  const where = { span, parent }
  const { allowed, format, label, ...rest } = parts
  const watch = new Watch(session.clock, work.watch)
  const { path } = parts.place
  return {
    ...outer,
    ...rest,
    ...(format ? { format } : {}),
    label,
    kept: parts.kept ?? work.kept,
    session,
    watch,
    budget: new Budget(work.budget, allowed, watch),
    stop: new Stop(work.stop),
    slots: new Slots(parts.limits.toolsAtOnce),
    repeats: new Repeats(parts.limits.repeats),
    // An agent talks in the very place of its call; the log tells the two apart by the slash.
    span: path === work.span ? `${path}/` : path,
    parent: work.span,
    inside: work,
    hears: undefined,
    shown: work.handing ? (outer.shown ?? where) : undefined,
    turn: undefined,
  }
}
