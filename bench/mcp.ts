// A start with 200 locked tools: what it costs above the connection, which is made without a lock to compare.
// node --conditions=development mcp.ts
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { mcp } from '@toolwright/mcp'
import { approve, look } from '@toolwright/mcp/people'
import { agent } from 'toolwright'
import { scripted } from 'toolwright/test'

const TOOLS = 200
const ROUNDS = 40
const GOAL = 20

const field = { type: 'string', description: 'What is meant by it, said in a sentence of ordinary length.' }
const tools = Array.from({ length: TOOLS }, (_, i) => ({
  name: `tool_${i}`,
  description: `Does the work number ${i}: finds, changes or removes records of one kind, and says what came of it.`,
  inputSchema: {
    type: 'object',
    properties: { name: field, about: field, limit: { type: 'integer', minimum: 1 } },
    required: ['name'],
  },
}))
// A server in this process, so that the connection costs as little as it can.
const answers: Record<string, unknown> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'bench', version: '1' },
  },
  'tools/list': { tools },
}
const serve = (async (input, init) => {
  const request = new Request(input, init)
  if (request.method !== 'POST') return new Response(null, { status: 405 })
  const { id, method } = (await request.json()) as { id?: number; method: string }
  if (id === undefined) return new Response(null, { status: 202 })
  const result = answers[method]
  const error = { code: -32601, message: 'no such method' }
  return Response.json({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) })
}) as typeof fetch

const folder = mkdtempSync(join(tmpdir(), 'toolwright-bench-'))
const stated = { url: 'http://bench.invalid/mcp', fetch: serve, lock: join(folder, 'lock.json') }
const first = mcp('bench', stated)
const news = await look(first)
approve(
  news,
  news.tools.map(each => each.name),
)
await first.close()

async function ours(): Promise<number> {
  const began = performance.now()
  const service = mcp('bench', stated)
  agent('bench', { model: scripted([]), instructions: '', tools: [service] })
  await service.open()
  const ms = performance.now() - began
  await service.close()
  return ms
}

async function bare(): Promise<number> {
  const began = performance.now()
  const client = new Client({ name: 'bench', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(stated.url), { fetch: serve }))
  await client.listTools()
  const ms = performance.now() - began
  await client.close()
  return ms
}

const median = (times: number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!
const cold = { bare: await bare(), ours: await ours() }
const all = { bare: [] as number[], ours: [] as number[] }
for (let round = 0; round < ROUNDS; round++) {
  all.bare.push(await bare())
  all.ours.push(await ours())
}
rmSync(folder, { recursive: true })
const above = median(all.ours) - median(all.bare)
console.log(`${TOOLS} locked tools, ${ROUNDS} rounds`)
console.log(
  `the first start: bare client ${cold.bare.toFixed(1)} ms, with the lock ${cold.ours.toFixed(1)} ms`,
)
console.log(
  `median: bare client ${median(all.bare).toFixed(1)} ms, with the lock ${median(all.ours).toFixed(1)} ms`,
)
console.log(`above the connection: ${above.toFixed(1)} ms (goal: under ${GOAL})`)
process.exitCode = above < GOAL ? 0 : 1
