// One tool call: read its arguments, ask whether it may run, wait for a slot, let the tool work.
// No stage waits where there is nothing to wait for: what is there at once is given at once.

import type { Told } from '../define/entries.ts'
import { nearest } from '../define/names.ts'
import type { Call } from '../define/records.ts'
import type { Outcome, Place } from '../engine/place.ts'
import { goOn, type Soon } from '../engine/soon.ts'
import { childOf, type Hand, type Job, once, tries } from './body.ts'
import { type Conversation, listed, log, stopped } from './conversation.ts'
import { copyOf, guard, whyAsk } from './guard.ts'
import type { Made } from './made.ts'
import { failed } from './outcome.ts'
import { Work } from './work.ts'

/** Makes the call in a branch of its own and gives what it left behind. It never fails for what a tool does. */
export function call(c: Conversation, made: Made, hand?: Hand): Soon<Outcome> {
  const { call, told, fault } = made.found
  return branch(c, made.number, call, told, made.cut ?? fault, hand)
}

/** Makes one call under a number of its own, by whoever works: a model, a sequence, a flow. */
export const makeCall = (
  c: Conversation,
  number: string,
  call: Call,
  told: Told | undefined,
): Soon<Outcome> => branch(c, number, call, told)

function branch(
  c: Conversation,
  number: string,
  call: Call,
  told: Told | undefined,
  cut?: string | undefined,
  hand?: Hand,
): Soon<Outcome> {
  const name = told?.name ?? call.tool
  const step = listed(c, `tool ${number} ${name}`)
  const work = new Work(c, number, call, step, branch)
  c.place.emit({ kind: 'call', text: '', step, attempt: 1, call })
  const begun = c.session.log ? logBegin(c, work, name, hand) : 0
  const kept = c.place.kept(number)
  if (kept?.usage) work.budget.charge(kept.usage)
  let live = false
  const body = (place: Place): Soon<Outcome> => {
    live = true
    if (cut !== undefined) return failed(cut)
    return goOn(perform(place, work, told, hand), withUsage, work)
  }
  const end = (outcome: Outcome): Outcome => {
    if (!live && !kept && outcome.usage) work.budget.charge(outcome.usage)
    if (outcome.remembered) c.kept.add(outcome.remembered)
    work.end()
    c.place.emit({ kind: outcome.failed ? 'failed' : 'result', text: outcome.text, step, attempt: 1, call })
    if (c.session.log) logEnd(c, work, name, outcome, begun)
    return outcome
  }
  return goOn(c.place.branch(number, name, body, childOf(told, call)), end, work)
}

function withUsage(done: Outcome, { budget }: Work): Outcome {
  if (budget.toolCalls > 0 || budget.calls > 0 || budget.asks !== undefined) done.usage = budget.usage()
  return done
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

/** The way of a call, stage by stage: each may end it with what the model is told instead. */
function perform(place: Place, work: Work, told: Told | undefined, hand: Hand | undefined): Soon<Outcome> {
  const { conversation: c, made } = work
  if (!told) return failed(unknownTool(made.tool, c.tools.names))
  const not = mayNotBegin(c, told, made)
  if (not !== undefined) return failed(not)
  const read = told.definition.input.readText(made.arguments)
  if (!read.ok) return failed(read.faults.join('\n'))
  work.at(place)
  const job: Job = { work, told, input: read.value, hand }
  return goOn(refused(job), unlessRefused, job)
}

/** Why it is not to run: who runs it may not, or the person who was asked did not agree. */
function refused(job: Job): Soon<string | undefined> {
  const { work, told } = job
  const { bars } = work.conversation.session
  if (!bars) return asked(job)
  return bars(told.definition).then(barred => {
    if (barred === undefined) return asked(job)
    work.place.drop()
    return `${told.name} was not carried out: ${barred}`
  })
}

function asked({ work, told, input }: Job): Soon<string | undefined> {
  const { conversation: c, place } = work
  const why = place.asked('ask')?.why ?? whyAsk(c, place, work, told, input)
  if (why === undefined) return undefined
  return guard(c, place, work, told, input, why).then(declined => (stopped(c) ? STOPPED : declined))
}

/** A person who is asked holds none of the slots of `toolsAtOnce`: the call waits for one now. */
function unlessRefused(why: string | undefined, job: Job): Soon<Outcome> {
  return why === undefined ? goOn(job.work.conversation.slots.take(), inSlot, job) : failed(why)
}

function inSlot(_: unknown, job: Job): Soon<Outcome> {
  const { slots } = job.work.conversation
  let done: Soon<Outcome>
  try {
    done = works(job)
  } catch (error) {
    slots.give()
    throw error
  }
  if (done instanceof Promise) return done.finally(() => slots.give())
  slots.give()
  return done
}

function works(job: Job): Soon<Outcome> {
  const { work, told } = job
  const late = mayNotBegin(work.conversation, told, work.made)
  if (late !== undefined) return failed(late)
  if (told.definition.again !== 'never') return carriedOut(job)
  return begins(work.place).then(first =>
    first ? carriedOut(job) : { ...failed(INTERRUPTED), unknown: true },
  )
}

function carriedOut(job: Job): Soon<Outcome> {
  const { work, told, input, hand } = job
  work.budget.charge({ toolCalls: 1 })
  if (!work.place.replaying) tellLine(job)
  hand?.begin(work, input)
  const done = told.tries === 1 ? once(job) : tries(job)
  return hand ? handedBack(job, hand, done) : goOn(done, leaves, work)
}

function leaves(done: Outcome, work: Work): Outcome {
  return work.leaves(done)
}

/** A handoff writes to its caller's thread: nothing may write to it any more when it hands back. */
async function handedBack({ work, told }: Job, hand: Hand, done: Soon<Outcome>): Promise<Outcome> {
  const outcome = await done
  await work.idle(told.definition.timeout)
  return hand.end(work, work.leaves(outcome))
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
function tellLine({ work, told, input }: Job): void {
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

function unknownTool(name: string, names: readonly string[]): string {
  if (names.length === 0) return `There is no tool ${JSON.stringify(name)}: there are no tools here.`
  const near = nearest(name, names)
  const which =
    near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `The tools are ${names.slice(0, 20).join(', ')}.`
  return `There is no tool ${JSON.stringify(name)}. ${which}`
}
