// One streamed turn over an OpenAI-compatible chat API.
import type { Request, Turn, TurnPiece } from '../define/records.ts'
import { answerReader } from './answer.ts'
import { type Api, addressOf, headersOf, shownAddress } from './api.ts'
import { bodyOf, endpointMark } from './body.ts'
import { apiClock } from './clock.ts'
import { type Failure, passing, spent, wordsOfBody } from './failure.ts'
import { type Gather, gather } from './gather.ts'
import { wireNames } from './names.ts'
import { priced } from './price.ts'
import { askedWait, retried, type Tried } from './retry.ts'
import { masker, shownWords } from './secrets.ts'
import { withHeaders } from './settings.ts'
import { modelError } from './trouble.ts'
import { type Watch, watch } from './watch.ts'

/** After the model has finished, only the usage and the end of the stream are missing: not worth a long wait. */
const GRACE = 10_000
/** How much of an error's body is read. */
const READ = 64_000

/**
 * One turn of `request` from model `name` of the API `stated`, streamed; `window` is the model's context window (0: unknown).
 * A false from `each`, or `signal`, stops it: it is answered with what was written, `cut: 'stopped'`.
 * Connect errors, 408, 429 and 5xx are tried again before the first piece was given, never after it.
 * Throws a `ModelError` (T3003 to T3010, T3012); no error holds the key or the value of a header.
 */
export async function streamed(
  stated: Api,
  name: string,
  window: number,
  request: Request,
  each: (piece: TurnPiece) => boolean,
  signal: AbortSignal = new AbortController().signal,
): Promise<Turn> {
  const api = withHeaders(stated, request.settings)
  const clock = api.clock ?? apiClock
  const url = addressOf(api, 'chat/completions')
  const names = wireNames(request.tools, request.messages)
  const by = endpointMark(url, name)
  const headers = headersOf(api, url)
  const init: RequestInit = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream, application/json',
      ...headers,
    },
    body: bodyOf(api, by, name, request),
    // Following one would hand the headers to another server.
    redirect: 'manual',
  }
  const begin = () => gather({ names, window, by, each })
  const what = () => `model '${name}' at ${shownWords(shownAddress(url), masker(api), 300)}`

  async function attempt(n: number): Promise<Tried<Turn>> {
    const turn = begin()
    const watching = watch(signal, api.idle ?? 300_000)
    try {
      const failure = await exchange(api, url, init, turn, watching)
      if (turn.stopped || watching.why === 'stopped') return { value: turn.turn(true) }
      if (!failure) return { value: turn.turn(false) }
      const again = failure.again === true && !turn.shown
      return { error: modelError(failure, { what: what(), mask: masker(api), n }), again, wait: failure.wait }
    } finally {
      watching.end()
    }
  }

  const turn = await retried(attempt, { tries: request.settings?.tries ?? api.tries ?? 4, clock, signal })
  return priced(turn ?? begin().turn(true), api.price)
}

/** Sends the request and reads the answer into `turn`. Answers what went wrong, if anything did. */
async function exchange(
  api: Api,
  url: URL,
  init: RequestInit,
  turn: Gather,
  watching: Watch,
): Promise<Failure | undefined> {
  const idle = api.idle ?? 300_000
  if (watching.why) return silence(watching)
  let response: Response | undefined
  try {
    const send = api.fetch ?? fetch
    const sent = send(url.href, { ...init, signal: watching.signal })
    response = await Promise.race([sent, watching.given])
    // A fetch that does not heed its signal may still answer: nobody reads it then.
    if (!response) sent.then(late => late.body?.cancel()).catch(() => {})
  } catch (error) {
    if (!watching.why) return { code: 'T3004', words: chain(error), again: true }
  }
  if (!response) return silence(watching)
  watching.touch(idle)
  if (!response.ok) return refusal(response, api, watching)
  const reader = answerReader(turn)
  const broken = await readBody(response, watching, bytes => {
    watching.touch(turn.finished ? Math.min(GRACE, idle || GRACE) : idle)
    reader.push(bytes)
    return !reader.over
  })
  if (turn.stopped || watching.why === 'stopped') return undefined
  if (broken === undefined && !watching.why) reader.end()
  if (reader.failure) return waiting(reader.failure, response, api)
  // Said to be finished, then cut off: the turn is whole all the same.
  if (turn.finished) return undefined
  return watching.why ? silence(watching) : { code: 'T3008', words: broken ?? '', again: true }
}

/** A failure told in a 200 may ask for a wait too, in its headers. */
function waiting(failure: Failure, { headers }: Response, api: Api): Failure {
  const wait = failure.again ? askedWait(headers, (api.clock ?? apiClock).now()) : undefined
  return wait === undefined ? failure : { ...failure, wait }
}

/** Gives the body's bytes as they come, while `each` wants more. Answers why it broke off, where it did. */
async function readBody(
  response: Response,
  watching: Watch,
  each: (bytes: Uint8Array) => boolean,
): Promise<string | undefined> {
  const reader = response.body?.getReader()
  if (!reader) return undefined
  try {
    for (;;) {
      const part = await Promise.race([reader.read(), watching.given]).catch(chain)
      if (typeof part === 'string') return part
      if (!part || part.done || !each(part.value)) return undefined
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

/** The failure that an HTTP status tells. */
async function refusal(response: Response, api: Api, watching: Watch): Promise<Failure> {
  const { status, headers } = response
  const place = headers.get('location')
  if (status >= 300 && status < 400) {
    await response.body?.cancel().catch(() => {})
    return { code: 'T3007', words: `a redirect${place ? ` to ${place}` : ''}`, status }
  }
  const decoder = new TextDecoder()
  let body = ''
  await readBody(response, watching, bytes => {
    body += decoder.decode(bytes, { stream: true })
    return body.length < READ
  })
  const failure: Failure = { code: 'T3005', words: wordsOfBody(body) || response.statusText, status }
  if (!passing(status)) return failure
  failure.code = 'T3006'
  failure.again = headers.get('x-should-retry') !== 'false' && !spent(body, undefined)
  const wait = askedWait(headers, (api.clock ?? apiClock).now())
  if (wait !== undefined) failure.wait = wait
  return failure
}

function silence(watching: Watch): Failure {
  return { code: 'T3010', words: watching.why === 'stopped' ? 'stopped' : '' }
}

/** The messages of an error and of its causes: fetch says why it failed only in its cause. */
function chain(error: unknown): string {
  const said: string[] = []
  for (let at = error; at instanceof Error && said.length < 4; at = at.cause) {
    const code =
      'code' in at && typeof at.code === 'string' && !at.message.includes(at.code) ? ` (${at.code})` : ''
    const words = `${at.message}${code}`.trim()
    if (words !== '' && !said.includes(words)) said.push(words)
  }
  return said.length > 0 ? said.join(': ') : String(error)
}
