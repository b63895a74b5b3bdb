import { join } from 'node:path'
import { agent, run } from '@toolwright/core'
import { calls, says, scripted } from '@toolwright/core/test'
import { expect, test } from 'vitest'
import { mcp } from '../src/index.ts'
import { handClock } from './clock.ts'
import { fake, streaming, tool } from './fake.ts'
import { at, folder, lockNow, resultsOf, service, using } from './kit.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

async function answering(given: unknown): Promise<{ text: string; images: number }> {
  const server = fake({ tools: [tool('get')], call: () => given })
  const lock = join(folder(), 'lock.json')
  await lockNow('box', at(server, lock))
  const seen = await using(service('box', at(server, lock)), [['box.get', '{}']])
  const images = seen.messages.flatMap(each => each.images ?? []).length
  return { text: resultsOf(seen)[0]!, images }
}

test.each([
  [
    'content as it is',
    {
      content: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    },
    'a\nb',
  ],
  [
    'structured content, where content is empty',
    { content: [], structuredContent: { accounts: [1] } },
    '{"accounts":[1]}',
  ],
  ['an empty list as a value', { content: [], structuredContent: [] }, '[]'],
  ['a record with an empty list', { content: [], structuredContent: { items: [] } }, '{"items":[]}'],
  ['false as a value', { content: [], structuredContent: false }, 'false'],
  ['no output', { content: [] }, 'no output'],
  ['no output, of an answer with nothing in it', {}, 'no output'],
  [
    'content, and not the same once more',
    { content: [{ type: 'text', text: 'a' }], structuredContent: { a: 1 } },
    'a',
  ],
  [
    'a link as a line with its address',
    { content: [{ type: 'resource_link', uri: 'file:///a.txt', name: 'a', description: 'the a' }] },
    'a: file:///a.txt (the a)',
  ],
  [
    'an embedded text with its address',
    { content: [{ type: 'resource', resource: { uri: 'x://1', text: 'inside' } }] },
    'x://1:\ninside',
  ],
  [
    'sound as a note',
    { content: [{ type: 'audio', mimeType: 'audio/wav', data: 'AAAA' }] },
    '[audio: audio/wav, 3 bytes, not shown]',
  ],
  [
    'a picture that no model takes as a note',
    { content: [{ type: 'image', mimeType: 'image/tiff', data: 'AAAAAAA=' }] },
    '[picture: image/tiff, 5 bytes, not shown]',
  ],
  [
    'a picture that is none as a note',
    { content: [{ type: 'image', mimeType: 'image/png', data: 'not base64' }] },
    '[picture: image/png, 7 bytes, not shown]',
  ],
])('a model is told %s', async (_, given, text) => {
  expect(await answering(given)).toEqual({ text, images: 0 })
})

test('a picture follows as a picture, and its bytes stand nowhere in the text', async () => {
  const both = {
    content: [
      { type: 'text', text: 'a dot' },
      { type: 'image', mimeType: 'image/png', data: PNG },
    ],
    structuredContent: { png: PNG },
  }
  expect(await answering(both)).toEqual({ text: 'a dot', images: 1 })
})

test('isError is a failed result with the words of the tool', async () => {
  const server = fake({
    tools: [tool('get')],
    call: () => ({ isError: true, content: [{ type: 'text', text: 'the disk is full' }] }),
  })
  const lock = join(folder(), 'lock.json')
  await lockNow('box', at(server, lock))
  const seen = await using(service('box', at(server, lock)), [['box.get', '{}']])
  expect(resultsOf(seen)).toEqual(['the disk is full'])
  expect(seen.log.some(each => each.kind === 'call end' && each.failed)).toBe(true)
})

test('a call asks a person unless trust names the service or the tool', async () => {
  const server = fake({ tools: [tool('get', { annotations: { readOnlyHint: true } })] })
  const lock = join(folder(), 'lock.json')
  await lockNow('box', at(server, lock))
  const declined = await using(service('box', at(server, lock)), [['box.get', '{}']], { trust: false })
  expect(resultsOf(declined)).toEqual(['The person declined this call.'])
  expect(server.got.some(message => message.method === 'tools/call')).toBe(false)
  for (const trust of [['box'], ['box.get'], [service('box', at(server, lock))]]) {
    const used = service('box', at(server, lock))
    const helper = agent('helper', {
      model: scripted([calls([['box.get', '{}']]), says('done')]),
      instructions: '',
      tools: [used],
      trust,
    })
    const { messages } = await run(helper, 'go').result
    expect(messages.find(each => each.role === 'tool')!.text).toBe('get ran')
  }
})

test('told as a list, a tool is called by <service>.<tool> too', async () => {
  const server = fake({ tools: [tool('get')] })
  const lock = join(folder(), 'lock.json')
  await lockNow('box', at(server, lock))
  const used = service('box', at(server, lock))
  const model = scripted([calls([['call', '{"tool":"box.get","input":{"text":"x"}}']]), says('done')])
  let told = ''
  const watched = {
    ...model,
    turn: ((request, each, signal) => (
      (told = request.instructions), model.turn(request, each, signal)
    )) as typeof model.turn,
  }
  const helper = agent('helper', {
    model: watched,
    instructions: '',
    tools: [used],
    trust: [used],
    tell: 'list',
  })
  const { messages } = await run(helper, 'go').result
  expect(told).toContain('box.get(')
  expect(messages.find(each => each.role === 'tool')!.text).toBe('get ran')
})

test('two servers with the same tool stand side by side, and neither takes the place of a tool of ours', async () => {
  const lock = join(folder(), 'lock.json')
  const one = fake({ tools: [tool('send_email'), tool('answer')] })
  const two = fake({
    tools: [tool('send_email')],
    call: () => ({ content: [{ type: 'text', text: 'the second' }] }),
  })
  await lockNow('one', at(one, lock))
  await lockNow('two', at(two, lock))
  const [a, b] = [service('one', at(one, lock)), service('two', at(two, lock))]
  const model = scripted([
    calls([
      ['two.send_email', '{}'],
      ['one.answer', '{}'],
    ]),
    says('{"n":1}'),
  ])
  const helper = agent('helper', {
    model,
    instructions: '',
    tools: [a, b],
    trust: [a, b],
    output: { type: 'object', properties: { n: { type: 'integer' } } } as const,
  })
  const { messages } = await run(helper, 'go').result
  expect(messages.filter(each => each.role === 'tool').map(each => each.text)).toEqual([
    'the second',
    'answer ran',
  ])
})

test('progress is shown and extends the time; silence ends the call, which is told to the server', async () => {
  const clock = handClock()
  let send!: (message: unknown) => void
  let begun!: () => void
  const called = new Promise<void>(resolve => (begun = resolve))
  let token: unknown
  const server = fake({
    tools: [tool('slow')],
    call: params =>
      streaming(tell => {
        token = params._meta?.['progressToken']
        send = tell
        begun()
      }),
  })
  const lock = join(folder(), 'lock.json')
  await lockNow('box', at(server, lock))
  const used = service('box', at(server, lock, { clock, timeout: '60 seconds', total: '10 minutes' }))
  const model = scripted([calls([['box.slow', '{}']]), says('done')])
  const helper = agent('helper', { model, instructions: '', tools: [used], trust: [used] })
  const steps: string[] = []
  let seen!: () => void
  const running = run(helper, 'go', {
    each: piece => {
      if (piece.kind === 'step') {
        steps.push(piece.text)
        seen()
      }
    },
  })
  await called
  for (let n = 1; n <= 4; n++) {
    const shown = new Promise<void>(resolve => (seen = resolve))
    clock.move(50_000)
    send({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: token, progress: n, total: 9, message: 'copying' },
    })
    await shown
  }
  clock.move(60_001)
  const { messages } = await running.result
  expect(steps).toEqual(['copying (1/9)', 'copying (2/9)', 'copying (3/9)', 'copying (4/9)'])
  expect(messages.find(each => each.role === 'tool')!.text).toMatch(
    /^T5010: box did not answer for 60 s: it is unknown/,
  )
  await vi(() => server.got.some(message => message.method === 'notifications/cancelled'))
})

test('progress for ever keeps no call alive: there is a time in all', async () => {
  const clock = handClock()
  let seen!: () => void
  let begun!: () => void
  const called = new Promise<void>(resolve => (begun = resolve))
  let send!: () => void
  const server = fake({
    tools: [tool('slow')],
    call: params =>
      streaming(tell => {
        send = () =>
          tell({
            jsonrpc: '2.0',
            method: 'notifications/progress',
            params: { progressToken: params._meta?.['progressToken'], progress: 1 },
          })
        begun()
      }),
  })
  const lock = join(folder(), 'lock.json')
  await lockNow('box', at(server, lock))
  const used = service('box', at(server, lock, { clock, timeout: 50_000, total: 120_000 }))
  const helper = agent('helper', {
    model: scripted([calls([['box.slow', '{}']]), says('done')]),
    instructions: '',
    tools: [used],
    trust: [used],
  })
  const running = run(helper, 'go', { each: piece => piece.kind === 'step' && seen() })
  await called
  for (let n = 0; n < 3; n++) {
    if (n < 2) {
      const shown = new Promise<void>(resolve => (seen = resolve))
      clock.move(45_000)
      send()
      await shown
    } else clock.move(45_000)
  }
  const { messages } = await running.result
  expect(messages.find(each => each.role === 'tool')!.text).toMatch(
    /^T5010: box did not answer within 120 s in all/,
  )
})

test('a run that is stopped cancels its call', async () => {
  const stop = new AbortController()
  const server = fake({ tools: [tool('slow')], call: () => streaming(() => stop.abort()) })
  const lock = join(folder(), 'lock.json')
  await lockNow('box', at(server, lock))
  const used = service('box', at(server, lock))
  const helper = agent('helper', {
    model: scripted([calls([['box.slow', '{}']]), says('done')]),
    instructions: '',
    tools: [used],
    trust: [used],
  })
  const { ended } = await run(helper, 'go', { signal: stop.signal }).result
  expect(ended).toBe('stopped')
  await vi(() => server.got.some(message => message.method === 'notifications/cancelled'))
})

test('a server that is down fails the call and not the run', async () => {
  const server = fake({ tools: [tool('get')] })
  const lock = join(folder(), 'lock.json')
  await lockNow('box', at(server, lock))
  const used = service('box', {
    ...at(server, lock),
    fetch: () => Promise.reject(new TypeError('fetch failed')),
  })
  const seen = await using(used, [['box.get', '{}']])
  expect(seen.told[0]).toEqual(['box.get'])
  expect(resultsOf(seen)[0]).toMatch(/^T5007: box could not be reached/)
  expect(seen.answer).toBe('done')
})

test('a session that the server has forgotten is begun anew, and the call is made once', async () => {
  let made = 0
  const server = fake({
    tools: [tool('get')],
    call: () => ({ content: [{ type: 'text', text: `made ${++made}` }] }),
  })
  const lock = join(folder(), 'lock.json')
  await lockNow('box', at(server, lock))
  let forgets = 1
  server.before = (_, message) =>
    message.method === 'tools/call' && forgets-- > 0 ? new Response('no session', { status: 404 }) : undefined
  const seen = await using(service('box', at(server, lock)), [['box.get', '{}']])
  expect(resultsOf(seen)).toEqual(['made 1'])
})

test('a faulty statement names every fault at once', () => {
  expect(() =>
    mcp('a b', {
      command: 'npx',
      args: ['-y', '@scope/server@latest'],
      env: { N: 3 as never },
      timeout: 'soon',
    }),
  ).toThrow(/T5011[\s\S]*service[\s\S]*timeout[\s\S]*@scope\/server without its exact version[\s\S]*env/)
  expect(() => mcp('a', {} as never)).toThrow(/one of them is stated/)
  mcp('a', { command: 'npx', args: ['-y', '@scope/server@1.2.3'] })
  mcp('a', { command: 'npx', args: ['--package=thing@1.0.0', 'thing'] })
})

/** Waits for what comes in its own time. */
async function vi(there: () => boolean): Promise<void> {
  for (let n = 0; n < 1000 && !there(); n++) await new Promise(resolve => setImmediate(resolve))
  expect(there()).toBe(true)
}

test('as an entry it may state tries and line for all of its tools, but neither a name nor what they do', async () => {
  const server = fake({ tools: [tool('get'), tool('put')] })
  const lock = join(folder(), 'lock.json')
  await lockNow('box', at(server, lock))
  const used = service('box', at(server, lock))
  const model = () => scripted([calls([['box.get', '{}']]), says('done')])
  const lines: string[] = []
  const told = agent('helper', {
    model: model(),
    instructions: '',
    tools: [{ tool: used, tries: 2, line: 'Looking into the box' }],
    trust: [used],
  })
  await run(told, 'go', {
    each: piece => {
      if (piece.kind === 'line') lines.push(piece.text)
    },
  })
  expect(lines).toEqual(['Looking into the box'])
  expect(() =>
    agent('helper', { model: model(), instructions: '', tools: [{ tool: used, name: 'x', about: 'y' }] }),
  ).toThrow(/tools\[0\]\.name: is no option \(a server stands for several tools: leave it out\)/)
})
