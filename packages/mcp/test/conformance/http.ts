// A handler of requests behind Node's own server, on a free port of this machine.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'

export async function listen(
  handle: (request: Request) => Promise<Response>,
): Promise<{ url: string; close: () => void }> {
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const headers = new Headers()
    for (const [name, value] of Object.entries(incoming.headers))
      for (const each of [value ?? []].flat()) headers.append(name, each)
    const stop = new AbortController()
    outgoing.on('close', () => stop.abort())
    const body = incoming.method === 'GET' || incoming.method === 'HEAD' ? null : Buffer.concat(chunks)
    const request = new Request(`http://127.0.0.1${incoming.url}`, {
      method: incoming.method!,
      headers,
      body,
      signal: stop.signal,
    })
    const answer = await handle(request)
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers))
    if (answer.body) Readable.fromWeb(answer.body as never).pipe(outgoing)
    else outgoing.end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
