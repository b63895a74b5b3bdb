// A fetch that reaches public addresses only. Each hop is judged on the address that is really connected to.
import http, { type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Clock, realClock } from '../engine/clock.ts'
import { ToolwrightError } from '../errors.ts'
import { bodyOf, broken, ENCODINGS } from './body.ts'
import { type Connect, connectTo, judged, type Resolve, resolveByDns, unreachable } from './door.ts'

/** How a guarded fetch is made. */
export interface GuardOptions {
  /** A host (as `URL.hostname` spells it) whose private and loopback addresses may be reached. */
  allowPrivate?: string
  /** Gives every address of a name [the system's resolver]. */
  resolve?: Resolve
  /** Opens a socket to a judged address [net and tls]. */
  connect?: Connect
  clock?: Clock
}

/** One request. */
export interface GuardedRequest {
  url: string | URL
  /** ['GET'] */
  method?: string
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array
  signal?: AbortSignal
  /** ms until the whole answer is there [10000]. */
  timeout?: number
  /** Bytes of the answer after decompression [1 MB]. */
  largest?: number
  /** Redirects that are followed, for GET and HEAD only [0]. */
  redirects?: number
  /** Follow them to other origins too; then every header of `headers` is dropped for good [false]. */
  otherOrigins?: boolean
}

/** A whole answer. */
export interface Reply {
  status: number
  /** Names in lower case; of repeated ones all values, joined by ', '. */
  headers: Readonly<Record<string, string>>
  bytes: Uint8Array
  /** Where it came from, after redirects. */
  url: string
}

/**
 * Sends a request and gives its whole answer, whatever its status. Rejects with a ToolwrightError: `T4021` the address
 * may not be reached, `T4022` a redirect that is not followed, `T4023` too large, `T4024` not in time, `T4025` no
 * connection, `T4026` it broke. After `T4021` and `T4025` the request surely did not arrive.
 */
export type GuardedFetch = (request: GuardedRequest) => Promise<Reply>

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** A fetch that reaches public https addresses only, and `allowPrivate`'s host. */
export function guardedFetch(options: GuardOptions = {}): GuardedFetch {
  const { clock = realClock } = options
  const go = hops(options)
  return request => {
    const { timeout = 10_000, signal } = request
    return new Promise((resolve, reject) => {
      const cut = new AbortController()
      let connected = false
      const end = (settle: () => void): void => {
        callOff()
        signal?.removeEventListener('abort', stop)
        settle()
      }
      const giveUp = (error: unknown): void => {
        end(() => reject(error))
        cut.abort()
      }
      const callOff = clock.after(timeout, () => giveUp(late(request.url, timeout, connected)))
      const stop = (): void => giveUp(connected ? broken('it was stopped') : signal?.reason)
      if (signal?.aborted) return stop()
      signal?.addEventListener('abort', stop, { once: true })
      go(request, cut.signal, () => {
        connected = true
      }).then(
        reply => end(() => resolve(reply)),
        error => giveUp(error),
      )
    })
  }
}

type Go = (request: GuardedRequest, signal: AbortSignal, connected: () => void) => Promise<Reply>

function hops({ allowPrivate, resolve = resolveByDns, connect = connectTo }: GuardOptions): Go {
  return async (request, signal, connected) => {
    const { method = 'GET', redirects = 0, largest = 1_000_000 } = request
    const mayFollow = method === 'GET' || method === 'HEAD'
    let url = new URL(request.url)
    let headers = request.headers ?? {}
    for (let hop = 0; ; hop++) {
      const socket = await open(url, await judged(url, resolve, allowPrivate), connect, signal)
      connected()
      const answer = await sent(url, method, headers, request.body, socket, signal)
      const location = answer.headers.location
      if (!REDIRECTS.has(answer.statusCode ?? 0) || location === undefined) {
        const bytes = await bodyOf(answer, largest)
        socket.destroy()
        return { status: answer.statusCode ?? 0, headers: flat(answer), bytes, url: url.href }
      }
      socket.destroy()
      const next = nextHop(url, location)
      if (!mayFollow || hop >= redirects) throw notFollowed(url, next, answer.statusCode)
      if (next.origin !== url.origin) {
        if (!request.otherOrigins) throw notFollowed(url, next, answer.statusCode)
        headers = {}
      }
      url = next
    }
  }
}

/** A connected socket to one of the addresses: the first that answers. */
async function open(
  url: URL,
  addresses: readonly string[],
  connect: Connect,
  signal: AbortSignal,
): Promise<Duplex> {
  const secure = url.protocol === 'https:'
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port)
  let last: unknown
  for (const address of addresses) {
    if (signal.aborted) break
    let socket: Duplex | undefined
    try {
      socket = connect({ address, port, secure, hostname: url.hostname })
      await ready(socket, secure, signal)
      return socket
    } catch (error) {
      socket?.destroy()
      last = error
    }
  }
  throw unreachable(url, last instanceof Error ? last.message : 'no connection', last)
}

function ready(socket: Duplex, secure: boolean, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(new Error('it was stopped'))
    const settle = (end: () => void) => (): void => {
      signal.removeEventListener('abort', abort)
      socket.removeListener('error', reject)
      end()
    }
    signal.addEventListener('abort', abort, { once: true })
    socket.once('error', reject)
    // A connector of a test may give a plain socket for a secure target: it tells so by `connect` alone.
    const event = secure && 'encrypted' in socket ? 'secureConnect' : 'connect'
    socket.once(event, settle(resolve))
  })
}

// A socket of its own for each request: a reused one that the server has just closed would leave it unknown whether
// the request arrived.
function sent(
  url: URL,
  method: string,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array | undefined,
  socket: Duplex,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? undefined : Buffer.byteLength(body)
    const request = http.request({
      method,
      path: `${url.pathname}${url.search}`,
      host: url.hostname,
      headers: {
        accept: 'application/json',
        ...headers,
        host: url.host,
        'accept-encoding': ENCODINGS,
        connection: 'close',
        // Stated, because for some methods (DELETE) Node sends a body without any length: the start of another request.
        ...(length === undefined ? {} : { 'content-length': length }),
      },
      // With an agent, `agent: false` included, this would not be asked, and the host would be connected to by name.
      createConnection: () => socket as never,
      maxHeaderSize: 32_768,
      signal,
    })
    request.on('response', answer => {
      if (request.socket === socket) resolve(answer)
      else reject(broken('the answer came another way than the request'))
    })
    request.on('error', cause => reject(broken('the connection broke before an answer came', cause)))
    // Nobody asked for another protocol.
    request.on('upgrade', () => reject(broken('the server wanted another protocol')))
    request.end(body)
  })
}

function nextHop(from: URL, location: string): URL {
  try {
    return new URL(location, from)
  } catch {
    throw new ToolwrightError('T4022', `${from.host} redirects to what is no address`)
  }
}

function notFollowed(from: URL, to: URL, status: number | undefined): ToolwrightError {
  const where = to.origin === from.origin ? 'another place on the same host' : to.host
  return new ToolwrightError('T4022', `${from.host} answered ${status}: a redirect to ${where}`, {
    fix: 'write the address that it leads to; redirects can be allowed for GET, on the same origin',
  })
}

function late(url: string | URL, timeout: number, connected: boolean): ToolwrightError {
  const target = new URL(url)
  if (!connected) return unreachable(target, `no connection within ${timeout} ms`)
  return new ToolwrightError('T4024', `${target.host} did not answer within ${timeout} ms`, {
    fix: 'ask for less, or give it more time',
  })
}

function flat(answer: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = Object.create(null)
  for (const [name, value] of Object.entries(answer.headers))
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value
  return headers
}
