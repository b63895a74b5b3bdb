// One tool call: read its arguments, ask whether it may run, wait for a slot, let the tool work.

import type { Told } from '../define/entries.ts'
import { nearest } from '../define/names.ts'
import type { Call, Json } from '../define/records.ts'
import type { Outcome, Place } from '../engine/place.ts'
import { inside } from './ambient.ts'
import { type Conversation, listed, log, stopped } from './conversation.ts'
import { copyOf, guard, whyAsk } from './guard.ts'
import type { Made } from './made.ts'
import { answered, failed, reason, thrown } from './outcome.ts'
import { Work } from './work.ts'

/** Makes the call in a branch of its own and gives what it left behind. It never rejects for what a tool does. */
export function call(c: Conversation, made: Made, hand?: Hand): Promise<Outcome> {
  const { call, told, fault } = made.found
  return branch(c, made.number, call, told, made.cut ?? fault, hand)
}

/** What a handoff adds to a call: it takes over the caller's thread when its body begins, and hands back when it ends. */
export interface Hand {
  begin(work: Work, input: unknown): void
  /** The body is tried again: what the failed try must not leave behind goes. */
  again(): void
  end(work: Work, outcome: Outcome): Outcome
}

/** Makes one call under a number of its own, by whoever works: a model, a sequence, a flow. */
export const makeCall = (
  c: Conversation,
  number: string,
  call: Call,
  told: Told | undefined,
): Promise<Outcome> => branch(c, number, call, told)

async function branch(
  c: Conversation,
  number: string,
  call: Call,
  told: Told | undefined,
  cut?: string | undefined,
  hand?: Hand,
): Promise<Outcome> {
  const name = told?.name ?? call.tool
  const step = listed(c, `tool ${number} ${name}`)
  const work = new Work(c, number, call, step, branch)
  c.place.emit({ kind: 'call', text: '', step, attempt: 1, call })
  const begun = c.session.log ? logBegin(c, work, name, hand) : 0
  const kept = c.place.kept(number)
  if (kept?.usage) work.budget.charge(kept.usage)
  let live = false
  const outcome = await c.place.branch(
    number,
    name,
    async place => {
      live = true
      const done = cut === undefined ? await perform(c, place, work, told, hand) : failed(cut)
      const { budget } = work
      if (budget.toolCalls > 0 || budget.calls > 0 || budget.asks !== undefined) done.usage = budget.usage()
      return done
    },
    childOf(told, call),
  )
  if (!live && !kept && outcome.usage) work.budget.charge(outcome.usage)
  if (outcome.remembered) c.kept.add(outcome.remembered)
  work.end()
  c.place.emit({ kind: outcome.failed ? 'failed' : 'result', text: outcome.text, step, attempt: 1, call })
  if (c.session.log) logEnd(c, work, name, outcome, begun)
  return outcome
}

/** A flow or an agent only works through its place: while it waits, it need not stay in memory. */
function childOf(told: Told | undefined, call: Call): { flow: string; input: Json } | undefined {
  return told?.definition.child ? { flow: told.definition.name, input: call.arguments } : undefined
}

function logBegin(c: Conversation, work: Work, tool: string, hand: Hand | undefined): number {
  const { number, made, span } = work
  const handoff = hand ? { handoff: true as const } : {}
  log(c, span, c.span, { kind: 'call', tool, number, arguments: made.arguments, ...handoff })
  work.watch.worked()
  return c.session.clock.now()
}

function logEnd(c: Conversation, work: Work, tool: string, outcome: Outcome, begun: number): void {
  const { number, span } = work
  const ms = work.watch.worked()
  const waited = c.session.clock.now() - begun - ms
  const usage = work.budget.usage()
  log(c, span, c.span, { kind: 'call end', tool, number, ms, waited, usage, failed: outcome.failed === true })
}

async function perform(
  c: Conversation,
  place: Place,
  work: Work,
  told: Told | undefined,
  hand: Hand | undefined,
): Promise<Outcome> {
  const { made } = work
  if (!told) return failed(unknownTool(made.tool, c.tools.names))
  const not = mayNotBegin(c, told, made)
  if (not !== undefined) return failed(not)
  const read = told.definition.input.readText(made.arguments)
  if (!read.ok) return failed(read.faults.join('\n'))
  work.at(place)
  const barred = c.session.bars && (await c.session.bars(told.definition))
  if (barred !== undefined) {
    place.drop()
    return failed(`${told.name} was not carried out: ${barred}`)
  }
  const why = place.asked('ask')?.why ?? whyAsk(c, place, work, told, read.value)
  if (why !== undefined) {
    const declined = await guard(c, place, work, told, read.value, why)
    if (stopped(c)) return failed(STOPPED)
    if (declined !== undefined) return failed(declined)
  }
  const slot = c.slots.take()
  if (slot) await slot
  try {
    const late = mayNotBegin(c, told, made)
    if (late !== undefined) return failed(late)
    if (told.definition.again === 'never' && !(await begins(place)))
      return { ...failed(INTERRUPTED), unknown: true }
    work.budget.charge({ toolCalls: 1 })
    tellLine(work, told, read.value)
    hand?.begin(work, read.value)
    const given =
      told.tries === 1 ? once(c, work, told, read.value) : tries(place, c, work, told, read.value, hand)
    const done = given instanceof Promise ? await given : given
    // A handoff writes to its caller's thread: nothing may write to it any more when it hands back.
    if (hand) await work.idle(told.definition.timeout)
    const left = work.leaves(done)
    return hand ? hand.end(work, left) : left
  } finally {
    c.slots.give()
  }
}

const STOPPED = 'Not run: the run was stopped.'
const INTERRUPTED = 'Interrupted: it is unknown whether it was carried out. It is not tried again by itself.'

/** True the first time only: a replay finds the step kept, and knows that the call had begun. */
async function begins(place: Place): Promise<boolean> {
  let first = false
  await place.step('begins', async () => {
    first = true
    return true
  })
  return first
}

/** Why no call may begin now; nothing where one may. */
function mayNotBegin(c: Conversation, told: Told, made: Call): string | undefined {
  if (stopped(c)) return STOPPED
  const limit = c.budget.refusesCall()
  if (limit) return `Not run: the limit ${limit} of the run is spent.`
  const times = told.definition.polls ? undefined : c.repeats.refuses(made)
  if (times === undefined) return undefined
  return `Not run again: this very call gave the same result ${times} times. Use that result, or do something else.`
}

/** Tells a person what happens now, if there is anything to tell. */
function tellLine(work: Work, told: Told, input: unknown): void {
  const { line } = told
  if (line === undefined || line === false) return
  let text: string
  try {
    text = typeof line === 'string' ? line : (line as (input: unknown) => string)(copyOf(input))
  } catch {
    return
  }
  work.conversation.place.emit({ kind: 'line', text, step: work.span, attempt: 1, call: work.made })
}

/** Lets the tool work once, within its time. */
function once(c: Conversation, work: Work, told: Told, input: unknown): Outcome | Promise<Outcome> {
  try {
    const given = inside(work, () => told.definition.execute(input, work))
    return isPromise(given) ? settled(c, work, told, given) : answered(told, given, c.limits.result)
  } catch (error) {
    return thrown(error)
  }
}

async function settled(
  c: Conversation,
  work: Work,
  told: Told,
  given: PromiseLike<unknown>,
): Promise<Outcome> {
  const end = await work.within(given, told.definition.timeout)
  try {
    if ('value' in end) return answered(told, end.value, c.limits.result)
  } catch (error) {
    return failed(reason(error))
  }
  if ('error' in end) return thrown(end.error)
  const why = end.cut === 'timeout' ? `${told.name} did not answer in time` : 'Cancelled'
  return { ...failed(`${why}: it is unknown whether it was carried out.`), unknown: true }
}

/** Tries a failing call again, each time in a branch of its own, with a pause that doubles. */
async function tries(
  place: Place,
  c: Conversation,
  work: Work,
  told: Told,
  input: unknown,
  hand: Hand | undefined,
): Promise<Outcome> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await place.branch(
      `try ${attempt}`,
      '',
      async inner => {
        work.at(inner)
        return work.keeps(await once(c, work, told, input))
      },
      childOf(told, work.made),
    )
    if (outcome.remembered) work.kept.add(outcome.remembered)
    if (!outcome.failed || outcome.unknown || attempt >= told.tries || stopped(c)) return outcome
    work.watch.leave()
    await place.sleep(`pause ${attempt}`, Math.min(500 * 2 ** (attempt - 1), 30_000))
    work.watch.enter()
    if (stopped(c)) return outcome
    work.again()
    hand?.again()
  }
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' && value !== null && typeof (value as PromiseLike<unknown>).then === 'function'
  )
}

function unknownTool(name: string, names: readonly string[]): string {
  if (names.length === 0) return `There is no tool ${JSON.stringify(name)}: there are no tools here.`
  const near = nearest(name, names)
  const which =
    near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `The tools are ${names.slice(0, 20).join(', ')}.`
  return `There is no tool ${JSON.stringify(name)}. ${which}`
}
