// `run` and `ask`: the door of scripts to the loop, on the engine in memory.
import { AGENT, type Agent, isAgent } from '../define/agent.ts'
import type { GivenFile } from '../define/files.ts'
import type { Limits } from '../define/limits.ts'
import { unknownOptions } from '../define/names.ts'
import { ANSWER, DECLINED, type Json, type Piece } from '../define/records.ts'
import { statedShape } from '../define/tool.ts'
import type { Typed } from '../define/typed.ts'
import { type Clock, realClock } from '../engine/clock.ts'
import { memory } from '../engine/memory.ts'
import type { Ask, Decision } from '../engine/place.ts'
import { Stop } from '../engine/stop.ts'
import { type Fault, refuse } from '../errors.ts'
import { isRecord } from '../tell/answer.ts'
import type { InferInput, Shape, Statement } from '../value/shape.ts'
import { current } from './ambient.ts'
import { attach, statusOf, takeBack } from './attach.ts'
import { begin } from './begin.ts'
import type { Conversation, Ending } from './conversation.ts'
import { Pieces, type Result, type Run, RunHandle } from './handle.ts'
import type { Log } from './log.ts'
import { logged } from './logfile.ts'
import { reason } from './outcome.ts'
import { fromPerson, type Thread, thread as threadOn } from './thread.ts'
import { Work, waitsForItself } from './work.ts'

/** Asks a person whether a call may run. */
export type Approver = (ask: Ask) => Decision | boolean | Promise<Decision | boolean>

/** What a run may be told beside its prompt. */
export interface RunOptions<S extends Statement | undefined = undefined> {
  /** Called with each piece as it comes. */
  each?: (piece: Piece) => void
  /** Files that the person gives with the prompt. */
  files?: readonly GivenFile[]
  /** Aborting it stops the run: what was written is kept. */
  signal?: AbortSignal
  /** The conversation to go on with; left out: the agent's own. */
  thread?: Thread
  /** Handed to every tool as `ctx.deps`. */
  deps?: unknown
  /** Asks a person, where the agent has no `approve` of its own. Left out: what asks is declined. */
  approver?: Approver
  /** Asks before each call of a tool that is not read-only, as an agent's `approve` does. */
  asksEach?: boolean
  /** The shape of the answer. */
  output?: S
  /** Values by name that tools and recipes may take, and no model is told. They stay with the conversation. */
  variables?: Readonly<Record<string, Json>>
  /** Gives the pieces of work inside of calls too; their step has a slash. Left out: only what asks a person. */
  nested?: boolean
  log?: Log
  /** The clock of timeouts and limits, for tests. */
  clock?: Clock
}

const OPTIONS = 'each files signal thread deps variables approver asksEach output nested log clock'.split(' ')
const MENDS = {
  onPiece: 'write each',
  abortSignal: 'write signal',
  schema: 'write output',
  context: 'write deps',
  tools: 'state the tools on the agent',
  model: 'state the model on the agent',
}

type Each = (piece: Piece) => void

/** Asks the agent `prompt` and gives its answer. The prompt and every message of the run join the agent's history. */
export function run<O, const S extends Statement | undefined = undefined>(
  agent: Agent<O>,
  prompt: string,
  options?: Each | RunOptions<S>,
  files?: RunOptions | readonly GivenFile[],
): Run<string, S extends Statement ? InferInput<S> : O> {
  return start(agent, prompt, settle(options, files), result => result.answer) as Run<string, never>
}

/** Asks the agent `prompt` for a record: of `output`, or of the agent's own. */
export function ask<const S extends Statement>(
  agent: Agent<unknown>,
  prompt: string,
  options: RunOptions<S> & { output: S },
): Run<InferInput<S>, InferInput<S>>
export function ask<O>(agent: Agent<O>, prompt: string, options?: Each | RunOptions): Run<O, O>
/** The same for a record of type T, from its declaration (`@toolwright/typed`). */
export function ask<T>(
  agent: Agent<unknown>,
  prompt: string,
  options?: Each | RunOptions,
  typed?: Typed,
): Run<T, T>
export function ask(
  agent: Agent<unknown>,
  prompt: string,
  options?: Each | RunOptions<Statement | undefined>,
  typed?: Typed,
): Run<unknown, unknown> {
  const output = typed?.().output
  const settled = settle(options, output === undefined ? undefined : { output })
  if (settled.output === undefined && isAgent(agent) && !agent[AGENT].output)
    refuse('ask', [
      {
        option: 'output',
        problem: 'is missing',
        fix: 'write ask(agent, prompt, { output: { … } }), or state it on the agent; for ask<T>(…), run node --import toolwright/register',
      },
    ])
  return start(agent, prompt, settled, result => result.output)
}

function settle(first: unknown, second: unknown): RunOptions<Statement | undefined> {
  const options: RunOptions<Statement | undefined> =
    typeof first === 'function'
      ? { each: first as Each }
      : { ...(first as RunOptions<Statement | undefined>) }
  if (Array.isArray(second)) return { ...options, files: second as readonly GivenFile[] }
  return second ? { ...options, ...(second as RunOptions) } : options
}

let stamp = ''
let runs = 0

/** A run's id: counted in this process, and told apart from those of others. */
function newId(): string {
  stamp ||= globalThis.crypto.randomUUID().slice(0, 8)
  return `${stamp}-${++runs}`
}

function start<T>(
  agent: Agent<unknown>,
  prompt: string,
  options: RunOptions<Statement | undefined>,
  value: (r: Result<unknown>) => T,
): Run<T, unknown> {
  const { output, limits } = check(agent, prompt, options)
  const id = newId()
  const clock = options.clock ?? realClock
  const thread = options.thread ?? threadOn(agent.history)
  const around = current()
  const waiting = around instanceof Work ? around.conversation.session.held : []
  if (waiting.includes(thread)) throw waitsForItself('a run on this conversation')
  const { approve, stop: asksToStop } = agent
  // What goes wrong outside of the loop ends the run, but not before what is under way has left its results.
  let fatal: { error: unknown } | undefined
  const ends = (error: unknown): void => {
    fatal ??= { error }
    stopper.stop()
  }
  const approver: Approver | undefined = approve ? asked => approve(asked.call) : options.approver
  const asks =
    approver &&
    (async (asked: Ask) => {
      try {
        return await approver(asked)
      } catch (error) {
        ends(error)
        return false
      }
    })
  const stopper = new Stop()
  const stop = (): void => stopper.stop()
  if (options.signal?.aborted) stop()
  else options.signal?.addEventListener('abort', stop)
  const pieces = new Pieces()
  let over = false
  const emit = (piece: Piece, nested: boolean): void => {
    // What outlived its time may still have something to say: not after the end.
    if (over) return
    if (piece.kind === 'done' || piece.kind === 'stopped' || piece.kind === 'error') over = true
    if (nested && !options.nested && piece.kind !== 'ask') return
    pieces.add(piece)
    try {
      options.each?.(piece)
    } catch (error) {
      ends(error)
    }
  }
  const place = memory({ id, clock, stop: stopper, emit, ...(asks ? { asks } : {}) })
  const { files = [] } = options
  const work = async (): Promise<Result<unknown>> => {
    // The handle is there before the first piece is.
    await undefined
    let c: Conversation | undefined
    const row = thread.rows
    try {
      thread.settle()
      const from = thread.messages.length
      const { text, images } =
        files.length > 0 ? await attach(thread, prompt, files, stopper.signal) : { text: prompt, images: [] }
      const { conversation, ending } = begin(agent[AGENT], fromPerson(text, images), {
        id,
        place,
        thread,
        clock,
        output,
        limits,
        deps: options.deps,
        ...(options.variables === undefined ? {} : { variables: options.variables }),
        log: logged(options.log),
        asksEach: approve !== undefined || options.asksEach === true,
        asksToStop,
        declined: () => DECLINED,
        held: [...waiting, thread],
      })
      c = conversation
      const end = await ending
      if (fatal) throw fatal.error
      emit(
        { kind: end.ended === 'stopped' ? 'stopped' : 'done', text: end.text, step: '', attempt: 1 },
        false,
      )
      const result = resultOf(end, conversation, from)
      if (fatal) throw (fatal as { error: unknown }).error
      return result
    } catch (error) {
      thread.settle()
      if (c) takeBack(c, row, statusOf(error))
      failing(() => emit({ kind: 'error', text: reason(error), step: '', attempt: 1 }, false))
      throw error
    } finally {
      if (c) count(agent, c)
      options.signal?.removeEventListener('abort', stop)
      pieces.end()
    }
  }
  const wrapped = output !== undefined && !isRecord(output.schema)
  return new RunHandle(thread.alone(work), value, pieces, stop, wrapped)
}

/** Reads what a run was told, and throws one error that lists all that is wrong with it. */
function check(
  agent: Agent<unknown>,
  prompt: string,
  options: RunOptions<Statement | undefined>,
): { output: Shape | undefined; limits: Limits } {
  const faults: Fault[] = []
  const definition = isAgent(agent) ? agent[AGENT] : undefined
  if (!definition)
    refuse('run', [
      { option: 'agent', problem: 'is no agent', fix: "write run(agent('name', { … }), 'prompt')" },
    ])
  if (typeof prompt !== 'string')
    faults.push({ option: 'prompt', problem: `is ${typeof prompt}`, fix: 'write a text' })
  faults.push(...unknownOptions(options, OPTIONS, MENDS))
  let output = definition!.output
  if (options.output !== undefined) {
    output = statedShape('output', options.output, faults)
    for (const told of definition!.told)
      if (told.name === ANSWER)
        faults.push({
          option: 'output',
          problem: `is asked for by \`${ANSWER}\`, and a tool is told under that name`,
          code: 'T1009',
        })
  }
  const { variables } = options
  if (
    variables !== undefined &&
    (typeof variables !== 'object' || variables === null || Array.isArray(variables))
  )
    faults.push({ option: 'variables', problem: 'is no record', fix: "write variables: { customer: '7' }" })
  const limits = {
    ...definition!.limits,
    steps: written(agent.rounds, 'rounds', faults),
    tokensOut: written(agent.maxTokens, 'maxTokens', faults) || Number.POSITIVE_INFINITY,
    time: written(agent.maxMs, 'maxMs', faults) || Number.POSITIVE_INFINITY,
  }
  refuse(`the run of agent ${JSON.stringify(definition!.name)}`, faults)
  return { output, limits }
}

function written(value: number, option: string, faults: Fault[]): number {
  if (typeof value === 'number' && value >= 0) return value
  faults.push({ option, problem: `is ${String(value)}`, fix: 'write a number, 0 or above' })
  return 0
}

function resultOf(end: Ending, c: Conversation, from: number): Result<unknown> {
  return {
    answer: end.text,
    output: end.output,
    messages: c.thread.messages.slice(from),
    usage: c.budget.usage(),
    cost: c.budget.cost,
    ended: end.ended,
    limit: end.limit,
  }
}

/** Adds to the agent's counters what the run used. */
function count(agent: Agent<unknown>, c: Conversation): void {
  agent.tokens += c.budget.tokens
  agent.input += c.budget.input
  if (!c.turn) return
  agent.context = c.turn.input + c.turn.tokens
  if (c.turn.window > 0) agent.window = c.turn.window
}

/** Does what must not hide the error that is on its way. */
function failing(work: () => void): void {
  try {
    work()
  } catch {
    // The first error is the one to tell.
  }
}
