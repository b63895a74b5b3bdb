// Carries a recipe out: its sources one after another, each with the answers before it.
import { randomUUID } from 'node:crypto'
import type { Context } from '@toolwright/core'
import type { Connection } from '../connection/connection.ts'
import type { Plan, Ref, Source } from '../document/plan.ts'
import { ABSENT, at, LATER, type Sources } from '../values/fill.ts'
import { build, json, missing } from '../values/request.ts'
import { failure } from './failure.ts'
import { type Known, knownOf } from './known.ts'
import { neededOf } from './needed.ts'
import { project, type Seen } from './project.ts'
import { remembered } from './remember.ts'
import type { NotAnswered, Sent } from './send.ts'
import { type Placed, placeName, type Shared, sendStep } from './step.ts'

/** One call of a recipe. */
interface Call {
  readonly plan: Plan
  readonly connection: Connection
  readonly ctx: Context
  readonly input: unknown
  readonly variables: Known
  readonly callKey: string
  readonly deadline: number
  /** The answers so far. */
  readonly seen: Map<string, Seen & { list?: readonly string[] }>
  /** What was done so far, as it is told. */
  readonly done: string[]
}

/** Carries out a recipe called `name`; gives what the agent sees. What it throws is told to the model. */
export async function carryOut(
  plan: Plan,
  name: string,
  connection: Connection,
  input: unknown,
  ctx: Context,
): Promise<unknown> {
  const variables = await knownOf(plan, connection, ctx)
  const deadline = connection.clock.now() + connection.limits.total
  const callKey = ctx.callKey === '' ? randomUUID() : ctx.callKey
  const call: Call = { plan, connection, ctx, input, variables, callKey, deadline, seen: new Map(), done: [] }
  const lines = plan.sources.flatMap(source => missing(source, sourcesFor(call, LATER)))
  refuse(lines)
  for (const source of plan.sources) {
    if (source.each) await loop(call, source)
    else await single(call, source)
  }
  const store = connection.variables?.(ctx) ?? ctx.variables
  for (const [as, value] of Object.entries(remembered(plan, call.seen))) {
    store.set(as, value, connection.name)
    store.set(`${name}.${as}`, value)
  }
  return told(call)
}

/** What the agent sees. Hidden once more: what was cleaned away may have stood in the middle of a secret. */
function told({ plan, seen, connection }: Call): unknown {
  return connection.mask.value(project(plan, seen))
}

/** Values are refused before anything is sent; the lines are told to the model. */
function refuse(lines: readonly string[]): void {
  if (lines.length > 0) throw new Error([...new Set(lines)].slice(0, 20).join('\n'))
}

/** Where values come from: `item` is the entry of a loop; LATER where only what is known beforehand is looked at. */
function sourcesFor(call: Call, item: unknown): Sources {
  return {
    input: call.input,
    variable: name => call.variables[name] ?? undefined,
    ref: ref => (item === LATER ? LATER : read(call, ref, item)),
  }
}

function read(call: Call, ref: Ref, item: unknown): unknown {
  if (ref.of === 'param') return ABSENT
  const value = ref.of === 'item' ? at(item, ref.keys) : at(call.seen.get(ref.source)?.value, ref.keys)
  return value ?? ABSENT
}

async function single(call: Call, source: Source): Promise<void> {
  const placed = place(call, source, undefined, undefined)
  const [sent] = await sendStep([placed], sending(call, source), call)
  if (!sent!.ok) throw failed(call, placed, sent as NotAnswered)
  const { status, value, list } = sent as Extract<Sent, { ok: true }>
  const nothing = value === undefined
  call.seen.set(source.letter, { status, value, nothing, ...(list ? { list } : {}) })
  call.done.push(source.letter)
}

/** The request of a source for an entry; what is wrong with its values stops the call. */
function place(call: Call, source: Source, item: unknown, entry: number | undefined): Placed {
  const built = build(source, call.connection.baseUrl, sourcesFor(call, item))
  if (built.ok) return { letter: source.letter, entry, request: built.request }
  if (call.done.length === 0) refuse(built.faults)
  throw failed(call, { letter: source.letter, entry }, notSent(built.faults))
}

function notSent(faults: readonly string[]): NotAnswered {
  return { ok: false, kind: 'failed', message: faults.join('; '), carried: 'no' }
}

/** Which request it is: the source, and in a loop the entry. */
type Where = Pick<Placed, 'letter' | 'entry'>

function failed(call: Call, where: Where, sent: NotAnswered): Error {
  const { plan, seen, done } = call
  const shows = plan.fields.some(({ source }) => seen.has(source))
  const result = shows ? JSON.parse(json(told(call))) : undefined
  return failure(plan, { place: placeName(where), sent, done: [...done], result })
}

function sending(call: Call, { letter, each }: Source): Shared {
  const { plan, connection, ctx, deadline } = call
  const needed = neededOf(plan, letter)
  return {
    connection,
    action: plan.kind === 'action',
    signal: ctx.signal,
    deadline,
    // Of a loop each answer is one entry: the number in `b.0.id` is its place in the loop.
    needed: each ? needed.map(keys => (/^\d+$/.test(keys[0] ?? '') ? keys.slice(1) : keys)) : needed,
    findList:
      plan.sources.some(other => other.each?.source === letter && other.each.keys.length === 0) && !each,
  }
}

async function loop(call: Call, source: Source): Promise<void> {
  const { plan, connection } = call
  const { entries: most, atOnce } = connection.limits
  const all = entriesOf(call, source)
  const action = plan.kind === 'action'
  const tooMany = all.length > most
  if (tooMany && action) {
    const message = `there are ${all.length} entries, and an action goes through at most ${most}`
    throw failed(
      call,
      { letter: source.letter, entry: undefined },
      { ok: false, kind: 'failed', message, carried: 'no' },
    )
  }
  const entries = all.slice(0, most)
  const values: unknown[] = []
  let failures = 0
  let lost: [Where, NotAnswered] | undefined
  // An action is carried out one entry at a time: so it is known what was done when one fails.
  const width = action ? 1 : atOnce
  // All requests are made before the first is sent: a bad value in the last entry must not leave half an action behind.
  const requests = entries.flatMap((item, i): Placed[] => {
    if (action) return [place(call, source, item, i)]
    const built = build(source, connection.baseUrl, sourcesFor(call, item))
    if (built.ok) return [{ letter: source.letter, entry: i, request: built.request }]
    failures++
    lost = [{ letter: source.letter, entry: i }, notSent(built.faults)]
    return []
  })
  for (let i = 0; i < requests.length; i += width) {
    const placed = requests.slice(i, i + width)
    const sent = await sendStep(placed, sending(call, source), call)
    sent.forEach((one, k) => {
      if (one.ok) {
        values.push(one.value ?? null)
        if (action) call.done.push(placeName(placed[k]!))
      } else {
        failures++
        lost = [placed[k]!, one]
      }
    })
    if (lost && action) throw failed(call, ...lost)
  }
  if (lost && failures === entries.length) throw failed(call, ...lost)
  const cut = tooMany ? { cut: { shown: most, total: all.length } } : {}
  call.seen.set(source.letter, {
    status: 200,
    value: values,
    nothing: false,
    ...cut,
    ...(failures > 0 ? { failed: failures } : {}),
  })
  if (!action) call.done.push(source.letter)
}

/** The entries that a loop goes through; none where the answer was empty. */
function entriesOf(call: Call, { letter, each }: Source): readonly unknown[] {
  const { source, keys } = each!
  const { value, list, nothing } = call.seen.get(source)!
  if (nothing || value === null || value === undefined) return []
  const path = keys.length > 0 ? keys : Array.isArray(value) ? [] : list
  const found = path === undefined ? undefined : at(value, path)
  if (found === null || (found === undefined && keys.length > 0)) return []
  if (Array.isArray(found)) return found
  const message = `the answer of ${source} is no list and holds none or several: for_each_of must name one, as ${JSON.stringify(`${source}.results`)}`
  throw failed(call, { letter, entry: undefined }, { ok: false, kind: 'answer', message, carried: 'no' })
}
