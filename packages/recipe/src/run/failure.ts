// What the model is told when a request failed: what, where, and what was done before.
import type { Plan } from '../document/plan.ts'
import type { NotAnswered } from './send.ts'

export interface Failure {
  /** The source, in a loop with its entry: `b[2]`. */
  place: string
  sent: NotAnswered
  /** What was done before it, in order. */
  done: readonly string[]
  /** What the agent sees of that. */
  result: unknown
}

/**
 * The error whose message the model is told: `{ error: { source, kind, status, message }, done, result }` as JSON. With
 * `again: 'never'` the loop does not try the call again: something was carried out, or may have been.
 */
export function failure(plan: Plan, { place, sent, done, result }: Failure): Error & { again?: 'never' } {
  const { kind, status, message, carried } = sent
  const told =
    plan.kind === 'fetch' ? message : [message, own(place, carried), before(done)].filter(Boolean).join('. ')
  const error = { source: place, kind, ...(status === undefined ? {} : { status }), message: told }
  const thrown = new Error(JSON.stringify({ error, done, ...(result === undefined ? {} : { result }) }))
  return mayRepeat(plan, place, sent, done) ? thrown : Object.assign(thrown, { again: 'never' as const })
}

/** Reading harms nobody, and what was surely not carried out may be tried. */
function mayRepeat(plan: Plan, place: string, { carried }: NotAnswered, done: readonly string[]): boolean {
  const writes = (name: string): boolean =>
    plan.sources.some(({ letter, method }) => letter === name[0] && method !== 'GET')
  return plan.kind === 'fetch' || (!done.some(writes) && (carried === 'no' || !writes(place)))
}

function own(place: string, carried: NotAnswered['carried']): string {
  if (carried === 'yes') return `${place} was carried out`
  return carried === 'unknown'
    ? `It is unknown whether ${place} was carried out`
    : `${place} was not carried out`
}

function before(done: readonly string[]): string {
  if (done.length === 0) return ''
  const what =
    done.length === 1 ? 'was carried out before, and stays so' : 'were carried out before, and stay so'
  return `${done.join(', ')} ${what}`
}
