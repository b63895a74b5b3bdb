// What an error of the AI SDK means. Its classes are known by the marks that they carry, whichever copy they are of.
import { type Failure, passing, spent, wordsOfBody } from '../failure.ts'
import { askedWait } from '../retry.ts'

/** The failure that an error of an AI SDK model tells: of the call itself, or of a stream. */
export function failureOf(error: unknown, now: number): Failure {
  if (is(error, 'AI_LoadAPIKeyError')) return { code: 'T3002', words: wordsOf(error) }
  if (!is(error, 'AI_APICallError')) return ofStream(error)
  const status = typeof error['statusCode'] === 'number' ? error['statusCode'] : undefined
  const again = error['isRetryable'] === true
  const body = typeof error['responseBody'] === 'string' ? error['responseBody'] : ''
  const words = wordsOf(error) || wordsOfBody(body)
  // Without a status nothing was answered; with one of success, what came was no answer.
  if (status === undefined) return { code: 'T3004', words, again }
  if (status < 400) return { code: 'T3007', words, status }
  if (!passing(status)) return { code: 'T3005', words, status }
  const headers = new Headers((error['responseHeaders'] as Record<string, string> | undefined) ?? {})
  const wait = askedWait(headers, now)
  const helps = again && headers.get('x-should-retry') !== 'false' && !spent(body || words, undefined)
  return { code: 'T3006', words, status, again: helps, ...(wait === undefined ? {} : { wait }) }
}

/** An error that is none of the SDK's: the network's, or what a server put into its stream, as it is. */
function ofStream(error: unknown): Failure {
  if (typeof error === 'string') return { code: 'T3009', words: error }
  if (error instanceof TypeError) return { code: 'T3004', words: wordsOf(error), again: true }
  if (error instanceof Error) return { code: 'T3009', words: wordsOf(error) }
  return { code: 'T3009', words: wordsOfBody(JSON.stringify(error) ?? '') }
}

function is(error: unknown, name: string): error is Record<string, unknown> {
  if (typeof error !== 'object' || error === null) return false
  return Reflect.get(error, Symbol.for(`vercel.ai.error.${name}`)) === true
}

/** The messages of an error and of its causes. */
function wordsOf(error: unknown): string {
  const said: string[] = []
  for (let at = error; at instanceof Error && said.length < 4; at = at.cause)
    if (at.message !== '' && !said.some(words => words.includes(at.message))) said.push(at.message)
  return said.join(': ')
}
