// A flow: code whose steps are kept, so that it goes on where it was. It can be started, and it can be a tool.
import { type Fault, refuse } from '../errors.ts'
import type { InferInput, Shape, Statement } from '../value/shape.ts'
import type { Agent } from './agent.ts'
import type { Inner } from './context.ts'
import type { Duration } from './limits.ts'
import { nameFault, unknownOptions } from './names.ts'
import {
  type Access,
  checkAccess,
  checkLine,
  type Danger,
  type Definition,
  definition,
  type Input,
  type Line,
  readTries,
  statedShape,
  TOOL,
  type Tool,
  type Usable,
} from './tool.ts'
import type { PlainTool, Typed } from './typed.ts'

/** Options of {@link FlowContext.step}. */
export interface StepOptions {
  /** How often a failing step is done in all, with a pause that doubles [1]. */
  tries?: number
  /** How long it may take; after it, it has failed [no limit]. */
  timeout?: Duration
}

/** What the function of a step is handed. */
export interface StepHands {
  /** Aborts when the run is stopped or the step's time is over. */
  readonly signal: AbortSignal
  /** Names this step of this run for ever: the same when it is done again after a kill. */
  readonly key: string
  /** 1, one more each time that it was begun and not finished. */
  readonly attempt: number
}

/**
 * What the function of a flow is handed. A flow's code is begun anew when its run wakes, and what it did is given in
 * place of being done again: so whatever can come out otherwise (time, chance, the world) belongs in a step.
 */
export interface FlowContext<I = unknown, D = unknown> {
  readonly input: I
  /** Who started the run; absent where code did for nobody. */
  readonly person: string | undefined
  readonly deps: D
  /** The id of the run. */
  readonly run: string
  /** Aborts when the run is stopped. */
  readonly signal: AbortSignal
  /**
   * Does `fn` once and keeps what it gives: it is not done again after a kill. A repeated name gets a counter. One at a
   * time (`T7005`); for parallel work there is `all`.
   */
  step<T>(name: string, fn: (hands: StepHands) => T | Promise<T>, options?: StepOptions): Promise<T>
  /** Waits; a run that waits costs nothing. '10 minutes', '30 days', or ms. */
  sleep(time: Duration): Promise<void>
  /** Waits for what `runs.signal(run, name, value)` brings; nothing came `until` then (a time, or how long from now): undefined. */
  wait<T = unknown>(name: string, options?: { until?: Date | Duration }): Promise<T | undefined>
  /** Does `fn` for each entry at once, at most `atOnce` [8] at a time, each with steps of its own; results in the order of the list. */
  all<T, R>(
    list: readonly T[],
    fn: (entry: T, flow: FlowContext<I, D>, index: number) => Promise<R>,
    options?: { atOnce?: number },
  ): Promise<R[]>
  /** Calls a tool, a model, an agent or a flow as a call of this run: it asks where it asks, and is kept. */
  call<T>(flow: Flow<never, T>, input?: unknown): Promise<T>
  call<O>(agent: Agent<O>, input: { message: string; files?: readonly string[]; thread?: string }): Promise<O>
  call<T>(tool: Tool<never, T> | PlainTool<never, T>, input?: unknown): Promise<Awaited<T>>
  call(tool: Usable, input?: unknown): Promise<unknown>
  /** Tells whoever watches how far it is. */
  progress(text: string): void
}

/** What {@link flow} takes. */
export interface FlowStated<S extends Statement | undefined, O, D> {
  /** What it does. A flow that is a tool states it, `input` and `output` (`T7009`). */
  about?: string
  /** Who may start it from outside; left out: only code. */
  access?: Access
  /** It runs as the person who started the run. A flow that is a tool states it (`T7012`). */
  as?: 'starter'
  input?: S
  output?: Statement
  /** As a tool: when a call asks a person first. */
  danger?: Danger<Input<S>>
  /** As a tool: it changes nothing [false]. */
  readOnly?: boolean
  /** As a tool: it sends data out, and asks unless `trust` names it [false]. */
  sendsOut?: boolean
  /** As a tool: what a person is told while it runs. */
  line?: Line<Input<S>>
  /** As a tool: how often a failing call is tried in all [1]. */
  tries?: number
  run: (flow: FlowContext<Input<S>, D>) => O
}

/** What {@link flow} takes where the types of `run` tell its input (`@toolwright/typed`). */
export type FlowTyped<I, O, D> = Omit<FlowStated<undefined, O, D>, 'input' | 'danger' | 'line' | 'run'> & {
  input?: undefined
  danger?: Danger<I>
  line?: Line<I>
  run: (flow: FlowContext<I, D>) => O
}

/** A flow's definition, read: it never changes. */
export interface FlowDefinition {
  readonly name: string
  readonly input: Shape
  readonly output: Shape | undefined
  readonly access: Access | undefined
  readonly run: (flow: FlowContext) => unknown
}

/** The key under which a flow carries its {@link FlowDefinition}. */
export const FLOW: unique symbol = Symbol.for('toolwright.flow') as never

/** A flow that takes I and gives O. */
export interface Flow<I = never, O = unknown> extends Usable {
  readonly [FLOW]: FlowDefinition
  readonly name: string
  /** What it takes and gives: only types. */
  readonly '~input'?: (input: I) => void
  readonly '~output'?: O
}

const OPTIONS = 'about access as input output danger readOnly sendsOut line tries run'.split(' ')
const MENDS = {
  description: 'write about',
  execute: 'write run: async ({ input, step }) => …',
  handler: 'write run: async ({ input, step }) => …',
  inputSchema: 'write input',
  name: 'the name is the first argument: flow(name, { … })',
}

/** A flow called `name`; the types of `run` say what it takes (`@toolwright/typed`), where it takes anything. */
export function flow<I = Record<string, never>, O = unknown, D = unknown>(
  name: string,
  stated: FlowTyped<I, O, D>,
  typed?: Typed,
): Flow<I, Awaited<O>>
/** A flow called `name`. Throws one error that lists every fault of the statement. */
export function flow<const S extends Statement, O = unknown, D = unknown>(
  name: string,
  stated: FlowStated<S, O, D> & { input: S },
  typed?: Typed,
): Flow<InferInput<S>, Awaited<O>>
export function flow(
  name: string,
  stated: FlowStated<Statement | undefined, unknown, unknown>,
  typed?: Typed,
): Flow {
  const told = typed?.()
  const faults: Fault[] = []
  const what = `flow ${typeof name === 'string' ? JSON.stringify(name) : '?'}`
  const wrong = nameFault(name)
  if (wrong) faults.push({ option: 'name', problem: wrong })
  if (typeof stated !== 'object' || stated === null) {
    faults.push({ option: 'options', problem: 'are missing', fix: 'write flow(name, { run })' })
    refuse(what, faults)
  }
  faults.push(...unknownOptions(stated, OPTIONS, MENDS))
  const { about, access, as, danger, line } = stated
  if (about !== undefined && (typeof about !== 'string' || about.trim() === ''))
    faults.push({ option: 'about', problem: 'is no text', fix: 'say what it does, or leave it out' })
  checkAccess(access, faults)
  if (as !== undefined && as !== 'starter')
    faults.push({ option: 'as', problem: `is ${String(as)}`, fix: "write as: 'starter', or leave it out" })
  if (danger !== undefined && danger !== 'ask' && typeof danger !== 'function')
    faults.push({
      option: 'danger',
      problem: `is ${String(danger)}`,
      fix: "write 'ask', or a function that says when",
    })
  for (const option of ['readOnly', 'sendsOut'] as const)
    if (stated[option] !== undefined && typeof stated[option] !== 'boolean')
      faults.push({ option, problem: `is ${String(stated[option])}`, fix: 'write true or false' })
  checkLine(line, 'line', faults)
  const tries = readTries(stated.tries, 'tries', faults)
  if (typeof stated.run !== 'function')
    faults.push({ option: 'run', problem: 'is missing', fix: 'write run: async ({ input, step }) => …' })
  const stateInput = stated.input ?? told?.input
  const stateOutput = stated.output ?? told?.output
  const input = statedShape('input', stateInput ?? {}, faults)
  const output = stateOutput === undefined ? undefined : statedShape('output', stateOutput, faults)
  refuse(what, faults)
  const read: FlowDefinition = Object.freeze({
    name,
    input: input!,
    output,
    access,
    run: stated.run as FlowDefinition['run'],
  })
  const missing = [
    ...((about ?? told?.about ?? '') === '' ? ['about'] : []),
    ...(stateInput === undefined ? ['input'] : []),
    ...(stateOutput === undefined ? ['output'] : []),
  ]
  const tool: Definition = definition({
    name,
    about: (about ?? told?.about ?? '').trim(),
    input: input!,
    output,
    readOnly: stated.readOnly ?? false,
    sendsOut: stated.sendsOut ?? false,
    danger: danger as Danger | undefined,
    line: line as Line | undefined,
    tries,
    child: true,
    access,
    unfit: unfit(missing, as),
    execute: (given: unknown, ctx: Inner) => ctx.flow(read, given),
  })
  return Object.freeze({ [FLOW]: read, [TOOL]: tool, name })
}

/** Why a flow cannot be a tool. */
function unfit(missing: readonly string[], as: 'starter' | undefined): Fault[] {
  const faults: Fault[] = []
  if (missing.length > 0)
    faults.push({
      option: 'flow',
      problem: `does not state ${missing.join(' and ')}`,
      fix: 'a flow that is a tool states about, input and output: by them the model is told it',
      code: 'T7009',
    })
  if (as === undefined)
    faults.push({
      option: 'flow',
      problem: "does not state as: 'starter'",
      fix: "write as: 'starter': an agent runs as the person who started it",
      code: 'T7012',
    })
  return faults
}

/** True where `value` is a flow, of this copy of the package or of another. */
export function isFlow(value: unknown): value is Flow {
  return (typeof value === 'object' || typeof value === 'function') && value !== null && FLOW in value
}
