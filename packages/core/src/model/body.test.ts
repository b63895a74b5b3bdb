import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Call, FunctionObject, Json, Message, Request, Turn } from '../define/records.ts'
import type { Api } from './api.ts'
import { bodyOf } from './body.ts'
import { wireName } from './names.ts'
import { streamed } from './streamed.ts'

const api: Api = { url: 'https://api.example.com/v1' }
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
const asked = (messages: Message[], more: Partial<Request> = {}): Request => ({
  instructions: '',
  messages,
  tools: [],
  answer: false,
  ...more,
})
const tool = (name: string): FunctionObject => ({
  type: 'function',
  function: { name, description: 'd', parameters: { type: 'object', properties: {} } },
})
const call = (more: Partial<Call> = {}): Call => ({ id: 'a', tool: 'add', arguments: '{"a":1}', ...more })
const sent = (messages: Message[], settings: Partial<Api> = {}, by = 'here') =>
  JSON.parse(bodyOf({ ...api, ...settings }, by, 'm', asked(messages))).messages

/** The turn of a stream of these deltas, as a message. */
async function written(deltas: Json[], to: Api = api): Promise<Message> {
  const lines = deltas.map(delta => `data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`)
  const turn = await streamed(
    { ...to, fetch: async () => new Response(`${lines.join('')}data: [DONE]\n\n`) },
    'm',
    0,
    asked([], { tools: [tool('add')] }),
    () => true,
  )
  return posted(turn)
}
const posted = ({ text, reasoning, calls, details }: Turn) =>
  message('assistant', { text, reasoning, calls, details, origin: { from: 'model', model: 'm' } })

/** What the endpoint is sent after that message. */
async function echoed(from: Message, to: Partial<Api> = {}): Promise<Record<string, Json>> {
  let body = ''
  const fetch = async (_: unknown, init?: RequestInit) => {
    body = String(init?.body)
    return new Response('data: {"choices":[{"delta":{"content":"x"},"finish_reason":"stop"}]}\n\n')
  }
  const thread = [
    message('user', { text: 'Q' }),
    from,
    message('tool', { call: from.calls[0]?.id ?? '', text: 'R' }),
  ]
  await streamed({ ...api, ...to, fetch }, 'm', 0, asked(thread), () => true)
  return JSON.parse(body).messages[1]
}

test('a thread goes over the wire in its order', () => {
  const thread = [
    message('user', { text: 'Hallo', images: ['data:image/png;base64,AA=='] }),
    message('assistant', {
      text: 'Moment.',
      calls: [call({ tool: 'crm.add', extra: { x: 1, function: { y: 2 } } })],
    }),
    message('tool', { call: 'a', text: 'done' }),
    message('user', { images: ['data:image/png;base64,BB=='] }),
  ]
  const body = JSON.parse(
    bodyOf(api, 'here', 'm', asked(thread, { instructions: 'Be brief.', tools: [tool('crm.add')] })),
  )
  expect(body).toEqual({
    model: 'm',
    stream: true,
    stream_options: { include_usage: true },
    messages: [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hallo' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
        ],
      },
      {
        role: 'assistant',
        content: 'Moment.',
        tool_calls: [
          {
            x: 1,
            id: 'a',
            type: 'function',
            function: { y: 2, name: wireName('crm.add'), arguments: '{"a":1}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: 'done' },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,BB==' } }] },
    ],
    tools: [
      {
        type: 'function',
        function: {
          name: wireName('crm.add'),
          description: 'd',
          parameters: { type: 'object', properties: {} },
        },
      },
    ],
  })
})

test('the body setting is merged, but cannot replace the messages, the tools or the stream', () => {
  const more = { temperature: 0, stream_options: null, messages: [], tools: [1], stream: false }
  expect(
    JSON.parse(bodyOf({ ...api, body: more }, 'here', 'm', asked([message('user', { text: 'Q' })]))),
  ).toEqual({
    model: 'm',
    temperature: 0,
    stream: true,
    messages: [{ role: 'user', content: 'Q' }],
  })
})

test('a stated format is asked for', () => {
  const body = bodyOf(
    api,
    'here',
    'm',
    asked([], { format: { name: 'the note', schema: { type: 'object' } } }),
  )
  expect(JSON.parse(body).response_format).toEqual({
    type: 'json_schema',
    json_schema: { name: wireName('the note'), schema: { type: 'object' } },
  })
})

describe('an assistant that only calls tools', () => {
  const only = [message('assistant', { calls: [call()] })]
  test.each([
    [undefined, { content: '' }],
    ['empty', { content: '' }],
    ['null', { content: null }],
    ['omit', {}],
  ] as const)('has, with emptyContent %s, the content %j', (emptyContent, expected) => {
    const { role: _, tool_calls: calls, ...rest } = sent(only, emptyContent ? { emptyContent } : {})[0]
    expect(rest).toEqual(expected)
    expect(calls).toHaveLength(1)
  })

  test('one that says nothing at all is left out, as servers refuse it', () => {
    expect(sent([message('assistant'), message('user', { text: 'Q' })], { emptyContent: 'null' })).toEqual([
      { role: 'user', content: 'Q' },
    ])
  })
})

test.each([
  ['{"a": 1}', '{"a": 1}'],
  [' ', '{}'],
  ['null', '{}'],
  ['{"a', '{"unparsed":"{\\"a"}'],
  ['[1]', '{"unparsed":"[1]"}'],
])('arguments %j go back as %j, always an object', (given, expected) => {
  expect(
    sent([message('assistant', { calls: [call({ arguments: given })] })])[0].tool_calls[0].function.arguments,
  ).toBe(expected)
})

test('half a surrogate pair never goes over the wire', () => {
  const body = bodyOf(
    api,
    'here',
    'm',
    asked([message('user', { text: 'a\ud83d' }), message('tool', { text: '\udc00', call: 'a' })], {
      instructions: '\ud83d',
    }),
  )
  expect(body).not.toMatch(/\\ud[89a-f]/i)
  expect(body).toContain('\ufffd')
})

describe('reasoning goes back as it came', () => {
  const callDelta = { tool_calls: [{ index: 0, id: 'a', function: { name: 'add', arguments: '{}' } }] }

  test('under its key, to a server that answers 400 without it', async () => {
    for (const key of ['reasoning_content', 'reasoning', 'reasoning_text']) {
      const wire = await echoed(await written([{ [key]: 'I' }, { [key]: ' think' }, callDelta]))
      expect(wire).toMatchObject({ [key]: 'I think' })
    }
  })

  test('with every plain answer too, and where it was empty', async () => {
    expect(await echoed(await written([{ reasoning_content: 'hm' }, { content: 'A' }]))).toMatchObject({
      reasoning_content: 'hm',
    })
    expect(await echoed(await written([{ reasoning_content: '' }, callDelta]))).toMatchObject({
      reasoning_content: '',
    })
    expect(await echoed(await written([{ reasoning_content: null }, callDelta]))).not.toHaveProperty(
      'reasoning_content',
    )
  })

  test('the details too, of all types, in their order, with keys that nobody knows', async () => {
    const details = [
      { type: 'reasoning.text', text: 'I think', unknown: { deep: [1] }, index: 0 },
      { type: 'reasoning.encrypted', data: 'x', id: 'e1', index: 1 },
      { type: 'reasoning.text', text: '', signature: 's', index: 2 },
    ]
    const wire = await echoed(
      await written([{ reasoning: 'I think', reasoning_details: details }, callDelta]),
    )
    expect(wire['reasoning_details']).toEqual(details)
    expect(wire['reasoning']).toBe('I think')
  })

  test('two encrypted details, or two signed ones, stay two', async () => {
    const details = [
      { type: 'reasoning.encrypted', data: 'x', index: 0 },
      { type: 'reasoning.encrypted', data: 'y', index: 0 },
      { type: 'reasoning.text', text: 'a', signature: 's1', index: 0 },
      { type: 'reasoning.text', text: 'b', signature: 's2', index: 0 },
    ]
    const message = await written([...details.map(detail => ({ reasoning_details: [detail] })), callDelta])
    expect((await echoed(message))['reasoning_details']).toEqual(details)
    expect(message.reasoning).toBe('ab')
  })

  test('under both keys where they were mirrored, and shown once', async () => {
    const from = await written([
      { reasoning: 'a', reasoning_content: 'a' },
      { reasoning_content: 'b', reasoning: 'b' },
      callDelta,
    ])
    expect(from.reasoning).toBe('ab')
    expect(await echoed(from)).toMatchObject({ reasoning: 'ab', reasoning_content: 'ab' })
  })

  test('mirrored in deltas of their own, it is still shown once', async () => {
    const from = await written([
      { reasoning: 'one' },
      { reasoning_content: 'one' },
      { reasoning: ' two' },
      { reasoning_content: ' two' },
      callDelta,
    ])
    expect(from.reasoning).toBe('one two')
  })

  test('a text that goes on under another key loses nothing, also where it begins like the whole', async () => {
    const split = 'The user wants to know the time. The user wants to know it now. The'.match(/ ?[^ ]+/g)!
    for (let at = 1; at < split.length; at++) {
      const deltas = split.map((part, i) => ({ [i < at ? 'reasoning' : 'reasoning_content']: part }))
      const from = await written([...deltas, callDelta])
      expect(from.reasoning).toBe(split.join(''))
      // Each key goes back with what it held.
      expect(await echoed(from)).toMatchObject({
        reasoning: split.slice(0, at).join(''),
        reasoning_content: split.slice(at).join(''),
      })
    }
    expect((await written([{ reasoning: 'I ' }, { thinking: 'I ' }, { thinking: 'think' }])).reasoning).toBe(
      'I I think',
    )
  })

  test('a last delta that says all of it again under another key says nothing new', async () => {
    const whole = 'First the time, then the place.'
    const parts = whole.match(/.{1,4}/g)!.map(part => ({ reasoning: part }))
    expect((await written([...parts, { reasoning_content: whole }, callDelta])).reasoning).toBe(whole)
    const more = [{ reasoning_content: whole }, { reasoning_content: ' Done.' }]
    expect((await written([...parts, ...more])).reasoning).toBe(`${whole} Done.`)
  })

  test('a word that comes twice under one key is no mirror', async () => {
    expect((await written([{ reasoning: 'ha' }, { reasoning: 'ha' }])).reasoning).toBe('haha')
  })

  test('in think tags, with the white space they came with', async () => {
    expect(await echoed(await written([{ content: '<think>\nI think\n</think>\n\nYes' }]))).toMatchObject({
      content: '<think>\nI think\n</think>\n\nYes',
    })
  })

  test('as a part of the content', async () => {
    const part = { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }
    expect(await echoed(await written([{ content: [part, { type: 'text', text: 'Yes' }] }]))).toMatchObject({
      content: [part, { type: 'text', text: 'Yes' }],
    })
  })

  test('signatures on calls, on the message, and with empty thoughts', async () => {
    const from = await written([
      { reasoning_content: '', thinking_blocks: [{ type: 'thinking', thinking: '', signature: 'sig' }] },
      { extra_content: { google: { thought_signature: 'm' } }, reasoning_opaque: 'o' },
      {
        tool_calls: [
          {
            index: 0,
            id: 'a',
            extra_content: { google: { thought_signature: 'c' } },
            function: { name: 'add', arguments: '' },
          },
        ],
      },
    ])
    expect(await echoed(from)).toMatchObject({
      thinking_blocks: [{ type: 'thinking', thinking: '', signature: 'sig' }],
      extra_content: { google: { thought_signature: 'm' } },
      reasoning_opaque: 'o',
      tool_calls: [{ id: 'a', extra_content: { google: { thought_signature: 'c' } } }],
    })
  })

  test('but to the endpoint only that it came from', async () => {
    const from = await written([
      { reasoning_content: 'hm', reasoning_details: [{ type: 'reasoning.text', text: 'hm' }] },
      { tool_calls: [{ index: 0, id: 'a', sig: 's', function: { name: 'add' } }] },
    ])
    const other = await echoed(from, { url: 'https://other.example.com/v1' })
    expect(other).toEqual({
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'add', arguments: '{}' } }],
    })
  })

  test('unless the endpoint wants none, or only that of calls, or another key', async () => {
    const withCall = await written([{ reasoning: 'hm' }, callDelta])
    const plain = await written([{ reasoning: 'hm' }, { content: 'A' }])
    expect(await echoed(withCall, { reasoning: 'never' })).not.toHaveProperty('reasoning')
    expect(await echoed(withCall, { reasoning: 'tools' })).toHaveProperty('reasoning')
    expect(await echoed(plain, { reasoning: 'tools' })).not.toHaveProperty('reasoning')
    const alias = await echoed(withCall, { reasoningKey: 'reasoning_content' })
    expect(alias).toMatchObject({ reasoning_content: 'hm' })
    expect(alias).not.toHaveProperty('reasoning')
    const none = message('assistant', { text: 'from elsewhere' })
    expect(await echoed(none, { reasoningKey: 'reasoning_content' })).toMatchObject({ reasoning_content: '' })
  })

  test('details that were put into a message by hand are sent as reasoning_details', () => {
    const details = [{ type: 'reasoning.encrypted', data: 'x' }]
    expect(sent([message('assistant', { text: 'A', details })])[0]).toMatchObject({
      reasoning_details: details,
    })
  })
})

test('the same history gives the same bytes, also as new objects and after other endpoints were asked', () => {
  const anyText = fc.string({ unit: 'binary', maxLength: 20 })
  const anyMessage = fc.record({
    role: fc.constantFrom('user' as const, 'assistant' as const, 'tool' as const),
    text: anyText,
    reasoning: anyText,
    calls: fc.array(fc.record({ id: anyText, tool: anyText, arguments: anyText }), { maxLength: 2 }),
    call: anyText,
    details: fc.array(
      fc.json({ maxDepth: 1 }).map(text => JSON.parse(text) as Json),
      { maxLength: 2 },
    ),
    origin: fc.constant({ from: 'system' as const }),
  })
  fc.assert(
    fc.property(fc.array(anyMessage, { maxLength: 6 }), anyMessage, (messages, next) => {
      const body = (of: Message[], settings: Partial<Api> = {}) =>
        bodyOf({ ...api, ...settings }, 'here', 'm', asked(of))
      const first = body(messages)
      body(messages, { emptyContent: 'null', reasoning: 'never' })
      bodyOf(api, 'there', 'n', asked(messages))
      expect(body(messages)).toBe(first)
      expect(body(JSON.parse(JSON.stringify(messages)))).toBe(first)
      // A longer history begins with the same bytes: what prompt caches go by.
      expect(body([...messages, next]).startsWith(first.slice(0, first.lastIndexOf(']')))).toBe(true)
    }),
  )
})
