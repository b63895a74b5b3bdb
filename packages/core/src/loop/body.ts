// The function of a tool at work: within its time, and tried again where it fails.
import type { Told } from '../define/entries.ts'
import type { Call, Json } from '../define/records.ts'
import type { Outcome } from '../engine/place.ts'
import type { Soon } from '../engine/soon.ts'
import { inside } from './ambient.ts'
import { stopped } from './conversation.ts'
import { answered, failed, reason, thrown } from './outcome.ts'
import type { Work } from './work.ts'

/** What a handoff adds to a call: it takes over the caller's thread when its body begins, and hands back when it ends. */
export interface Hand {
  begin(work: Work, input: unknown): void
  /** The body is tried again: what the failed try must not leave behind goes. */
  again(): void
  end(work: Work, outcome: Outcome): Outcome
}

/** A call that may run: its input as it was read, and whoever it is handed to. */
export interface Job {
  readonly work: Work
  readonly told: Told
  readonly input: unknown
  readonly hand: Hand | undefined
}

/** Lets the tool work once, within its time. */
export function once({ work, told, input }: Job): Soon<Outcome> {
  try {
    const given = inside(work, () => told.definition.execute(input, work))
    return isPromise(given)
      ? settled(work, told, given)
      : answered(told, given, work.conversation.limits.result)
  } catch (error) {
    return thrown(error)
  }
}

async function settled(work: Work, told: Told, given: PromiseLike<unknown>): Promise<Outcome> {
  const end = await work.within(given, told.definition.timeout)
  try {
    if ('value' in end) return answered(told, end.value, work.conversation.limits.result)
  } catch (error) {
    return failed(reason(error))
  }
  if ('error' in end) return thrown(end.error)
  const why = end.cut === 'timeout' ? `${told.name} did not answer in time` : 'Cancelled'
  return { ...failed(`${why}: it is unknown whether it was carried out.`), unknown: true }
}

/** Tries a failing call again, each time in a branch of its own, with a pause that doubles. */
export async function tries(job: Job): Promise<Outcome> {
  const { work, told, hand } = job
  const { conversation: c, place } = work
  for (let attempt = 1; ; attempt++) {
    const outcome = await place.branch(
      `try ${attempt}`,
      '',
      async inner => {
        work.at(inner)
        return work.keeps(await once(job))
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

/** A flow or an agent only works through its place: while it waits, it need not stay in memory. */
export function childOf(told: Told | undefined, call: Call): { flow: string; input: Json } | undefined {
  return told?.definition.child ? { flow: told.definition.name, input: call.arguments } : undefined
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' && value !== null && typeof (value as PromiseLike<unknown>).then === 'function'
  )
}
