import { join } from 'node:path'
import { expect, test } from 'vitest'
import { refreshingOnce } from '../src/client/auth.ts'
import type { OAuthKept } from '../src/index.ts'
import { fake, tool } from './fake.ts'
import { at, folder, lockNow, resultsOf, service, using } from './kit.ts'

/** A server that takes one access token, and an authorization server beside it whose refresh tokens count once. */
function guarded() {
  let access = 'access-0'
  let refresh = 'refresh-0'
  let refreshes = 0
  let dead = false
  const server = fake({ tools: [tool('get')] })
  const inner = server.fetch
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    const { pathname, origin } = new URL(request.url)
    if (pathname.includes('oauth-protected-resource'))
      return Response.json({ resource: `${origin}/mcp`, authorization_servers: [origin] })
    if (pathname.includes('oauth-authorization-server'))
      return Response.json({
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
      })
    if (pathname === '/token') {
      const params = new URLSearchParams(await request.text())
      refreshes++
      if (dead || params.get('refresh_token') !== refresh)
        return Response.json({ error: 'invalid_grant' }, { status: 400 })
      access = `access-${refreshes}`
      refresh = `refresh-${refreshes}`
      return Response.json({
        access_token: access,
        refresh_token: refresh,
        token_type: 'Bearer',
        expires_in: 3600,
      })
    }
    if (pathname !== '/mcp') return new Response(null, { status: 404 })
    if (request.headers.get('authorization') !== `Bearer ${access}`)
      return new Response(null, {
        status: 401,
        headers: {
          'www-authenticate': `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`,
        },
      })
    return await inner(input, init)
  }
  let kept: OAuthKept = {
    tokens: {
      access_token: access,
      refresh_token: refresh,
      token_type: 'Bearer',
      issuer: 'https://guarded.example',
    } as never,
  }
  const store = {
    get: () => kept,
    set(next: OAuthKept) {
      kept = next
    },
  }
  return {
    server,
    stated: (lock: string) => ({
      ...at(server, lock),
      url: 'https://guarded.example/mcp',
      fetch,
      auth: { oauth: { redirectUrl: 'http://localhost/back', client: { id: 'us' }, store } },
    }),
    expire: () => {
      access = 'another'
    },
    die: () => {
      dead = true
    },
    refreshes: () => refreshes,
  }
}

test('five calls whose token has just expired refresh it once, and each is made', async () => {
  const world = guarded()
  const lock = join(folder(), 'lock.json')
  await lockNow('box', world.stated(lock))
  const used = service('box', world.stated(lock))
  await used.open()
  world.expire()
  const seen = await using(
    used,
    Array.from({ length: 5 }, () => ['box.get', '{}'] as const),
  )
  expect(resultsOf(seen)).toEqual(Array.from({ length: 5 }, () => 'get ran'))
  expect(world.refreshes()).toBe(1)
  world.expire()
  expect(resultsOf(await using(used, [['box.get', '{}']]))).toEqual(['get ran'])
  expect(world.refreshes()).toBe(2)
})

test('a sign-in that has ended is told as sign-in needed, without any token in it', async () => {
  const world = guarded()
  const lock = join(folder(), 'lock.json')
  await lockNow('box', world.stated(lock))
  const used = service('box', world.stated(lock))
  await used.open()
  world.expire()
  world.die()
  const seen = await using(used, [
    ['box.get', '{}'],
    ['box.get', '{}'],
  ])
  for (const text of resultsOf(seen)) {
    expect(text).toBe('T5009: box needs somebody to sign in')
    expect(text).not.toMatch(/access-|refresh-/)
  }
  expect(world.refreshes()).toBeLessThanOrEqual(2)
})

test('a refresh that did not get through may be tried again', async () => {
  let sent = 0
  const once = refreshingOnce(
    (async () => {
      if (++sent === 1) throw new TypeError('fetch failed')
      return Response.json({})
    }) as typeof fetch,
    async () => undefined,
  )
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'r' })
  await expect(once('https://a.example/token', { method: 'POST', body })).rejects.toThrow('fetch failed')
  expect((await once('https://a.example/token', { method: 'POST', body })).status).toBe(200)
  await Promise.all([
    once('https://a.example/token', { method: 'POST', body }),
    once('https://a.example/token', { method: 'POST', body }),
  ])
  expect(sent).toBe(2)
})
