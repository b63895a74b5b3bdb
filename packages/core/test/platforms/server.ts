// A chat server that the scenario talks to: it streams what its script says for the conversation it is sent, each
// event cut in the middle, so that the reading of streams is at work too.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Told {
  messages: { role: string; content: string | null }[]
  tools?: { function: { name: string } }[]
}

type Say = { text: string } | { call: [tool: string, input: unknown][] }

/** What is said for the last message of a conversation; '' is for any other. */
const script: Record<string, Say> = {
  'Order three.': {
    call: [
      ['order', { count: '3', id: 'not-an-id' }],
      ['add', { a: 20, b: 22 }],
    ],
  },
  'Which kind?': { text: 'Grün, 绿, 🟢' },
  'Find it out.': { call: [['capital', { country: 'India' }]] },
  'What is the capital of India?': { text: 'New Delhi' },
  'How warm is it?': { call: [['answer', { degrees: '14.5', sky: 'clear' }]] },
  'Ask the sub-agent.': { call: [['helper', { message: 'Help.' }]] },
  'Help.': { text: 'helped' },
}

function sayFor({ messages, tools = [] }: Told): Say {
  const last = messages.at(-1)!
  const said = script[last.content ?? '']
  if (said) return said
  const results = messages.slice(messages.findLastIndex(message => message.role === 'assistant'))
  if (results.some(({ role, content }) => role === 'tool' && content?.includes('not-an-id')))
    return { call: [['order', { count: 3, id: 'A-7' }]] }
  return { text: `${tools.length} tools; ${messages.length} messages; last: ${last.content}` }
}

function* events(say: Say): Generator<object> {
  if ('text' in say)
    for (const content of say.text.match(/.{1,5}/gsu) ?? []) yield { choices: [{ delta: { content } }] }
  else
    for (const [index, [name, input]] of say.call.entries()) {
      const text = JSON.stringify(input)
      yield {
        choices: [{ delta: { tool_calls: [{ index, id: `c${index}`, function: { name, arguments: '' } }] } }],
      }
      for (const part of [text.slice(0, 4), text.slice(4)])
        yield { choices: [{ delta: { tool_calls: [{ index, function: { arguments: part } }] } }] }
    }
  yield { choices: [{ delta: {}, finish_reason: 'text' in say ? 'stop' : 'tool_calls' }] }
  yield { choices: [], usage: { prompt_tokens: 40, completion_tokens: 5 } }
}

/** Starts it on a free port; gives its address, and the function that ends it. */
export async function serve(): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer(async (request, response) => {
    const parts: Uint8Array[] = []
    for await (const part of request) parts.push(part as Uint8Array)
    if (!request.url?.endsWith('/chat/completions')) {
      response.writeHead(200, { 'content-type': 'application/json' })
      return response.end('{"data":[{"id":"m","context_length":32000}]}')
    }
    const say = sayFor(JSON.parse(Buffer.concat(parts).toString('utf8')) as Told)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const stream = Buffer.from(
      [...events(say)].map(event => `data: ${JSON.stringify(event)}\r\n\r\n`).join(''),
    )
    for (let at = 0; at < stream.length; at += 37) {
      if (!response.write(stream.subarray(at, at + 37))) await new Promise(go => response.once('drain', go))
      await new Promise(go => setImmediate(go))
    }
    response.end('data: [DONE]\n\n')
  })
  await new Promise<void>(go => server.listen(0, '127.0.0.1', go))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () => {
      server.closeAllConnections()
      return new Promise(go => server.close(() => go()))
    },
  }
}
