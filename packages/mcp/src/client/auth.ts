// Who we are to a server over HTTP: a fixed token, headers, or a person who signed in (OAuth).
import type {
  OAuthClientProvider,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'

/** How a server is told who calls. */
export type Auth =
  /** `Authorization: Bearer …`; a function is asked before each request. */
  | { bearer: string | (() => string | Promise<string>) }
  | { headers: Readonly<Record<string, string>> }
  | { oauth: OAuthStated }

/** A person signs in once; tokens are kept and refreshed. */
export interface OAuthStated {
  /** Where the browser comes back to, of the client that is registered. */
  redirectUrl: string
  /** Has a person sign in at the address, and gives the address that the browser came back to. Left out: 'sign-in needed'. */
  signIn?: (address: URL) => Promise<URL | string>
  /** Where tokens are kept [in this process]. */
  store?: OAuthStore
  /** A client that is registered already. */
  client?: { id: string; secret?: string }
  /** An address at which the server finds what we are, where it takes that. */
  clientMetadataUrl?: string
  /** What the sign-in page calls us ['toolwright']. */
  name?: string
}

/** What is kept of a person's sign-in. It holds secrets. */
export interface OAuthKept {
  tokens?: StoredOAuthTokens
  client?: StoredOAuthClientInformation
}

export interface OAuthStore {
  get(): OAuthKept | undefined | Promise<OAuthKept | undefined>
  set(kept: OAuthKept): void | Promise<void>
}

/** The sign-in of one service: the official client's provider, and what became of it. */
export interface SignIn {
  provider: OAuthClientProvider
  /** Takes the address at which a person is to sign in, once it is known. */
  take(): URL | undefined
  fetch: typeof fetch
}

/** What the official client asks of a person's sign-in. `hide` is told each secret. */
export function signInOf(stated: OAuthStated, hide: (secret: string) => void, plain: typeof fetch): SignIn {
  const { redirectUrl, client, name = 'toolwright' } = stated
  let held: OAuthKept = {}
  const inProcess: OAuthStore = {
    get: () => held,
    set(kept) {
      held = kept
    },
  }
  const store = stated.store ?? inProcess
  let verifier = ''
  let state = ''
  let address: URL | undefined
  const keep = async (change: OAuthKept): Promise<void> => {
    const { access_token, refresh_token } = change.tokens ?? {}
    if (access_token) hide(access_token)
    if (refresh_token) hide(refresh_token)
    if (change.client?.client_secret) hide(change.client.client_secret)
    await store.set({ ...(await store.get()), ...change })
  }
  const known: StoredOAuthClientInformation | undefined = client && {
    client_id: client.id,
    ...(client.secret === undefined ? {} : { client_secret: client.secret }),
  }
  const provider: OAuthClientProvider = {
    redirectUrl,
    ...(stated.clientMetadataUrl === undefined ? {} : { clientMetadataUrl: stated.clientMetadataUrl }),
    clientMetadata: {
      client_name: name,
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
    state() {
      state = globalThis.crypto.randomUUID()
      return state
    },
    clientInformation: async () => known ?? (await store.get())?.client,
    saveClientInformation: client => keep({ client }),
    tokens: async () => (await store.get())?.tokens,
    saveTokens: tokens => keep({ tokens }),
    redirectToAuthorization(url) {
      address = url
    },
    saveCodeVerifier(code) {
      verifier = code
    },
    codeVerifier: () => verifier,
    async invalidateCredentials(what) {
      const { tokens, client: registered } = (await store.get()) ?? {}
      const all = what === 'all'
      await store.set({
        ...(tokens && !all && what !== 'tokens' ? { tokens } : {}),
        ...(registered && !all && what !== 'client' ? { client: registered } : {}),
      })
    },
  }
  return {
    provider,
    take() {
      const taken = address
      address = undefined
      return taken
    },
    fetch: refreshingOnce(plain, async () => (await store.get())?.tokens?.access_token),
  }
}

/**
 * One refresh for all calls that wait: a refresh token is sent once, whoever asks, and a call that was refused with a
 * token that is not the newest any more is sent again with the newest. A server may end a session at the second use.
 */
export function refreshingOnce(plain: typeof fetch, newest: () => Promise<string | undefined>): typeof fetch {
  const refreshes = new Map<string, Promise<Response>>()
  return async (input, init) => {
    const token = refreshTokenIn(init?.body)
    if (token !== undefined) {
      const before = refreshes.get(token)
      if (before) return (await before).clone()
      const sent = plain(input, init)
      refreshes.set(token, sent)
      // What did not get through was not used up.
      const answer = await sent.catch((error: unknown) => {
        refreshes.delete(token)
        throw error
      })
      if (answer.status >= 500) refreshes.delete(token)
      return answer.clone()
    }
    const answer = await plain(input, init)
    const headers = new Headers(init?.headers)
    const used = headers.get('authorization')
    if (answer.status !== 401 || !used?.startsWith('Bearer ')) return answer
    const now = await newest()
    if (now === undefined || used === `Bearer ${now}`) return answer
    await answer.body?.cancel()
    headers.set('authorization', `Bearer ${now}`)
    return await plain(input, { ...init, headers })
  }
}

function refreshTokenIn(body: unknown): string | undefined {
  if (typeof body !== 'string' && !(body instanceof URLSearchParams)) return undefined
  if (typeof body === 'string' && !body.includes('grant_type=refresh_token')) return undefined
  const params = new URLSearchParams(body)
  return params.get('grant_type') === 'refresh_token' ? (params.get('refresh_token') ?? undefined) : undefined
}
