// A server by hand, in this process: behind a `fetch`, so that a test decides on every byte.
export interface Fake {
  tools: unknown[]
  /** Gives a page of the list; left out: all tools at once. */
  page?: (cursor: string | undefined, n: number) => unknown
  call?: (
    params: { name: string; arguments?: Record<string, unknown>; _meta?: Record<string, unknown> },
    signal: AbortSignal | undefined,
  ) => unknown
  instructions?: string
  /** Answers before anything else, where it gives something. */
  before?: (request: Request, message: Message) => Response | undefined | Promise<Response | undefined>
  /** Every message that came in. */
  got: Message[]
  /** Tells the client something by itself. */
  notify: (method: string) => void
  fetch: typeof fetch
}

export interface Message {
  id?: number | string
  method: string
  params?: {
    name?: string
    cursor?: string
    arguments?: Record<string, unknown>
    _meta?: Record<string, unknown>
  } & Record<string, unknown>
}

export const tool = (name: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  name,
  description: `Does ${name}`,
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  ...more,
})

export function fake(of: Partial<Omit<Fake, 'fetch' | 'notify' | 'got'>> = {}): Fake {
  let pages = 0
  const streams = new Set<ReadableStreamDefaultController<Uint8Array>>()
  const event = (message: unknown): Uint8Array =>
    new TextEncoder().encode(`event: message\ndata: ${JSON.stringify(message)}\n\n`)
  const server: Fake = {
    tools: [],
    got: [],
    ...of,
    notify(method) {
      for (const stream of streams) stream.enqueue(event({ jsonrpc: '2.0', method }))
    },
    fetch: async (input, init) => {
      const request = new Request(input, init)
      if (request.method === 'GET') {
        let mine: ReadableStreamDefaultController<Uint8Array>
        const body = new ReadableStream<Uint8Array>({
          start(controller) {
            mine = controller
            streams.add(controller)
          },
          cancel() {
            streams.delete(mine)
          },
        })
        return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
      }
      if (request.method !== 'POST') return new Response(null, { status: 405 })
      const message = (await request.clone().json()) as Message
      server.got.push(message)
      const early = await server.before?.(request, message)
      if (early) return early
      if (message.id === undefined) return new Response(null, { status: 202 })
      const { id, method, params = {} } = message
      const answer = (result: unknown): Response => Response.json({ jsonrpc: '2.0', id, result })
      if (method === 'initialize')
        return answer({
          protocolVersion: '2025-11-25',
          capabilities: { tools: { listChanged: true } },
          serverInfo: { name: 'fake', version: '1' },
          ...(server.instructions === undefined ? {} : { instructions: server.instructions }),
        })
      if (method === 'tools/list')
        return answer(server.page ? server.page(params.cursor, ++pages) : { tools: server.tools })
      if (method === 'tools/call') {
        const given = await server.call?.(params as never, init?.signal ?? undefined)
        if (given instanceof Response) return given
        return answer(given ?? { content: [{ type: 'text', text: `${params.name} ran` }] })
      }
      return Response.json({
        jsonrpc: '2.0',
        id,
        error: { code: -32601, message: 'there is no such method' },
      })
    },
  }
  return server
}

/** An answer that comes as a stream of messages; `send` adds one. */
export function streaming(begin: (send: (message: unknown) => void, end: () => void) => void): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const encoder = new TextEncoder()
      begin(
        message => controller.enqueue(encoder.encode(`event: message\ndata: ${JSON.stringify(message)}\n\n`)),
        () => controller.close(),
      )
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}
