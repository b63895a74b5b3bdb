// A turn of each wire, and the request after it: what came with the turn goes back as it came.
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { afterEach, describe, expect, test } from 'vitest'
import type { Json, Message, Model, Turn, TurnPiece } from '../../src/define/records.ts'
import { fromAiSdk } from '../../src/model/aisdk/model.ts'
import type { AiSdkModel } from '../../src/model/aisdk/spec.ts'
import { wireName } from '../../src/model/names.ts'
import { streamed } from '../../src/model/streamed.ts'
import { type Answer, message, PICTURE, posted, request, tool, type Wire, wire } from './wire.ts'

let server: Wire | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

const tools = [tool('mail.find'), tool('add')]
const find = wireName('mail.find')

/** Two turns: the answers' first one, and one after the results of its calls and a picture. */
async function twoTurns(answers: Answer[], make: (url: string) => AiSdkModel, settings = {}) {
  server = await wire(answers)
  const model = fromAiSdk(make(server.url), { warn: text => expect.fail(text) })
  const pieces: TurnPiece[] = []
  const question = message('user', { text: 'Q' })
  const ask = (messages: Message[]) =>
    model.turn(
      request(messages, { tools, settings }),
      piece => pieces.push(piece) > 0,
      new AbortController().signal,
    )
  const first = await ask([question])
  const results = first.calls.map(call => message('tool', { call: call.id, text: `result of ${call.tool}` }))
  const thread = [question, posted(first), ...results, message('user', { text: 'See:', images: [PICTURE] })]
  const second = await ask(thread)
  return { first, second, pieces, asked: server.asked, model, thread, ask }
}

const chatEnd: Json = {
  choices: [{ index: 0, delta: { content: 'Done.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 5, completion_tokens: 2 },
}

describe('Anthropic messages', () => {
  const event = (data: { type: string } & Record<string, Json>): [string, Json] => [data.type, data]
  const start = (usage: Record<string, Json>) =>
    event({
      type: 'message_start',
      message: { id: 'm1', type: 'message', role: 'assistant', model: 'claude', content: [], usage },
    })
  const block = (index: number, content_block: Record<string, Json>, ...deltas: Record<string, Json>[]) => [
    event({ type: 'content_block_start', index, content_block }),
    ...deltas.map(delta => event({ type: 'content_block_delta', index, delta })),
    event({ type: 'content_block_stop', index }),
  ]
  const end = (stop_reason: string) => [
    event({
      type: 'message_delta',
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: 50 },
    }),
    event({ type: 'message_stop' }),
  ]
  const first: Answer = {
    events: [
      start({
        input_tokens: 10,
        cache_read_input_tokens: 90,
        cache_creation_input_tokens: 5,
        output_tokens: 1,
      }),
      ...block(
        0,
        { type: 'thinking', thinking: '', signature: '' },
        { type: 'thinking_delta', thinking: 'Two ' },
        { type: 'thinking_delta', thinking: 'calls.' },
        { type: 'signature_delta', signature: 'SIG1' },
      ),
      ...block(1, { type: 'redacted_thinking', data: 'REDACTED' }),
      ...block(2, { type: 'text', text: '' }, { type: 'text_delta', text: 'I look.' }),
      ...block(
        3,
        { type: 'tool_use', id: 'toolu_1', name: find, input: {} },
        { type: 'input_json_delta', partial_json: '{"q":' },
        { type: 'input_json_delta', partial_json: '"ä"}' },
      ),
      // A thought whose words were left out: its signature alone has to go back.
      ...block(
        4,
        { type: 'thinking', thinking: '', signature: '' },
        { type: 'signature_delta', signature: 'SIG2' },
      ),
      ...block(5, { type: 'tool_use', id: 'toolu_2', name: 'add', input: {} }),
      ...end('tool_use'),
    ],
  }
  const second: Answer = {
    events: [
      start({ input_tokens: 9, output_tokens: 1 }),
      ...block(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'Done.' }),
      ...end('end_turn'),
    ],
  }
  const make = (url: string) => createAnthropic({ baseURL: `${url}/v1`, apiKey: 'key' })('claude-sonnet-4-5')
  const settings = {
    maxTokens: 4000,
    headers: { 'x-team': 'blue' },
    body: { anthropic: { thinking: { type: 'enabled', budgetTokens: 2000 } } },
  }

  test('thoughts, signatures and calls go back in the order in which they came', async () => {
    const told = await twoTurns([first, second], make, settings)
    expect(told.first).toMatchObject({
      text: 'I look.',
      reasoning: 'Two calls.',
      calls: [
        { id: 'toolu_1', tool: 'mail.find', arguments: '{"q":"ä"}' },
        { id: 'toolu_2', tool: 'add', arguments: '{}' },
      ],
      input: 105,
      tokens: 50,
      cached: 90,
    })
    expect(told.pieces).toEqual([
      { kind: 'reasoning', text: 'Two ' },
      { kind: 'reasoning', text: 'calls.' },
      { kind: 'text', text: 'I look.' },
      { kind: 'input', text: '{"q":', index: 0, tool: 'mail.find' },
      { kind: 'input', text: '"ä"}', index: 0, tool: 'mail.find' },
      { kind: 'input', text: '{}', index: 1, tool: 'add' },
      { kind: 'text', text: 'Done.' },
    ])
    expect(told.asked[1]?.body['messages']).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Q' }] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Two calls.', signature: 'SIG1' },
          { type: 'redacted_thinking', data: 'REDACTED' },
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'toolu_1', name: find, input: { q: 'ä' } },
          { type: 'thinking', thinking: '', signature: 'SIG2' },
          { type: 'tool_use', id: 'toolu_2', name: 'add', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: 'result of mail.find' },
          { type: 'tool_result', tool_use_id: 'toolu_2', content: 'result of add' },
          { type: 'text', text: 'See:' },
          {
            type: 'image',
            source: { type: 'base64', media_type: 'image/png', data: PICTURE.split(',')[1] },
          },
        ],
      },
    ])
    expect(told.asked[0]?.body).toMatchObject({ thinking: { type: 'enabled', budget_tokens: 2000 } })
    expect(told.asked[0]?.headers).toMatchObject({ 'x-team': 'blue' })
    expect(told.second).toMatchObject({ text: 'Done.', input: 9 })
  })

  test('a call that has left the message takes along the thought that led to it, and no other', async () => {
    const told = await twoTurns([first, second, second], make, settings)
    const { calls, ...rest } = posted(told.first)
    const left = { ...rest, calls: calls.slice(0, 1) }
    const result = message('tool', { call: 'toolu_1', text: 'R' })
    await told.ask([message('user', { text: 'Q' }), left, result])
    const sent = told.asked[2]?.body['messages'] as { content: { type: string }[] }[]
    expect(sent[1]?.content.map(part => part.type)).toEqual([
      'thinking',
      'redacted_thinking',
      'text',
      'tool_use',
    ])
  })

  test('cache marks stand on the instructions, the last tool and the last two messages', async () => {
    const told = await twoTurns([first, second], make, { ...settings, cache: true })
    const body = told.asked[1]?.body as {
      system: { cache_control?: object }[]
      tools: { cache_control?: object }[]
      messages: { content: { cache_control?: object }[] }[]
    }
    const mark = { type: 'ephemeral' }
    expect(body.system[0]?.cache_control).toEqual(mark)
    expect(body.tools.map(each => each.cache_control)).toEqual([undefined, mark])
    expect(body.messages.map(each => each.content.map(part => part.cache_control).filter(Boolean))).toEqual([
      [mark],
      [],
      [mark],
    ])
  })

  test('an answer that the output limit cut has its last call marked', async () => {
    const cutShort: Answer = {
      events: [
        start({ input_tokens: 1, output_tokens: 1 }),
        ...block(
          0,
          { type: 'tool_use', id: 'toolu_1', name: 'add', input: {} },
          { type: 'input_json_delta', partial_json: '{"a":1,"b"' },
        ),
        ...end('max_tokens'),
      ],
    }
    server = await wire([cutShort])
    const turn = await asks(fromAiSdk(make(server.url)), settings)
    expect(turn).toMatchObject({ cut: 'length', calls: [{ id: 'toolu_1', tool: 'add', cut: true }] })
  })

  test('an error in the stream is an error with the words of the server', async () => {
    const broken: Answer = {
      events: [
        start({ input_tokens: 1, output_tokens: 1 }),
        ...block(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'He' }),
        event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
      ],
    }
    server = await wire([broken, broken])
    await expect(asks(fromAiSdk(make(server.url)), settings)).rejects.toThrow(/claude-sonnet.*Overloaded/s)
    // A piece was shown, so it was not asked for again.
    expect(server.asked).toHaveLength(1)
  })
})

describe('OpenAI responses', () => {
  const item = (n: number, added: Json, done: Json, ...between: Record<string, Json>[]) => [
    { type: 'response.output_item.added', output_index: n, item: added },
    ...between.map(each => ({ output_index: n, ...each })),
    { type: 'response.output_item.done', output_index: n, item: done },
  ]
  const created: Json = { type: 'response.created', response: { id: 'r1', created_at: 1, model: 'gpt-5' } }
  const completed: Json = {
    type: 'response.completed',
    response: {
      usage: {
        input_tokens: 100,
        input_tokens_details: { cached_tokens: 64 },
        output_tokens: 40,
        output_tokens_details: { reasoning_tokens: 25 },
      },
    },
  }
  const reasoning = (id: string, words: string, n: number): Json[] =>
    item(
      n,
      { type: 'reasoning', id, encrypted_content: null, summary: [] },
      {
        type: 'reasoning',
        id,
        encrypted_content: `ENC ${id}`,
        summary: [{ type: 'summary_text', text: words }],
      },
      { type: 'response.reasoning_summary_part.added', item_id: id, summary_index: 0 },
      { type: 'response.reasoning_summary_text.delta', item_id: id, summary_index: 0, delta: words },
      { type: 'response.reasoning_summary_part.done', item_id: id, summary_index: 0 },
    )
  const call = (id: string, name: string, args: string, n: number): Json[] =>
    item(
      n,
      { type: 'function_call', id: `fc_${id}`, call_id: id, name, arguments: '' },
      { type: 'function_call', id: `fc_${id}`, call_id: id, name, arguments: args, status: 'completed' },
      { type: 'response.function_call_arguments.delta', item_id: `fc_${id}`, delta: args },
      { type: 'response.function_call_arguments.done', item_id: `fc_${id}`, arguments: args },
    )
  const said = (id: string, text: string, n: number): Json[] =>
    item(
      n,
      { type: 'message', id, phase: 'commentary' },
      { type: 'message', id, phase: 'commentary' },
      { type: 'response.output_text.delta', item_id: id, delta: text },
    )
  const first: Answer = {
    events: [
      created,
      ...reasoning('rs_1', 'One.', 0),
      ...said('msg_1', 'I look.', 1),
      ...call('call_a', find, '{"q":1}', 2),
      ...reasoning('rs_2', 'Two.', 3),
      ...call('call_b', 'add', '{}', 4),
      completed,
    ],
  }
  const second: Answer = { events: [created, ...said('msg_9', 'Done.', 0), completed] }
  const make = (url: string) => createOpenAI({ baseURL: `${url}/v1`, apiKey: 'key' }).responses('gpt-5')
  const settings = { reasoning: 'low', body: { openai: { store: false } } }

  test('encrypted reasoning goes back with the items that it belongs to', async () => {
    const told = await twoTurns([first, second], make, settings)
    expect(told.first).toMatchObject({
      text: 'I look.',
      reasoning: 'One.\n\nTwo.',
      calls: [
        { id: 'call_a', tool: 'mail.find', arguments: '{"q":1}' },
        { id: 'call_b', tool: 'add', arguments: '{}' },
      ],
      input: 100,
      tokens: 40,
      cached: 64,
      reasoned: 25,
    })
    const input = told.asked[1]?.body['input'] as Record<string, unknown>[]
    expect(input.map(each => each['type'] ?? each['role'])).toEqual([
      'developer',
      'user',
      'reasoning',
      'assistant',
      'function_call',
      'reasoning',
      'function_call',
      'function_call_output',
      'function_call_output',
      'user',
    ])
    expect(input[2]).toMatchObject({
      encrypted_content: 'ENC rs_1',
      summary: [{ type: 'summary_text', text: 'One.' }],
    })
    expect(input[3]).toMatchObject({ phase: 'commentary' })
    expect(input[5]).toMatchObject({
      encrypted_content: 'ENC rs_2',
      summary: [{ type: 'summary_text', text: 'Two.' }],
    })
    expect(input[4]).toMatchObject({ call_id: 'call_a', name: find, arguments: '{"q":1}' })
    expect(input[9]).toMatchObject({
      content: [
        { type: 'input_text', text: 'See:' },
        { type: 'input_image', image_url: PICTURE },
      ],
    })
    expect(told.asked[0]?.body['reasoning']).toMatchObject({ effort: 'low' })
  })

  test('where the API keeps the items, they are named as they were', async () => {
    const told = await twoTurns([first, second], make)
    const input = told.asked[1]?.body['input'] as Record<string, unknown>[]
    expect(input.filter(each => each['type'] === 'item_reference').map(each => each['id'])).toEqual([
      'rs_1',
      'msg_1',
      'rs_2',
    ])
  })
})

describe('Google generateContent', () => {
  const chunk = (parts: Json[], more: Record<string, Json> = {}): Json => ({
    candidates: [{ content: { role: 'model', parts }, ...more }],
    usageMetadata: {
      promptTokenCount: 80,
      cachedContentTokenCount: 30,
      candidatesTokenCount: 20,
      thoughtsTokenCount: 7,
      totalTokenCount: 107,
    },
  })
  const first: Answer = {
    events: [
      chunk([{ text: 'Thinking.', thought: true }]),
      chunk([{ text: 'I look.' }]),
      chunk([
        { functionCall: { name: find, args: { q: 'ö' } }, thoughtSignature: 'SIG' },
        { functionCall: { name: find, args: { q: 'ö' } } },
      ]),
      chunk([{ text: '', thoughtSignature: 'LAST' }], { finishReason: 'STOP' }),
    ],
  }
  const second: Answer = { events: [chunk([{ text: 'Done.' }], { finishReason: 'STOP' })] }
  const make = (url: string) =>
    createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey: 'key' })('gemini-2.5-pro')

  test('signatures of calls and of empty texts go back, and results come together', async () => {
    const told = await twoTurns([first, second], make)
    expect(told.first).toMatchObject({
      text: 'I look.',
      reasoning: 'Thinking.',
      calls: [
        { tool: 'mail.find', arguments: '{"q":"ö"}' },
        { tool: 'mail.find', arguments: '{"q":"ö"}' },
      ],
      input: 80,
      tokens: 27,
      cached: 30,
      reasoned: 7,
    })
    expect(new Set(told.first.calls.map(call => call.id)).size).toBe(2)
    const contents = told.asked[1]?.body['contents'] as { role: string; parts: Record<string, unknown>[] }[]
    expect(contents.map(each => each.role)).toEqual(['user', 'model', 'user', 'user'])
    expect(contents[1]?.parts).toMatchObject([
      { text: 'Thinking.', thought: true },
      { text: 'I look.' },
      { functionCall: { name: find, args: { q: 'ö' } }, thoughtSignature: 'SIG' },
      { functionCall: { name: find, args: { q: 'ö' } } },
      { text: '', thoughtSignature: 'LAST' },
    ])
    expect(contents[2]?.parts).toHaveLength(2)
    expect(contents[3]?.parts[1]).toEqual({
      inlineData: { mimeType: 'image/png', data: PICTURE.split(',')[1] },
    })
    expect(told.asked[1]?.body['systemInstruction']).toEqual({ parts: [{ text: 'Be brief.' }] })
  })

  test('a system message further on is told as one of the user', async () => {
    server = await wire([second])
    const thread = [message('user', { text: 'Q' }), message('system', { text: 'Now in German.' })]
    await fromAiSdk(make(server.url)).turn(request(thread), () => true, new AbortController().signal)
    expect(server.asked[0]?.body['contents']).toMatchObject([
      { role: 'user', parts: [{ text: 'Q' }] },
      { role: 'user', parts: [{ text: 'Now in German.' }] },
    ])
  })
})

describe('OpenAI-compatible chat', () => {
  const delta = (fields: Json, finish_reason: string | null = null): Json => ({
    choices: [{ index: 0, delta: fields, finish_reason }],
  })
  const calls = (ids: string[]): Json => ({
    tool_calls: ids.map((id, index) => ({
      index,
      id,
      type: 'function',
      function: { name: index === 0 ? find : 'add', arguments: index === 0 ? '{"q":1}' : '' },
      ...(index === 0 ? { extra_content: { google: { thought_signature: 'SIG' } } } : {}),
    })),
  })
  const turn = (ids: string[]): Answer => ({
    events: [
      delta({ role: 'assistant', reasoning_content: 'Look ' }),
      delta({ reasoning_content: 'it up.' }),
      delta({ content: 'I look.' }),
      delta(calls(ids)),
      delta({}, 'tool_calls'),
      {
        choices: [],
        usage: {
          prompt_tokens: 60,
          completion_tokens: 30,
          prompt_tokens_details: { cached_tokens: 48 },
          completion_tokens_details: { reasoning_tokens: 11 },
          cost: 0.002,
        },
      },
    ],
    end: 'data: [DONE]\n\n',
  })
  const last: Answer = { events: [chatEnd], end: 'data: [DONE]\n\n' }
  const make = (url: string) =>
    createOpenAICompatible({ name: 'router', baseURL: `${url}/v1`, apiKey: 'key', includeUsage: true })(
      'deepseek',
    )

  test('reasoning and what came with a call go back, the cost is told', async () => {
    const told = await twoTurns([turn(['c1', 'c2']), last], make)
    expect(told.first).toMatchObject({
      text: 'I look.',
      reasoning: 'Look it up.',
      calls: [
        { id: 'c1', tool: 'mail.find', arguments: '{"q":1}' },
        { id: 'c2', tool: 'add', arguments: '{}' },
      ],
      input: 60,
      tokens: 30,
      cached: 48,
      reasoned: 11,
      cost: 0.002,
    })
    const messages = told.asked[1]?.body['messages'] as Record<string, unknown>[]
    expect(messages[2]).toMatchObject({
      role: 'assistant',
      content: 'I look.',
      reasoning_content: 'Look it up.',
      tool_calls: [
        { id: 'c1', function: { name: find }, extra_content: { google: { thought_signature: 'SIG' } } },
        { id: 'c2', function: { name: 'add', arguments: '{}' } },
      ],
    })
    expect(messages[3]).toEqual({ role: 'tool', tool_call_id: 'c1', content: 'result of mail.find' })
    expect(messages[5]).toMatchObject({
      role: 'user',
      content: [
        { type: 'text', text: 'See:' },
        { type: 'image_url', image_url: { url: PICTURE } },
      ],
    })
  })

  test.each([
    ['empty', ['', '']],
    ['repeated', ['same', 'same']],
  ])('two calls whose ids are %s are two calls, each with its own result', async (_, ids) => {
    const told = await twoTurns([turn(ids), last], make)
    const own = told.first.calls.map(call => call.id)
    expect(new Set(own).size).toBe(2)
    expect(own).not.toContain('')
    const messages = told.asked[1]?.body['messages'] as Record<string, unknown>[]
    expect(messages.slice(3, 5).map(each => each['tool_call_id'])).toEqual(own)
    expect(messages[2]?.['tool_calls']).toMatchObject(own.map(id => ({ id })))
  })

  test('another model is sent its words and calls, and nothing that was not its own', async () => {
    const told = await twoTurns([turn(['c1', 'c2']), last, last], make)
    const other = createOpenAICompatible({ name: 'router', baseURL: `${server!.url}/v1`, apiKey: 'k' })(
      'another',
    )
    await fromAiSdk(other).turn(request(told.thread, { tools }), () => true, new AbortController().signal)
    const messages = told.asked[2]?.body['messages'] as Record<string, unknown>[]
    expect(JSON.stringify(messages)).not.toMatch(/SIG|Look it up/)
    expect(messages[2]).toMatchObject({ content: 'I look.', tool_calls: [{ id: 'c1' }, { id: 'c2' }] })
  })

  test('an endpoint and a model of the SDK at the same address are not sent what the other wrote', async () => {
    const told = await twoTurns([turn(['c1', 'c2']), last, turn(['c3']), last, last], make)
    const api = { url: `${server!.url}/v1` }
    const stop = new AbortController().signal
    const byEndpoint = await streamed(api, 'deepseek', 0, request([], { tools }), () => true, stop)
    expect(byEndpoint.reasoning).toBe('Look it up.')
    const result = message('tool', { call: 'c3', text: 'R' })
    await told.ask([posted(byEndpoint), result])
    await streamed(api, 'deepseek', 0, request(told.thread, { tools }), () => true, stop)
    for (const { body } of told.asked.slice(3)) {
      const sent = (body['messages'] as Record<string, unknown>[]).find(each => each['role'] === 'assistant')
      expect(sent).toMatchObject({ content: 'I look.' })
      expect(JSON.stringify(sent)).not.toMatch(/SIG|Look it up|toolwright/)
    }
  })

  test('OpenAI chat takes the same settings', async () => {
    server = await wire([last])
    const chat = fromAiSdk(createOpenAI({ baseURL: `${server.url}/v1`, apiKey: 'k' }).chat('gpt-4o'))
    const settings = { temperature: 0, maxTokens: 99, toolChoice: { tool: 'mail.find' } }
    const format = { name: 'my answer', schema: { type: 'object', properties: {} } }
    await chat.turn(request([], { tools, settings, format }), () => true, new AbortController().signal)
    expect(server.asked[0]?.body).toMatchObject({
      temperature: 0,
      max_tokens: 99,
      tool_choice: { type: 'function', function: { name: find } },
      response_format: { type: 'json_schema' },
    })
  })
})

function asks(model: Model, settings = {}): Promise<Turn> {
  const asked = request([message('user', { text: 'Q' })], { tools, settings })
  return model.turn(asked, () => true, new AbortController().signal)
}
