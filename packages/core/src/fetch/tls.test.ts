// The same over TLS: the name is proven by the certificate, the address is the one that was judged.
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import tls from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { cert, key } from '../../test/support/certificate.ts'
import { connectTo, type Target } from './door.ts'
import { guardedFetch } from './fetch.ts'

let server: Server | undefined
afterEach(() => server?.close())

async function serve(): Promise<number> {
  const made = createServer({ cert, key }, (request, response) => response.end(request.headers.host))
  server = made
  await new Promise<void>(resolve => made.listen(0, '127.0.0.1', resolve))
  return (made.address() as AddressInfo).port
}

const resolve = async () => ['93.184.216.34']
/** As the real connector, but to this machine and with a certificate of its own to trust. */
const trusting =
  (port: number) =>
  ({ hostname }: Target) =>
    tls.connect({ host: '127.0.0.1', port, servername: hostname, ca: cert })

describe('over TLS', () => {
  it('a server that proves its name is heard', async () => {
    const port = await serve()
    const { status, bytes } = await guardedFetch({ resolve, connect: trusting(port) })({
      url: 'https://api.example/',
    })
    expect([status, Buffer.from(bytes).toString()]).toEqual([200, 'api.example'])
  })

  it('a server that proves another name is not', async () => {
    const port = await serve()
    const fetch = guardedFetch({ resolve, connect: trusting(port) })
    await expect(fetch({ url: 'https://other.example/' })).rejects.toThrow('T4025')
  })

  it('a certificate that nobody trusts is refused, of a name and of an address', async () => {
    const port = await serve()
    for (const hostname of ['api.example', '127.0.0.1']) {
      const fetch = guardedFetch({
        allowPrivate: hostname,
        resolve: async () => ['127.0.0.1'],
        connect: connectTo,
      })
      await expect(fetch({ url: `https://${hostname}:${port}/` })).rejects.toThrow(/T4025.*self-signed/)
    }
  })
})
