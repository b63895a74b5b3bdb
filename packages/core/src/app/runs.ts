// The runs of an app, for code and for the faces: started, watched, answered, stopped, deleted.
import { AGENT, type Agent, isAgent } from '../define/agent.ts'
import type { GivenFile } from '../define/files.ts'
import { FLOW, type Flow } from '../define/flow.ts'
import type { Json, Model, Piece } from '../define/records.ts'
import { TOOL } from '../define/tool.ts'
import type { Clock } from '../engine/clock.ts'
import { decode, encode } from '../engine/codec.ts'
import {
  type Asked,
  type Engine,
  type Filter,
  type RunRecord,
  type Step,
  settledAs,
} from '../engine/engine.ts'
import type { Decision } from '../engine/place.ts'
import { ToolwrightError } from '../errors.ts'
import { signalOf } from '../loop/flow.ts'
import type { Log } from '../loop/log.ts'
import { type Approvers, letsIn } from './people.ts'
import { replayedModel } from './replayed.ts'
import { type AgentInput, FREE, freeAfter, lastOn, threadKey } from './thread.ts'
import { type AgentOutput, MAIL } from './work.ts'

/** A run, or its id. */
export type RunOrId = string | { readonly id: string }

/** What an agent is started with: a message, or a record with it. */
export type AgentStart =
  | string
  | {
      message: string
      files?: readonly GivenFile[]
      /** The name of a thread that goes on; left out: one of its own. */
      thread?: string
      /** What recipes and tools may take from the run, by name. */
      variables?: Record<string, Json>
    }

/** How a run is started. */
export interface StartOptions {
  /** Who starts it. */
  person?: string
  /** Starting again with the same key gives the run of the first time. */
  key?: string
  /** It comes from outside: what the definition's `access` does not let in is refused [false: code may start anything]. */
  outside?: boolean
}

/** 'taken': it counts. 'no longer waiting': it came too late, was decided before, or nothing of that name waits; nothing changed. */
export type Answered = 'taken' | 'no longer waiting'

/** What the run of an agent gave, as a whole. */
export interface RunResult<O = unknown> {
  /** The text of the answer, or what was written when it was stopped. */
  answer: string
  /** The record, where the agent states one; of a flow, what it gave. */
  output: O
  ended: AgentOutput['ended']
  limit?: string
  usage?: AgentOutput['usage']
}

/** What runs are made of. */
export interface RunsOf {
  engine: Engine
  clock: Clock
  open: () => Promise<void>
  definitions: readonly (Agent | Flow)[]
  approvers: Approvers | undefined
  log: Log | undefined
}

const COMING: Decision & { approved: false } = {
  approved: false,
  why: 'the person wrote something else instead',
}

/** The runs of an app. */
export class Runs {
  private readonly of: RunsOf
  private readonly engine: Engine
  /** The threads on which a run is being started, each with the end of the last start. */
  private readonly starting = new Map<string, Promise<unknown>>()

  constructor(of: RunsOf) {
    this.of = of
    this.engine = of.engine
  }

  /** Starts a run of an agent on a message. It is durable when this resolves. */
  start(agent: Agent<unknown>, input: AgentStart, options?: StartOptions): Promise<RunRecord>
  /** Starts a run of a flow on its input. */
  start<I>(flow: Flow<I, unknown>, input: I, options?: StartOptions): Promise<RunRecord>
  /** The same by the name of the definition. */
  start(definition: string, input: unknown, options?: StartOptions): Promise<RunRecord>
  async start(
    definition: Agent<unknown> | Flow<never, unknown> | string,
    input: unknown,
    { person, key, outside = false }: StartOptions = {},
  ): Promise<RunRecord> {
    const found = this.find(definition)
    const { name } = found
    if (outside) await this.admit(found, person)
    // Another person's key is another key, and so is that of another definition.
    const own = key === undefined ? {} : { key: JSON.stringify([name, person ?? null, key]) }
    const who = { ...(person === undefined ? {} : { person }), ...own }
    await this.of.open()
    if (!isAgent(found))
      return await this.engine.run({ flow: name, input: this.inputOf(found, input), ...who })
    const given = agentInput(name, input)
    if (given.thread === undefined)
      return await this.engine.run({ flow: name, input: given as unknown as Json, ...who })
    // One at a time, so that of two that start at once each knows whom it comes after.
    const thread = threadKey(person, name, given.thread)
    const starting = Promise.resolve(this.starting.get(thread)).then(() => this.startOn(name, given, who))
    const settled = starting.catch(() => undefined)
    this.starting.set(thread, settled)
    settled.then(() => this.starting.get(thread) === settled && this.starting.delete(thread))
    return await starting
  }

  private async startOn(
    name: string,
    given: AgentInput,
    who: { person?: string; key?: string },
  ): Promise<RunRecord> {
    if (this.engine.caps.many) return await this.startInLine(name, given, who)
    const before = await lastOn(this.engine, name, who.person, given.thread!)
    if (before) given.after = before.id
    const run = await this.engine.run({ flow: name, input: given as unknown as Json, ...who })
    // One that its key had started before comes after nobody anew.
    if (before && before.id !== run.id) await this.decline(before)
    freeAfter(this.engine, run)
    return run
  }

  /** Other processes start runs on the thread too: who comes after whom is for the store to say. */
  private async startInLine(
    name: string,
    given: AgentInput,
    who: { person?: string; key?: string },
  ): Promise<RunRecord> {
    const line = { name: threadKey(who.person, name, given.thread!), channel: FREE }
    const run = await this.engine.run({ flow: name, input: given as unknown as Json, ...who, line })
    const before = run.after === undefined ? undefined : await this.engine.get(run.after)
    if (before && run.status === 'ready') await this.decline(before)
    return run
  }

  /** The run's answer when it has ended: the record that the agent states, else its text; what the flow gave. */
  async answer<O = unknown>(run: RunOrId): Promise<O> {
    const result = await this.result<O>(run)
    return result.output
  }

  /** All that the run gave, when it has ended. Rejects where it failed, is parked or stuck, with the reason of the run. */
  async result<O = unknown>(run: RunOrId): Promise<RunResult<O>> {
    await this.of.open()
    const settled = await this.engine.settled(idOf(run))
    const { status, output } = settled
    if (status !== 'done' && !(status === 'stopped' && output !== undefined)) throw errorOf(settled)
    if (!this.isOfAgent(settled)) {
      const given = decode(output ?? null)
      const answer = typeof given === 'string' ? given : JSON.stringify(given)
      return { answer, output: given as O, ended: status === 'stopped' ? 'stopped' : 'answer' }
    }
    const { text, output: record, ended, limit, usage } = output as unknown as AgentOutput
    return {
      answer: text,
      output: (record === undefined ? text : decode(record)) as O,
      ended,
      usage,
      ...(limit === undefined ? {} : { limit }),
    }
  }

  /**
   * What the run shows, from its beginning or from `from`, until it has ended: each piece with its position, from which
   * a reader that was cut off goes on. Of a run that works in another process there are none, unless the store is one for
   * many machines.
   */
  async *pieces(run: RunOrId, from = 0): AsyncGenerator<Piece & { at: number }> {
    await this.of.open()
    for await (const { at, piece } of this.engine.pieces(idOf(run), from)) yield { ...piece, at }
  }

  /** Lets the call that waits in the step `ask` be made. An answer that comes before its ask waits for it. */
  approve(run: RunOrId, ask: string, options: { by?: string } = {}): Promise<Answered> {
    const { by } = options
    return this.decide(run, ask, { approved: true, ...(by === undefined ? {} : { by }) }, by)
  }

  /** Has the model told `T7111` in place of the call's answer; `forRun`: of each further call of that tool too, unasked. */
  async refuse(
    run: RunOrId,
    ask: string,
    { why, by, forRun = false }: { why?: string; by?: string; forRun?: boolean } = {},
  ): Promise<Answered> {
    const waiting = forRun ? (await this.engine.asks(idOf(run))).find(each => each.step === ask) : undefined
    const decision: Decision = {
      approved: false,
      ...(why === undefined ? {} : { why }),
      ...(by === undefined ? {} : { by }),
      ...(waiting ? { forRun: waiting.definition ?? waiting.call.tool } : {}),
    }
    return await this.decide(run, ask, decision, by)
  }

  private async decide(
    run: RunOrId,
    step: string,
    decision: Decision,
    by: string | undefined,
  ): Promise<Answered> {
    const id = idOf(run)
    if (!/(^|\/)ask [^/]+$/.test(step))
      throw new ToolwrightError('T7023', `${JSON.stringify(step)} is no ask of a run`, {
        fix: "asks are called 'ask 1.1', of nested work behind a slash; `runs.asks(run)` lists those that wait",
      })
    if (by !== undefined && !(await this.mayAnswer(id, step, by)))
      throw new ToolwrightError('T7020', `${by} may not answer ${step} of the run ${id}`, {
        fix: 'who started the run may, and whom `approvers` of the app lets',
      })
    return (await this.engine.decide(id, step, decision)) === 'taken' ? 'taken' : 'no longer waiting'
  }

  private async mayAnswer(id: string, step: string, by: string): Promise<boolean> {
    const run = await this.engine.get(id)
    if (!run) return false
    if (run.person === by) return true
    const ask = (await this.engine.asks(id)).find(each => each.step === step)
    return ask !== undefined && (await this.of.approvers?.(by, ask)) === true
  }

  /** Says something to a run while it works: read before its next turn. Where it waits, its open asks count as not agreed. */
  async send(run: RunOrId, message: string): Promise<void> {
    const id = idOf(run)
    const found = await this.get(id)
    const decline = found.status === 'waiting' ? { decline: COMING } : {}
    if ((await this.engine.send(id, MAIL, message, decline)) === 'unknown')
      throw new ToolwrightError('T7021', `the run ${id} has ended, and hears nothing any more`, {
        fix: 'start another on its thread: runs.start(agent, { message, thread })',
      })
  }

  /** Brings `value` to whoever waits for it in the run: `await wait(name)` in a flow. */
  async signal(run: RunOrId, name: string, value: unknown = null): Promise<void> {
    const id = idOf(run)
    if ((await this.engine.send(id, signalOf(name), encode(value, name))) === 'unknown')
      throw new ToolwrightError(
        'T7021',
        `the run ${id} is not there, or has ended, and hears nothing any more`,
      )
  }

  /** The asks that wait, of all runs or of one, the oldest first. */
  asks(run?: RunOrId): Promise<Asked[]> {
    return this.engine.asks(run === undefined ? undefined : idOf(run))
  }

  /** The runs, the newest first. */
  list(filter?: Filter): Promise<RunRecord[]> {
    return this.engine.list(filter)
  }

  /** Throws `T6008` where there is none. */
  async get(run: RunOrId): Promise<RunRecord> {
    const found = await this.engine.get(idOf(run))
    if (found) return found
    throw new ToolwrightError('T6008', `there is no run ${JSON.stringify(idOf(run))}`)
  }

  /** The steps of a run, in the order in which they were kept, with what they gave. */
  steps(run: RunOrId): Promise<Step[]> {
    return this.engine.steps(idOf(run))
  }

  /** Asks a run to stop: what it wrote is kept. False where it has ended. */
  stop(run: RunOrId): Promise<boolean> {
    return this.engine.stop(idOf(run))
  }

  /** Lets a run that is parked or stuck try again. */
  resume(run: RunOrId): Promise<boolean> {
    return this.engine.resume(idOf(run))
  }

  /** Deletes a run that has ended, and all that it wrote, to the log too. False where there is none, or where it works. */
  async delete(run: RunOrId): Promise<boolean> {
    const gone = await this.engine.delete(idOf(run))
    if (gone) this.of.log?.forget?.(idOf(run))
    return gone
  }

  /** Deletes all runs and threads of a person; those that work are stopped first. Gives how many runs there were. */
  async forget(person: string): Promise<number> {
    await this.of.open()
    const runs = await this.engine.list({ person, limit: 1_000_000 })
    for (const run of runs) if (!settledAs(run.status)) await this.engine.stop(run.id)
    for (const run of runs) await this.engine.settled(run.id)
    for (const run of runs) await this.delete(run)
    return runs.length
  }

  /**
   * A new run that goes on from another as if that had never got further: all that was kept before the step (`'model 3'`)
   * is given, and from there on the code works as it is now. It writes to no thread but its own.
   */
  async fork(run: RunOrId, before: string): Promise<RunRecord> {
    await this.of.open()
    const found = await this.get(run)
    const step = (await this.engine.steps(found.id)).find(each => each.name === before)
    if (!step)
      throw new ToolwrightError('T7023', `the run ${found.id} has no step ${JSON.stringify(before)}`, {
        fix: '`runs.steps(run)` lists them',
      })
    const { after: _, ...input } = (found.input ?? {}) as unknown as AgentInput
    return await this.engine.run({
      flow: found.flow,
      input: this.isOfAgent(found) ? ({ ...input, fork: true } as unknown as Json) : found.input,
      ...(found.person === undefined ? {} : { person: found.person }),
      fork: { run: found.id, before: step.key },
    })
  }

  /**
   * A model that says again what the model of this run said, turn by turn; with `at`, what that of a child said
   * ('tool 1.2 expert'). A run that was kept is a test of the code of today: give it to the agent as its model.
   */
  async replayed(run: RunOrId, at = ''): Promise<Model> {
    return replayedModel(await this.engine.steps((await this.get(run)).id), at)
  }

  private find(definition: Agent<unknown> | Flow<never, unknown> | string): Agent | Flow {
    const { definitions } = this.of
    const name = typeof definition === 'string' ? definition : definition?.name
    const found = definitions.find(each => each.name === name)
    const same = typeof definition === 'string' || found === (definition as unknown)
    if (found && same) return found
    const there = definitions.map(each => each.name).join(', ') || 'nothing'
    throw new ToolwrightError(
      'T7024',
      `${JSON.stringify(name)} is no agent or flow of this app, which has ${there}`,
      {
        fix: 'name it in app({ agents, flows })',
      },
    )
  }

  private isOfAgent(run: RunRecord): boolean {
    const found = this.of.definitions.find(each => each.name === run.flow)
    return found === undefined ? isAgentOutput(run.output) : isAgent(found)
  }

  private async admit(found: Agent | Flow, person: string | undefined): Promise<void> {
    const access = isAgent(found) ? found[AGENT].access : (found as Flow)[FLOW].access
    if (access !== undefined && (await letsIn(access, person))) return
    const who = person === undefined ? 'nobody who is signed in' : JSON.stringify(person)
    throw new ToolwrightError('T7019', `${found.name} cannot be started from outside by ${who}`, {
      fix: "state access: 'anyone', 'signedIn' or a rule on it; left out, only code starts it",
    })
  }

  private inputOf(flow: Flow, input: unknown): Json {
    const read = flow[TOOL].input.read(input ?? {})
    if (read.ok) return encode(read.value, 'input')
    throw new ToolwrightError('T2001', `the input of ${flow.name} does not read: ${read.faults.join('; ')}`)
  }

  /** Its open asks are answered as not agreed, where it only waits. */
  private async decline(run: RunRecord): Promise<void> {
    if (run.status !== 'waiting') return
    for (const ask of await this.engine.asks(run.id)) await this.engine.decide(run.id, ask.step, COMING)
  }
}

/** Why a run has no answer, as its row keeps it: the code, what happened, and the mend. */
function errorOf({ id, status, error }: RunRecord): ToolwrightError {
  if (!error) return new ToolwrightError('T7022', `the run ${id} was ${status} before it had an answer`)
  const [problem = '', fix] = error.message.replace(/^[TA]\d{4}: /, '').split('\n  ')
  return new ToolwrightError(error.code ?? 'T7022', problem, fix === undefined ? {} : { fix })
}

function idOf(run: RunOrId): string {
  return typeof run === 'string' ? run : run.id
}

function isAgentOutput(output: Json | undefined): boolean {
  return (
    typeof output === 'object' &&
    output !== null &&
    !Array.isArray(output) &&
    'ended' in output &&
    'usage' in output
  )
}

function agentInput(agent: string, given: unknown): AgentInput {
  const record = typeof given === 'string' ? { message: given } : (given as Record<string, unknown> | null)
  const { message, files, thread, variables } = (record ?? {}) as Record<string, unknown>
  const wrong = (what: string): ToolwrightError =>
    new ToolwrightError('T2001', `the input of ${agent} does not read: ${what}`, {
      fix: "write runs.start(agent, 'message'), or { message, files, thread, variables }",
    })
  if (typeof message !== 'string') throw wrong('message is no text')
  if (thread !== undefined && (typeof thread !== 'string' || thread === '')) throw wrong('thread is no name')
  if (files !== undefined && !Array.isArray(files)) throw wrong('files is no list')
  return {
    message,
    ...(files === undefined || files.length === 0 ? {} : { files: encode(files, 'files') }),
    ...(thread === undefined ? {} : { thread }),
    ...(variables === undefined ? {} : { variables: encode(variables, 'variables') as Record<string, Json> }),
  }
}
