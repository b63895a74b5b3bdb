// The wall: no value that a model can write reaches another path, host, header or field than was meant.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Recorder } from '../../core/test/support/server.ts'
import { variables } from '../src/index.ts'
import { desk, llm, param, single } from './support/tools.ts'

/** In the full run each property is tried twenty times as often. */
const times = process.env['TOOLWRIGHT_FULL'] === '1' ? 20 : 1

const hostile = [
  '../admin',
  '..',
  '.',
  '...',
  '',
  '/',
  '//',
  '//evil.example',
  '..%2fadmin',
  '%2e%2e',
  '%2e%2e%2fadmin',
  '%252e%252e%252f',
  '..\\admin',
  '\\\\evil',
  '?admin=1',
  '#',
  '#x',
  '%',
  '%zz',
  '&admin=true',
  '=1',
  'a&b=c;d',
  ';jsessionid=1',
  '@evil.example',
  'https://evil.example/',
  '{{id}}',
  '{{a.id}}',
  '$&',
  '$1',
  'x\r\nX-Admin: 1',
  'x\nCookie: a=b',
  '\0',
  ' ',
  '\t',
  '\u2028',
  'ÿ',
  '"},"admin":true,{',
  '{"admin":true}',
  '["x"]',
  'null',
  'true',
  '__proto__',
  'constructor',
  'prototype',
  "' OR 1=1 --",
  '<script>',
  '$' + '{7*7}',
  '\ud800',
  'Müller & Sohn',
  '０．０',
  '%00',
  '+',
  '%20',
  '～',
  '..;/',
  '.%00./',
]
const value = fc.oneof(
  fc.constantFrom(...hostile),
  fc.array(fc.constantFrom(...hostile, 'a', '1'), { maxLength: 4 }).map(parts => parts.join('')),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
)

let one: Awaited<ReturnType<typeof desk>>
let server: Recorder
beforeAll(async () => {
  one = await desk(() => ({}), { headers: { 'x-tenant': 't' }, variables: () => variables() })
  server = one.server
})
afterAll(() => server.close())

/** What arrived, and whether the values were refused. */
async function after(tool: (input: never) => Promise<unknown>, input: unknown) {
  server.arrived.length = 0
  const refused = await tool(input as never).then(
    () => false,
    () => true,
  )
  return { refused, arrived: [...server.arrived] }
}

const headerNames = [
  'accept',
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'host',
  'x-tenant',
]

describe('a hostile value', () => {
  it('in the path stays one segment of it', { timeout: 30_000 * times }, async () => {
    const tool = one.make(
      single({ method: 'GET', url: '/rooms/{{id}}/beds/b-{{bed}}', params: [llm('id'), llm('bed')] }),
    )
    let sent = 0
    await fc.assert(
      fc.asyncProperty(value, value, async (id, bed) => {
        const { refused, arrived } = await after(tool, { id, bed })
        if (refused) {
          expect(arrived).toEqual([])
          return
        }
        sent++
        const url = new URL(arrived[0]!.url, server.url)
        expect(arrived.length).toBe(1)
        expect(url.search + url.hash).toBe('')
        const [empty, api, rooms, first, beds, second, ...more] = url.pathname.split('/')
        expect([empty, api, rooms, beds, more]).toEqual(['', 'api', 'rooms', 'beds', []])
        expect([decodeURIComponent(first!), decodeURIComponent(second!)]).toEqual([id, `b-${bed}`])
        // Also for a server that decodes before it routes: nothing walks up.
        let now = arrived[0]!.url
        for (let i = 0; i < 3; i++) now = now.replace(/%(2e|2f|5c|25)/gi, code => decodeURIComponent(code))
        expect(now.split(/[/\\]/).filter(part => part === '..')).toEqual([])
      }),
      { numRuns: 400 * times },
    )
    expect(sent).toBeGreaterThan(100)
  })

  it('in the query stays the value of its name', { timeout: 30_000 * times }, async () => {
    const tool = one.make(
      single({
        method: 'GET',
        url: '/find?fixed=1&q={{q}}',
        params: [llm('q'), llm('r'), llm('l', { type: 'array', fields: [param({ name: '' })] })],
      }),
    )
    let sent = 0
    await fc.assert(
      fc.asyncProperty(value, value, fc.array(value, { maxLength: 3 }), async (q, r, l) => {
        const { refused, arrived } = await after(tool, { q, r, l })
        if (refused) {
          expect([q, r, ...l].every(text => text.isWellFormed())).toBe(false)
          return
        }
        sent++
        const url = new URL(arrived[0]!.url, server.url)
        expect([url.pathname, url.hash]).toEqual(['/api/find', ''])
        expect([...url.searchParams]).toEqual([
          ['fixed', '1'],
          ['q', q],
          ['r', r],
          ...l.map(one => ['l', one]),
        ])
      }),
      { numRuns: 300 * times },
    )
    expect(sent).toBeGreaterThan(100)
  })

  it('in the body stays the text of its field', { timeout: 30_000 * times }, async () => {
    const tool = one.make(
      single({
        method: 'POST',
        url: '/book',
        params: [
          llm('a.b'),
          llm('c'),
          param({ from: 'fixed', name: 'role', value: 'guest' }),
          llm('o', { type: 'object', fields: [llm('x')] }),
        ],
      }),
    )
    await fc.assert(
      fc.asyncProperty(value, value, value, async (b, c, x) => {
        const { arrived } = await after(tool, { a: { b }, c, o: { x } })
        const { url, body } = arrived[0]!
        expect(url).toBe('/api/book')
        const well = (text: string) => JSON.parse(JSON.stringify(text))
        expect(JSON.parse(body)).toEqual({ a: { b: well(b) }, c: well(c), role: 'guest', o: { x: well(x) } })
      }),
      { numRuns: 300 * times },
    )
  })

  it('reaches no header', { timeout: 30_000 * times }, async () => {
    const tool = one.make(single({ method: 'POST', url: '/h/{{id}}', params: [llm('id'), llm('c')] }))
    await fc.assert(
      fc.asyncProperty(value, value, async (id, c) => {
        const { arrived } = await after(tool, { id, c })
        for (const { rawHeaders, headers } of arrived) {
          const names = rawHeaders.filter((_, i) => i % 2 === 0).map(name => name.toLowerCase())
          expect(names.sort()).toEqual(headerNames)
          expect(headers['host']).toBe(new URL(server.url).host)
          expect(headers['x-tenant']).toBe('t')
        }
      }),
      { numRuns: 200 * times },
    )
  })

  it('as a name of a field reaches nothing', { timeout: 30_000 * times }, async () => {
    const tool = one.make(
      single({
        method: 'POST',
        url: '/n',
        params: [
          llm('a.b'),
          param({ from: 'fixed', name: 'role', value: 'guest' }),
          param({ from: 'variable', name: 'who', value: 'w' }),
        ],
      }),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.constantFrom('__proto__', 'constructor', 'role', 'who', 'a.b', 'a.__proto__', 'toString'),
          value,
        ),
        fc.jsonValue(),
        async (name, extra) => {
          const input = JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(extra)}}`)
          const { arrived } = await after(tool, input)
          for (const { body } of arrived) {
            const { role, ...rest } = JSON.parse(body)
            expect(role).toBe('guest')
            expect(Object.keys(rest).filter(key => key !== 'a')).toEqual([])
          }
          expect(({} as { admin?: unknown }).admin).toBeUndefined()
        },
      ),
      { numRuns: 300 * times },
    )
  })

  it('of megabytes is refused in an address, and beyond 1 MB in a body', async () => {
    const get = one.make(single({ method: 'GET', url: '/{{id}}', params: [llm('id'), llm('q')] }))
    const post = one.make(single({ method: 'POST', url: '/p', params: [llm('c')] }))
    expect(await after(get, { id: 'x'.repeat(5e6), q: '' })).toEqual({ refused: true, arrived: [] })
    expect(await after(get, { id: 'x', q: 'ü'.repeat(1e6) })).toEqual({ refused: true, arrived: [] })
    expect(await after(post, { c: 'x'.repeat(2e6) })).toEqual({ refused: true, arrived: [] })
    expect((await after(post, { c: 'x'.repeat(9e5) })).arrived.length).toBe(1)
  })

  it('in an answer reaches no other address of the next source', { timeout: 30_000 * times }, async () => {
    const document = {
      kind: 'fetch',
      sources: {
        a: { method: 'GET', url: '/first' },
        b: {
          method: 'GET',
          url: '/rooms/{{a.id}}/open',
          params: [param({ from: 'fixed', name: 'note', value: 'for {{a.id}}' })],
        },
      },
      output: { fields: ['x'] },
    }
    let id = ''
    const two = await desk(({ url }) => (url === '/api/first' ? { id } : { x: 1 }))
    const tool = two.make(document)
    await fc.assert(
      fc.asyncProperty(value, async given => {
        id = given
        two.server.arrived.length = 0
        await tool({} as never).catch(() => {})
        const later = two.server.arrived.slice(1)
        for (const { url } of later) {
          const { pathname, searchParams } = new URL(url, two.server.url)
          expect(pathname.split('/').length).toBe(5)
          expect(pathname).toMatch(/^\/api\/rooms\/[^/]+\/open$/)
          expect([...searchParams]).toEqual([['note', `for ${JSON.parse(JSON.stringify(given))}`]])
        }
      }),
      { numRuns: 200 * times },
    )
    await two.server.close()
  })
})
