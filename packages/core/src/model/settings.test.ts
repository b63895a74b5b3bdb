import { describe, expect, test } from 'vitest'
import type { Json, Message, Request, Settings } from '../define/records.ts'
import type { Api } from './api.ts'
import { bodyOf } from './body.ts'
import { endpoint } from './endpoint.ts'
import { wireName } from './names.ts'
import { streamed } from './streamed.ts'

const local = 'http://127.0.0.1:1/v1'
const message = (role: Message['role'], more: Partial<Message> = {}): Message => ({
  role,
  text: '',
  reasoning: '',
  calls: [],
  call: '',
  details: [],
  origin: { from: 'system' },
  ...more,
})
const tool = (name: string) => ({
  type: 'function' as const,
  function: { name, description: 'd', parameters: { type: 'object', properties: {} } },
})
const request = (settings: Settings, more: Partial<Request> = {}): Request => ({
  instructions: '',
  messages: [],
  tools: [],
  answer: false,
  settings,
  ...more,
})
const text = (settings: Settings, api: Partial<Api> = {}, more: Partial<Request> = {}) =>
  bodyOf({ url: local, ...api }, 'here', 'm', request(settings, more))
const body = (...of: Parameters<typeof text>): Record<string, Json> => JSON.parse(text(...of))

describe('settings in the body', () => {
  test('a field of a body may bear any name', () => {
    const names = '{"__proto__":{"a":{"b":1}},"constructor":{"c":2},"toString":3,"hasOwnProperty":null}'
    const sent = text({ body: JSON.parse(names) })
    expect(sent.slice(sent.indexOf('"__proto__"') - 1)).toContain(names.slice(1, -1))
    expect(({} as Record<string, unknown>)['a']).toBeUndefined()
  })

  test('temperature, reasoning and the most tokens', () => {
    expect(body({ temperature: 0, reasoning: 'low', maxTokens: 9 })).toMatchObject({
      temperature: 0,
      reasoning_effort: 'low',
      max_tokens: 9,
    })
  })

  test.each([
    ['https://openrouter.ai/api/v1', {}, { reasoning: { effort: 'high' }, max_tokens: 9 }],
    ['https://api.openai.com/v1', {}, { reasoning_effort: 'high', max_completion_tokens: 9 }],
    ['https://x.openai.azure.com/openai/v1', {}, { reasoning_effort: 'high', max_completion_tokens: 9 }],
    ['https://notopenrouter.ai/v1', {}, { reasoning_effort: 'high', max_tokens: 9 }],
    [
      local,
      { maxTokens: 'max_completion_tokens', effort: 'reasoning' } as const,
      {
        reasoning: { effort: 'high' },
        max_completion_tokens: 9,
      },
    ],
  ])('at %s, with %j', (url, api, wanted) => {
    const {
      model: _,
      stream: __,
      stream_options: ___,
      messages: ____,
      ...set
    } = body({ reasoning: 'high', maxTokens: 9 }, { url, ...api })
    expect(set).toEqual(wanted)
  })

  test('a tool choice, under the name on the wire', () => {
    const tools = { tools: [tool('mail.find'), tool('add')] }
    expect(body({ toolChoice: 'required' }, {}, tools)['tool_choice']).toBe('required')
    expect(body({ toolChoice: { tool: 'mail.find' } }, {}, tools)['tool_choice']).toEqual({
      type: 'function',
      function: { name: wireName('mail.find') },
    })
  })

  test('no tool choice where there are no tools, or not that one', () => {
    expect(body({ toolChoice: 'required' })).not.toHaveProperty('tool_choice')
    expect(body({ toolChoice: { tool: 'x' } }, {}, { tools: [tool('add')] })).not.toHaveProperty(
      'tool_choice',
    )
  })

  test("the settings' body comes over everything, records within records, but never over what is asked", () => {
    const made = body(
      {
        temperature: 1,
        reasoning: 'low',
        body: {
          temperature: 2,
          reasoning: { exclude: true },
          stop: null,
          messages: [],
          tools: 1,
          stream: false,
        },
      },
      { url: 'https://openrouter.ai/api/v1', body: { temperature: 0, seed: 7 } },
      { messages: [message('user', { text: 'Q' })], tools: [tool('add')] },
    )
    expect(made).toMatchObject({
      temperature: 2,
      seed: 7,
      reasoning: { effort: 'low', exclude: true },
      stop: null,
      stream: true,
      messages: [{ role: 'user', content: 'Q' }],
      tools: [{ function: { name: 'add' } }],
    })
  })

  test('the same history and settings give the same bytes', () => {
    const settings: Settings = { reasoning: 'low', cache: true, body: { b: { y: 1, x: 2 }, a: 1 } }
    const more = { instructions: 'I', messages: [message('user', { text: 'Q' })], tools: [tool('add')] }
    const copy = structuredClone({ settings, more })
    expect(text(copy.settings, {}, copy.more)).toBe(text(settings, {}, more))
  })
})

describe('cache marks', () => {
  const mark = { cache_control: { type: 'ephemeral' } }
  const thread = [
    message('user', { text: 'Q' }),
    message('assistant', { calls: [{ id: 'a', tool: 'add', arguments: '{}' }] }),
    message('tool', { call: 'a', text: 'A' }),
    message('assistant', {
      calls: [
        { id: 'b', tool: 'add', arguments: '{}' },
        { id: 'c', tool: 'add', arguments: '{}' },
      ],
    }),
    message('tool', { call: 'b', text: 'B' }),
    message('tool', { call: 'c', text: '' }),
  ]
  const more = { instructions: 'I', messages: thread, tools: [tool('add'), tool('sub')] }

  test('stand on the instructions, the last tool, the last message and the last one before the last turn', () => {
    const made = body({ cache: true }, {}, more) as unknown as { messages: object[]; tools: object[] }
    expect(made.messages[0]).toEqual({ role: 'system', content: [{ type: 'text', text: 'I', ...mark }] })
    expect(made.tools).toEqual([tool('add'), { ...tool('sub'), ...mark }])
    const marked = made.messages.flatMap((each, n) => (JSON.stringify(each).includes('ephemeral') ? [n] : []))
    // An empty text cannot be marked: the result before it is.
    expect(marked).toEqual([0, 3, 5])
    expect(made.messages[5]).toEqual({
      role: 'tool',
      tool_call_id: 'b',
      content: [{ type: 'text', text: 'B', ...mark }],
    })
  })

  test('what was marked last is marked still in the next request', () => {
    const before = body({ cache: true }, {}, { ...more, messages: thread.slice(0, 3) })['messages'] as Json[]
    const after = body({ cache: true }, {}, more)['messages'] as Json[]
    expect(after[3]).toEqual(before[3])
    expect(JSON.stringify(before[3])).toContain('ephemeral')
  })

  test('stand nowhere where they were not asked for', () => {
    expect(text({}, {}, more)).not.toContain('cache_control')
  })

  test('a picture at the end is marked itself', () => {
    const pictured = message('user', { text: 'See', images: ['data:image/png;base64,AAAA'] })
    const made = body({ cache: true }, {}, { messages: [pictured] })['messages'] as Json[]
    expect(made[0]).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: 'See' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' }, ...mark },
      ],
    })
  })
})

test('headers go along over those of the API, and no error holds their values', async () => {
  let sent: Record<string, string> = {}
  const fetch = async (_: unknown, init?: RequestInit) => {
    sent = init?.headers as Record<string, string>
    return new Response('{"error":"no such secret-of-ours, nor its secret-of-the-api"}', { status: 400 })
  }
  const api = {
    url: local,
    key: 'the-key',
    fetch,
    headers: { 'x-one': 'replaced', 'x-two': 'secret-of-the-api' },
  }
  const headers = { 'X-One': 'secret-of-ours', Authorization: 'Bearer another' }
  const failed = streamed(api, 'm', 0, request({ headers }), () => true)
  await expect(failed).rejects.toThrow('no such [secret], nor its [secret]')
  expect(sent).toMatchObject({
    'x-one': 'secret-of-ours',
    'x-two': 'secret-of-the-api',
    authorization: 'Bearer another',
  })
})

describe('a model that takes no pictures', () => {
  const pictured = message('user', {
    text: 'See:',
    images: [`data:image/png;base64,${'A'.repeat(164_000)}`, 'data:image/gif;base64,AAAA'],
  })
  const told =
    '[a picture, image/png, 123 kB, not shown: the model takes none]\n[a picture, image/gif, 3 bytes, not shown: the model takes none]'

  test('is told of each with its type and size, the same each time', () => {
    const sent = body({}, { images: false }, { messages: [pictured] })['messages']
    expect(sent).toEqual([{ role: 'user', content: `See:\n${told}` }])
    expect(body({}, { images: false }, { messages: [pictured] })['messages']).toEqual(sent)
    expect(JSON.stringify(body({}, {}, { messages: [pictured] }))).toContain('image_url')
  })

  test('says so itself, where it is stated of an endpoint', () => {
    const options = { url: local, images: false, price: { input: 1, output: 2 } }
    expect(endpoint('m', options)).toMatchObject({ images: false, price: { input: 1, output: 2 } })
    expect(endpoint('m', { url: local })).not.toHaveProperty('images')
  })
})
