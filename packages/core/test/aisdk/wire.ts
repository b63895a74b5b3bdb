// A server that speaks whatever it is told to: each request is kept, and answered with the next answer.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FunctionObject, Json, Message, Request, Turn } from '../../src/define/records.ts'

/** What is answered: events of a stream (each an event's data, or [its name, its data]), or a status and a body. */
export type Answer =
  | { events: (Json | [name: string, data: Json])[]; end?: string }
  | { status: number; body: Json; headers?: Record<string, string> }

export interface Asked {
  path: string
  headers: Record<string, string>
  body: Record<string, unknown>
}

export interface Wire {
  url: string
  asked: Asked[]
  close(): Promise<void>
}

export async function wire(answers: Answer[]): Promise<Wire> {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = JSON.parse(Buffer.concat(parts).toString() || '{}') as Record<string, unknown>
    asked.push({ path: request.url ?? '', headers: request.headers as Record<string, string>, body })
    const answer = answers[asked.length - 1]
    if (!answer) return response.writeHead(500).end('nothing more to answer')
    if ('status' in answer) {
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
      return response.end(JSON.stringify(answer.body))
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of answer.events) {
      if (Array.isArray(event)) response.write(`event: ${event[0]}\n`)
      response.write(`data: ${JSON.stringify(Array.isArray(event) ? event[1] : event)}\n\n`)
    }
    response.end(answer.end ?? '')
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () =>
      new Promise(done => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
}

export const message = (role: Message['role'], more: Partial<Message> = {}): Message => ({
  role,
  text: '',
  reasoning: '',
  calls: [],
  call: '',
  details: [],
  origin: { from: 'system' },
  ...more,
})

export const request = (messages: Message[], more: Partial<Request> = {}): Request => ({
  instructions: 'Be brief.',
  messages,
  tools: [],
  answer: false,
  ...more,
})

export const tool = (name: string): FunctionObject => ({
  type: 'function',
  function: { name, description: `Does ${name}.`, parameters: { type: 'object', properties: {} } },
})

/** A turn as the message that a thread keeps, having been stored and read again. */
export const posted = (turn: Turn): Message =>
  JSON.parse(
    JSON.stringify(
      message('assistant', {
        text: turn.text,
        reasoning: turn.reasoning,
        calls: turn.calls,
        details: turn.details,
        origin: { from: 'model', model: 'm' },
      }),
    ),
  ) as Message

export const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
