// May it run: the one guard that every call of every door passes.
import type { Told } from '../define/entries.ts'
import type { Call } from '../define/records.ts'
import type { Place } from '../engine/place.ts'
import { type Conversation, listed, log } from './conversation.ts'
import type { Work } from './work.ts'

/** Asks a person where there is a reason to; nothing where the call may run, else what the model is told instead. */
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
  const { session } = c
  if (session.asksLeft <= 0) {
    log(c, work.span, c.span, {
      kind: 'warning',
      text: `${told.name}: nobody was asked, because the run has asked too often`,
    })
    return session.declined(told.name, { approved: false, nobody: true })
  }
  session.asksLeft--
  const step = listed(c, `ask ${work.number}`)
  const { name, definition } = told
  // What is shown is the input as it was read, repaired and filled: exactly what will run.
  const call: Call = { ...work.made, arguments: JSON.stringify(input) }
  c.place.emit({ kind: 'ask', text: why, step, attempt: 1, call })
  log(c, work.span, c.span, { kind: 'ask', tool: name, number: work.number, arguments: call.arguments, why })
  work.watch.leave()
  const ask = { step, call: { ...call, tool: name }, why, about: told.about, readOnly: definition.readOnly }
  const decision = await place.decide('ask', ask, session.clock.now() + c.limits.ask)
  work.watch.enter()
  const said = decision.approved || decision.why === undefined ? {} : { why: decision.why }
  log(c, work.span, c.span, {
    kind: 'decision',
    tool: name,
    number: work.number,
    approved: decision.approved,
    ...said,
  })
  return decision.approved ? undefined : session.declined(name, decision)
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
