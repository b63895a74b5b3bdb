import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Request, TurnPiece } from '../define/records.ts'
import type { Api } from './api.ts'
import type { ApiClock } from './clock.ts'
import { streamed } from './streamed.ts'

const request: Request = { instructions: 'Be brief.', messages: [], tools: [], answer: false }
const OK = 'data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
type Answer = Response | Error | ((init: RequestInit) => Response | Promise<Response>)

const reply = (body: string, status = 200, headers: Record<string, string> = {}) =>
  new Response(body, { status, headers })

/** An API that gives these answers, one a request, and a clock that only waits where it is told to. */
function fake(answers: Answer[], more: Partial<Api> = {}) {
  const asked: { url: string; init: RequestInit }[] = []
  const waits: number[] = []
  const clock: ApiClock = {
    now: () => Date.UTC(2030, 0, 1),
    sleep: async ms => {
      waits.push(ms)
    },
  }
  const api: Api = {
    url: 'https://api.example.com/v1/',
    clock,
    fetch: async (url, init) => {
      asked.push({ url: String(url), init: init! })
      const answer = answers[asked.length - 1] ?? new Error('no more answers')
      if (answer instanceof Error) throw answer
      return typeof answer === 'function' ? answer(init!) : answer
    },
    ...more,
  }
  return { api, asked, waits }
}

const turnOf = (api: Api, each: (piece: TurnPiece) => boolean = () => true, signal?: AbortSignal) =>
  streamed(api, 'm', 7, request, each, signal)

test('asks the chat endpoint for a stream with usage, and gives the turn', async () => {
  const { api, asked } = fake([reply(OK)], { key: ' sk-1234 \n', headers: { 'X-Title': 'demo' } })
  expect(await turnOf(api)).toEqual({
    text: 'Hi',
    reasoning: '',
    calls: [],
    details: [],
    tokens: 0,
    input: 0,
    window: 7,
  })
  expect(asked[0]?.url).toBe('https://api.example.com/v1/chat/completions')
  expect(asked[0]?.init.headers).toMatchObject({ authorization: 'Bearer sk-1234', 'x-title': 'demo' })
  expect(JSON.parse(String(asked[0]?.init.body))).toEqual({
    model: 'm',
    stream: true,
    stream_options: { include_usage: true },
    messages: [{ role: 'system', content: 'Be brief.' }],
  })
})

test.each([
  ['https://h/v1', 'https://h/v1/chat/completions'],
  ['https://h/v1///', 'https://h/v1/chat/completions'],
  ['https://h/v1/chat/completions', 'https://h/v1/chat/completions'],
  [
    'https://h/openai/deployments/d?api-version=1',
    'https://h/openai/deployments/d/chat/completions?api-version=1',
  ],
  ['http://h', 'http://h/chat/completions'],
])('the address %s is asked at %s', async (url, expected) => {
  const { api, asked } = fake([reply(OK)], { url })
  await turnOf(api)
  expect(asked[0]?.url).toBe(expected)
})

test('an address that is none is refused without a request', async () => {
  const { api, asked } = fake([reply(OK)], { url: 'localhost:8080' })
  await expect(turnOf(api)).rejects.toMatchObject({ code: 'T3003' })
  expect(asked).toEqual([])
})

describe('another try', () => {
  test('after 408, 429, 5xx and a failed connection, each wait longer than the one before', async () => {
    const lost = new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') })
    const { api, asked, waits } = fake([lost, reply('', 429), reply('busy', 503), reply(OK)])
    expect((await turnOf(api)).text).toBe('Hi')
    expect(asked).toHaveLength(4)
    expect(waits).toHaveLength(3)
    for (const [n, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(250 * 2 ** n)
      expect(wait).toBeLessThanOrEqual(500 * 2 ** n)
    }
  })

  test.each([
    [{ 'retry-after': '3' }, 3_000],
    [{ 'retry-after': 'Tue, 01 Jan 2030 00:00:20 GMT' }, 20_000],
    [{ 'retry-after-ms': '1500' }, 1_500],
    [{ 'retry-after': '60' }, 60_000],
  ])('waits as long as %j asks', async (headers, ms) => {
    const { api, waits } = fake([reply('', 429, headers), reply('', 429, headers), reply(OK)])
    expect((await turnOf(api)).text).toBe('Hi')
    expect(waits).toEqual([ms, ms])
  })

  test.each([
    { 'retry-after': 'Mon, 01 Jan 2029 00:00:00 GMT' },
    { 'retry-after': '-5' },
    { 'retry-after': 'soon' },
    { 'retry-after': '' },
  ])('%j is no long wait', async headers => {
    const { api, waits } = fake([reply('', 429, headers), reply(OK)])
    await turnOf(api)
    expect(waits[0]).toBeLessThanOrEqual(500)
  })

  test('a wait of more than a minute fails at once, with the words of the server', async () => {
    const body = '{"error":{"message":"Weekly quota is used up"}}'
    for (const after of ['61', '1382400', 'Thu, 03 Jan 2030 00:00:00 GMT']) {
      const { api, asked, waits } = fake([reply(body, 429, { 'retry-after': after })])
      await expect(turnOf(api)).rejects.toThrow(/T3006.*\(429\): Weekly quota is used up/)
      expect([asked.length, waits.length]).toEqual([1, 0])
    }
  })

  test('there are four tries, or as many as the API states; the last error is the one told', async () => {
    const { api, asked } = fake(Array.from({ length: 9 }, (_, n) => reply(`fault ${n}`, 500)))
    await expect(turnOf(api)).rejects.toThrow('(500), at try 4: fault 3')
    expect(asked).toHaveLength(4)
    const once = fake([reply('', 500), reply(OK)], { tries: 1 })
    await expect(turnOf(once.api)).rejects.toMatchObject({ code: 'T3006', status: 500 })
  })

  test('never after a refusal', async () => {
    for (const status of [400, 401, 404, 413, 422]) {
      const { api, asked } = fake([
        reply('{"detail":[{"msg":"field required"},{"msg":"too long"}]}', status),
        reply(OK),
      ])
      await expect(turnOf(api)).rejects.toMatchObject({ code: 'T3005', status })
      expect(asked).toHaveLength(1)
    }
  })

  test('never where the account is empty, or the server says not to', async () => {
    const spent = reply('{"error":{"message":"You exceeded your quota","code":"insufficient_quota"}}', 429)
    for (const answer of [spent, reply('', 500, { 'x-should-retry': 'false' })]) {
      const { api, asked } = fake([answer, reply(OK)])
      await expect(turnOf(api)).rejects.toMatchObject({ code: 'T3006' })
      expect(asked).toHaveLength(1)
    }
  })

  test('after an error in a 200, an empty stream, and one that broke off without a piece', async () => {
    const inBody = reply('{"error":{"message":"slow down","code":429}}')
    const role = 'data: {"choices":[{"delta":{"role":"assistant"}}]}\n\n'
    const { api, asked } = fake([inBody, reply(''), reply(role), reply(OK)])
    expect((await turnOf(api)).text).toBe('Hi')
    expect(asked).toHaveLength(4)
  })

  test('never after the first piece', async () => {
    const half = 'data: {"choices":[{"delta":{"content":"Half"}}]}\n\n'
    for (const end of ['', 'data: {"error":{"code":503,"message":"gone"}}\n\n']) {
      const { api, asked } = fake([reply(half + end), reply(OK)])
      const pieces: TurnPiece[] = []
      await expect(turnOf(api, piece => pieces.push(piece) > 0)).rejects.toMatchObject({
        code: end ? 'T3009' : 'T3008',
      })
      expect(pieces).toEqual([{ kind: 'text', text: 'Half' }])
      expect(asked).toHaveLength(1)
    }
  })
})

describe('no answer', () => {
  test('a page is told by its title, garbage by an excerpt, a redirect is not followed', async () => {
    await expect(turnOf(fake([reply('<html><title>Log in</title>')]).api)).rejects.toThrow(/T3007.*: Log in/)
    await expect(turnOf(fake([reply('data: oops\n\n')]).api)).rejects.toThrow(/T3007.*: oops/)
    await expect(turnOf(fake([reply('upstream connect error\n')]).api)).rejects.toThrow(
      /T3007.*upstream connect error/,
    )
    await expect(
      turnOf(fake([reply('', 307, { location: 'https://other.example.com/v1' })]).api),
    ).rejects.toThrow(/T3007.*redirect to https:\/\/other/)
  })

  test('an error written into the stream without "data:" is told', async () => {
    const { api } = fake(
      [
        reply('{"error":{"message":"no memory"}}\ndata: [DONE]\n\n'),
        reply(`: hi\n{"error":{"message":"no memory"}}\n\n`),
      ],
      { tries: 1 },
    )
    await expect(turnOf(api)).rejects.toThrow('no memory')
    await expect(turnOf(api)).rejects.toThrow('no memory')
  })

  test('long words are cut, and control characters removed', async () => {
    const error = await turnOf(fake([reply(`\u001b[31m${'long '.repeat(400)}`, 400)]).api).catch(e => e)
    expect(error.message).not.toContain('\u001b')
    expect(error.message.length).toBeLessThan(1_000)
  })

  test('a silent server is given up, before the headers and in the middle of a stream', async () => {
    const hang = fake([() => new Promise<Response>(() => {})], { idle: 5 })
    await expect(turnOf(hang.api)).rejects.toMatchObject({ code: 'T3010' })
    const stall = fake([new Response(new ReadableStream({ pull: () => new Promise(() => {}) }))], { idle: 5 })
    await expect(turnOf(stall.api)).rejects.toMatchObject({ code: 'T3010' })
  })

  test('a finished turn stands, though the connection breaks behind it', async () => {
    let sent = false
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent) return controller.error(new Error('reset'))
        sent = true
        controller.enqueue(new TextEncoder().encode(OK.slice(0, OK.indexOf('data: [DONE]'))))
      },
    })
    expect((await turnOf(fake([new Response(body)]).api)).text).toBe('Hi')
  })

  test('what `each` throws is the error, and no fault of the server', async () => {
    const { api, asked } = fake([reply(OK), reply(OK)])
    const each = () => {
      throw new Error('mine')
    }
    await expect(turnOf(api, each)).rejects.toThrow(/^mine$/)
    expect(asked).toHaveLength(1)
  })
})

describe('stopped', () => {
  const stopped = { text: '', calls: [], cut: 'stopped', window: 7 }

  test('before it began: nothing is asked', async () => {
    const { api, asked } = fake([reply(OK)])
    expect(await turnOf(api, () => true, AbortSignal.abort())).toMatchObject(stopped)
    expect(asked).toEqual([])
  })

  test('while it connects, even where fetch does not heed its signal', async () => {
    const stop = new AbortController()
    const { api } = fake([() => new Promise<Response>(() => stop.abort())])
    expect(await turnOf(api, () => true, stop.signal)).toMatchObject(stopped)
  })

  test('in the middle of the stream: the text so far, the open call marked, the body let go', async () => {
    const stop = new AbortController()
    let cancelled = false
    const chunks = [
      'data: {"choices":[{"delta":{"content":"Half"}}]}\n\n',
      'data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"add","arguments":"{\\"a\\""}}]}}]}\n\n',
    ]
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const chunk = chunks.shift()
        if (chunk !== undefined) return controller.enqueue(new TextEncoder().encode(chunk))
        stop.abort()
        return new Promise(() => {})
      },
      cancel() {
        cancelled = true
      },
    })
    expect(await turnOf(fake([new Response(body)]).api, () => true, stop.signal)).toMatchObject({
      text: 'Half',
      calls: [{ id: 'a', tool: 'add', arguments: '{"a"', cut: true }],
      cut: 'stopped',
    })
    expect(cancelled).toBe(true)
  })

  test('by a false: nothing more is shown', async () => {
    const { api } = fake([reply(OK.replace('Hi', 'One') + OK.replace('Hi', 'Two'))])
    const seen: string[] = []
    const turn = await turnOf(api, piece => {
      seen.push(piece.text)
      return false
    })
    expect(turn).toMatchObject({ text: 'One', cut: 'stopped' })
    expect(seen).toEqual(['One'])
  })

  test('while it waits to try again', async () => {
    const stop = new AbortController()
    const { api, asked } = fake([reply('', 500), reply(OK)])
    api.clock = { now: () => 0, sleep: async () => stop.abort() }
    expect(await turnOf(api, () => true, stop.signal)).toMatchObject(stopped)
    expect(asked).toHaveLength(1)
  })
})

describe('secrets', () => {
  const key = fc.oneof(
    fc.stringMatching(/^[a-zA-Z0-9_/+=.%& -]{8,60}$/).filter(text => text.trim().length >= 8),
    fc
      .string({ unit: 'grapheme', minLength: 8, maxLength: 30 })
      .filter(text => text.trim().length >= 8 && !/[\s\p{C}]/u.test(text)),
  )
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const spellings = (secret: string) => [
    secret,
    `Bearer ${secret}`,
    encodeURIComponent(secret),
    encodeURIComponent(secret).replace(/%[0-9A-F]{2}/g, hex => hex.toLowerCase()),
    base64(secret),
    base64(`user:${secret}`),
    Buffer.from(`ab${secret}cd`).toString('base64url'),
    JSON.stringify({ secret }),
    `${secret.slice(0, 4)}\u0000${secret.slice(4)}`,
  ]

  test('no error holds the key or a header, however the server repeats them', async () => {
    await fc.assert(
      fc.asyncProperty(
        key,
        key,
        fc.nat(8),
        fc.constantFrom(200, 400, 429, 500),
        fc.nat(700),
        async (secret, header, form, status, before) => {
          const told = [secret.trim(), header.trim()]
          // What a text around it would hold anyway is no leak: the words of our own messages.
          const words = `${'.'.repeat(before)}${told.map(s => spellings(s)[form]).join(' | ')}`
          const bodies = [
            words,
            JSON.stringify({ error: { message: words } }),
            `data: ${words.replace(/\n/g, ' ')}\n\n`,
          ]
          for (const body of bodies) {
            const { api } = fake([reply(body, status)], {
              tries: 1,
              key: secret,
              headers: { 'x-api-key': header },
            })
            const error = await turnOf(api).catch(e => e)
            const all = `${error.message}${error.stack}${JSON.stringify(error)}${String(error)}${error.fix}`
            for (const s of told) {
              expect(all).not.toContain(s)
              expect(all).not.toContain(base64(s).replace(/=+$/, '').slice(0, -1))
              if (encodeURIComponent(s) !== s) expect(all).not.toContain(encodeURIComponent(s))
            }
          }
        },
      ),
      { numRuns: 150 },
    )
  })

  test('nor a fetch that quotes the headers, or an address with a password', async () => {
    const quoting = fake(
      [new TypeError('Headers.append: "Bearer sk-very-secret" is an invalid header value.')],
      { key: 'sk-very-secret', tries: 1 },
    )
    await expect(turnOf(quoting.api)).rejects.toThrow(/T3004.*"Bearer \[secret\]"/)
    const inUrl = fake([reply('dXNlcjpwYXNzd29yZDE= password1 k3k3k3k3k3k3k3', 401)], {
      url: 'https://user:password1@h.example/v1?key=k3k3k3k3k3k3k3',
      tries: 1,
    })
    const error = await turnOf(inUrl.api).catch(e => e)
    expect(error.message).not.toMatch(/password1|k3k3|cGFzc3dvcmQx/)
    expect(inUrl.asked[0]?.init.headers).toMatchObject({ authorization: `Basic ${base64('user:password1')}` })
    expect(inUrl.asked[0]?.url).toBe('https://h.example/v1/chat/completions?key=k3k3k3k3k3k3k3')
  })
})

test('over HTTP a stop closes the connection', async () => {
  const closed = Promise.withResolvers<void>()
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: {"choices":[{"delta":{"content":"Half"}}]}\n\n')
    response.on('close', closed.resolve)
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  expect(await turnOf({ url }, () => false)).toMatchObject({ text: 'Half', cut: 'stopped' })
  await closed.promise
  server.close()
})

test('over HTTP a server that is not there is told as such', async () => {
  const server = createServer()
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  await new Promise(done => server.close(done))
  const { api, waits } = fake([])
  const { fetch: _, ...real } = { ...api, url: `http://127.0.0.1:${port}` }
  await expect(turnOf(real)).rejects.toThrow(/T3004.*at try 4.*ECONNREFUSED/)
  expect(waits).toHaveLength(3)
})
