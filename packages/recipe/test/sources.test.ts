// Several requests in order, loops, and what the agent sees of the answers.
import { afterEach, describe, expect, it } from 'vitest'
import type { Answer, Recorder } from '../../core/test/support/server.ts'
import { reply } from '../../core/test/support/server.ts'
import { variables } from '../src/index.ts'
import { desk, llm, param, single } from './support/tools.ts'

let server: Recorder | undefined
afterEach(() => server?.close())

async function run(document: object, answer: Answer, stated: object = {}, input: object = {}) {
  const one = await desk(answer, stated)
  server = one.server
  const tool = one.make(document)
  let result: unknown
  let failed: string | undefined
  try {
    result = await tool(input as never)
  } catch (error) {
    failed = (error as Error).message
  }
  const told = failed?.startsWith('{') ? JSON.parse(failed) : failed
  return {
    result,
    told,
    urls: server.arrived.map(({ method, url }) => `${method} ${url}`),
    arrived: server.arrived,
  }
}

const looped = (each: string, output: object = { fields: ['n'] }, kind = 'fetch', method = 'GET') => ({
  kind,
  sources: { a: { method: 'GET', url: '/list' }, b: { method, url: '/{{item.id}}', for_each_of: each } },
  output,
})

describe('several sources', () => {
  it('are sent in the order of their letters, and read the answers before them', async () => {
    const document = {
      kind: 'fetch',
      sources: {
        c: {
          method: 'POST',
          url: '/c',
          params: [
            param({ from: 'fixed', name: 'all', value: '{{a.list.1.id}}-{{b.name}}' }),
            param({ from: 'fixed', name: 'n', value: '{{b.n}}', type: 'integer' }),
          ],
        },
        b: { method: 'GET', url: '/b/{{a.guest.id}}' },
        a: { method: 'GET', url: '/a' },
      },
      output: { fields: ['done', 'a.guest.name', 'b.name'] },
    }
    const { result, urls, arrived } = await run(document, ({ url }) => {
      if (url === '/api/a') return { guest: { id: 7, name: 'Ada' }, list: [{ id: 'x' }, { id: 'y' }] }
      return url === '/api/c' ? { done: true, secret: 1 } : { name: 'B', n: 3 }
    })
    expect(urls).toEqual(['GET /api/a', 'GET /api/b/7', 'POST /api/c'])
    expect(JSON.parse(arrived[2]!.body)).toEqual({ all: 'y-B', n: 3 })
    expect(result).toEqual({ a: { guest: { name: 'Ada' } }, b: { name: 'B' }, c: { done: true } })
  })

  it('a declared parameter beats a source of its name', async () => {
    const document = {
      kind: 'fetch',
      sources: {
        a: { method: 'GET', url: '/a' },
        b: { method: 'GET', url: '/{{a.id}}', params: [llm('a.id')] },
      },
      output: { fields: [] },
    }
    expect((await run(document, () => ({ id: 1 }), {}, { a: { id: 'mine' } })).urls).toEqual([
      'GET /api/a',
      'GET /api/mine',
    ])
  })

  it('what an answer does not have is told, and the request that wants it is not sent', async () => {
    const document = {
      kind: 'fetch',
      sources: { a: { method: 'GET', url: '/a' }, b: { method: 'GET', url: '/{{a.id}}' } },
      output: { fields: [] },
    }
    const { told, urls } = await run(document, () => ({}))
    expect(told).toMatchObject({ error: { source: 'b', kind: 'failed' }, done: ['a'] })
    expect(told.error.message).toContain('a.id: has no value')
    expect(urls).toEqual(['GET /api/a'])
  })
})

describe('a loop', () => {
  const list = (n: number) => Array.from({ length: n }, (_, i) => ({ id: `e${i}` }))
  it.each([
    ['a', list(3)],
    ['a', { page: 1, results: list(3) }],
    ['a.results', { results: list(3), others: [] }],
  ])('over %s goes through its entries, and keeps their order', async (each, answer) => {
    const { result, urls } = await run(looped(each), ({ url }, _response, n) =>
      url === '/api/list' ? answer : { n, url },
    )
    expect(urls.toSorted()).toEqual(['GET /api/e0', 'GET /api/e1', 'GET /api/e2', 'GET /api/list'])
    expect((result as { items: object[] }).items).toHaveLength(3)
  })

  it('keeps the order of the entries, whatever is answered first, four at once', async () => {
    const open: (() => void)[] = []
    let most = 0
    let now = 0
    const { result } = await run(looped('a', { fields: ['url'] }), async ({ url }) => {
      if (url === '/api/list') return list(8)
      most = Math.max(most, ++now)
      await new Promise<void>(resolve => {
        open.push(resolve)
        if (open.length === 4) for (const go of open.splice(0).reverse()) go()
      })
      now--
      return { url }
    })
    expect(result).toEqual({ items: list(8).map(({ id }) => ({ url: `/api/${id}` })) })
    expect(most).toBe(4)
  })

  it.each([[{ a: [1], b: [2] }], [{ a: 1 }], ['text']])(
    'over %j must be told where the list is',
    async answer => {
      const { told, urls } = await run(looped('a'), () => answer as object)
      expect(told.error.message).toContain('as "a.results"')
      expect(urls).toEqual(['GET /api/list'])
    },
  )

  it.each([['[]'], ['null'], ['{"results":[]}'], ['']])(
    'over %j sends nothing and is no error',
    async text => {
      const { result, urls } = await run(looped('a'), (_, response) =>
        reply(response, text === '' ? 204 : 200, text),
      )
      expect([result, urls]).toEqual([{ items: [] }, ['GET /api/list']])
    },
  )

  it('of a fetch is cut at 50 entries and says so', async () => {
    const { result, urls } = await run(looped('a', { fields: ['n'], limit: 2 }), ({ url }, _r, n) =>
      url === '/api/list' ? list(60) : { n },
    )
    expect(urls.length).toBe(51)
    expect(result).toMatchObject({ shown: 2, total: 60 })
  })

  it('of an action over too many entries is refused before its first request', async () => {
    const { told, urls } = await run(looped('a', { fields: [] }, 'action', 'POST'), () => list(51))
    expect(told.error.message).toContain('51 entries')
    expect(urls).toEqual(['GET /api/list'])
  })

  it('of a fetch answers what succeeded, and how many failed', async () => {
    const { result } = await run(looped('a', { fields: ['n'] }), ({ url }, response) => {
      if (url === '/api/list') return list(5)
      return url === '/api/e2' ? reply(response, 404, '{}') : { n: url }
    })
    expect(result).toEqual({ items: [0, 1, 3, 4].map(i => ({ n: `/api/e${i}` })), failed: 1 })
  })

  it('of a fetch counts entries for which no request can be made as failed', async () => {
    const entries = [{ id: 'x' }, {}, { id: '../y' }, { id: 'z' }]
    const { result, urls } = await run(looped('a', { fields: ['n'] }), ({ url }) =>
      url === '/api/list' ? entries : { n: url },
    )
    expect(urls).toEqual(['GET /api/list', 'GET /api/x', 'GET /api/z'])
    expect(result).toEqual({ items: [{ n: '/api/x' }, { n: '/api/z' }], failed: 2 })
    const { told } = await run(looped('a', { fields: ['n'] }), () => [{}, {}])
    expect(told.error).toMatchObject({ source: 'b[1]', kind: 'failed' })
  })

  it('of an action with such an entry sends nothing of the loop', async () => {
    const { told, urls } = await run(looped('a', { fields: ['a.id'] }, 'action', 'POST'), () => [
      { id: 'x' },
      {},
    ])
    expect(urls).toEqual(['GET /api/list'])
    expect(told.error).toMatchObject({ source: 'b[1]', kind: 'failed' })
  })

  it('of an action goes one by one, stops at the first failure and tells what was done', async () => {
    const { told, urls } = await run(
      looped('a', { fields: ['a.id'] }, 'action', 'POST'),
      ({ url }, response) => {
        if (url === '/api/list') return list(4)
        return url === '/api/e2' ? reply(response, 422, '{"message":"room is taken"}') : { ok: 1 }
      },
    )
    expect(urls).toEqual(['GET /api/list', 'POST /api/e0', 'POST /api/e1', 'POST /api/e2'])
    expect(told).toMatchObject({
      error: { source: 'b[2]', kind: 'status', status: 422 },
      done: ['a', 'b[0]', 'b[1]'],
    })
    expect(told.error.message).toContain('room is taken')
    expect(told.error.message).toContain('a, b[0], b[1] were carried out before, and stay so')
  })
})

describe('what the agent sees', () => {
  const answer = {
    results: [{ id: 1, name: 'x', deep: { p: 1, q: 2 } }, { id: 2, name: 'y' }, { name: 'z' }],
    total: 9,
    secret: 's',
    'a.b': 'dot',
    text: 'hi',
  }
  const shown = (fields: string[], limit: number | null = null, body: object = answer) =>
    run(single({ method: 'GET', url: '/x' }, { fields, limit }), () => body).then(({ result }) => result)

  it.each<[string[], unknown]>([
    [['results.id'], { results: [{ id: 1 }, { id: 2 }, {}] }],
    [
      ['results.id', 'results.deep.p', 'total'],
      { results: [{ id: 1, deep: { p: 1 } }, { id: 2 }, {}], total: 9 },
    ],
    [['results.1.name'], { results: [{ name: 'y' }] }],
    [['results.9.name', 'nothing', 'text.more'], { results: [] }],
    [['a\\.b'], { 'a.b': 'dot' }],
    [[], { ok: true }],
    [['toString', 'constructor', '__proto__'], {}],
  ])('%j', async (fields, expected) => {
    expect(await shown(fields)).toEqual(expected)
  })

  it('is cut at the outermost list of the fields', async () => {
    expect(await shown(['results.id', 'text'], 2)).toEqual({
      results: [{ id: 1 }, { id: 2 }],
      text: 'hi',
      shown: 2,
      total: 3,
    })
    expect(await shown(['results'], 3)).toEqual({ results: answer.results })
    expect(await shown(['id'], 1, [{ id: 1 }, { id: 2 }])).toEqual({ items: [{ id: 1 }], shown: 1, total: 2 })
  })

  it('loses control characters, and what is endless', async () => {
    const { t } = (await shown(['t'], null, { t: `a\u0000b\u001b[31m\u202ec\n${'x'.repeat(3000)}` })) as {
      t: string
    }
    expect(t.slice(0, 10)).toBe('ab[31mc\nxx')
    expect(t.length).toBe(2001)
  })

  it('has integers of any size as they are', async () => {
    const { result } = await run(single({ method: 'GET', url: '/x' }, { fields: ['id'] }), (_, response) =>
      reply(response, 200, '{"id": 12345678901234567890, "f": 0.1}'),
    )
    expect(result).toEqual({ id: 12345678901234567890n })
  })

  it.each([
    [204, ''],
    [205, ''],
    [200, ''],
    [200, '  \n'],
  ])('of %d without a body is that it went well', async (status, body) => {
    const { result } = await run(single({ method: 'GET', url: '/x' }, { fields: ['id'] }), (_, response) =>
      reply(response, status, body),
    )
    expect(result).toEqual({ ok: true, status })
  })

  it.each([
    ['text/plain', '{"id":1}'],
    ['text/html', '\ufeff{"id":1}'],
    ['', '{"id":1}'],
  ])('is JSON by its content, as %s too', async (type, body) => {
    const { result } = await run(single({ method: 'GET', url: '/x' }, { fields: ['id'] }), (_, response) =>
      reply(response, 200, body, type ? { 'content-type': type } : {}),
    )
    expect(result).toEqual({ id: 1 })
  })

  it('in ISO-8859-1 is read as such', async () => {
    const { result } = await run(single({ method: 'GET', url: '/x' }, { fields: ['n'] }), (_, response) => {
      response.setHeader('content-type', 'application/json; charset=iso-8859-1')
      response.end(Buffer.from('{"n":"Müller"}', 'latin1'))
      return undefined
    })
    expect(result).toEqual({ n: 'Müller' })
  })

  it('of a page is a failure with a short excerpt', async () => {
    const page = `<!doctype html><html><script>let a = 'no'</script><h1>Sign in</h1>${'<p>words</p>'.repeat(200)}`
    const { told } = await run(single({ method: 'GET', url: '/x' }, { fields: ['id'] }), (_, response) =>
      reply(response, 200, page, { 'content-type': 'text/html' }),
    )
    expect(told).toMatchObject({ error: { source: 'a', kind: 'answer', status: 200 }, done: [] })
    expect(told.error.message).toMatch(/^GET answered 200 with text\/html, not JSON: Sign in words/)
    expect(told.error.message.length).toBeLessThan(300)
    const action = single({ method: 'POST', url: '/x' }, { fields: [] }, { kind: 'action' })
    const done = await run(action, (_, response) =>
      reply(response, 200, page, { 'content-type': 'text/html' }),
    )
    expect(done.told.error.message).toContain('a was carried out')
  })

  it('of JSON that is nested without end is a failure', async () => {
    const { told } = await run(single({ method: 'GET', url: '/x' }, { fields: ['id'] }), (_, response) =>
      reply(response, 200, '['.repeat(1e5) + ']'.repeat(1e5)),
    )
    expect(told.error.message).toContain('nested more than 200 deep')
  })
})

describe('what is remembered', () => {
  it('serves later tools, under its path, with the tool before it, and as it was renamed', async () => {
    const store = variables()
    const one = await desk(
      ({ method }, _r, n) =>
        method === 'POST'
          ? { booking: { id: 70 + n, hidden: true }, rows: [{ id: 'r1' }, { id: 'r2' }] }
          : {},
      { variables: () => store },
    )
    server = one.server
    const book = one.make(
      single(
        { method: 'POST', url: '/book' },
        { fields: [], remember: ['booking.id', { path: 'rows.id', as: 'rows' }, 'absent.id'] },
      ),
      'book',
    )
    const use = (name: string) =>
      one.make(
        single({
          method: 'GET',
          url: '/{{id}}',
          params: [param({ from: 'variable', name: 'id', value: name, type: 'integer' })],
        }),
      )
    expect(await book({})).toEqual({ ok: true })
    await use('booking.id')({})
    await use('book.booking.id')({})
    expect(server.arrived.map(({ url }) => url).slice(1)).toEqual(['/api/71', '/api/71'])
    expect(store.get('rows', 'booking')).toEqual(['r1', 'r2'])
    expect(store.get('absent.id', 'booking')).toBeUndefined()
    // Another connection knows the long name only.
    expect([store.get('booking.id', 'other'), store.get('book.booking.id', 'other')]).toEqual([undefined, 71])
    await book({})
    expect(store.get('booking.id', 'booking')).toBe(74)
  })

  it('stays as it was where a call fails', async () => {
    const store = variables({ id: 'old' })
    const one = await desk((_, response) => reply(response, 404, '{"id":"new"}'), { variables: () => store })
    server = one.server
    const tool = one.make(single({ method: 'GET', url: '/x' }, { remember: ['id'] }))
    await expect(tool({})).rejects.toThrow()
    expect(store.get('id', 'booking')).toBe('old')
  })
})
