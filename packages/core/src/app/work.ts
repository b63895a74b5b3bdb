// How the runs of an app work: an agent or a flow at the place that its engine gives it.
import { AGENT, type Agent } from '../define/agent.ts'
import { FLOW, type Flow as FlowOf } from '../define/flow.ts'
import { defaults } from '../define/limits.ts'
import type { Json, Message, Piece, Usage } from '../define/records.ts'
import type { Clock } from '../engine/clock.ts'
import { decode, encode } from '../engine/codec.ts'
import type { Flow, RunPlace, RunRecord } from '../engine/engine.ts'
import { statusOf, takeBack } from '../loop/attach.ts'
import { type Beginning, begin, beginFlow } from '../loop/begin.ts'
import type { Ending } from '../loop/conversation.ts'
import type { Log } from '../loop/log.ts'
import { reason } from '../loop/outcome.ts'
import { fromPerson, Thread } from '../loop/thread.ts'
import { bars, notAgreed, type People } from './people.ts'
import { type AgentInput, openThread, readFiles, remembering } from './thread.ts'

/** What the runs of an app have in common. */
export interface Around {
  clock: Clock
  deps: unknown
  log: Log | undefined
  people: People | undefined
}

/** What the run of an agent gives, as its row keeps it. */
export interface AgentOutput {
  ended: Ending['ended']
  limit?: string
  text: string
  /** Encoded; where a record was asked for. */
  output?: Json
  usage: Usage
}

/** The channel of what people say while a run works. */
export const MAIL = 'mail'

/** A run of `agent`. */
export function agentRun(agent: Agent, around: Around): Flow {
  const definition = agent[AGENT]
  return async (place, run) => {
    const input = run.input as unknown as AgentInput
    return await shown(place, async () => {
      const thread = await openThread(place, run, input)
      const { text, images } = await readFiles(place, thread, input)
      const { limits, output } = definition
      const from = thread.rows
      const { conversation, ending } = begin(definition, fromPerson(text, images), {
        ...beginning(place, run, around, thread),
        ...(input.variables === undefined
          ? {}
          : { variables: decode(input.variables) as Record<string, unknown> }),
        limits,
        output,
        hears: n => heard(place, n),
      })
      const end = await ending.catch(async error => {
        // What the server said is known when it happens only, and the rows must be the same when the run is taken up.
        if (thread.since(from).some(([, { images }]) => images)) {
          const status = await place.step('refused', async () => statusOf(error) ?? null)
          takeBack(conversation, from, status)
        }
        throw error
      })
      const given: AgentOutput = { ended: end.ended, text: end.text, usage: conversation.budget.usage() }
      if (end.limit !== undefined) given.limit = end.limit
      if (end.output !== undefined) given.output = encode(end.output, 'output')
      return {
        given: given as unknown as Json,
        kind: end.ended === 'stopped' ? 'stopped' : 'done',
        text: end.text,
      }
    })
  }
}

/** A run of `flow`. */
export function flowRun(flow: FlowOf, around: Around): Flow {
  const definition = flow[FLOW]
  return async (place, run) =>
    await shown(place, async () => {
      const b = beginning(place, run, around, new Thread(place.key))
      const given = await beginFlow(definition, decode(run.input), {
        ...b,
        limits: defaults,
        output: undefined,
      })
      const text = typeof given === 'string' ? given : JSON.stringify(given ?? null)
      return { given: encode(given, 'output'), kind: place.stop.stopped ? 'stopped' : 'done', text }
    })
}

function beginning(
  place: RunPlace,
  run: RunRecord,
  { clock, deps, log, people }: Around,
  thread: Thread,
): Omit<Beginning, 'limits' | 'output'> {
  return {
    id: run.id,
    place,
    thread,
    clock,
    deps,
    person: run.person,
    // What was told before a restart is not told again.
    log: log && (event => void (place.replays || log(event))),
    asksEach: false,
    declined: notAgreed,
    bars: bars(run.person, people),
    remembers: remembering(run),
    patient: true,
  }
}

/** What people said since, in the order in which they did. */
async function heard(place: RunPlace, n: string): Promise<readonly Message[]> {
  const said = await place.receive(`mail ${n}`, MAIL)
  return said.map(text => fromPerson(String(text)))
}

type End = { given: Json; kind: 'done' | 'stopped'; text: string }

/** Shows how it ended to whoever watches. */
async function shown(place: RunPlace, work: () => Promise<End>): Promise<Json> {
  const end = (kind: 'done' | 'stopped' | 'error', text: string): void =>
    place.emit({ kind, text, step: '', attempt: 1 } satisfies Piece)
  try {
    const { given, kind, text } = await work()
    end(kind, text)
    return given
  } catch (error) {
    end('error', reason(error))
    throw error
  }
}
