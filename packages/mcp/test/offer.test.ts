import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { agent, app, flow, tool } from '@toolwright/core'
import { calls, says, scripted } from '@toolwright/core/test'
import { text } from '@toolwright/core/values'
import { expect, test } from 'vitest'
import { type Offered, offer } from '../src/index.ts'
import { after, folder, lockNow, resultsOf, service, using } from './kit.ts'

const ran: string[] = []
const send = tool('send', {
  about: 'Sends a letter.',
  input: { to: text() },
  sendsOut: true,
  run: ({ to }) => {
    ran.push(to)
    return `sent to ${to}`
  },
})
const wipe = tool('wipe', { about: 'Wipes all.', danger: 'ask', run: () => ran.push('wiped') && 'wiped' })
const count = tool('count', {
  about: 'Counts.',
  readOnly: true,
  output: { type: 'object', properties: { n: { type: 'integer' } } } as const,
  run: () => ({ n: 3 }),
})

async function host(offered: Offered, headers: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: 'host', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  const fetch = (input: string | URL | Request, init?: RequestInit) => offered.fetch(new Request(input, init))
  await client.connect(
    new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), {
      fetch: fetch as typeof globalThis.fetch,
      requestInit: { headers },
    }),
  )
  after(() => client.close())
  return client
}

const said = (answer: unknown): string =>
  (answer as { content: { text: string }[] }).content.map(each => each.text).join('\n')

test('tools are offered with their effects as annotations, and structured where they state a record', async () => {
  const client = await host(offer({ tools: [send, wipe, count] }))
  const { tools } = await client.listTools()
  expect(tools.map(({ name, annotations }) => [name, annotations])).toEqual([
    ['send', { readOnlyHint: false, destructiveHint: false, openWorldHint: true }],
    ['wipe', { readOnlyHint: false, destructiveHint: true, openWorldHint: false }],
    ['count', { readOnlyHint: true, destructiveHint: false, openWorldHint: false }],
  ])
  expect(await client.callTool({ name: 'count', arguments: {} })).toMatchObject({
    structuredContent: { n: 3 },
  })
})

test('every call passes the guard: what asks is declined where nobody is there, and runs where a person agrees', async () => {
  ran.length = 0
  const alone = await host(offer({ tools: [send, wipe] }))
  for (const made of [
    { name: 'send', arguments: { to: 'ann' } },
    { name: 'wipe', arguments: {} },
  ]) {
    const answer = await alone.callTool(made)
    expect(answer.isError).toBe(true)
    expect(said(answer)).toMatch(/^T7111: \w+ was not carried out/)
  }
  expect(ran).toEqual([])
  const asked: string[] = []
  const watched = await host(
    offer({ tools: [send, wipe], trust: [send], approver: ask => asked.push(ask.call.tool) > 0 }),
  )
  expect(said(await watched.callTool({ name: 'send', arguments: { to: 'ann' } }))).toBe('sent to ann')
  expect(said(await watched.callTool({ name: 'wipe', arguments: {} }))).toBe('wiped')
  expect(asked).toEqual(['wipe'])
})

test('an agent is offered as a tool, and its own tools ask as ever', async () => {
  ran.length = 0
  const model = () => scripted([calls([['send', '{"to":"bob"}']]), says('tried')])
  const client = await host(
    offer({
      tools: [agent('clerk', { model: model(), instructions: '', about: 'Writes letters.', tools: [send] })],
    }),
  )
  expect(said(await client.callTool({ name: 'clerk', arguments: { message: 'write' } }))).toBe('tried')
  expect(ran).toEqual([])
  const trusting = await host(
    offer({ tools: [agent('clerk', { model: model(), instructions: '', tools: [send], trust: [send] })] }),
  )
  await trusting.callTool({ name: 'clerk', arguments: { message: 'write' } })
  expect(ran).toEqual(['bob'])
})

test('wrong arguments and unknown tools are told, and nothing runs', async () => {
  ran.length = 0
  const client = await host(offer({ tools: [send], trust: [send] }))
  expect((await client.callTool({ name: 'send', arguments: { to: { a: 1 } } })).isError).toBe(true)
  await expect(client.callTool({ name: 'nothing', arguments: {} })).rejects.toThrow(
    /there is no tool "nothing"/,
  )
  expect(ran).toEqual([])
})

test('strange hosts and pages of strangers get no further, and who calls is asked of the request', async () => {
  const people: (string | undefined)[] = []
  const whoami = tool('whoami', {
    about: 'Says who.',
    run: (_, ctx) => (people.push(ctx.person), ctx.person ?? 'nobody'),
  })
  const offered = offer({
    tools: [whoami],
    who: request => {
      const token = request.headers.get('authorization')
      if (token === 'Bearer bad') throw new Error('no')
      return token === null ? undefined : token.replace('Bearer ', '')
    },
  })
  const asked = (headers: Record<string, string>) =>
    offered.fetch(
      new Request('http://127.0.0.1/mcp', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: '{}',
      }),
    )
  expect((await asked({ host: 'evil.example' })).status).toBe(403)
  expect((await asked({ host: '127.0.0.1:3000', origin: 'https://evil.example' })).status).toBe(403)
  expect((await asked({ host: '127.0.0.1', authorization: 'Bearer bad' })).status).toBe(401)
  expect(
    said(
      await (await host(offered, { authorization: 'Bearer ann' })).callTool({
        name: 'whoami',
        arguments: {},
      }),
    ),
  ).toBe('ann')
  expect(said(await (await host(offered)).callTool({ name: 'whoami', arguments: {} }))).toBe('nobody')
})

test('what an app exposes is offered, each call as a run of the app; an ask inside of it waits there', async () => {
  ran.length = 0
  const model = scripted([calls([['send', '{"to":"cid"}']]), says('it is sent')])
  const clerk = agent('clerk', { model, instructions: '', tools: [send], access: 'signedIn' })
  const inner = agent('inner', { model, instructions: '', tools: [] })
  const tidy = flow('tidy', {
    about: 'Tidies.',
    access: 'anyone',
    as: 'starter',
    input: {},
    output: text(),
    danger: 'ask',
    run: async () => (ran.push('tidied'), 'tidied'),
  })
  const desk = app({ agents: [clerk, inner], flows: [tidy] })
  after(() => desk.close())
  const offered = offer({ app: desk, who: request => request.headers.get('x-person') ?? undefined })
  const client = await host(offered, { 'x-person': 'ann' })
  expect((await client.listTools()).tools.map(each => each.name)).toEqual(['clerk', 'tidy'])
  // The danger of a flow asks at the door, where nobody sits.
  expect(said(await client.callTool({ name: 'tidy', arguments: {} }))).toMatch(/^T7111/)
  expect(ran).toEqual([])
  const progress: string[] = []
  const calling = client.callTool(
    { name: 'clerk', arguments: { message: 'write' }, _meta: { 'toolwright/callKey': 'k1' } },
    { onprogress: each => progress.push(each.message ?? '') },
  )
  let waiting = await desk.runs.asks()
  while (waiting.length === 0) {
    await new Promise(resolve => setImmediate(resolve))
    waiting = await desk.runs.asks()
  }
  expect(ran).toEqual([])
  const [record] = await desk.runs.list()
  expect(record).toMatchObject({ flow: 'clerk', person: 'ann' })
  expect(await desk.runs.approve(record!, 'ask 1.1', { by: 'ann' })).toBe('taken')
  expect(said(await calling)).toBe('it is sent')
  expect(ran).toEqual(['cid'])
  expect(progress.join()).toContain('waits for a person')
  // The same call, made again after a kill of the host, is the same run.
  expect(
    said(
      await client.callTool({
        name: 'clerk',
        arguments: { message: 'write' },
        _meta: { 'toolwright/callKey': 'k1' },
      }),
    ),
  ).toBe('it is sent')
  expect(await desk.runs.list()).toHaveLength(1)
  const stranger = await host(offered)
  expect(said(await stranger.callTool({ name: 'clerk', arguments: { message: 'write' } }))).toContain('T7019')
})

test('a server of ours stands in an agent of ours', async () => {
  const offered = offer({ tools: [count] })
  const stated = {
    url: 'http://127.0.0.1/mcp',
    lock: join(folder(), 'lock.json'),
    fetch: ((input, init) => offered.fetch(new Request(input, init))) as typeof fetch,
  }
  await lockNow('ours', stated)
  expect(resultsOf(await using(service('ours', stated), [['ours.count', '{}']]))).toEqual(['{"n":3}'])
})

test('a faulty statement names every fault at once', () => {
  expect(() => offer({ tools: [3 as never], agents: [] } as never)).toThrow(
    /T5012[\s\S]*agents[\s\S]*tools\[0\]/,
  )
})
