// Nodes: where a run begins. A node that is called from outside is a run of its own; in a run, it is part of it.
import {
  type Clock,
  DECLINED,
  endpoint,
  type Flow,
  type FlowContext,
  type Log,
  type Model,
  type Piece,
  ToolwrightError,
  type Usage,
} from '@toolwright/core'
import { callOnce, current, type Definition, FLOW, type FlowDefinition, TOOL } from '@toolwright/core/engine'
import { META, type Meta, metaOf, positional, toolOf } from './def.ts'
import { asks } from './llm.ts'
import { nodeLog } from './log.ts'
import { shapeOf } from './shape.ts'
import { Moved } from './values.ts'

type Body = (...args: unknown[]) => Promise<unknown>

const BODY: unique symbol = Symbol.for('toolwright.agency.node') as never

/** What comes at once or later. */
export type Later<T> = T | Promise<T>

/** A node, as other modules see it: a function, a tool, and a flow of an app that takes its arguments by name. */
export type Node<I, A extends readonly unknown[], R> = ((...args: A) => Promise<R>) & Flow<I, R>

export type AgencyNode = Node<Record<string, unknown>, unknown[], unknown>

/** How a node is run. */
export interface NodeOptions {
  /** What `llm` asks where it names no model [the one of AI_URL, AI_API_KEY and AI_MODEL]. */
  model?: Model | string
  signal?: AbortSignal
  deps?: unknown
  each?: (piece: Piece) => void
  /** Takes what happens, as a run's log does; the file that TOOLWRIGHT_LOG names takes it too. */
  log?: Log
  /** The clock of timeouts and limits, for tests. */
  clock?: Clock
}

let standard: Model | string | undefined

/** The model that nodes and modules ask from now on, where nothing else is said. */
export function useModel(model: Model | string | undefined): void {
  standard = model
}

let ofModules: NodeOptions = {}

/** How the statements of modules that are loaded from now on are run. */
export function useForModules(options: NodeOptions): void {
  ofModules = options
}

function modelOf(options: NodeOptions): Model | string {
  return options.model ?? standard ?? later
}

/** The model of the environment, looked up when it is first asked: most functions need none. */
const later: Model = {
  name: 'AI_MODEL',
  get formats() {
    try {
      return endpoint().formats === true
    } catch {
      // What is missing is told when it is asked.
      return false
    }
  },
  turn: (request, each, signal) => endpoint().turn(request, each, signal),
}

/** Makes a node of its body. */
export function node(body: Body, meta: Meta): AgencyNode {
  const inside = async (...args: unknown[]): Promise<unknown> => await moving(body, args)
  const called = async (...args: unknown[]): Promise<unknown> =>
    current() ? await inside(...args) : (await runNode(called as AgencyNode, args)).value
  Object.defineProperty(called, 'name', { value: meta.name })
  Object.defineProperty(called, META, { value: meta })
  Object.defineProperty(called, BODY, { value: body })
  let made: Definition | undefined
  Object.defineProperty(called, TOOL, {
    get() {
      made ??= toolOf(inside, meta)
      return made
    },
  })
  let flow: FlowDefinition | undefined
  Object.defineProperty(called, FLOW, {
    get() {
      flow ??= flowOf(inside, meta)
      return flow
    },
  })
  return called as AgencyNode
}

/** A node as a flow of an app: one call, in which each turn of a model and each call of a tool is kept. */
function flowOf(body: Body, meta: Meta): FlowDefinition {
  const asking = (...args: unknown[]): Promise<unknown> => {
    asks(current()!, modelOf({}))
    return body(...args)
  }
  const tool = { [TOOL]: toolOf(asking, meta, { child: true }) }
  const input = shapeOf(meta.input(), meta.name)
  return Object.freeze({
    name: meta.name,
    input,
    output: undefined,
    access: undefined,
    run: ({ call, input }: FlowContext) => call(tool, input),
  })
}

/** Runs a body, and where it goes to another node, that one in its place, on a thread of its own. */
async function moving(body: Body, args: readonly unknown[]): Promise<unknown> {
  try {
    return await body(...args)
  } catch (error) {
    if (!(error instanceof Moved)) throw error
    let moved = error
    for (;;) {
      const next = (moved.node as Partial<{ [BODY]: Body }>)[BODY]
      if (!next) throw new ToolwrightError('A2005', 'goto moves to a node')
      const close = current()?.aside(false)
      try {
        return await next(...moved.args)
      } catch (again) {
        if (!(again instanceof Moved)) throw again
        moved = again
      } finally {
        close?.()
      }
    }
  }
}

/** What a run of a node gave. */
export interface NodeRun {
  value: unknown
  usage: Usage
}

/** Runs a node as a run of its own: with arguments in their order, or by name. What it throws is thrown. */
export async function runNode(
  of: AgencyNode,
  args: readonly unknown[] | Record<string, unknown> = [],
  options: NodeOptions = {},
): Promise<NodeRun> {
  const meta = metaOf(of)
  const body = (of as Partial<{ [BODY]: Body }>)[BODY]
  if (!meta || !body) throw new ToolwrightError('A2005', 'what was to be run is no node')
  const given = Array.isArray(args) ? byName(meta, args) : (args as Record<string, unknown>)
  const read = shapeOf(meta.input(), meta.name).read(given)
  if (!read.ok)
    throw new ToolwrightError('A2003', `the arguments of ${meta.name} do not read: ${read.faults.join('; ')}`)
  const list = positional(meta, read.value as Record<string, unknown>)
  return await alone(meta.name, () => moving(body, list), options)
}

function byName(meta: Meta, args: readonly unknown[]): Record<string, unknown> {
  const named: Record<string, unknown> = {}
  const rest = meta.params.findIndex(p => p.rest)
  if (rest < 0 && args.length > meta.params.length)
    throw new ToolwrightError(
      'A2003',
      `${meta.name} takes ${meta.params.length} arguments, and ${args.length} are given`,
    )
  meta.params.forEach(({ name, rest: all }, i) => {
    if (all) named[name] = args.slice(i)
    else if (i < args.length) named[name] = args[i]
  })
  return named
}

/** Does `work` as a run: its `llm` calls share one thread. */
async function alone(name: string, work: () => Promise<unknown>, options: NodeOptions): Promise<NodeRun> {
  let error: { thrown: unknown } | undefined
  let value: unknown
  const tool = {
    [TOOL]: toolOf(
      async () => {
        try {
          value = await work()
        } catch (thrown) {
          error = { thrown }
          throw thrown
        }
        return null
      },
      { name, about: name, params: [], input: () => ({ type: 'object', properties: {} }) },
      { child: true },
    ),
  }
  const { signal, deps, each, clock } = options
  const id = globalThis.crypto.randomUUID()
  const log = nodeLog(options.log, `tool 1.1 ${name}`, `${id}/1.1`)
  const done = await callOnce(tool, '{}', {
    id,
    ...(log ? { log } : {}),
    ...(clock ? { clock } : {}),
    model: modelOf(options),
    declined: () => DECLINED,
    ...(signal ? { signal } : {}),
    ...(deps === undefined ? {} : { deps }),
    ...(each ? { each } : {}),
  })
  if (error) throw error.thrown
  if (done.failed) throw new ToolwrightError('A6001', done.text)
  return { value: value ?? null, usage: done.usage ?? { calls: 0, tokens: 0, input: 0, toolCalls: 0 } }
}

/** Runs the statements of a module that have to be waited for: their `llm` calls share a thread of their own. */
export async function runModule(work: () => Promise<unknown>): Promise<void> {
  if (current()) await work()
  else await alone('module', work, ofModules)
}
