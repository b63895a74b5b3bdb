// The client that the conformance suite starts: our own, with a lock made a moment before. The suite hands it an address.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definitionOf, servingOf, toTool } from '@toolwright/core/engine'
import { type Auth, mcp } from '../../src/index.ts'
import { approve, look } from '../../src/people.ts'

const url = process.argv.at(-1)!
const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? ''
const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}')
const folder = mkdtempSync(join(tmpdir(), 'toolwright-conformance-'))
const lock = join(folder, 'lock.json')

/** A person who agrees to everything: the address answers with the way back. */
async function signIn(address: URL): Promise<string> {
  const answer = await fetch(address, { redirect: 'manual' })
  return answer.headers.get('location') ?? ''
}

const auth: Auth | undefined = scenario.startsWith('auth/')
  ? {
      oauth: {
        redirectUrl: 'http://localhost:3000/callback',
        clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
        signIn,
        ...(context.client_id ? { client: { id: context.client_id, secret: context.client_secret } } : {}),
      },
    }
  : undefined
const kept: { now: object | undefined } = { now: undefined }
const store = { get: () => kept.now, set: (next: object) => void (kept.now = next) }
const stated = {
  url,
  lock,
  ...(auth && 'oauth' in auth ? { auth: { oauth: { ...auth.oauth, store } } } : {}),
}

const first = mcp('suite', stated)
const news = await look(first)
approve(
  news,
  news.tools.filter(each => each.untold === undefined).map(each => each.name),
)
await first.close()

const suite = mcp('suite', stated)
const warn = (): void => {}
await servingOf(suite)!.ready?.(warn)
/** An input with all that a schema wants. */
function sample(given: unknown): unknown {
  const {
    type,
    properties = {},
    required = [],
  } = given as { type?: string; properties?: Record<string, unknown>; required?: string[] }
  if (type === 'object') return Object.fromEntries(required.map(key => [key, sample(properties[key])]))
  return type === 'string' ? 'x' : type === 'boolean' ? true : type === 'array' ? [] : 1
}

let schema: unknown
for (const definition of servingOf(suite)!.definitions) {
  const name = definition.name.slice('suite.'.length)
  const tool = definitionOf(toTool(definition))!
  const calls: unknown[] = context.toolCalls
    ? context.toolCalls
        .filter((each: { name: string }) => each.name === name)
        .map((each: { arguments: unknown }) => each.arguments)
    : [sample(tool.input.schema)]
  if (name === 'json_schema_2020_12_tool') schema = tool.input.schema
  if (/echo/.test(name) && schema !== undefined) calls.splice(0, calls.length, { schema })
  for (const input of calls) {
    const read = tool.input.read(input)
    if (!read.ok && !context.toolCalls) continue
    try {
      console.log(name, await toTool(definition).run(JSON.stringify(input)))
    } catch (error) {
      console.error(name, String(error))
    }
  }
}
await suite.close()
rmSync(folder, { recursive: true, force: true })
