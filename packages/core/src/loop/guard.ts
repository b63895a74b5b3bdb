// May it run: the one guard that every call of every door passes.
import type { Told } from '../define/entries.ts'
import type { Call } from '../define/records.ts'
import type { Ask, Decision, Place } from '../engine/place.ts'
import { type Conversation, listed, log } from './conversation.ts'
import type { Work } from './work.ts'

/**
 * Asks a person where there is a reason to; nothing where the call may run, else what the model is told instead.
 * An ask that a journal holds is followed whatever the code would do now: none is skipped because its rule is gone.
 */
export async function guard(
  c: Conversation,
  place: Place,
  work: Work,
  told: Told,
  input: unknown,
  asking: string | Promise<string | undefined>,
): Promise<string | undefined> {
  const why = await asking
  if (why === undefined) return undefined
  for (let n = 1; ; n++) {
    const waiting = place.asked(nameOf(n))
    const not = waiting ? undefined : notAsked(c, place, work, told)
    if (not) return c.session.declined(told.name, not)
    work.budget.charge({ asks: 1 })
    const ask = waiting ?? (await askOf(c, work, told, input, why, n))
    const decision = await decide(c, place, work, ask, n)
    if (!decision.approved) return c.session.declined(told.name, decision)
    // What was agreed to is what was shown: where something else would run by now, that is asked about.
    if (!waiting && !told.definition.resolve) return undefined
    if (sameEffect(ask, await askOf(c, work, told, input, why, n))) return undefined
  }
}

const nameOf = (n: number): string => (n === 1 ? 'ask' : `ask ${n}`)

/** The refusal that counts without asking anybody: for the whole run, or because it has asked too often. */
function notAsked(
  c: Conversation,
  place: Place,
  work: Work,
  told: Told,
): (Decision & { approved: false }) | undefined {
  const refused = place.refused(told.definition.name)
  if (refused) return refused
  if (work.budget.asked < c.session.asks) return undefined
  log(c, work.span, c.span, {
    kind: 'warning',
    text: `${told.name}: nobody was asked, because the run has asked too often`,
  })
  return { approved: false, nobody: true }
}

/** What a person is shown: the input as it was read, repaired and filled, and what else the effect depends on. */
async function askOf(
  c: Conversation,
  work: Work,
  told: Told,
  input: unknown,
  why: string,
  n: number,
): Promise<Ask> {
  const { name, about, definition } = told
  const { readOnly, version, resolve } = definition
  const step = listed(c, `ask ${work.number}${n === 1 ? '' : ` again ${n - 1}`}`)
  const call: Call = { ...work.made, tool: name, arguments: JSON.stringify(input) }
  return {
    step,
    call,
    why,
    about,
    readOnly,
    ...(definition.name === name ? {} : { definition: definition.name }),
    ...(version === undefined ? {} : { version }),
    ...(resolve ? { resolved: await resolve(copyOf(input), work) } : {}),
  }
}

async function decide(c: Conversation, place: Place, work: Work, ask: Ask, n: number): Promise<Decision> {
  const { step, call, why } = ask
  const { number, span } = work
  c.place.emit({ kind: 'ask', text: why, step, attempt: 1, call: { ...call, tool: work.made.tool } })
  log(c, span, c.span, { kind: 'ask', tool: call.tool, number, arguments: call.arguments, why })
  work.watch.leave()
  const decision = await place.decide(nameOf(n), ask, c.session.clock.now() + c.limits.ask)
  work.watch.enter()
  const said = decision.approved || decision.why === undefined ? {} : { why: decision.why }
  log(c, span, c.span, { kind: 'decision', tool: call.tool, number, approved: decision.approved, ...said })
  return decision
}

/** Two asks about the very same effect: their wording does not matter. */
function sameEffect(a: Ask, b: Ask): boolean {
  const effect = ({ call, definition, version, resolved }: Ask) =>
    JSON.stringify([definition ?? call.tool, call.arguments, version, resolved])
  return effect(a) === effect(b)
}

/** Why the call asks a person; nothing where it does not. A rule of the tool's own may take its time. */
export function whyAsk(
  c: Conversation,
  place: Place,
  work: Work,
  told: Told,
  input: unknown,
): string | undefined | Promise<string | undefined> {
  const { danger, sendsOut, readOnly } = told.definition
  if (danger === 'ask') return 'it asks before each call'
  if (danger === undefined) return otherwise(c, told, sendsOut, readOnly)
  const rule = danger as unknown as (input: unknown, ctx: Work) => boolean | Promise<boolean>
  // The rule is a step, so that it is decided once; one that fails, or does not come to an end, asks.
  const decided = place.step('rule', () => {
    const ruled = Promise.resolve().then(() => rule(copyOf(input), work))
    return inTime(
      c,
      ruled.then(asks => asks !== false, asks),
      told.definition.timeout,
    )
  })
  return decided.then(asks => (asks ? 'its own rule asks' : otherwise(c, told, sendsOut, readOnly)))
}

const asks = (): boolean => true

/** What `ruled` says, or true where the run is stopped or its time is over. */
function inTime(c: Conversation, ruled: Promise<boolean>, ms: number): Promise<boolean> {
  return new Promise(resolve => {
    const end = (asks: boolean): void => {
      callOff()
      unlisten()
      resolve(asks)
    }
    const callOff = c.session.clock.after(ms, () => end(true))
    const unlisten = c.stop.listen(() => end(true))
    void ruled.then(end)
  })
}

/** A copy for code that is only to look: what was shown is what runs. */
export function copyOf(input: unknown): unknown {
  try {
    return structuredClone(input)
  } catch {
    return input
  }
}

function otherwise(c: Conversation, told: Told, sendsOut: boolean, readOnly: boolean): string | undefined {
  if (sendsOut && !c.trusts(told.definition)) return 'it sends data out'
  if (c.session.asksEach && !readOnly) return 'each call is asked about'
  return undefined
}
