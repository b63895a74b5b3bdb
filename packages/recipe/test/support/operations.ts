// Operations of OpenAPI documents: which answer JSON, how one shows who one is, and values that fit their schemas.
import type { Json, JsonSchema } from '@toolwright/core'
import type { Auth, ConnectionStated } from '../../src/index.ts'
import { deref, type Node } from '../../src/people/openapi.ts'

/** Whether an operation answers its first success with JSON, or with nothing. */
export function answersJson(document: Node, operation: string): boolean {
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
export function shows(document: Node, operation: string): Partial<ConnectionStated> {
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
export function example(schema: JsonSchema): Json {
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
