// What fails, what is sent again, and what the model is told of it.
import { afterEach, describe, expect, it } from 'vitest'
import type { Answer, Recorder } from '../../core/test/support/server.ts'
import { reply } from '../../core/test/support/server.ts'
import { desk, quickClock, single } from './support/tools.ts'

let server: Recorder | undefined
afterEach(() => server?.close())

async function run(
  kind: 'fetch' | 'action',
  answer: Answer,
  stated: object = {},
  method = kind === 'fetch' ? 'GET' : 'POST',
) {
  const clock = quickClock()
  const one = await desk(answer, { clock, ...stated })
  server = one.server
  const tool = one.make(single({ method, url: '/x' }, { fields: ['ok'] }, { kind }))
  const outcome = await tool({}).then(
    result => ({ result, told: undefined }),
    error => ({ result: undefined, told: JSON.parse((error as Error).message) }),
  )
  return { ...outcome, waits: clock.waits, arrived: server.arrived }
}

const failing =
  (status: number, times: number, headers: Record<string, string> = {}): Answer =>
  (_, response, n) =>
    n <= times ? reply(response, status, '{"error":"x"}', headers) : { ok: 1 }

describe('a fetch', () => {
  it.each([408, 425, 429, 500, 502, 503, 504])('is sent again after %d, twice at most', async status => {
    expect(await run('fetch', failing(status, 2))).toMatchObject({ result: { ok: 1 }, waits: [250, 500] })
    await server!.close()
    const { told, arrived } = await run('fetch', failing(status, 3))
    expect(arrived.length).toBe(3)
    expect(told).toMatchObject({ error: { source: 'a', kind: 'status', status }, done: [] })
  })

  it.each([400, 401, 403, 404, 409, 422])(
    'is not sent again after %d, and the model is told why',
    async status => {
      const { told, arrived } = await run('fetch', (_, response) =>
        reply(response, status, '{"message":"no such day"}'),
      )
      expect(arrived.length).toBe(1)
      expect(told.error).toEqual({
        source: 'a',
        kind: 'status',
        status,
        message: `the server answered ${status}: {"message":"no such day"}`,
      })
    },
  )

  it('tells nothing of the words of a server that failed', async () => {
    const { told } = await run('fetch', (_, response) => reply(response, 500, '<h1>stack trace</h1>'))
    expect(told.error.message).toBe('the server failed with 500')
  })

  it('waits as long as the server asks, in seconds or until a date', async () => {
    expect((await run('fetch', failing(429, 1, { 'retry-after': '3' }))).waits).toEqual([3000])
    await server!.close()
    const date = new Date(1_800_000_005_000).toUTCString()
    expect((await run('fetch', failing(503, 1, { 'retry-after': date }))).waits).toEqual([5000])
  })

  it('fails at once where the server asks for longer than there is time, and says when', async () => {
    const { told, waits } = await run('fetch', failing(429, 1, { 'retry-after': '120' }))
    expect(told.error.message).toBe('the server answered 429: {"error":"x"}; it says to try again in 120 s')
    expect(waits).toEqual([])
  })

  it('is sent again where the connection broke', async () => {
    const { result } = await run('fetch', (_, response, n) => {
      if (n === 1) response.socket!.destroy()
      return n === 1 ? undefined : { ok: 1 }
    })
    expect(result).toEqual({ ok: 1 })
  })

  it('has one time for all its requests', async () => {
    const clock = quickClock()
    const { told, arrived } = await run(
      'fetch',
      (_, response) => (clock.move(12_000), reply(response, 500)),
      { clock },
    )
    expect(arrived.length).toBe(2)
    expect(told.error).toMatchObject({ kind: 'status', status: 500 })
  })
})

describe('an action', () => {
  it.each([408, 429, 500, 503])('is not sent again after %d', async status => {
    const { told, arrived } = await run('action', failing(status, 3))
    expect(arrived.length).toBe(1)
    expect(told.error.message).toContain(
      status >= 500 ? 'It is unknown whether a was carried out' : 'a was not carried out',
    )
  })

  it('is not sent again where the connection broke, and the model is told that nobody knows', async () => {
    const { told, arrived } = await run('action', (_, response) => {
      response.socket!.destroy()
      return undefined
    })
    expect(arrived.length).toBe(1)
    expect(told.error.message).toContain('It is unknown whether a was carried out')
  })

  it('is sent again where it surely did not arrive', async () => {
    let tries = 0
    const { told, arrived } = await run('action', () => ({ ok: 1 }), {
      connect: () => {
        tries++
        throw new Error('refused')
      },
    }).catch(error => ({ told: error, arrived: [] }))
    expect([arrived.length, tries]).toEqual([0, 3])
    expect(JSON.stringify(told)).toContain('a was not carried out')
  })

  it('is sent again with a key, the same each time', async () => {
    const { result, arrived } = await run('action', failing(503, 2), { idempotencyHeader: 'Idempotency-Key' })
    expect(result).toEqual({ ok: 1 })
    const keys = arrived.map(({ headers }) => headers['idempotency-key'])
    expect(keys[0]).toMatch(/^[\da-f]{64}$/)
    expect(new Set(keys).size).toBe(1)
  })

  it('that a redirect answers is told as unknown', async () => {
    const { told, arrived } = await run('action', (_, response) =>
      reply(response, 303, '', { location: '/api/done' }),
    )
    expect(arrived.length).toBe(1)
    expect(told.error).toMatchObject({ kind: 'redirect' })
    expect(told.error.message).toContain('unknown whether a was carried out')
  })
})
