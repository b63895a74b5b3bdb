// What the options of `llm` do, seen by a server on this machine: runs each program in a process of its own, and gives
// what was asked and what came of it as JSON.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type LogEvent, type Piece, served, ToolwrightError } from '@toolwright/core'
import { jumpingClock } from '../../../core/test/support/clock.ts'
import { type AgencyNode, registerAgency, runNode } from '../../src/index.ts'

export interface Asked {
  path: string
  authorization: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: whatever was sent
  body: any
}

export interface OptionResult {
  value?: unknown
  error?: string
  /** Everything that could be read of it: errors, pieces and events of the log. */
  told: string
  texts: string[]
  labels: string[]
  /** The assistant's messages, as the log has them. */
  said: string[]
  asked: Asked[]
}

/** What the server answers: a text; a status; or nothing at all. */
type Answer = string | number | 'nothing'

export interface OptionProgram {
  source: string
  answers: Answer[]
  /** The model of the run takes a JSON-schema response format. */
  formats?: boolean
}

const program = (llm: string, ...answers: Answer[]): OptionProgram => ({
  source: `node main() {\n  return ${llm}\n}`,
  answers,
})
const city =
  'type City = { name: string, size?: number }\nnode main() {\n  const c: City = llm("Which?")\n  return c\n}'

export const optionPrograms: { readonly [name: string]: OptionProgram } = {
  plain: program('llm("Hi")', 'ok'),
  settings: program('llm("Hi", temperature: 0.25, maxTokens: 77, reasoningEffort: "low")', 'ok'),
  record: program('llm("Hi", { temperature: 0.25, label: "greeting" })', 'ok'),
  model: program('llm("Hi", model: "tiny", provider: "home")', 'ok'),
  qualified: program('llm("Hi", model: "else/tiny", provider: "home")', 'ok'),
  key: program('llm("Hi", model: "tiny", apiKey: "sk-secret-of-mine")', 'ok'),
  keyAlone: program('llm("Hi", apiKey: "sk-secret-of-mine")', 'ok'),
  keyRefused: program('llm("Hi", model: "tiny", apiKey: "sk-secret-of-mine")', 401),
  providerAlone: program('llm("Hi", provider: "home")', 'ok'),
  effort: program('llm("Hi", reasoningEffort: "enormous")', 'ok'),
  noRetry: program('llm("Hi", retries: 0)', 503, 'ok'),
  oneRetry: program('llm("Hi", retries: 1)', 503, 'ok'),
  timeout: program('llm("Hi", timeout: "20 seconds")', 'nothing'),
  timeoutCaught: program('llm("Hi", timeout: 5000) catch "too late"', 'nothing'),
  streamed: program('llm("Hi")', 'Hello you'),
  whole: program('llm("Hi", stream: false)', 'Hello you'),
  byAnswer: { source: city, answers: ['{"name":"Rome"}'] },
  byFormat: { source: city, answers: ['{"response": {"name":"Rome","size":4}}'], formats: true },
  bareByFormat: { source: city, answers: ['{"name":"Rome","size":null}'], formats: true },
  nudged: { source: city, answers: ['Rome', '{"response":{"name":"Rome"}}'], formats: true },
  recursive: {
    source:
      'type T = { v: number, kids: T[] }\nnode main() {\n  const ts: T[] = llm("Trees?")\n  return [ts[0].v, ts[0].kids[0].v]\n}',
    answers: ['{"response":[{"v":1,"kids":[{"v":2,"kids":[]}]}]}'],
    formats: true,
  },
  // Bare, it would read too: a record with one field more.
  open: {
    source: 'type O = { name?: string }\nnode main() {\n  const o: O = llm("Which?")\n  return o.name\n}',
    answers: ['{"response":{"name":"x"}}'],
    formats: true,
  },
}

const asked: Asked[] = []
let answers: Answer[] = []
const server = createServer(async (request, response) => {
  // What models there are is asked beside a turn.
  if (request.method === 'GET') return void response.writeHead(404).end()
  const body = JSON.parse(await whole(request))
  asked.push({ path: request.url ?? '', authorization: request.headers.authorization, body })
  const answer = answers.shift() ?? 500
  if (answer === 'nothing') return
  if (typeof answer === 'number') {
    response.writeHead(answer, { 'content-type': 'application/json' }).end('{"error":{"message":"no"}}')
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const half = Math.ceil(answer.length / 2)
  for (const content of [answer.slice(0, half), answer.slice(half)])
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`)
  response.write('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n')
  response.end('data: [DONE]\n\n')
})

async function whole(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of request) text += part
  return text
}

async function one(
  { source, answers: given, formats = false }: OptionProgram,
  folder: string,
): Promise<OptionResult> {
  mkdirSync(folder)
  writeFileSync(join(folder, 'main.agency'), source)
  asked.length = 0
  answers = [...given]
  const clock = jumpingClock()
  const sleeping = {
    now: () => clock.now(),
    sleep: (ms: number) => new Promise<void>(done => clock.after(ms, done)),
  }
  const model = served('run', 'run', 0, () => ({ url, key: 'k', idle: 0, clock: sleeping }), { formats })
  const pieces: Piece[] = []
  const events: LogEvent[] = []
  const { main } = (await import(pathToFileURL(join(folder, 'main.agency')).href)) as { main: AgencyNode }
  const found: Partial<OptionResult> = {}
  try {
    const { value } = await runNode(main, [], {
      model,
      clock,
      each: piece => void pieces.push(piece),
      log: event => void events.push(event),
    })
    found.value = value
  } catch (error) {
    const { message, stack = '' } = error as Error
    found.error = error instanceof ToolwrightError ? error.message : `${message}\n${stack}`
  }
  return {
    ...found,
    told: JSON.stringify([found.error, pieces, events]),
    texts: pieces.flatMap(piece => (piece.kind === 'text' ? [piece.text] : [])),
    labels: events.flatMap(event => (event.kind === 'conversation' ? [event.agent] : [])),
    said: events.flatMap(event =>
      event.kind === 'message' && event.message.role === 'assistant' ? [event.message.text] : [],
    ),
    asked: structuredClone(asked),
  }
}

await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
process.env['AI_URL'] = url
process.env['AI_MODEL'] = 'of-the-environment'
process.env['AI_API_KEY'] = 'of-the-environment'
registerAgency()
const root = mkdtempSync(join(tmpdir(), 'agency-options-'))
symlinkSync(join(import.meta.dirname, '../../../../node_modules'), join(root, 'node_modules'))
const results: Record<string, OptionResult> = {}
try {
  for (const [name, each] of Object.entries(optionPrograms)) results[name] = await one(each, join(root, name))
} finally {
  rmSync(root, { recursive: true })
  server.closeAllConnections()
  server.close()
}
writeFileSync(process.argv[2]!, JSON.stringify(results))
