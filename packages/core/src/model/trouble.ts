// The error that a failed turn rejects with: what happened, where, in the server's own words, and the mend.
import { type Code, ToolwrightError } from '../errors.ts'
import type { Failure } from './failure.ts'
import { LONGEST_WAIT } from './retry.ts'
import { shownWords } from './secrets.ts'

/** An error of a model's API: with the HTTP status, or the one that the answer states, where there is one. */
export interface ModelError extends ToolwrightError {
  readonly status?: number
}

const HAPPENED: Record<string, string> = {
  T3002: 'has no key',
  T3004: 'could not be reached',
  T3005: 'refused the request',
  T3006: 'cannot answer now',
  T3007: 'answered with something that is no answer of a chat API',
  T3008: 'broke off before its answer was whole',
  T3009: 'reported an error in its answer',
  T3010: 'was silent for too long',
}

/** Which words name what failed: "model 'x' at https://…"; `mask` takes secrets out of a text; `n` is the try. */
export interface Asked {
  what: string
  mask: (text: string) => string
  n: number
}

/** The error of a failure. */
export function modelError(failure: Failure, { what, mask, n }: Asked): ModelError {
  const words = shownWords(failure.words, mask)
  const status = failure.status === undefined ? '' : ` (${failure.status})`
  const tries = n > 1 ? `, at try ${n}` : ''
  const happened = `${what} ${HAPPENED[failure.code] ?? 'failed'}${status}${tries}`
  const message = words ? `${happened}: ${words}` : happened
  const error = new ToolwrightError(failure.code, message, { fix: mend(failure) })
  return failure.status === undefined ? error : Object.assign(error, { status: failure.status })
}

function mend({ code, status, wait }: Failure): string {
  const mends: Partial<Record<Code, string>> = {
    T3002: 'Give it one, in the variable that it reads or where it is made.',
    T3004: 'Is the server running, and is its address right (AI_URL, or the one that the model was given)?',
    T3006: 'Ask again later, or take another model.',
    T3007: 'Check the address of the API (AI_URL): most end in /v1.',
    T3008: 'Ask again. Where it comes back each time, look at the log of the server or of a proxy before it.',
    T3009: 'What the server says tells what to change.',
    T3010: 'Ask again, or allow more time with its `idle`.',
  }
  if (wait !== undefined && wait > LONGEST_WAIT)
    return `The server asks to wait for ${Math.ceil(wait / 1000)} seconds.`
  if (status === 401 || status === 403)
    return 'Check the key: AI_API_KEY, or the one that the model was given.'
  if (status === 404)
    return 'Check the name of the model, and the address of its API (AI_URL): most end in /v1.'
  return mends[code] ?? 'What the server says tells what to change.'
}
