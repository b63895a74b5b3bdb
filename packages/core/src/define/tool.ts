// A tool: what it is told as, what it may do, and its function. There is one kind; functions, agents, models,
// recipes and servers' tools all become a Definition, and the loop knows nothing else.
import { type Fault, refuse, ToolwrightError } from '../errors.ts'
import { type InferArguments, type InferInput, type Shape, type Statement, shape } from '../value/shape.ts'
import type { Context, Inner } from './context.ts'
import { type Duration, duration } from './limits.ts'
import { nameFault, unknownOptions } from './names.ts'
import type { Json, JsonSchema } from './records.ts'
import { dataOf, jsonOf } from './result.ts'
import {
  callPlain,
  type Expanded,
  type Given,
  gather,
  type Plain,
  type PlainTool,
  type ToolTyped,
  type Typed,
  untold,
} from './typed.ts'

/** Who may start a run from outside: anyone, whoever is signed in, or whom the rule lets. */
export type Access = 'anyone' | 'signedIn' | ((person: string | undefined) => boolean | Promise<boolean>)

/** How long a tool without a `timeout` may work: 5 minutes. */
export const TIMEOUT = 300_000

/** What a person is told while a call runs: a text, one made of the input, or nothing (`false`). */
export type Line<I = never> = string | false | ((input: I) => string)

/** When a call asks a person: each time, or when the rule says so (true: ask). It is decided once a call. */
export type Danger<I = never> = 'ask' | ((input: I, ctx: Context) => boolean | Promise<boolean>)

/** A tool as the loop sees it. */
export interface Definition {
  readonly name: string
  readonly about: string
  readonly input: Shape
  readonly output?: Shape | undefined
  readonly readOnly: boolean
  readonly sendsOut: boolean
  readonly danger?: Danger | undefined
  readonly line?: Line | undefined
  /** How often a failing call is tried in all. */
  readonly tries: number
  /** ms of working time; Infinity: none. */
  readonly timeout: number
  readonly handoff: boolean
  /** Calls with the same arguments and the same result are no sign of a loop. */
  readonly polls: boolean
  /** 'never': an interrupted call is not tried again after a kill, but told as unknown. */
  readonly again: 'unlessDone' | 'never'
  /** Its function only works through its context, as flows and agents do: it may be begun anew while it waits. */
  readonly child?: true
  /** Who the run must be of for this to be called in an app; left out: anybody. */
  readonly access?: Access | undefined
  /** Why it cannot stand in a list of tools, where it cannot. */
  readonly unfit?: readonly Fault[]
  /** A call that was asked about under one version asks anew under another. */
  readonly version?: string | undefined
  /** What the effect depends on beside the input (an address, a variable): shown to the person who is asked. */
  resolve?(input: unknown, ctx: Inner): Json | Promise<Json>
  /** False: it is not told to a model now; a call of it is made all the same, and says why. Left out: it always is. */
  offered?(): boolean
  /** The outside service it belongs to, which `trust` may name in its place. */
  readonly service?: string | undefined
  /** Does the work. What it throws is a failed result for the model. */
  execute(input: unknown, ctx: Inner): unknown
}

/** A definition of which only what is special is stated: not read-only, one try, no time limit of its own. */
export function definition(
  stated: Pick<Definition, 'name' | 'about' | 'input' | 'execute'> & Partial<Definition>,
): Definition {
  return { ...plainDefinition, ...stated }
}

const plainDefinition = {
  readOnly: false,
  sendsOut: false,
  tries: 1,
  timeout: Number.POSITIVE_INFINITY,
  handoff: false,
  polls: false,
  again: 'unlessDone',
} as const

/** The key under which a tool, an agent and everything else that can be a tool carries its {@link Definition}. */
export const TOOL: unique symbol = Symbol.for('toolwright.tool') as never

/** Something that may stand in a list of tools. */
export interface Usable {
  readonly [TOOL]: Definition
}

/**
 * A tool. It can be called by code like the function it is: `await closeNote({ note: '3' })`. Its function is given `I`,
 * read and filled; who calls it gives `Given`: what has a default may be left out, and all of it where nothing is needed.
 */
export interface Tool<I = never, O = unknown, Given = I> extends Usable {
  (...input: NonNullable<unknown> extends Given ? [input?: Given] : [input: Given]): Promise<Awaited<O>>
  /** What its function is given: only a type. */
  readonly '~input'?: (input: I) => void
  readonly name: string
  readonly description: string
  /** The JSON Schema of its input. */
  readonly parameters: JsonSchema
  /** It changes nothing: a script's `approve` is not asked. */
  readonly readOnly: boolean
  /** Runs it on the text of its arguments and gives its answer as JSON text; rejects where it fails. */
  run(argumentsText: string): Promise<string>
}

/** What {@link tool} takes. */
export interface ToolStated<S extends Statement | undefined, O, D> {
  /** What it does, as a model is told. */
  about: string
  /** A record of value words, or a JSON Schema. Left out: it takes nothing. */
  input?: S
  /** What it gives; what does not read as it is a failed result. */
  output?: Statement
  /** It changes nothing [false]. */
  readOnly?: boolean
  /** When a call asks a person first; left out: only where the agent or the script asks. */
  danger?: Danger<Input<S>>
  /** It sends data out: it asks a person unless the agent's `trust` names it [false]. */
  sendsOut?: boolean
  /** What a person is told while it runs. */
  line?: Line<Input<S>>
  /** How often a failing call is tried in all [1]. */
  tries?: number
  /** How long it may work ['5 minutes']; Infinity: for ever. */
  timeout?: Duration
  /** Its `llm` calls write to the caller's thread. */
  handoff?: boolean
  /** The same arguments may give the same result again and again [false]. */
  polls?: boolean
  /** After a kill, an interrupted call is told as unknown in place of being tried again. */
  again?: 'never'
  run: (input: Input<S>, ctx: Context<D>) => O
}

/** The type of the input that a statement gives; a tool that states none takes an empty record. */
export type Input<S> = S extends Statement ? InferInput<S> : Record<string, never>

/** The type of what code may give where a statement stands. */
export type GivenInput<S> = S extends Statement ? InferArguments<S> : Record<string, never>

const OPTIONS =
  'about input output readOnly danger sendsOut line tries timeout handoff polls again run'.split(' ')
const MENDS = {
  description: 'write about',
  parameters: 'write input: a record of value words, or the same JSON Schema',
  inputSchema: 'write input; tools of another library come as they are through its door',
  schema: 'write input',
  execute: 'write run: (input, ctx) => …',
  handler: 'write run: (input, ctx) => …',
  func: 'write run: (input, ctx) => …',
  name: 'the name is the first argument: tool(name, { … })',
  needsApproval: "write danger: 'ask', or a rule danger: input => …",
}

/** A tool of a plain function, whose types and doc comments say the rest. `T2108` where nobody read them. */
export function tool<A extends readonly unknown[], O>(
  run: (...args: A) => O,
  typed?: Typed,
): PlainTool<Given<A>, O>
export function tool<I, O>(name: string, run: (input: I) => O, typed?: Typed): PlainTool<[input: I], O>
export function tool<A extends readonly unknown[], O>(
  name: string,
  run: (...args: A) => O,
  typed?: Typed,
): PlainTool<Given<A>, O>
/** A tool called `name`; the types of `run` say what it takes (`@toolwright/typed`), where it takes anything. */
export function tool<I = Record<string, never>, O = unknown, D = unknown>(
  name: string,
  stated: ToolTyped<I, O, D>,
  typed?: Typed,
): Tool<I, O>
/** A tool called `name`. Throws one `T1001` that lists every fault of the statement. */
export function tool<const S extends Statement, O = unknown, D = unknown>(
  name: string,
  stated: ToolStated<S, O, D> & { input: S },
  typed?: Typed,
): Tool<Input<S>, O, GivenInput<S>>
export function tool(
  first: string | Plain,
  second?: ToolStated<Statement | undefined, unknown, unknown> | Plain,
  third?: Typed,
): Usable {
  if (typeof first === 'function') return plainTool(first, (second as Typed | undefined)?.())
  if (typeof second === 'function') return plainTool(second, third?.(), first)
  return statedTool(first, second as ToolStated<Statement | undefined, unknown, unknown>, third?.())
}

/** A tool of a plain function, under `name` or its own. Throws `T2108` where its types were not read. */
export function plainTool(run: Plain, typed: Expanded | undefined, name = typed?.name ?? run.name): Usable {
  if (typed?.input === undefined) throw untold(`tool(${name === '' ? '' : `'${name}'`})`)
  const faults: Fault[] = []
  const wrong = nameFault(name)
  if (wrong) faults.push({ option: 'name', problem: wrong })
  const input = statedShape('input', typed.input, faults)
  refuse(`tool ${JSON.stringify(name)}`, faults)
  const { about = '', params } = typed
  return toTool(
    definition({ name, about, input: input!, timeout: TIMEOUT, execute: callPlain(run, params) }),
    gather(params),
  )
}

function statedTool(
  name: string,
  stated: ToolStated<Statement | undefined, unknown, unknown>,
  typed: Expanded | undefined,
): Usable {
  const faults: Fault[] = []
  const wrong = nameFault(name)
  if (wrong) faults.push({ option: 'name', problem: wrong })
  const what = `tool ${typeof name === 'string' ? JSON.stringify(name) : '?'}`
  if (typeof stated !== 'object' || stated === null) {
    const fix = 'write tool(name, { about, input, run })'
    faults.push({ option: 'options', problem: `is ${typeof stated}`, fix })
    refuse(what, faults)
  }
  faults.push(...unknownOptions(stated, OPTIONS, MENDS))
  if (typeof stated.about !== 'string' || stated.about.trim() === '')
    faults.push({ option: 'about', problem: 'is missing', fix: 'say in a sentence what the tool does' })
  if (typeof stated.run !== 'function')
    faults.push({ option: 'run', problem: 'is missing', fix: 'write run: (input, ctx) => …' })
  else if (stated.input === undefined && typed === undefined && stated.run.length === 1)
    faults.push({
      option: 'input',
      problem: 'is missing, and run takes one',
      fix: 'write input: { name: text() }, or have its types read: node --import toolwright/register',
    })
  const input = statedShape('input', stated.input ?? typed?.input ?? {}, faults)
  if (input && !takesRecord(input.schema))
    faults.push({
      option: 'input',
      problem: 'is no record',
      fix: "write input: { value: … }: a model's arguments are a record",
    })
  const output = stated.output === undefined ? undefined : statedShape('output', stated.output, faults)
  for (const option of ['readOnly', 'sendsOut', 'handoff', 'polls'] as const)
    if (stated[option] !== undefined && typeof stated[option] !== 'boolean')
      faults.push({ option, problem: `is ${String(stated[option])}`, fix: 'write true or false' })
  if (stated.danger !== undefined && stated.danger !== 'ask' && typeof stated.danger !== 'function')
    faults.push({
      option: 'danger',
      problem: `is ${String(stated.danger)}`,
      fix: "write 'ask', or a function that says when",
    })
  if (stated.again !== undefined && stated.again !== 'never')
    faults.push({
      option: 'again',
      problem: `is ${String(stated.again)}`,
      fix: "write 'never', or leave it out",
    })
  checkLine(stated.line, 'line', faults)
  const tries = readTries(stated.tries, 'tries', faults)
  const timeout = stated.timeout === undefined ? TIMEOUT : duration(stated.timeout)
  if (timeout === undefined)
    faults.push({
      option: 'timeout',
      problem: `is ${String(stated.timeout)}`,
      fix: "write a number of ms above 0, or '10 minutes'",
    })
  refuse(what, faults)
  return toTool({
    name,
    about: stated.about.trim(),
    input: input!,
    output,
    readOnly: stated.readOnly ?? false,
    sendsOut: stated.sendsOut ?? false,
    danger: stated.danger as Danger | undefined,
    line: stated.line as Line | undefined,
    tries,
    timeout: timeout!,
    handoff: stated.handoff ?? false,
    polls: stated.polls ?? false,
    again: stated.again ?? 'unlessDone',
    execute: stated.run as Definition['execute'],
  })
}

/** A tool out of its definition: what a door (a recipe, a server's tool) gives. */
export function toTool<I, O>(
  definition: Definition,
  given: (args: readonly unknown[]) => unknown = args => args[0],
): Tool<I, O> {
  const call = async (...args: readonly unknown[]): Promise<unknown> => {
    const input = given(args)
    const read = definition.input.read(
      input === undefined && takesRecord(definition.input.schema) ? {} : input,
    )
    if (!read.ok) throw unread(definition.name, read.faults)
    return dataOf(await definition.execute(read.value, bare()))
  }
  const properties = {
    name: definition.name,
    description: definition.about,
    parameters: definition.input.schema,
    readOnly: definition.readOnly,
    async run(argumentsText: string): Promise<string> {
      const read = definition.input.readText(argumentsText)
      if (!read.ok) throw unread(definition.name, read.faults)
      return jsonOf(dataOf(await definition.execute(read.value, bare()))) ?? 'null'
    },
    [TOOL]: definition,
  }
  for (const key of Reflect.ownKeys(properties))
    Object.defineProperty(call, key, { value: properties[key as keyof typeof properties], enumerable: true })
  return call as unknown as Tool<I, O>
}

/** The definition that `value` carries, if it can be a tool. */
export function definitionOf(value: unknown): Definition | undefined {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined
  return (value as Partial<Usable>)[TOOL]
}

/** Whether a schema takes records: what a model's arguments always are. */
function takesRecord(schema: JsonSchema): boolean {
  if (typeof schema !== 'object') return false
  const { type } = schema
  return type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'))
}

/** Reads how often a failing call is tried in all; a fault where it is no whole number above 0. */
export function readTries(stated: unknown, option: string, faults: Fault[]): number {
  if (stated === undefined) return 1
  if (Number.isSafeInteger(stated) && (stated as number) > 0) return stated as number
  faults.push({
    option,
    problem: `is ${String(stated)}`,
    fix: 'write a whole number above 0: the first try counts',
  })
  return 1
}

/** A fault where `line` is neither a text, false, nor a function. */
export function checkLine(line: unknown, option: string, faults: Fault[]): void {
  if (line === undefined || line === false || typeof line === 'string' || typeof line === 'function') return
  faults.push({
    option,
    problem: `is ${String(line)}`,
    fix: 'write a text, false for nothing, or a function of the input',
  })
}

/** A fault where `access` is neither of the words nor a rule. */
export function checkAccess(access: unknown, faults: Fault[]): void {
  if (access === undefined || access === 'anyone' || access === 'signedIn' || typeof access === 'function')
    return
  faults.push({
    option: 'access',
    problem: `is ${String(access)}`,
    fix: "write 'anyone', 'signedIn', or a rule",
  })
}

/** The shape of a statement; its faults join `faults` under `option`. */
export function statedShape(option: string, stated: unknown, faults: Fault[]): Shape | undefined {
  const made = shape(stated)
  if (made.ok) return made.shape
  for (const fault of made.faults)
    faults.push({ ...fault, option: fault.option ? `${option}.${fault.option}` : option })
  return undefined
}

function unread(name: string, faults: readonly string[]): ToolwrightError {
  return new ToolwrightError('T2001', `the input of ${name} does not read: ${faults.join('; ')}`)
}

/**
 * The context of a tool that code calls outside of a run: nothing to stop it, nobody to tell. Its own for each call:
 * on some platforms a signal is of the request that it was made in, and none may be made outside of one.
 */
const bare = (): Inner => ({
  signal: new AbortController().signal,
  callKey: '',
  person: undefined,
  deps: undefined,
  variables: { get: () => undefined, set() {} },
  progress() {},
  async step(_name, fn) {
    return await fn()
  },
  llm: (() => Promise.reject(outside('llm'))) as Inner['llm'],
  endTurn() {},
  handBack() {},
  attachToReply() {},
  warn() {},
  messages: [],
  usage: { calls: 0, tokens: 0, input: 0, toolCalls: 0 },
  say() {
    throw outside('say')
  },
  aside() {
    throw outside('a thread')
  },
  converse: () => Promise.reject(outside('an agent')),
  call: () => Promise.reject(outside('call')),
  flow: () => Promise.reject(outside('a flow')),
})

function outside(what: string): ToolwrightError {
  return new ToolwrightError('T7003', `${what} was used outside of a run`, {
    fix: 'call it from the function of a tool that an agent runs',
  })
}
