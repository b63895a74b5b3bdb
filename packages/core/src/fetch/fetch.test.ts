import net from 'node:net'
import zlib from 'node:zlib'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { type Answer, type Recorder, recorder, reply } from '../../test/support/server.ts'
import { ToolwrightError } from '../errors.ts'
import { reachOf } from './address.ts'
import type { Target } from './door.ts'
import { type GuardedRequest, type GuardOptions, guardedFetch } from './fetch.ts'

const open: Recorder[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map(server => server.close()))
})

async function serve(answer: Answer): Promise<Recorder> {
  const server = await recorder(answer)
  open.push(server)
  return server
}

/** A fetch for which `api.example` is a public host that in truth is `server`; it records where sockets go. */
function publicly(server: Recorder, options: GuardOptions = {}) {
  const targets: Target[] = []
  const port = Number(new URL(server.url).port)
  const fetch = guardedFetch({
    resolve: async () => ['93.184.216.34'],
    connect: target => {
      targets.push(target)
      return net.connect({ host: '127.0.0.1', port })
    },
    ...options,
  })
  return { fetch, targets }
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
    return 'none'
  } catch (error) {
    return error instanceof ToolwrightError ? error.code : String(error)
  }
}

const local = (server: Recorder) => guardedFetch({ allowPrivate: new URL(server.url).hostname })

describe('an address', () => {
  const never = [
    '0.0.0.0',
    '255.255.255.255',
    '169.254.169.254',
    '100.64.0.1',
    '192.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '::',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
    '2001:db8::1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2001::1',
    '100::1',
    'fec0::1',
    '3fff::1',
    '5f00::1',
    '4000::1',
    'not an address',
    '',
  ]
  it.each(never)('%s is never reached', address => {
    expect(reachOf(address)).toBe('never')
  })
  it.each(['127.0.0.1', '127.255.0.3', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::127.0.0.1'])(
    '%s is this machine',
    address => {
      expect(reachOf(address)).toBe('loopback')
    },
  )
  it.each(['10.0.0.1', '172.16.0.1', '192.168.1.1', 'fd00::1', '::ffff:10.0.0.1'])(
    '%s is private',
    address => {
      expect(reachOf(address)).toBe('private')
    },
  )
  it.each(['8.8.8.8', '93.184.216.34', '2606:4700::1111'])('%s is public', address => {
    expect(reachOf(address)).toBe('public')
  })
})

describe('a guarded fetch', () => {
  it('sends a request and gives the whole answer', async () => {
    const server = await serve(() => ({ hello: 'world' }))
    const { fetch, targets } = publicly(server)
    const { status, bytes, headers, url } = await fetch({
      url: 'https://api.example/a?b=c',
      method: 'POST',
      body: '{}',
      headers: { 'x-one': '1' },
    })
    expect([status, Buffer.from(bytes).toString(), url]).toEqual([
      200,
      '{"hello":"world"}',
      'https://api.example/a?b=c',
    ])
    expect(headers['content-type']).toBe('application/json')
    expect(server.arrived).toMatchObject([
      { method: 'POST', url: '/a?b=c', body: '{}', headers: { host: 'api.example', 'x-one': '1' } },
    ])
    expect(targets).toEqual([{ address: '93.184.216.34', port: 443, secure: true, hostname: 'api.example' }])
  })

  const spellings = [
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '2130706433',
    '0177.0.0.1',
    '0x7f000001',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:0:0:1]',
    '①②⑦.⓪.⓪.①',
    '0',
    '10.0.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '[fd00::1]',
    '[fe80::1]',
    '[64:ff9b::7f00:1]',
  ]
  it.each(spellings)('does not reach %s', async host => {
    const sockets: Target[] = []
    const fetch = guardedFetch({
      connect: target => (sockets.push(target), new net.Socket()),
      resolve: async () => [],
    })
    expect(await codeOf(fetch({ url: `https://${host}/` }))).toBe('T4021')
    expect(await codeOf(fetch({ url: `http://${host}/` }))).toBe('T4021')
    expect(sockets).toEqual([])
  })

  it.each([[['127.0.0.1']], [['93.184.216.34', '127.0.0.1']], [['::ffff:10.0.0.1']], [['169.254.169.254']]])(
    'does not reach a name that leads to %s',
    async addresses => {
      const sockets: Target[] = []
      const fetch = guardedFetch({
        resolve: async () => addresses,
        connect: t => (sockets.push(t), new net.Socket()),
      })
      expect(await codeOf(fetch({ url: 'https://localhost./' }))).toBe('T4021')
      expect(sockets).toEqual([])
    },
  )

  it('connects to the address that it judged, whatever the name leads to afterwards', async () => {
    const server = await serve(() => ({}))
    let asked = 0
    const { fetch, targets } = publicly(server, {
      resolve: async () => [asked++ === 0 ? '93.184.216.34' : '127.0.0.1'],
    })
    await fetch({ url: 'https://rebind.example/' })
    expect([asked, targets.map(({ address }) => address)]).toEqual([1, ['93.184.216.34']])
    expect(await codeOf(fetch({ url: 'https://rebind.example/' }))).toBe('T4021')
  })

  it('refuses http, other schemes and passwords', async () => {
    const fetch = guardedFetch({ resolve: async () => ['93.184.216.34'] })
    for (const url of [
      'http://api.example/',
      'ftp://api.example/',
      'file:///etc/passwd',
      'https://me:pw@api.example/',
    ])
      expect(await codeOf(fetch({ url })), url).toBe('T4021')
  })

  it('reaches the private addresses of the host that allowPrivate names, and of no other', async () => {
    const server = await serve(() => ({}))
    const { port } = new URL(server.url)
    const fetch = guardedFetch({ allowPrivate: 'one.local', resolve: async () => ['127.0.0.1'] })
    expect((await fetch({ url: `http://one.local:${port}/` })).status).toBe(200)
    expect(await codeOf(fetch({ url: `http://two.local:${port}/` }))).toBe('T4021')
    expect(await codeOf(fetch({ url: `http://127.0.0.1:${port}/` }))).toBe('T4021')
    // Without TLS only on this machine; and what is no network of one's own is reached by nobody.
    const lan = guardedFetch({ allowPrivate: 'one.local', resolve: async () => ['10.0.0.1'] })
    expect(await codeOf(lan({ url: 'http://one.local/' }))).toBe('T4021')
    const meta = guardedFetch({ allowPrivate: 'one.local', resolve: async () => ['169.254.169.254'] })
    expect(await codeOf(meta({ url: 'https://one.local/' }))).toBe('T4021')
  })

  describe('a redirect', () => {
    const codes = [301, 302, 303, 307, 308]
    it.each(codes)('%d is not followed, for any method', async code => {
      const server = await serve((_, response) => reply(response, code, '', { location: '/next' }))
      const { fetch } = publicly(server)
      for (const method of ['GET', 'POST'])
        expect(
          await codeOf(fetch({ url: 'https://api.example/', method, body: method === 'POST' ? 'x' : '' })),
        ).toBe('T4022')
      expect(server.arrived.length).toBe(2)
      expect(await codeOf(fetch({ url: 'https://api.example/', method: 'POST', redirects: 3 }))).toBe('T4022')
    })

    it.each(codes)('%d is followed on the same origin, up to a number of hops', async code => {
      const server = await serve(({ url }, response) =>
        url === '/3'
          ? { here: true }
          : reply(response, code, '', { location: `/${Number(url.slice(1)) + 1}` }),
      )
      const { fetch } = publicly(server)
      const headers = { authorization: 'Bearer abc' }
      expect(await fetch({ url: 'https://api.example/1', redirects: 2, headers })).toMatchObject({
        status: 200,
        url: 'https://api.example/3',
      })
      expect(server.arrived.map(one => one.headers['authorization'])).toEqual(Array(3).fill('Bearer abc'))
      expect(await codeOf(fetch({ url: 'https://api.example/1', redirects: 1 }))).toBe('T4022')
    })

    it.each([
      'http://api.example/',
      'https://other.example/',
      'https://api.example:444/',
      'http://127.0.0.1/',
      '//other.example/',
      'file:///x',
    ])('to %s is not followed', async location => {
      const server = await serve((_, response) => reply(response, 302, '', { location }))
      const { fetch } = publicly(server)
      expect(await codeOf(fetch({ url: 'https://api.example/', redirects: 3 }))).toBe('T4022')
      expect(server.arrived.length).toBe(1)
    })

    it('to another origin loses what was sent along for good, and each hop is judged', async () => {
      const server = await serve(({ headers, url }, response) => {
        if (url === '/private') return reply(response, 302, '', { location: 'https://10.0.0.1/' })
        if (url === '/back') return { done: true }
        return reply(response, 302, '', {
          location: headers['host'] === 'a.example' ? 'https://b.example/x' : 'https://a.example/back',
        })
      })
      const { fetch } = publicly(server)
      const request: GuardedRequest = {
        url: 'https://a.example/',
        redirects: 3,
        otherOrigins: true,
        headers: { authorization: 'Bearer abc', cookie: 'c', 'x-api-key': 'k' },
      }
      await fetch(request)
      const [first, ...rest] = server.arrived
      expect(first!.headers['x-api-key']).toBe('k')
      expect(rest.map(one => one.headers['host'])).toEqual(['b.example', 'a.example'])
      for (const { rawHeaders } of rest)
        expect(rawHeaders.join().toLowerCase()).not.toMatch(/authorization|cookie|api-key/)
      expect(await codeOf(fetch({ ...request, url: 'https://a.example/private' }))).toBe('T4021')
    })
  })

  describe('a large answer', () => {
    it.each(['identity', 'gzip', 'deflate', 'br'])(
      'packed as %s is read up to the limit, and given up beyond it',
      async encoding => {
        const pack = {
          identity: (b: Buffer) => b,
          gzip: zlib.gzipSync,
          deflate: zlib.deflateSync,
          br: zlib.brotliCompressSync,
        }[encoding]!
        const server = await serve(({ url }, response) => {
          response.setHeader('content-encoding', encoding)
          response.end(pack(Buffer.alloc(Number(url.slice(1)), 'a')))
          return undefined
        })
        const fetch = local(server)
        expect((await fetch({ url: `${server.url}/1000`, largest: 1000 })).bytes.length).toBe(1000)
        expect(await codeOf(fetch({ url: `${server.url}/1001`, largest: 1000 }))).toBe('T4023')
        expect(await codeOf(fetch({ url: `${server.url}/20000000` }))).toBe('T4023')
      },
    )

    it('is not read to its end', async () => {
      let written = 0
      const server = await serve((_, response) => {
        const more = () => {
          while (written < 1e9 && !response.destroyed) {
            written += 65_536
            if (!response.write(Buffer.alloc(65_536))) return void response.once('drain', more)
          }
        }
        more()
        return undefined
      })
      expect(await codeOf(local(server)({ url: server.url }))).toBe('T4023')
      expect(written).toBeLessThan(20_000_000)
    })

    it('that is packed twice, in another way, or damaged is refused', async () => {
      const server = await serve(({ url }, response) =>
        reply(response, 200, 'no gzip at all', { 'content-encoding': decodeURIComponent(url.slice(1)) }),
      )
      for (const encoding of ['gzip, gzip', 'zstd-x', 'gzip'])
        expect(
          await codeOf(local(server)({ url: `${server.url}/${encodeURIComponent(encoding)}` })),
          encoding,
        ).toBe('T4026')
    })
  })

  it('gives up when its time is over, and says whether the request may have arrived', async () => {
    const server = await serve(() => new Promise(() => {}))
    const due: (() => void)[] = []
    const clock = { now: () => 0, after: (_: number, fn: () => void) => (due.push(fn), () => {}) }
    const silent = guardedFetch({ allowPrivate: '127.0.0.1', clock })({ url: server.url })
    const arrives = setInterval(() => server.arrived.length > 0 && due[0]!(), 1)
    expect(await codeOf(silent)).toBe('T4024')
    clearInterval(arrives)
    const nobody = guardedFetch({ resolve: () => new Promise(() => {}), clock })({
      url: 'https://api.example',
    })
    due[1]!()
    expect(await codeOf(nobody)).toBe('T4025')
  })

  it('tells a server that is not there from one that breaks off', async () => {
    const gone = await serve(() => ({}))
    await gone.close()
    expect(await codeOf(local(gone)({ url: gone.url }))).toBe('T4025')
    const breaks = await serve((_, response) => {
      response.socket!.destroy()
      return undefined
    })
    expect(await codeOf(local(breaks)({ url: breaks.url }))).toBe('T4026')
    const half = await serve((_, response) => {
      response.writeHead(200, { 'content-length': 100 })
      response.write('half')
      setTimeout(() => response.socket?.destroy(), 1)
      return undefined
    })
    expect(await codeOf(local(half)({ url: half.url }))).toBe('T4026')
  })

  it('is stopped by a signal', async () => {
    const server = await serve(() => new Promise(() => {}))
    const stop = new AbortController()
    const waiting = local(server)({ url: server.url, signal: stop.signal })
    const arrives = setInterval(() => server.arrived.length > 0 && stop.abort(), 1)
    expect(await codeOf(waiting)).toBe('T4026')
    clearInterval(arrives)
  })

  it('never connects to what is not public, however an address is written', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.webUrl(), fc.ipV4Extended(), fc.ipV6(), fc.domain()), async text => {
        const url = text.includes('//') ? text : `https://${text.includes(':') ? `[${text}]` : text}/`
        if (!URL.canParse(url)) return
        const bad: string[] = []
        const fetch = guardedFetch({
          resolve: async () => ['127.0.0.1'],
          connect: ({ address }) => {
            if (reachOf(address) !== 'public') bad.push(address)
            return new net.Socket().destroy(new Error('not in a test'))
          },
        })
        await codeOf(fetch({ url }))
        expect(bad).toEqual([])
      }),
      { numRuns: 300 },
    )
  })
})
