// One request on its way: sent, repeated where that is safe, and its answer cut down to what is needed.
import { ToolwrightError } from '@toolwright/core'
import type { Reply } from '@toolwright/core/fetch'
import type { Connection } from '../connection/connection.ts'
import type { Built } from '../values/request.ts'
import { excerpt, parsed } from './answer.ts'
import { listIn } from './needed.ts'
import { part } from './paths.ts'

/** What came of a request: what is kept of its answer, or why there is none. */
export type Sent = Answered | NotAnswered

export interface Answered {
  ok: true
  status: number
  /** The parts of the body that are needed; absent where there was no body. */
  value?: unknown
  /** Where the list of a loop over it is; absent where no loop asks, or where it is unclear. */
  list?: string[]
}

export interface NotAnswered {
  ok: false
  kind:
    | 'status'
    | 'refused'
    | 'redirect'
    | 'size'
    | 'timeout'
    | 'connect'
    | 'broken'
    | 'answer'
    | 'secret'
    | 'sign-in'
    | 'unknown'
    | 'failed'
  status?: number
  message: string
  /** Whether the server carried it out, as far as is known. */
  carried: 'no' | 'unknown' | 'yes'
}

/** What belongs to one request beside what it says. */
export interface Sending {
  readonly connection: Connection
  /** What it is for: `a`, `b[2]`. */
  readonly place: string
  readonly action: boolean
  readonly idempotencyKey: string | undefined
  readonly signal: AbortSignal
  /** ms since 1970 at which the time of the whole call is over. */
  readonly deadline: number
  readonly needed: readonly (readonly string[])[]
  /** A later source loops over the answer and does not say where the list is. */
  readonly findList: boolean
}

const RETRIES = 2
const KINDS: Readonly<Record<string, NotAnswered['kind']>> = {
  T4013: 'secret',
  T4014: 'sign-in',
  T4021: 'refused',
  T4022: 'redirect',
  T4023: 'size',
  T4024: 'timeout',
  T4025: 'connect',
  T4026: 'broken',
}
/** After these the request surely did not arrive. */
const NOT_SENT = ['T4013', 'T4014', 'T4021', 'T4025']

/** Sends a request, up to three times where it may be repeated. Never rejects. */
export async function send(request: Built, sending: Sending): Promise<Sent> {
  const { connection, deadline, signal } = sending
  const { clock, mask } = connection
  for (let attempt = 0; ; attempt++) {
    const left = deadline - clock.now()
    if (left <= 0) return outOfTime(sending)
    const timeout = Math.min(connection.timeout, left)
    let sent: Sent
    let wait = 250 * 2 ** attempt
    try {
      const reply = await connection.send({
        ...request,
        place: sending.place,
        idempotencyKey: sending.idempotencyKey,
        signal,
        timeout,
      })
      sent = read(reply, request, sending)
      const asked = retryAfter(reply, clock.now())
      if (!sent.ok && asked !== undefined) {
        wait = asked
        // Longer than there is time: it is said when, and nothing waits in vain.
        if (clock.now() + wait >= deadline)
          return { ...sent, message: `${sent.message}; it says to try again in ${Math.ceil(wait / 1000)} s` }
      }
    } catch (error) {
      sent = failedToSend(error)
    }
    if (sent.ok || attempt >= RETRIES || signal.aborted || !mayRepeat(sent, sending)) return masked(sent)
    if (clock.now() + wait >= deadline) return masked(sent)
    await pause(wait, sending)
    if (signal.aborted) return masked(sent)
  }

  function masked(sent: Sent): Sent {
    if (!sent.ok) return { ...sent, message: mask.text(sent.message) }
    return 'value' in sent ? { ...sent, value: mask.value(sent.value) } : sent
  }
}

/** Whether a request may be sent again: reading always, an action only with a key or where it surely did not arrive. */
function mayRepeat(sent: NotAnswered, { action, idempotencyKey }: Sending): boolean {
  const passing =
    ['connect', 'broken', 'timeout'].includes(sent.kind) ||
    (sent.kind === 'status' && ([408, 425, 429].includes(sent.status!) || sent.status! >= 500))
  if (!passing) return false
  return !action || idempotencyKey !== undefined || sent.kind === 'connect'
}

function read(reply: Reply, request: Built, sending: Sending): Sent {
  const { status } = reply
  const type = reply.headers['content-type']
  const body = parsed(reply.bytes, type)
  if (status < 200 || status > 299)
    return refusedBy(status, body.kind === 'nothing' ? '' : new TextDecoder().decode(reply.bytes), sending)
  if (body.kind === 'nothing') return { ok: true, status }
  if (body.kind === 'other') {
    const what = `${request.method} answered ${status} with ${type ? type.split(';')[0]!.slice(0, 60) : 'no content type'}, not JSON`
    const carried = sending.action ? 'yes' : 'no'
    return {
      ok: false,
      kind: 'answer',
      status,
      message: `${what}: ${sending.connection.mask.text(excerpt(body.text, 200))}`,
      carried,
    }
  }
  const list = sending.findList ? listIn(body.value) : undefined
  const needed =
    list === undefined ? sending.needed : sending.needed.flatMap(keys => [keys, [...list, ...keys]])
  // Of a bare text or number no path reaches anything.
  const value = body.value === null ? null : (part(body.value, needed, true) ?? {})
  return { ok: true, status, value, ...(list === undefined ? {} : { list }) }
}

function refusedBy(status: number, body: string, { connection, action }: Sending): NotAnswered {
  // Masked before it is cut: half a secret is one too.
  const words = status < 500 ? excerpt(connection.mask.text(body)) : ''
  const message =
    status >= 500
      ? `the server failed with ${status}`
      : `the server answered ${status}${words ? `: ${words}` : ''}`
  return { ok: false, kind: 'status', status, message, carried: status >= 500 && action ? 'unknown' : 'no' }
}

function failedToSend(error: unknown): NotAnswered {
  if (!(error instanceof ToolwrightError)) {
    return {
      ok: false,
      kind: 'failed',
      message: error instanceof Error ? error.message : 'it failed',
      carried: 'unknown',
    }
  }
  const kind = KINDS[error.code] ?? 'failed'
  return {
    ok: false,
    kind,
    message: `${error.code}: ${error.problem}`,
    carried: NOT_SENT.includes(error.code) ? 'no' : 'unknown',
  }
}

function outOfTime({ connection }: Sending): NotAnswered {
  const seconds = connection.limits.total / 1000
  return { ok: false, kind: 'timeout', message: `the ${seconds} s of this call are over`, carried: 'no' }
}

/** ms that the server asks to wait: seconds, or a date (RFC 9110, 10.2.3). */
function retryAfter({ headers }: Reply, now: number): number | undefined {
  const value = headers['retry-after']?.trim()
  if (value === undefined) return undefined
  if (/^\d+$/.test(value)) return Number(value) * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

function pause(ms: number, { connection, signal }: Sending): Promise<void> {
  return new Promise(resolve => {
    const end = (): void => {
      callOff()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const callOff = connection.clock.after(ms, end)
    signal.addEventListener('abort', end, { once: true })
  })
}
