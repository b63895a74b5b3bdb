// One tool call: read its arguments, ask whether it may run, wait for a slot, let the tool work.
import type { Told } from '../define/entries.ts'
import { nearest } from '../define/names.ts'
import type { Call } from '../define/records.ts'
import type { Outcome, Place } from '../engine/place.ts'
import { inside } from './ambient.ts'
import { type Conversation, listed, log, stopped } from './conversation.ts'
import { guard } from './guard.ts'
import { answered, failed, reason } from './outcome.ts'
import { Work } from './work.ts'

/** Makes the call in a branch of its own and gives what it left behind. It never rejects for what a tool does. */
export function call(
  c: Conversation,
  number: string,
  made: Call,
  cut: string | undefined,
  hand?: Hand,
): Promise<Outcome> {
  const found = c.tools.find(made)
  return branch(c, number, found.call, found.told, cut, hand)
}

/** What a handoff adds to a call: it takes over the caller's thread when its body begins, and hands back when it ends. */
export interface Hand {
  begin(work: Work, input: unknown): void
  end(work: Work, outcome: Outcome): Outcome
}

async function branch(
  c: Conversation,
  number: string,
  call: Call,
  told: Told | undefined,
  cut?: string,
  hand?: Hand,
): Promise<Outcome> {
  const name = told?.name ?? call.tool
  const step = listed(c, `tool ${number} ${name}`)
  const work = new Work(c, number, call, step, (inner, number, call, told) =>
    branch(inner, number, call, told),
  )
  work.watch.enter()
  c.place.emit({ kind: 'call', text: '', step, attempt: 1, call })
  log(c, work.span, c.span, {
    kind: 'call',
    tool: name,
    number,
    arguments: call.arguments,
    ...(hand ? { handoff: true } : {}),
  })
  const begun = c.session.clock.now()
  let live = false
  const outcome = await c.place.branch(number, name, async place => {
    live = true
    const done = cut === undefined ? await perform(c, place, work, told, hand) : failed(cut)
    const usage = work.budget.usage()
    return usage.toolCalls === 0 && usage.calls === 0 ? done : { ...done, usage }
  })
  if (!live && outcome.usage) work.budget.charge(outcome.usage)
  work.end()
  c.place.emit({ kind: outcome.failed ? 'failed' : 'result', text: outcome.text, step, attempt: 1, call })
  if (c.session.log) {
    const worked = work.watch.worked()
    const waited = c.session.clock.now() - begun - worked
    const usage = work.budget.usage()
    log(c, work.span, c.span, {
      kind: 'call end',
      tool: name,
      number,
      ms: worked,
      waited,
      usage,
      failed: outcome.failed === true,
    })
  }
  return outcome
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
  const declined = await guard(c, place, work, told, read.value)
  if (stopped(c)) return failed(STOPPED)
  if (declined !== undefined) return failed(declined)
  const slot = c.slots.take()
  if (slot) await slot
  try {
    const late = mayNotBegin(c, told, made)
    if (late !== undefined) return failed(late)
    if (told.definition.again === 'never' && !(await begins(place))) return failed(INTERRUPTED)
    work.budget.charge({ toolCalls: 1 })
    tellLine(work, told, read.value)
    hand?.begin(work, read.value)
    const done =
      told.tries === 1 ? await once(c, work, told, read.value) : await tries(place, c, work, told, read.value)
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
    text = typeof line === 'string' ? line : (line as (input: unknown) => string)(input)
  } catch {
    return
  }
  work.conversation.place.emit({ kind: 'line', text, step: work.span, attempt: 1, call: work.made })
}

/** Lets the tool work once, within its time. */
async function once(
  c: Conversation,
  work: Work,
  told: Told,
  input: unknown,
): Promise<Outcome & { final?: true }> {
  let given: unknown
  try {
    given = inside(work, () => told.definition.execute(input, work))
  } catch (error) {
    return failed(reason(error))
  }
  if (!isPromise(given)) return answered(told, given, c.limits.result)
  const end = await work.within(given, told.definition.timeout)
  if ('value' in end) return answered(told, end.value, c.limits.result)
  if ('error' in end) return failed(reason(end.error))
  const why = end.cut === 'timeout' ? `${told.name} did not answer in time` : 'Cancelled'
  return { ...failed(`${why}: it is unknown whether it was carried out.`), final: true }
}

/** Tries a failing call again, each time in a branch of its own, with a pause that doubles. */
async function tries(
  place: Place,
  c: Conversation,
  work: Work,
  told: Told,
  input: unknown,
): Promise<Outcome> {
  for (let attempt = 1; ; attempt++) {
    const outcome: Outcome & { final?: true } = await place.branch(`try ${attempt}`, '', async inner => {
      work.at(inner)
      return await once(c, work, told, input)
    })
    if (!outcome.failed || outcome.final || attempt >= told.tries || stopped(c)) {
      const { final: _, ...rest } = outcome
      return rest
    }
    work.watch.leave()
    await place.sleep(`pause ${attempt}`, Math.min(500 * 2 ** (attempt - 1), 30_000))
    work.watch.enter()
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
