// What can go wrong with one request, as data: an error is made of it where the address and the secrets are known.
import type { Json } from '../define/records.ts'
import type { Code } from '../errors.ts'
import { count, type Fields, fields, list, parsed } from './json.ts'

export interface Failure {
  code: Code
  /** The words of the server, or of what failed. Not yet masked. */
  words: string
  status?: number
  /** Asking again may help, as long as nothing was shown. */
  again?: boolean
  /** How long the server asks to wait before that, in ms. */
  wait?: number
}

/** Whether asking again may help after such a status: too slow, too many, or the server's own fault. */
export function passing(status: number): boolean {
  return status === 408 || status === 429 || status >= 500
}

/** The failure that a JSON answer or a chunk tells instead of a turn; undefined where it tells none. */
export function failureIn(answer: Fields): Failure | undefined {
  const told = answer['error'] ?? fields(answer['x_groq'])?.['error']
  const error = told || (answer['object'] === 'error' || answer['type'] === 'error' ? answer : undefined)
  const found = error ?? (answer['choices'] === undefined ? answer['detail'] : undefined)
  if (!found) return undefined
  const status = statusIn(fields(found) ?? answer) ?? statusIn(answer)
  const failure: Failure = { code: 'T3009', words: wordsIn(answer) }
  if (status !== undefined) failure.status = status
  if (status !== undefined && passing(status) && !spent(failure.words, found)) failure.again = true
  return failure
}

/** The words of an error's body, whatever its shape: {error: {message}}, {message}, {detail: [{msg}]}, plain text. */
export function wordsOfBody(body: string): string {
  const json = parsed(body)
  const answer = fields(Array.isArray(json) ? json[0] : json)
  if (answer) return wordsIn(answer)
  // A page of a proxy: its title says what a person needs.
  return /<title[^>]*>([^<]*)<\/title>/i.exec(body)?.[1]?.trim() || body
}

/** True where no waiting helps: the account has no credit. */
export function spent(words: string, error: unknown): boolean {
  const code = fields(error)?.['code'] ?? fields(error)?.['type'] ?? ''
  return /insufficient_quota|billing_hard_limit/.test(`${code} ${words}`)
}

function statusIn(error: Fields): number | undefined {
  for (const key of ['status', 'status_code', 'code']) {
    const n = count(error[key])
    if (n !== undefined && n >= 400 && n < 600) return n
  }
  const name = `${error['type'] ?? ''} ${error['code'] ?? ''}`
  if (/rate_?limit/i.test(name)) return 429
  if (/overloaded|server_error|internal_error|unavailable/i.test(name)) return 503
  return undefined
}

function wordsIn(answer: Fields): string {
  const error =
    answer['error'] ?? fields(answer['x_groq'])?.['error'] ?? answer['detail'] ?? answer['message'] ?? answer
  if (typeof error === 'string') return error
  const inner = fields(error)
  if (!inner) {
    const all = list(error).map(item => fields(item)?.['msg'] ?? item)
    return all.map(item => (typeof item === 'string' ? item : JSON.stringify(item))).join('; ')
  }
  const message = inner['message'] ?? inner['msg'] ?? inner['error'] ?? inner['detail']
  const said = typeof message === 'string' ? message : JSON.stringify(message ?? inner)
  // A router's own words say little; what its provider said says why.
  const raw = fields(inner['metadata'])?.['raw']
  const upstream = typeof raw === 'string' ? raw : raw ? JSON.stringify(raw as Json) : ''
  return upstream === '' ? said : `${said}: ${upstream}`
}
