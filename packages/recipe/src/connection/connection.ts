// A connection: where requests go, what they carry, and how much they may cost. It stands outside of the recipes.
import { type Context, type Json, ToolwrightError, type Variables } from '@toolwright/core'
import { type Clock, type Mask, mask, realClock } from '@toolwright/core/engine'
import { type Connect, guardedFetch, type Reply, type Resolve } from '@toolwright/core/fetch'
import { type RecipeFault, refuseFaults } from '../document/faults.ts'
import { type Auth, type Authenticate, plainAuth } from './auth.ts'
import { tokens } from './oauth.ts'
import { type Secret, valueOfSecret } from './secret.ts'
import { checkStated } from './stated.ts'

/** What {@link connection} takes. */
export interface ConnectionStated {
  /** Where the paths of recipes begin: `https://api.example.com/v1`. */
  baseUrl?: string
  /** The same, as the requirement writes it. */
  base_url?: string
  auth?: Auth
  /** Headers of each request. */
  headers?: Readonly<Record<string, string | Secret>>
  /** ms a request may take [10000]. */
  timeout?: number
  limits?: Partial<Limits>
  /** Private and loopback addresses may be reached, and loopback without TLS: for the host of `baseUrl` alone [false]. */
  allowPrivate?: boolean
  /** Redirects that a GET may follow on the same origin, at most 3 [0]. */
  redirects?: number
  /** The header in which the server wants an idempotency key: then an action may be sent again. */
  idempotencyHeader?: string
  /** Where the variables of a call are, in place of those of its conversation (`ctx.variables`). */
  variables?: (ctx: Context) => Variables
  /** For tests: the resolver, the connector and the clock. */
  resolve?: Resolve
  connect?: Connect
  clock?: Clock
}

export interface Limits {
  /** ms that all requests of a call may take together [20000]. */
  total: number
  /** Bytes of an answer, after decompression [1 MB]. */
  answer: number
  /** Requests of one source at the same time [4]. */
  atOnce: number
  /** Entries of a loop [50]. */
  entries: number
}

/** A connection that recipes are given. */
export interface Connection {
  readonly name: string
  /** Without a slash at the end. */
  readonly baseUrl: string
  readonly limits: Readonly<Limits>
  readonly timeout: number
  readonly idempotencyHeader: string | undefined
  readonly variables: ((ctx: Context) => Variables) | undefined
  readonly clock: Clock
  readonly mask: Mask
  /** Sends a request of a recipe, with what the connection adds; a 401 is tried once more with a new token. */
  send(request: Outgoing): Promise<Reply>
  /** The request as it would be sent, its secrets hidden. */
  shown(request: Pick<Outgoing, 'method' | 'url' | 'body'> & { idempotencyKey?: string | undefined }): {
    method: string
    url: string
    headers: Record<string, string>
    body?: string
  }
}

export interface Outgoing {
  /** What it is for, to show people: the source, and in a loop the entry. */
  readonly place: string
  readonly method: string
  readonly url: string
  readonly body: string | undefined
  readonly idempotencyKey: string | undefined
  readonly signal: AbortSignal
  readonly timeout: number
}

const LIMITS: Limits = { total: 20_000, answer: 1_000_000, atOnce: 4, entries: 50 }

/** A connection called `name`. Throws one `T4012` that lists every fault of the statement. */
export function connection(name: string, stated: ConnectionStated): Connection {
  const faults: RecipeFault[] = checkStated(name, stated)
  refuseFaults(`connection ${JSON.stringify(name)}`, faults)
  const { auth, headers = {}, timeout = 10_000, redirects = 0, clock = realClock } = stated
  const base = new URL((stated.baseUrl ?? stated.base_url)!)
  const baseUrl = `${base.origin}${base.pathname.replace(/\/$/, '')}`
  const allowPrivate = stated.allowPrivate ? base.hostname : undefined
  const limits = { ...LIMITS, ...stated.limits }
  const hidden = mask()
  const { resolve, connect } = stated
  const fetch = guardedFetch({
    clock,
    ...(allowPrivate === undefined ? {} : { allowPrivate }),
    ...(resolve ? { resolve } : {}),
    ...(connect ? { connect } : {}),
  })
  const reveal = async (reference: Secret, what: string): Promise<string> => {
    const value = await valueOfSecret(reference, what)
    hidden.add(value)
    return value
  }
  const who: Authenticate =
    auth && 'oauth2' in auth
      ? tokens(auth.oauth2, { name, fetch, clock, reveal, hide: hidden.add, allowPrivate })
      : plainAuth(auth, reveal)
  const ownHeaders = async (): Promise<Record<string, string>> => {
    const own: Record<string, string> = {}
    for (const [key, value] of Object.entries(headers))
      own[key.toLowerCase()] = typeof value === 'string' ? value : await reveal(value, `the header ${key}`)
    return own
  }
  const carried = ({
    body,
    idempotencyKey,
  }: Pick<Outgoing, 'body'> & { idempotencyKey?: string | undefined }): Record<string, string> => ({
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(idempotencyKey !== undefined && stated.idempotencyHeader
      ? { [stated.idempotencyHeader.toLowerCase()]: idempotencyKey }
      : {}),
  })
  const send = async (request: Outgoing, again: boolean): Promise<Reply> => {
    const proof = await who.proof(request.signal)
    for (const value of Object.values(proof.headers)) hidden.add(value.replace(/^(?:Bearer|Basic) /, ''))
    const { method, body, signal, timeout: time } = request
    const reply = await fetch({
      url: withQuery(request.url, proof.query),
      method,
      headers: { ...(await ownHeaders()), ...carried(request), ...proof.headers },
      ...(body === undefined ? {} : { body }),
      signal,
      timeout: time,
      largest: limits.answer,
      redirects,
    })
    // A refused token means that nothing was carried out, so an action may be sent again too.
    if (reply.status === 401 && again && (await who.renew(proof, signal))) return send(request, false)
    return reply
  }
  return {
    name,
    baseUrl,
    limits,
    timeout,
    idempotencyHeader: stated.idempotencyHeader,
    variables: stated.variables,
    clock,
    mask: hidden,
    send: async request => {
      try {
        return await send(request, true)
      } catch (error) {
        throw masked(error, hidden)
      }
    },
    shown: request => {
      const { method, url, body } = request
      const shownHeaders = Object.entries(headers).map(([key, value]) => [
        key.toLowerCase(),
        typeof value === 'string' ? value : HIDDEN,
      ])
      const { query, ...proof } = shownProof(auth)
      return {
        method,
        url: withQuery(url, query),
        headers: { ...Object.fromEntries(shownHeaders), ...carried(request), ...proof.headers },
        ...(body === undefined ? {} : { body }),
      }
    },
  }
}

const HIDDEN = '[secret]'

function shownProof(auth: Auth | undefined): { headers: Record<string, string>; query?: string } {
  if (auth === undefined) return { headers: {} }
  if ('header' in auth) return { headers: { [auth.header.name.toLowerCase()]: HIDDEN } }
  if ('query' in auth) return { headers: {}, query: `${encodeURIComponent(auth.query.name)}=${HIDDEN}` }
  return { headers: { authorization: `${'basic' in auth ? 'Basic' : 'Bearer'} ${HIDDEN}` } }
}

function withQuery(url: string, pair: string | undefined): string {
  return pair === undefined ? url : `${url}${url.includes('?') ? '&' : '?'}${pair}`
}

/** The same error without secrets; its cause is dropped, because it may hold the request. */
function masked(error: unknown, hidden: Mask): unknown {
  if (error instanceof ToolwrightError)
    return new ToolwrightError(error.code, hidden.text(error.problem), { fix: error.fix })
  return error instanceof Error ? new Error(hidden.text(error.message)) : error
}

/** Variables that are kept in memory, for one conversation: a script's, or a test's. */
export function variables(initial: Readonly<Record<string, Json>> = {}): Variables {
  const kept = new Map<string, Json>()
  const key = (name: string, owner?: string): string => JSON.stringify([name, owner ?? null])
  for (const [name, value] of Object.entries(initial)) kept.set(key(name), value)
  return {
    get: (name, owner) => kept.get(key(name, owner)) ?? kept.get(key(name)),
    set: (name, value, owner) => {
      kept.set(key(name, owner), value)
    },
  }
}
