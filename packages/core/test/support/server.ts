// A server on this machine that records exactly what arrives.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as it arrived. */
export interface Arrived {
  method: string
  /** As it stood in the request line. */
  url: string
  headers: Record<string, string>
  /** Names and values of the headers as they came. */
  rawHeaders: string[]
  body: string
}

export interface Recorder {
  readonly url: string
  readonly arrived: Arrived[]
  close(): Promise<void>
}

export type Answer = (
  request: Arrived,
  response: ServerResponse,
  n: number,
) => void | object | undefined | Promise<void | object | undefined>

/** Answers each request with what `answer` gives as JSON, or lets it write the answer itself. */
export async function recorder(answer: Answer): Promise<Recorder> {
  const arrived: Arrived[] = []
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    const { method = '', url = '', rawHeaders } = request
    const headers = request.headers as Record<string, string>
    const one = { method, url, headers, rawHeaders, body }
    arrived.push(one)
    const given = await answer(one, response, arrived.length)
    if (given === undefined || response.writableEnded) return
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(given))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    arrived,
    close: () =>
      new Promise(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  request.setEncoding('utf8')
  for await (const part of request) body += part
  return body
}

export function reply(
  response: ServerResponse,
  status: number,
  body = '',
  headers: Record<string, string> = {},
): undefined {
  response.writeHead(status, headers)
  response.end(body)
  return undefined
}
