// An independent peer: Prism serves mocks of real OpenAPI documents, and imported recipes run against it.
// It is large, so it is no dependency: PRISM names its command (…/@stoplight/prism-cli/dist/index.js).
import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import type { Json, JsonSchema } from '@toolwright/core'
import { describe, expect, it } from 'vitest'
import { type Auth, type ConnectionStated, connection, recipe } from '../src/index.ts'
import { deref, type Node } from '../src/people/openapi.ts'
import { importOpenApi } from '../src/people.ts'

const prism = process.env['PRISM']

describe('Prism', () => {
  it.skipIf(!prism)('answers the recipes of real OpenAPI documents', { timeout: 600_000 }, async () => {
    const at = dirname(createRequire(import.meta.url).resolve('@readme/oas-examples/package.json'))
    let ran = 0
    const failures: string[] = []
    const unserved: string[] = []
    for (const file of globSync('{2.0,3.0,3.1}/json/*.json', { cwd: at }).sort()) {
      const document = JSON.parse(readFileSync(join(at, file), 'utf8')) as Node
      const drafts = importOpenApi(document).drafts.filter(({ operation }) =>
        answersJson(document, operation),
      )
      if (drafts.length === 0) continue
      const mock = await serve(join(at, file))
      if (!mock) {
        unserved.push(file)
        continue
      }
      for (const { document: draft, operation } of drafts) {
        const api = connection('api', {
          baseUrl: mock.url,
          allowPrivate: true,
          ...shows(document, operation),
        })
        const tool = recipe(draft, { name: 'it', connection: api })
        ran++
        await tool(example(tool.parameters) as Record<string, unknown>).catch((error: Error) =>
          failures.push(`${file} ${operation}: ${error.message.slice(0, 420)}`),
        )
      }
      mock.stop()
    }
    console.log(
      `${ran - failures.length} of ${ran} ran; not served: ${unserved.join(', ') || 'none'}\n${failures.join('\n')}`,
    )
    expect(ran).toBeGreaterThan(100)
    expect((ran - failures.length) / ran).toBeGreaterThanOrEqual(0.95)
  })
})

/** Whether an operation answers its first success with JSON, or with nothing. */
function answersJson(document: Node, operation: string): boolean {
  const [verb = '', path = ''] = operation.split(' ')
  const item = deref(document, (document['paths'] as Node)[path])
  const stated = deref(document, item?.[verb.toLowerCase()])
  const responses = (stated?.['responses'] ?? {}) as Node
  const status = Object.keys(responses).find(one => /^2/.test(one))
  if (status === undefined) return false
  const response = deref(document, responses[status])
  if (document['swagger'] !== undefined) {
    const types = (stated?.['produces'] ?? document['produces'] ?? ['application/json']) as string[]
    return response?.['schema'] === undefined || types.some(type => type.includes('json'))
  }
  const types = Object.keys((response?.['content'] ?? {}) as Node)
  return types.length === 0 || types.some(type => type.includes('json'))
}

/** Shows who one is in the first way that an operation accepts. */
function shows(document: Node, operation: string): Partial<ConnectionStated> {
  const [verb = '', path = ''] = operation.split(' ')
  const stated = deref(document, deref(document, (document['paths'] as Node)[path])?.[verb.toLowerCase()])
  const accepted = ((stated?.['security'] ?? document['security'] ?? []) as Node[])[0] ?? {}
  const schemes = (document['securityDefinitions'] ??
    (document['components'] as Node | undefined)?.['securitySchemes'] ??
    {}) as Node
  const headers: Record<string, string> = {}
  let auth: Auth | undefined
  for (const name of Object.keys(accepted)) {
    const { type, scheme, in: place, name: key } = deref(document, schemes[name]) ?? {}
    if (type === 'apiKey' && place === 'query')
      auth = { query: { name: String(key), value: () => 'some-key' } }
    else if (type === 'apiKey' && /^authorization$/i.test(String(key)))
      auth = { header: { name: 'Authorization', value: () => 'some-key' } }
    else if (type === 'apiKey' && place === 'cookie')
      auth = { header: { name: 'Cookie', value: () => `${key}=some-key` } }
    else if (type === 'apiKey') headers[String(key)] = 'some-key'
    else if (type === 'basic' || scheme === 'basic')
      auth = { basic: { user: 'me', password: () => 'some-password' } }
    else auth = { bearer: () => 'some-token' }
  }
  return { headers, ...(auth ? { auth } : {}) }
}

/** A value that fits a schema of a tool's input. */
function example(schema: JsonSchema): Json {
  if (typeof schema === 'boolean') return 'x'
  const { type, properties, required, items } = schema
  if (Array.isArray(schema['enum'])) return schema['enum'][0]
  if (type === 'object') {
    const needed = (required ?? []) as string[]
    return Object.fromEntries(
      needed.map(key => [key, example((properties as Record<string, JsonSchema>)[key]!)]),
    )
  }
  if (type === 'array') return [example(items as JsonSchema)]
  const rules = String(schema['description'] ?? '')
  if (type === 'integer' || type === 'number')
    return Number(
      /at least (-?[\d.]+)/.exec(rules)?.[1] ?? Number(/more than (-?[\d.]+)/.exec(rules)?.[1] ?? 0) + 1,
    )
  return type === 'boolean' ? true : textFor(rules)
}

const TEXTS = [
  'text',
  'stable',
  '1.0.0',
  'v1.0.0',
  'a1',
  '12345',
  'a-b.png',
  'a.json',
  'me@example.com',
  'https://example.com/',
  '2026-12-01',
  'AB',
  '0123456789abcdef01234567',
  '0123456789abcdef0123456789abcdef0123',
  '0123456789abcdef0123456789abcdef',
]
const FORMATS: Record<string, string> = {
  'date-time': '2026-12-01T10:00:00Z',
  date: '2026-12-01',
  time: '10:00:00Z',
  email: 'me@example.com',
  'idn-email': 'me@example.com',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  'json-pointer': '/a',
  regex: 'a',
  duration: 'P1D',
  'uri-reference': '/a',
  iri: 'https://example.com/',
  'iri-reference': '/a',
  'uri-template': '/a',
  'relative-json-pointer': '0',
  'idn-hostname': 'example.com',
}

function textFor(rules: string): string {
  const format = /\(as ([\w-]+)/.exec(rules)?.[1]
  if (format && FORMATS[format]) return FORMATS[format]
  const pattern = /matching (.*?)(?:, \d+ characters|\)$)/.exec(rules)?.[1]
  const fits = pattern === undefined ? undefined : TEXTS.find(text => new RegExp(pattern).test(text))
  return (fits ?? 'text').padEnd(Number(/(\d+) characters or more/.exec(rules)?.[1] ?? 0), 'x')
}

async function serve(file: string): Promise<{ url: string; stop(): void } | undefined> {
  const port = await freePort()
  const mock = spawn(process.execPath, [prism!, 'mock', file, '-p', String(port), '-h', '127.0.0.1'], {
    stdio: 'pipe',
  })
  const up = await new Promise<boolean>(resolve => {
    let said = ''
    const late = setTimeout(() => resolve(false), 30_000)
    const listen = (part: Buffer) => {
      said += part
      if (said.includes('is listening')) resolve(true)
    }
    mock.stdout.on('data', listen)
    mock.stderr.on('data', listen)
    mock.on('exit', () => resolve(false))
    mock.on('exit', () => clearTimeout(late))
  })
  if (!up) mock.kill()
  return up ? { url: `http://127.0.0.1:${port}`, stop: () => mock.kill() } : undefined
}

function freePort(): Promise<number> {
  return new Promise(resolve => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
