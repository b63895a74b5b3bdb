// Requests as steps of a run: what is meant is kept before it is sent, and what came of it after.
import { createHash } from 'node:crypto'
import type { Context } from '@toolwright/core'
import type { Built } from '../values/request.ts'
import { type NotAnswered, type Sending, type Sent, send } from './send.ts'

/** What the steps of one call share. */
export interface Steps {
  readonly ctx: Context
  /** Names this call for ever, as far as it has a name; else it is new each time. */
  readonly callKey: string
}

/** A request with its place: the source's letter, and in a loop the entry it is for. */
export interface Placed {
  readonly letter: string
  readonly entry: number | undefined
  readonly request: Built
}

export function placeName({ letter, entry }: Pick<Placed, 'letter' | 'entry'>): string {
  return entry === undefined ? letter : `${letter}[${entry}]`
}

/** What the requests of one step share. */
export type Shared = Omit<Sending, 'idempotencyKey' | 'place'>

/** Sends requests at the same time, as one step. Of an action it is one request. Never rejects for what a server does. */
export async function sendStep(placed: readonly Placed[], sending: Shared, steps: Steps): Promise<Sent[]> {
  const [first, last] = [placed[0]!, placed.at(-1)!]
  const name = first === last ? placeName(first) : `${placeName(first)}-${last.entry}`
  const { ctx } = steps
  let fresh = false
  await ctx.step(`${name} begins`, () => {
    fresh = true
    return placed.map(({ request: { method, url } }) => ({ method, url: sending.connection.mask.text(url) }))
  })
  return await ctx.step(name, () => Promise.all(placed.map(one => sendOne(one, fresh, sending, steps))))
}

async function sendOne(placed: Placed, fresh: boolean, sending: Shared, { callKey }: Steps): Promise<Sent> {
  const { connection, action } = sending
  const { method } = placed.request
  const keyed = action && method !== 'GET' && connection.idempotencyHeader !== undefined
  const idempotencyKey = keyed ? keyOf(callKey, placed) : undefined
  const repeatable = !action || keyed || ['GET', 'PUT', 'DELETE'].includes(method)
  if (!fresh && !repeatable) return UNKNOWN
  return await send(placed.request, { ...sending, place: placeName(placed), idempotencyKey })
}

const UNKNOWN: NotAnswered = {
  ok: false,
  kind: 'unknown',
  message: 'it was begun and broke off; it is not sent a second time',
  carried: 'unknown',
}

/** The same for the same request of the same call, also after a crash. */
function keyOf(callKey: string, { letter, entry }: Placed): string {
  return createHash('sha256')
    .update(JSON.stringify([callKey, letter, entry ?? null]))
    .digest('hex')
}
