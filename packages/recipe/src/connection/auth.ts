// How a connection shows who it is: headers and query pairs made of secrets, at the moment of sending.
import type { Secret } from './secret.ts'

/** How a connection shows who it is; left out: not at all. Exactly one of the keys. */
export type Auth =
  | { bearer: Secret }
  | { basic: { user: string | Secret; password: Secret } }
  | { header: { name: string; value: Secret } }
  | { query: { name: string; value: Secret } }
  | { oauth2: OAuth2 }

/** An access token of an OAuth 2 server: by client credentials, or by a refresh token where one is stated. */
export interface OAuth2 {
  /** Where tokens are given: an https address. */
  tokenUrl: string
  clientId: string
  /** Left out: a public client. */
  clientSecret?: Secret
  refreshToken?: Secret
  scope?: string
  /** How the client's secret is sent ['basic']: in a header, or in the body ('post'). */
  send?: 'basic' | 'post'
  /** Called with a new refresh token, where the server gives one: keep it. */
  refreshed?: (refreshToken: string) => void | Promise<void>
}

/** What a request gets. */
export interface Proof {
  readonly headers: Readonly<Record<string, string>>
  /** A pair of the query, encoded; absent where there is none. */
  readonly query?: string
}

/** Shows who it is. `renew` gets a new token after a 401: false where there is nothing to renew. */
export interface Authenticate {
  proof(signal: AbortSignal): Promise<Proof>
  /** `used` is what was refused, so that of many calls that wait one renews. */
  renew(used: Proof, signal: AbortSignal): Promise<boolean>
}

export type Reveal = (reference: Secret, what: string) => Promise<string>

/** Auth without tokens that end: the same secrets for each request. */
export function plainAuth(auth: Exclude<Auth, { oauth2: OAuth2 }> | undefined, reveal: Reveal): Authenticate {
  return { proof: () => proofOf(auth, reveal), renew: async () => false }
}

async function proofOf(auth: Exclude<Auth, { oauth2: OAuth2 }> | undefined, reveal: Reveal): Promise<Proof> {
  if (auth === undefined) return { headers: {} }
  if ('bearer' in auth)
    return { headers: { authorization: `Bearer ${await reveal(auth.bearer, 'the token')}` } }
  if ('basic' in auth) {
    const { user, password } = auth.basic
    const name = typeof user === 'string' ? user : await reveal(user, 'the user')
    const pair = `${name}:${await reveal(password, 'the password')}`
    return { headers: { authorization: `Basic ${Buffer.from(pair, 'utf8').toString('base64')}` } }
  }
  if ('header' in auth) {
    const { name, value } = auth.header
    return { headers: { [name.toLowerCase()]: await reveal(value, `the header ${name}`) } }
  }
  const { name, value } = auth.query
  const shown = await reveal(value, `the query key ${name}`)
  return { headers: {}, query: `${encodeURIComponent(name)}=${encodeURIComponent(shown.toWellFormed())}` }
}
