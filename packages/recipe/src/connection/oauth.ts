// Access tokens: fetched when they are needed, once for all calls that wait, and again when one was refused.
import { ToolwrightError } from '@toolwright/core'
import type { Clock } from '@toolwright/core/engine'
import type { GuardedFetch } from '@toolwright/core/fetch'
import * as oauth from 'oauth4webapi'
import type { Authenticate, OAuth2, Proof, Reveal } from './auth.ts'

interface Token {
  readonly access: string
  /** ms since 1970 at which it is not used any more; Infinity where the server does not say. */
  readonly until: number
}

interface Surroundings {
  readonly name: string
  readonly fetch: GuardedFetch
  readonly clock: Clock
  /** Reads a secret and hides it from then on. */
  readonly reveal: Reveal
  hide(secret: string): void
  /** http is allowed to this host, on this machine only. */
  readonly allowPrivate: string | undefined
}

/** Shows access tokens of an OAuth 2 server. A refused refresh is `T4014`: a person has to sign in again. */
export function tokens(stated: OAuth2, around: Surroundings): Authenticate {
  const { clock, hide } = around
  let token: Token | undefined
  let waiting: Promise<Token> | undefined
  let dead: ToolwrightError | undefined
  let refreshToken: string | undefined

  const fresh = (): Promise<Token> => {
    if (dead) return Promise.reject(dead)
    // Not the caller's signal: others wait for the same token.
    waiting ??= request()
      .then(
        given => (token = given),
        error => {
          if (error instanceof ToolwrightError && error.code === 'T4014') dead = error
          throw error
        },
      )
      .finally(() => {
        waiting = undefined
      })
    return waiting
  }

  const request = async (): Promise<Token> => {
    if (stated.refreshToken) refreshToken ??= await around.reveal(stated.refreshToken, 'the refresh token')
    const answer = await grant(stated, around, refreshToken)
    hide(answer.access_token)
    if (answer.refresh_token !== undefined && answer.refresh_token !== refreshToken) {
      refreshToken = answer.refresh_token
      hide(refreshToken)
      await stated.refreshed?.(refreshToken)
    }
    const lives = answer.expires_in === undefined ? Number.POSITIVE_INFINITY : answer.expires_in * 1000
    // A little early, so that it does not end on its way.
    return { access: answer.access_token, until: clock.now() + lives - Math.min(30_000, lives / 10 || 0) }
  }

  return {
    async proof() {
      const usable = token && clock.now() < token.until ? token : await fresh()
      return proofOf(usable)
    },
    async renew(used) {
      // Another call has renewed it meanwhile.
      if (token && proofOf(token).headers['authorization'] !== used.headers['authorization']) return true
      token = undefined
      await fresh()
      return true
    },
  }
}

function proofOf({ access }: Token): Proof {
  return { headers: { authorization: `Bearer ${access}` } }
}

async function grant(
  stated: OAuth2,
  around: Surroundings,
  refreshToken: string | undefined,
): Promise<oauth.TokenEndpointResponse> {
  const url = new URL(stated.tokenUrl)
  const server: oauth.AuthorizationServer = { issuer: url.origin, token_endpoint: url.href }
  const client: oauth.Client = { client_id: stated.clientId }
  const auth = await clientAuth(stated, around)
  const additionalParameters: Record<string, string> =
    stated.scope === undefined ? {} : { scope: stated.scope }
  const options = {
    [oauth.customFetch]: (address: string, init: TokenInit) => through(around.fetch, address, init),
    [oauth.allowInsecureRequests]: url.hostname === around.allowPrivate,
    additionalParameters,
  }
  try {
    if (refreshToken !== undefined) {
      const answer = await oauth.refreshTokenGrantRequest(server, client, auth, refreshToken, options)
      return await oauth.processRefreshTokenResponse(server, client, answer)
    }
    const answer = await oauth.clientCredentialsGrantRequest(
      server,
      client,
      auth,
      additionalParameters,
      options,
    )
    return await oauth.processClientCredentialsResponse(server, client, answer)
  } catch (error) {
    throw told(error, around.name)
  }
}

async function clientAuth(stated: OAuth2, around: Surroundings): Promise<oauth.ClientAuth> {
  if (!stated.clientSecret) return oauth.None()
  const revealed = await around.reveal(stated.clientSecret, 'the client secret')
  return stated.send === 'post' ? oauth.ClientSecretPost(revealed) : oauth.ClientSecretBasic(revealed)
}

interface TokenInit {
  method: string
  headers: Record<string, string>
  body?: unknown
}

/** The requests of `oauth4webapi`, through the guarded fetch. */
async function through(fetch: GuardedFetch, url: string, init: TokenInit): Promise<Response> {
  const { method, headers, body } = init
  const text = body === undefined || body === null ? {} : { body: String(body) }
  const reply = await fetch({ url, method, headers, ...text })
  const empty = reply.status === 204 || reply.status === 304
  return new Response(empty ? null : Buffer.from(reply.bytes), {
    status: reply.status,
    headers: { ...reply.headers },
  })
}

const DEAD = ['invalid_grant', 'invalid_client', 'unauthorized_client', 'access_denied']

function told(error: unknown, name: string): unknown {
  if (error instanceof ToolwrightError) return error
  if (error instanceof oauth.ResponseBodyError && DEAD.includes(error.error))
    return new ToolwrightError(
      'T4014',
      `sign-in needed: the connection ${name} is not let in any more (${error.error})`,
      {
        fix: 'sign in again and give the connection the new refresh token or secret',
      },
    )
  // Its words may hold what was sent.
  return new ToolwrightError('T4014', `the connection ${name} could not get an access token`, {
    fix: 'see that tokenUrl is the token endpoint of an OAuth 2 server',
    cause: error,
  })
}
