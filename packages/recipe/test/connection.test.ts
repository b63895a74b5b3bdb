// Connections: how they show who they are, and that nobody sees their secrets.
import { agent, type LogEvent, type Piece, run } from '@toolwright/core'
import { calls, says, scripted } from '@toolwright/core/test'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Recorder } from '../../core/test/support/server.ts'
import { reply } from '../../core/test/support/server.ts'
import { type ConnectionStated, connection, secret } from '../src/index.ts'
import { desk, llm, quickClock, single } from './support/tools.ts'

const TOKEN = 'tok/en+with "odd" & 1234=äß'
const ASCII = 'tok/en+with "odd" & 1234='
let server: Recorder | undefined
beforeEach(() => {
  process.env['RECIPE_TEST_TOKEN'] = ASCII
})
afterEach(async () => {
  delete process.env['RECIPE_TEST_TOKEN']
  await server?.close()
})

const get = single({ method: 'GET', url: '/x', params: [llm('q')] }, { fields: ['ok', 'echo'] })

async function once(stated: Partial<ConnectionStated>) {
  const one = await desk(() => ({ ok: 1 }), stated)
  server = one.server
  await one.make(get)({ q: 'v' })
  return server.arrived[0]!
}

describe('a connection shows who it is', () => {
  const it1 = secret('RECIPE_TEST_TOKEN')
  it('with a bearer token', async () => {
    expect((await once({ auth: { bearer: it1 } })).headers['authorization']).toBe(`Bearer ${ASCII}`)
  })
  it('with a user and a password', async () => {
    const { headers } = await once({ auth: { basic: { user: 'me', password: () => TOKEN } } })
    expect(Buffer.from(headers['authorization']!.slice(6), 'base64').toString()).toBe(`me:${TOKEN}`)
  })
  it('with a header of its own', async () => {
    expect(
      (await once({ auth: { header: { name: 'X-Key', value: async () => 'abcd' } } })).headers['x-key'],
    ).toBe('abcd')
  })
  it('with a key in the query', async () => {
    const { url } = await once({ auth: { query: { name: 'key', value: () => TOKEN } } })
    expect([...new URL(url, 'http://x').searchParams]).toEqual([
      ['q', 'v'],
      ['key', TOKEN],
    ])
  })
  it('with headers, plain or secret', async () => {
    const { headers } = await once({ headers: { 'X-Tenant': 'a', 'X-Key': it1 } })
    expect([headers['x-tenant'], headers['x-key']]).toEqual(['a', ASCII])
  })

  it('and says which secret is missing, without sending', async () => {
    delete process.env['RECIPE_TEST_TOKEN']
    const one = await desk(() => ({}), { auth: { bearer: it1 } })
    server = one.server
    await expect(one.make(get)({})).rejects.toThrow('the environment variable RECIPE_TEST_TOKEN is not set')
    process.env['RECIPE_TEST_TOKEN'] = 'abcd\r\nx-admin: 1'
    await expect(one.make(get)({})).rejects.toThrow('holds a line break')
    expect(server.arrived).toEqual([])
  })
})

describe('a secret', () => {
  const forms = (text: string) => [
    text,
    encodeURIComponent(text),
    encodeURIComponent(text).toLowerCase(),
    new URLSearchParams({ a: text }).toString().slice(2),
    JSON.stringify(text),
    Buffer.from(text).toString('base64'),
    Buffer.from(text).toString('base64url'),
    Buffer.from(`x:${text}`).toString('base64'),
    Buffer.from(`xy:${text}!`).toString('base64'),
    Buffer.from(text).toString('hex'),
    `"quoted ${text}"`,
    encodeURIComponent(encodeURIComponent(text)),
  ]

  it.each([200, 404, 500, 302])(
    'reaches neither model, thread, pieces nor log, whatever a server that answers %d repeats',
    async status => {
      const one = await desk(
        ({ headers, url }, response) => {
          const repeated = { echo: forms(ASCII), headers, url, ok: ASCII }
          return reply(response, status, JSON.stringify(repeated), {
            location: `https://evil.example/?k=${encodeURIComponent(ASCII)}`,
            'content-type': 'application/json',
          })
        },
        {
          auth: { bearer: secret('RECIPE_TEST_TOKEN') },
          headers: { 'x-key': secret('RECIPE_TEST_TOKEN') },
          clock: quickClock(),
        },
      )
      server = one.server
      const tool = one.make(get, 'look')
      const seen: unknown[] = []
      const model = scripted([calls([['look', '{"q":"v"}']]), says('Done.')])
      const asked = agent('asked', { model, instructions: '', tools: [tool] })
      const log: LogEvent[] = []
      await run(asked, 'Look.', {
        each: (piece: Piece) => void seen.push(piece),
        log: (event: LogEvent) => void log.push(event),
      })
      expect(one.server.arrived.length).toBeGreaterThan(0)
      const all = JSON.stringify([seen, asked.history, log])
      for (const form of forms(ASCII)) expect(all).not.toContain(JSON.stringify(form).slice(1, -1))
      if (status === 200) expect(all).toContain('[secret]')
    },
  )
})

describe('a secret in pieces', () => {
  it('is hidden too, where cleaning would put it together', async () => {
    const broken = [...ASCII].join('\u0000')
    const one = await desk(() => ({ ok: broken, echo: [...ASCII].join('\u202e') }), {
      auth: { bearer: secret('RECIPE_TEST_TOKEN') },
    })
    server = one.server
    expect(await one.make(get)({})).toEqual({ ok: '[secret]', echo: '[secret]' })
  })
})

describe('an OAuth 2 connection', () => {
  const stated = (url: string, extra: object = {}) => ({
    auth: {
      oauth2: { tokenUrl: `${url}/token`, clientId: 'me', clientSecret: () => 'client-secret', ...extra },
    },
  })

  async function oauth(
    answer: (form: URLSearchParams, n: number) => [number, object],
    extra: object = {},
    valid: (token: string) => boolean = () => true,
  ) {
    let grants = 0
    const one = await desk(() => ({}))
    await one.server.close()
    const { recorder } = await import('../../core/test/support/server.ts')
    const tokenServer = await recorder(async ({ url, body, headers }, response) => {
      if (url === '/token') {
        const [status, given] = answer(new URLSearchParams(body), ++grants)
        await new Promise(resolve => setImmediate(resolve))
        return reply(response, status, JSON.stringify(given), { 'content-type': 'application/json' })
      }
      return valid(headers['authorization'] ?? '')
        ? { ok: headers['authorization'] }
        : reply(response, 401, '{}')
    })
    server = tokenServer
    const { recipe } = await import('../src/index.ts')
    const booking = connection('booking', {
      baseUrl: `${tokenServer.url}/api`,
      allowPrivate: true,
      ...stated(tokenServer.url, extra),
    })
    const tool = recipe(get, { name: 'it', about: 'x', connection: booking })
    return { tool, grants: () => grants, arrived: tokenServer.arrived }
  }

  it('gets a token once for all calls that wait, and keeps it', async () => {
    const { tool, grants, arrived } = await oauth((form, n) => [
      200,
      { access_token: `access-${n}`, token_type: 'bearer', expires_in: 3600, grant: form.get('grant_type') },
    ])
    await Promise.all([tool({}), tool({}), tool({})])
    await tool({})
    expect(grants()).toBe(1)
    expect(arrived[0]!.body).toContain('grant_type=client_credentials')
    expect(arrived.slice(1).map(({ headers }) => headers['authorization'])).toEqual(
      Array(4).fill('Bearer access-1'),
    )
  })

  it('renews a refused token once for all, and each call is sent once more', async () => {
    const { tool, grants, arrived } = await oauth(
      (_, n) => [200, { access_token: `access-${n}`, token_type: 'bearer' }],
      {},
      token => token !== 'Bearer access-1',
    )
    expect(await Promise.all([tool({}), tool({}), tool({})])).toHaveLength(3)
    expect(grants()).toBe(2)
    expect(arrived.filter(({ url }) => url.startsWith('/api')).length).toBe(6)
  })

  it('uses a refresh token, and hands on the new one', async () => {
    const given: string[] = []
    const { tool, arrived } = await oauth(
      (_, n) => [200, { access_token: `access-${n}`, token_type: 'bearer', refresh_token: `refresh-${n}` }],
      { refreshToken: () => 'refresh-0', refreshed: (token: string) => void given.push(token) },
      token => token !== 'Bearer access-1',
    )
    await tool({})
    const grants = arrived
      .filter(({ url }) => url === '/token')
      .map(({ body }) => new URLSearchParams(body).get('refresh_token'))
    expect([grants, given]).toEqual([
      ['refresh-0', 'refresh-1'],
      ['refresh-1', 'refresh-2'],
    ])
  })

  it('that is not let in any more needs a person, and says so without asking again', async () => {
    const { tool, grants } = await oauth(
      () => [400, { error: 'invalid_grant', error_description: 'client-secret is old' }],
      { refreshToken: () => 'refresh-0' },
    )
    const told = await tool({}).catch((error: Error) => error.message)
    expect(JSON.parse(told as string)).toMatchObject({ error: { kind: 'sign-in' } })
    expect(told).toContain('sign-in needed: the connection booking is not let in any more')
    expect(told).not.toContain('client-secret')
    await expect(tool({})).rejects.toThrow('sign-in needed')
    expect(grants()).toBe(1)
  })
})

describe('the statement of a connection', () => {
  it('tells all its faults at once, and never a secret', () => {
    const wrong = {
      baseUrl: 'http://api.example/?key=1#x',
      auth: { bearer: 'sk-live-1234' },
      headers: { Host: 'x', 'bad name': 'y', Cookie: 'a', 'x-ok': 'a\r\nb', authorization: 'b' },
      timeout: 0,
      limits: { total: -1, what: 1 },
      redirects: 9,
      proxy: 'x',
    }
    let message = ''
    try {
      connection('', wrong as never)
    } catch (error) {
      message = (error as Error).message
    }
    expect(message).not.toContain('sk-live')
    for (const place of [
      '/baseUrl: is not https',
      '/baseUrl: holds a query',
      '/auth/bearer',
      '/headers/Host',
      '/headers/bad name',
      '/headers/Cookie',
      '/headers/x-ok',
      '/headers/authorization',
      '/timeout',
      '/limits/total',
      '/limits/what',
      '/redirects',
      '/proxy',
      'its name is',
    ])
      expect(message).toContain(place)
  })

  it('takes base_url too, and http on this machine only where it is allowed', () => {
    expect(connection('a', { base_url: 'https://api.example/v1/' }).baseUrl).toBe('https://api.example/v1')
    expect(() => connection('a', { baseUrl: 'http://127.0.0.1:1/' })).toThrow('state allowPrivate')
    expect(() => connection('a', { baseUrl: 'http://10.0.0.1/', allowPrivate: true })).toThrow('is not https')
  })
})
