// An app: the agents and flows that may be started, and the store that keeps their runs.
import { type Agent, isAgent } from '../define/agent.ts'
import { type Flow, isFlow } from '../define/flow.ts'
import { type Duration, duration } from '../define/limits.ts'
import { unknownOptions } from '../define/names.ts'
import { type Clock, realClock } from '../engine/clock.ts'
import type { Engine } from '../engine/engine.ts'
import { keeper } from '../engine/keeper.ts'
import { memoryStore } from '../engine/memory-store.ts'
import { type Fault, refuse } from '../errors.ts'
import type { Log } from '../loop/log.ts'
import { logged } from '../loop/logfile.ts'
import type { Approvers, People } from './people.ts'
import { Runs } from './runs.ts'
import { freeAfter } from './thread.ts'
import { type Around, agentRun, flowRun } from './work.ts'

/** Something that belongs to an app and is let go of with it, such as the connection to a server. */
export interface Service {
  readonly name: string
  /** Is waited for when the app opens; it does not open where this rejects. */
  open?(): void | Promise<void>
  close?(): void | Promise<void>
}

/** What {@link app} takes. */
export interface AppStated {
  agents?: readonly Agent<never>[] | readonly Agent<unknown>[] | readonly Agent[]
  flows?: readonly Flow<never, unknown>[]
  services?: readonly Service[]
  /** Where runs are kept: `memory()`, `sqlite('notes.db')`, `postgres(url)` [memory(): they are gone with the process]. */
  store?: Engine
  /** Handed to every tool and flow as `deps`. */
  deps?: unknown
  /** Who may answer the asks of runs that somebody else started; left out: only the starter, and code. */
  approvers?: Approvers
  /** Whether a person is still there, asked anew before each call of a run; left out: whoever started one is. */
  people?: People
  /** How long a run that has ended is kept; left out: for ever. */
  keep?: Duration
  log?: Log
  /** How long runs that are under way may go on when the process is told to end (SIGTERM) ['10 seconds']; false: not looked at. */
  drain?: Duration | false
  /** The clock of limits and waits, for tests; give it to the store too. */
  clock?: Clock
}

/** An app. It opens its store when it is first used, or by `open`. */
export interface App {
  readonly runs: Runs
  /** Its agents and flows, by which faces know what may be started from outside. */
  readonly definitions: readonly (Agent | Flow)[]
  /** Becomes the owner of the store: what waited goes on. `T6001` where another process owns it. */
  open(): Promise<void>
  /** Begins nothing new, lets what is under way end for `grace` ms [5000], and lets go of the store. */
  close(options?: { grace?: number }): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const OPTIONS = 'agents flows services store deps approvers people keep log drain clock'.split(' ')
const MENDS = { tools: 'state the tools on an agent', db: 'write store', runs: 'they are `app.runs`' }

/** Keeps runs in memory: they are gone with the process. For scripts and tests. */
export function memory(options: { clock?: Clock; runsAtOnce?: number; leaveAfter?: number } = {}): Engine {
  return keeper(memoryStore(), options)
}

/** An app of agents and flows. Throws one error that lists every fault of the statement. */
export function app(stated: AppStated): App {
  const faults: Fault[] = []
  faults.push(...unknownOptions(stated, OPTIONS, MENDS))
  const agents = entriesOf('agents', stated.agents, isAgent as (value: unknown) => value is Agent, faults)
  const flows = entriesOf('flows', stated.flows, isFlow, faults)
  const names = new Map<string, string>()
  for (const [option, list] of [['agents', agents] as const, ['flows', flows] as const])
    list.forEach(({ name }, i) => {
      const before = names.get(name)
      if (before)
        faults.push({
          option: `${option}[${i}]`,
          problem: `is called ${JSON.stringify(name)}, and so is ${before}`,
          fix: 'give one of them another name: runs are found by it',
        })
      else names.set(name, `${option}[${i}]`)
    })
  const keep = timeOf('keep', stated.keep, faults)
  const drain = stated.drain === false ? undefined : timeOf('drain', stated.drain ?? '10 seconds', faults)
  for (const option of ['approvers', 'people', 'log'] as const)
    if (stated[option] !== undefined && typeof stated[option] !== 'function')
      faults.push({ option, problem: `is ${typeof stated[option]}`, fix: 'write a function' })
  if (stated.store !== undefined && typeof (stated.store as Partial<Engine>)?.open !== 'function')
    faults.push({
      option: 'store',
      problem: 'is no store',
      fix: "write store: sqlite('app.db'), or memory()",
    })
  refuse('the app', faults)
  const clock = stated.clock ?? realClock
  const engine = stated.store ?? memory({ clock })
  const { deps, people, approvers, services = [] } = stated
  const around: Around = { clock, deps, people, log: logged(stated.log) }
  const known = Object.fromEntries([
    ...agents.map(agent => [agent.name, agentRun(agent, around)] as const),
    ...flows.map(flow => [flow.name, flowRun(flow, around)] as const),
  ])

  const definitions = [...agents, ...flows]
  const runs = new Runs({ engine, clock, open: () => open(), definitions, approvers, log: around.log })
  let opening: Promise<void> | undefined
  let undo: (() => void)[] = []
  const open = (): Promise<void> => {
    opening ??= begins().catch(error => {
      opening = undefined
      throw error
    })
    return opening
  }
  const begins = async (): Promise<void> => {
    for (const service of services) await service.open?.()
    await engine.open(known)
    if (keep !== undefined) undo.push(sweeping(runs, clock, keep))
    if (drain !== undefined && engine.caps.durable) undo.push(draining(() => close({ grace: drain })))
    const waiting = await engine.list({ status: ['ready', 'waiting'], limit: 1_000_000 })
    for (const run of waiting) freeAfter(engine, run)
  }
  const close = async (options: { grace?: number } = {}): Promise<void> => {
    for (const each of undo) each()
    undo = []
    await engine.close(options)
    for (const service of services) await service.close?.()
  }
  return {
    runs,
    definitions,
    open,
    close,
    [Symbol.asyncDispose]: () => close(),
  }
}

function entriesOf<T extends { name: string }>(
  option: string,
  stated: unknown,
  fits: (value: unknown) => value is T,
  faults: Fault[],
): T[] {
  if (stated === undefined) return []
  if (!Array.isArray(stated)) {
    faults.push({ option, problem: 'is no list', fix: `write ${option}: [ … ]` })
    return []
  }
  return stated.filter((each, i) => {
    if (fits(each)) return true
    faults.push({
      option: `${option}[${i}]`,
      problem: 'is none',
      fix: `name what was defined with ${option.slice(0, -1)}(…)`,
    })
    return false
  })
}

function timeOf(option: string, stated: Duration | undefined, faults: Fault[]): number | undefined {
  if (stated === undefined) return undefined
  const ms = duration(stated)
  if (ms === undefined)
    faults.push({ option, problem: `is ${String(stated)}`, fix: "write ms above 0, or '30 days'" })
  return ms
}

const HOUR = 3_600_000

/** Deletes runs that ended longer ago than `keep`, now and every hour; gives the function that ends that. */
function sweeping(runs: Runs, clock: Clock, keep: number): () => void {
  let callOff = (): void => {}
  const sweep = async (): Promise<void> => {
    const ended = await runs.list({ status: ['done', 'failed', 'stopped'], limit: 1_000_000 })
    for (const run of ended) if ((run.ended ?? 0) <= clock.now() - keep) await runs.delete(run)
  }
  const again = (): void => {
    sweep().catch(() => {})
    callOff = clock.after(Math.min(keep, HOUR), again)
  }
  again()
  return () => callOff()
}

/** A process that is told to end ends its app first; gives the function that ends that. */
function draining(close: () => Promise<void>): () => void {
  const { process } = globalThis as { process?: NodeJS.Process }
  if (!process?.once) return () => {}
  const end = (): void => {
    close().finally(() => process.kill(process.pid, 'SIGTERM'))
  }
  process.once('SIGTERM', end)
  return () => void process.off('SIGTERM', end)
}
