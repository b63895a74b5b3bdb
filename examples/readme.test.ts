// The README's first agent, as it stands there: no schema is written, and its types are read as it is loaded.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const folder = join(import.meta.dirname, 'dist', 'readme')
const asked: { tools: { function: { name: string; description: string; parameters: unknown } }[] }[] = []

/** A server that speaks as an endpoint does: it calls the tool, then answers with what the tool gave. */
const server = createServer((request, response) => {
  let body = ''
  request.on('data', part => (body += part))
  request.on('end', () => {
    if (request.method !== 'POST') return void response.end('{"data":[]}')
    const { messages, tools } = JSON.parse(body)
    asked.push({ tools })
    const last = messages.at(-1)
    const call = {
      index: 0,
      id: 'c1',
      type: 'function',
      function: { name: 'weather', arguments: '{"city":"Hamburg"}' },
    }
    const delta =
      last.role === 'tool' ? { content: `Take an umbrella: ${last.content}.` } : { tool_calls: [call] }
    response.setHeader('content-type', 'text/event-stream')
    response.end(
      `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`,
    )
  })
})

beforeAll(() => new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

test('runs by the command that stands below it', { timeout: 60_000 }, async () => {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
  const program = /```ts no-run\n([\s\S]*?)```/.exec(readme)![1]!
  expect(program).not.toContain('input')
  expect(readme).toContain('node --import toolwright/register agent.ts')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'agent.ts'), program)
  const { port } = server.address() as { port: number }
  const env = { ...process.env, AI_URL: `http://127.0.0.1:${port}/v1`, AI_API_KEY: '' }
  const args = [
    '--conditions=development',
    '--disable-warning=ExperimentalWarning',
    '--import',
    'toolwright/register',
    'agent.ts',
  ]
  const child = spawn(process.execPath, args, { cwd: folder, env })
  let out = ''
  child.stdout.on('data', part => (out += part))
  child.stderr.on('data', part => (out += part))
  const code = await new Promise(resolve => child.on('close', resolve))
  expect([code, out.trim()]).toEqual([0, 'Take an umbrella: 14 degrees and rain in Hamburg.'])
  expect(asked[0]!.tools[0]!.function).toMatchObject({
    name: 'weather',
    description: 'Says what the weather in a city is like today.',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string', description: 'the name of the city' } },
      required: ['city'],
    },
  })
})
