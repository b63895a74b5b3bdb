// One streamed turn over an OpenAI-compatible chat API.
import type { Request, Turn, TurnPiece } from '../define/records.ts'
import { type Code, ToolwrightError } from '../errors.ts'
import { answerReader } from './answer.ts'
import { type Api, addressOf, headersOf, shownAddress } from './api.ts'
import { bodyOf, endpointMark } from './body.ts'
import { apiClock } from './clock.ts'
import { type Failure, passing, spent, wordsOfBody } from './failure.ts'
import { type Gather, gather } from './gather.ts'
import { wireNames } from './names.ts'
import { askedWait, LONGEST_WAIT, retried, type Tried } from './retry.ts'
import { masker, shownWords } from './secrets.ts'
import { type Watch, watch } from './watch.ts'

/** An error of a model's API: with the HTTP status, or the one that the answer states, where there is one. */
export interface ModelError extends ToolwrightError {
  readonly status?: number
}

/** After the model has finished, only the usage and the end of the stream are missing: not worth a long wait. */
const GRACE = 10_000
/** How much of an error's body is read. */
const READ = 64_000

/**
 * One turn of `request` from model `name` of `api`, streamed; `window` is the model's context window (0: unknown).
 * A false from `each`, or `signal`, stops it: it is answered with what was written, `cut: 'stopped'`.
 * Connect errors, 408, 429 and 5xx are tried again before the first piece was given, never after it.
 * Throws a {@link ModelError} (T3003 to T3010, T3012); no error holds the key or the value of a header.
 */
export async function streamed(
  api: Api,
  name: string,
  window: number,
  request: Request,
  each: (piece: TurnPiece) => boolean,
  signal: AbortSignal = new AbortController().signal,
): Promise<Turn> {
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

  async function attempt(n: number): Promise<Tried<Turn>> {
    const turn = begin()
    const watching = watch(signal, api.idle ?? 300_000)
    try {
      const failure = await exchange(api, url, init, turn, watching)
      if (turn.stopped || watching.why === 'stopped') return { value: turn.turn(true) }
      if (!failure) return { value: turn.turn(false) }
      const again = failure.again === true && !turn.shown
      return { error: errorOf(failure, api, url, name, n), again, wait: failure.wait }
    } finally {
      watching.end()
    }
  }

  const turn = await retried(attempt, { tries: api.tries ?? 4, clock, signal })
  return turn ?? begin().turn(true)
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
  if (reader.failure) return reader.failure
  // Said to be finished, then cut off: the turn is whole all the same.
  if (turn.finished) return undefined
  return watching.why ? silence(watching) : { code: 'T3008', words: broken ?? '', again: true }
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

const HAPPENED: Record<string, string> = {
  T3004: 'could not be reached',
  T3005: 'refused the request',
  T3006: 'cannot answer now',
  T3007: 'answered with something that is no answer of a chat API',
  T3008: 'broke off before its answer was whole',
  T3009: 'reported an error in its answer',
  T3010: 'was silent for too long',
}

function errorOf(failure: Failure, api: Api, url: URL, name: string, n: number): ModelError {
  const mask = masker(api)
  const words = shownWords(failure.words, mask)
  const status = failure.status === undefined ? '' : ` (${failure.status})`
  const tries = n > 1 ? `, at try ${n}` : ''
  const address = shownWords(shownAddress(url), mask, 300)
  const what = `model '${name}' at ${address} ${HAPPENED[failure.code] ?? 'failed'}${status}${tries}`
  const error = new ToolwrightError(failure.code, words ? `${what}: ${words}` : what, { fix: mend(failure) })
  return failure.status === undefined ? error : Object.assign(error, { status: failure.status })
}

function mend({ code, status, wait }: Failure): string {
  const mends: Partial<Record<Code, string>> = {
    T3004: 'Is the server running, and is the address right (AI_URL, or the `url` of the API)?',
    T3006: 'Ask again later, or take another model.',
    T3007: 'Check the address of the API (AI_URL): most end in /v1.',
    T3008: 'Ask again. Where it comes back each time, look at the log of the server or of a proxy before it.',
    T3009: 'What the server says tells what to change.',
    T3010: 'Ask again, or allow more time with the `idle` of the API.',
  }
  if (wait !== undefined && wait > LONGEST_WAIT)
    return `The server asks to wait for ${Math.ceil(wait / 1000)} seconds.`
  if (status === 401 || status === 403) return 'Check the key: AI_API_KEY, or the `key` of the API.'
  if (status === 404)
    return 'Check the name of the model, and the address of the API (AI_URL): most end in /v1.'
  return mends[code] ?? 'What the server says tells what to change.'
}
