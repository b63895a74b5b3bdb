// An agent: an immutable definition, and the desk of a script (its conversation so far, its counters, a person's hands).
import { type Fault, refuse } from '../errors.ts'
import { modelOf } from '../model/model.ts'
import type { InferInput, Shape, Statement } from '../value/shape.ts'
import type { Handed, Inner } from './context.ts'
import { type Entry, readEntries, type Told } from './entries.ts'
import { type Limits, type LimitsStated, readLimits } from './limits.ts'
import { nameFault, unknownOptions } from './names.ts'
import type { Call, JsonSchema, Message, Model, Settings } from './records.ts'
import { type Served, type Serving, servingOf } from './serving.ts'
import { readSettings } from './settings.ts'
import {
  type Access,
  checkAccess,
  type Definition,
  definition,
  definitionOf,
  statedShape,
  TOOL,
  type Usable,
} from './tool.ts'
import type { Expanded, Typed } from './typed.ts'

/** How the model is told the tools in place of one function each, with one function that runs a program over them. */
export interface Sequence {
  /** The one function, made for the tools of an agent: its definition is called like any tool's. */
  tool(told: readonly Told[]): Definition
  /** What the agent's instructions say of the tools. */
  instructions(told: readonly Told[]): string
}

/** What `agent(name, { … })` takes. */
export interface AgentStated<S extends Statement | undefined = undefined> {
  /** A model, or the name of one: 'openai/gpt-5' is `endpoint('openai/gpt-5')`. */
  model: Model | string
  instructions: string
  /** The tools; the list may be empty. */
  tools: readonly Entry[]
  limits?: LimitsStated
  /** The shape of the answer; left out: a text. */
  output?: S
  settings?: Settings
  /**
   * Has the model sum up what lies further back, where shortening old results does not suffice [false]:
   * with our own prompt, or with yours; `keep` of the last messages [12] are told as they are.
   */
  compact?: boolean | { prompt?: string; keep?: number }
  /** What it is told as where it is a tool of another agent. */
  about?: string
  /** The tools, agents and services that may send data out without asking a person. */
  trust?: readonly (Usable | Served | string)[]
  access?: Access
  /** As a tool it keeps a thread by name. */
  memory?: boolean
  /** 'list': the tools stand as lines in the instructions, and one function `call` calls them; for many tools. */
  tell?: 'list'
  sequence?: Sequence
  /** As a tool it works on its caller's thread, in which all that it does stays. */
  handoff?: boolean
}

/** An agent's definition, read: it never changes. */
export interface AgentDefinition {
  readonly name: string
  readonly model: Model
  readonly instructions: string
  readonly told: readonly Told[]
  /** The outside servers among its tools. */
  readonly services: readonly Serving[]
  readonly limits: Limits
  readonly output: Shape | undefined
  readonly settings: Settings | undefined
  readonly compact: { prompt: string; keep: number } | undefined
  readonly trust: readonly (Definition | string)[]
  readonly access: Access | undefined
  readonly memory: boolean
  readonly list: boolean
  readonly sequence: Sequence | undefined
}

/** The key under which an agent carries its {@link AgentDefinition}. */
export const AGENT: unique symbol = Symbol.for('toolwright.agent') as never

/**
 * An agent. As a tool of another agent it is handed `{ message, files }`.
 * What can be written here belongs to scripts: it concerns later `run` and `ask` of this very agent, at the top level only.
 */
export interface Agent<O = string> extends Usable {
  readonly [AGENT]: AgentDefinition
  readonly name: string
  readonly model: Model
  readonly instructions: string
  readonly tools: readonly Entry[]
  /** Tool rounds of one run [16]: `limits.steps`. */
  rounds: number
  /** Tokens written in one run; 0: no limit. */
  maxTokens: number
  /** Milliseconds of work of one run; 0: no limit. */
  maxMs: number
  /** Asked between pieces and between rounds; true ends the run and keeps what was written. */
  stop: (() => boolean) | undefined
  /** Asked before each call of a tool that is not read-only; false gives the model DECLINED as its result. */
  approve: ((call: Call) => boolean | Promise<boolean>) | undefined
  /** The conversation so far; each run adds to it. */
  history: Message[]
  /** Tokens that its runs wrote, added up. */
  tokens: number
  /** Tokens that its runs read, added up. */
  input: number
  /** Tokens that the conversation held after the last turn. */
  context: number
  /** The model's context window in tokens; 0: unknown. */
  window: number
  /** What the runs answer: only a type. */
  readonly '~output'?: O
}

const OPTIONS =
  'model instructions tools limits output about trust access memory tell sequence handoff settings compact'.split(
    ' ',
  )
const MENDS = {
  system: 'write instructions',
  prompt: 'write instructions',
  maxSteps: 'write limits: { steps: 16 }',
  maxTurns: 'write limits: { steps: 16 }',
  maxTokens: 'write limits: { perRun: { tokensOut: 50000 } }',
  description: 'write about',
  name: 'the name is the first argument: agent(name, { … })',
}

/** An agent called `name`. Throws one error that lists every fault of the statement. */
export function agent<const S extends Statement | undefined = undefined>(
  name: string,
  stated: AgentStated<S>,
  typed?: Typed,
): Agent<S extends Statement ? InferInput<S> : string>
/** The short form: an agent of `model` with `instructions` and `tools`, and at most 16 tool rounds a run. */
export function agent(
  model: Model | string,
  instructions: string,
  tools?: readonly Entry[],
  typed?: Typed,
): Agent
export function agent(
  first: string | Model,
  second: AgentStated<Statement> | string,
  third: readonly Entry[] | Typed = [],
  typed?: Typed,
): Agent {
  if (typeof second === 'string' || typeof first !== 'string') {
    const tools = third as readonly Entry[]
    return defineAgent('agent', { model: first, instructions: second as string, tools }, typed?.())
  }
  return defineAgent(first, second, typeof third === 'function' ? third() : undefined)
}

/** True where `value` is an agent, of this copy of the package or of another. */
export function isAgent(value: unknown): value is Agent {
  return typeof value === 'object' && value !== null && AGENT in value
}

function defineAgent(name: string, stated: AgentStated<Statement>, typed?: Expanded): Agent {
  const faults: Fault[] = []
  const what = `agent ${typeof name === 'string' ? JSON.stringify(name) : '?'}`
  const wrong = nameFault(name)
  if (wrong) faults.push({ option: 'name', problem: wrong })
  if (typeof stated !== 'object' || stated === null) {
    faults.push({
      option: 'options',
      problem: 'are missing',
      fix: 'write agent(name, { model, instructions, tools })',
    })
    refuse(what, faults)
  }
  faults.push(...unknownOptions(stated, OPTIONS, MENDS))
  const model = readModel(stated.model, faults)
  if (typeof stated.instructions !== 'string')
    faults.push({
      option: 'instructions',
      problem: 'is no text',
      fix: "write instructions: '…', which may be ''",
    })
  if (stated.about !== undefined && (typeof stated.about !== 'string' || stated.about.trim() === ''))
    faults.push({ option: 'about', problem: 'is no text', fix: 'say what the agent does, or leave it out' })
  const list = stated.tell === 'list'
  const telling = {
    list,
    sequence: stated.sequence !== undefined,
    output: stated.output !== undefined,
  }
  const services: Serving[] = []
  const told = readEntries(stated.tools, 'tools', telling, faults, typed?.tools, services)
  const limits = readLimits(stated.limits, faults)
  const settings = readSettings(
    stated.settings,
    faults,
    list || stated.sequence ? undefined : told.map(t => t.name),
  )
  if (list && typeof settings?.toolChoice === 'object')
    faults.push({
      option: 'settings.toolChoice',
      problem: 'names a tool, and the model is told only `call`',
      fix: "write 'required'",
    })
  const output = stated.output === undefined ? undefined : statedShape('output', stated.output, faults)
  const compact = readCompact(stated.compact, faults)
  const trust = readTrust(stated.trust, faults)
  const { access, memory, sequence } = stated
  checkAccess(access, faults)
  if (memory !== undefined && typeof memory !== 'boolean')
    faults.push({ option: 'memory', problem: `is ${String(memory)}`, fix: 'write true or false' })
  if (
    sequence !== undefined &&
    (typeof sequence?.tool !== 'function' || typeof sequence.instructions !== 'function')
  )
    faults.push({ option: 'sequence', problem: 'is no sequence', fix: 'write sequence: sequence()' })
  if (stated.tell !== undefined && !list)
    faults.push({
      option: 'tell',
      problem: `is ${String(stated.tell)}`,
      fix: "write tell: 'list', or leave it out",
    })
  if (list && sequence !== undefined)
    faults.push({ option: 'tell', problem: 'and sequence are both stated', fix: 'state one of them' })
  if (stated.handoff !== undefined && typeof stated.handoff !== 'boolean')
    faults.push({ option: 'handoff', problem: `is ${String(stated.handoff)}`, fix: 'write true or false' })
  refuse(what, faults)
  const read: AgentDefinition = Object.freeze({
    name,
    model: model!,
    instructions: stated.instructions,
    told,
    services,
    limits,
    output,
    settings,
    compact,
    trust,
    access,
    memory: memory ?? false,
    list,
    sequence,
  })
  return new Desk(read, stated)
}

/** Our own words that ask for a summary of a conversation; an agent may state others. */
export const SUMMARY =
  'Sum up the conversation so far for the one who goes on with it: what was asked, what was decided and found out (names, numbers and identifiers to the letter), what was done, and what is still open. Leave out greetings and how it was found. Write at most 400 words.'

function readCompact(stated: unknown, faults: Fault[]): AgentDefinition['compact'] {
  if (stated === undefined || stated === false) return undefined
  if (stated !== true && (typeof stated !== 'object' || stated === null)) {
    faults.push({
      option: 'compact',
      problem: `is ${String(stated)}`,
      fix: 'write true, or { prompt, keep }',
    })
    return undefined
  }
  const { prompt = SUMMARY, keep = 12 } =
    stated === true ? {} : (stated as { prompt?: unknown; keep?: unknown })
  if (stated !== true)
    for (const fault of unknownOptions(stated, ['prompt', 'keep']))
      faults.push({ ...fault, option: `compact.${fault.option}` })
  if (typeof prompt !== 'string' || prompt.trim() === '')
    faults.push({
      option: 'compact.prompt',
      problem: 'is no text',
      fix: 'say how to sum up, or leave it out',
    })
  if (!Number.isSafeInteger(keep) || (keep as number) < 0)
    faults.push({
      option: 'compact.keep',
      problem: `is ${String(keep)}`,
      fix: 'write a whole number, 0 or above',
    })
  return { prompt: String(prompt), keep: Number(keep) }
}

function readModel(stated: unknown, faults: Fault[]): Model | undefined {
  if (typeof stated === 'string' && stated.trim() !== '') return modelOf(stated)
  if (typeof stated === 'object' && stated !== null && typeof (stated as Model).turn === 'function')
    return stated as Model
  const problem = stated === undefined ? 'is missing' : 'is no model'
  faults.push({
    option: 'model',
    problem,
    fix: "write model: endpoint(), a model's name such as 'openai/gpt-5', or scripted([…])",
  })
  return undefined
}

function readTrust(stated: unknown, faults: Fault[]): readonly (Definition | string)[] {
  if (stated === undefined) return []
  if (!Array.isArray(stated)) {
    faults.push({
      option: 'trust',
      problem: 'is no list',
      fix: 'write trust: [sendMail], with the tools and services it may use',
    })
    return []
  }
  return stated.flatMap((each: unknown, i) => {
    const definition = typeof each === 'string' ? each : (definitionOf(each) ?? servingOf(each)?.name)
    if (definition !== undefined) return [definition]
    faults.push({
      option: `trust[${i}]`,
      ...(typeof each === 'function'
        ? {
            problem: `is the plain function ${each.name || 'without a name'}, which does not state that it sends anything out`,
            fix: `leave it out; or state it: tool('${each.name || 'name'}', { about, sendsOut: true, run }), in tools and here`,
          }
        : {
            problem: 'is no tool, agent or service',
            fix: 'name the tool itself, or the name of a service',
          }),
    })
    return []
  })
}

const HANDED = {
  type: 'object',
  properties: {
    message: { type: 'string', description: 'What it is asked to do, with all that it needs to know' },
    files: {
      type: 'array',
      items: { type: 'string' },
      description: 'Names of attachments of this conversation that it is handed',
    },
  },
  required: ['message'],
  additionalProperties: false,
} satisfies JsonSchema

const REMEMBERED: JsonSchema = {
  ...HANDED,
  properties: {
    ...HANDED.properties,
    thread: {
      type: 'string',
      description: 'The name of a conversation with it that goes on; a new name begins one',
    },
  },
}

let handed: Shape | undefined
let remembered: Shape | undefined

/** What an agent takes as a tool; made when the first agent is. */
function handedShape(memory: boolean): Shape {
  if (memory) {
    remembered ??= statedShape('input', REMEMBERED, [])!
    return remembered
  }
  handed ??= statedShape('input', HANDED, [])!
  return handed
}

/** What is kept beside an agent's definition for scripts. It has a life: runs add to it. */
class Desk implements Agent {
  readonly [AGENT]: AgentDefinition
  readonly [TOOL]: Definition
  readonly name: string
  readonly model: Model
  readonly instructions: string
  readonly tools: readonly Entry[]
  rounds: number
  maxTokens: number
  maxMs: number
  stop: (() => boolean) | undefined = undefined
  approve: ((call: Call) => boolean | Promise<boolean>) | undefined = undefined
  history: Message[] = []
  tokens = 0
  input = 0
  context = 0
  window = 0

  constructor(read: AgentDefinition, stated: AgentStated<Statement>) {
    this[AGENT] = read
    this.name = read.name
    this.model = read.model
    this.instructions = read.instructions
    this.tools = stated.tools
    this.rounds = read.limits.steps
    this.maxTokens = orNone(read.limits.tokensOut)
    this.maxMs = orNone(read.limits.time)
    this[TOOL] = definition({
      name: read.name,
      about: stated.about?.trim() ?? `Asks the agent ${read.name}.`,
      input: handedShape(read.memory),
      handoff: stated.handoff ?? false,
      child: true,
      access: read.access,
      execute: (input: unknown, ctx: Inner) => ctx.converse(this, input as Handed),
    })
  }
}

function orNone(limit: number): number {
  return limit === Number.POSITIVE_INFINITY ? 0 : limit
}
