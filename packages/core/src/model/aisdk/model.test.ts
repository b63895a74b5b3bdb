import type { LanguageModelV2, LanguageModelV3, LanguageModelV4 } from '@ai-sdk/provider'
import { expect, expectTypeOf, test, vi } from 'vitest'
import type { Message, Request, TurnPiece } from '../../define/records.ts'
import type { ApiClock } from '../clock.ts'
import { type AiSdkOptions, fromAiSdk } from './model.ts'
import type { AiSdkModel, CallOptions } from './spec.ts'

const waits: number[] = []
const clock: ApiClock = {
  now: () => 0,
  async sleep(ms) {
    waits.push(ms)
  },
}

/** An AI SDK model that streams these parts, or fails with this error, one a try. */
function fake(version: string, ...tries: (object[] | Error)[]) {
  const asked: CallOptions[] = []
  const model: AiSdkModel = {
    specificationVersion: version,
    provider: 'fake.chat',
    modelId: 'm',
    async doStream(options: CallOptions) {
      asked.push(options)
      const next = tries[asked.length - 1] ?? []
      if (next instanceof Error) throw next
      return { stream: ReadableStream.from(next) }
    },
  }
  return { model, asked }
}

const user = (text: string, images?: string[]): Message => ({
  role: 'user',
  text,
  reasoning: '',
  calls: [],
  call: '',
  details: [],
  origin: { from: 'person' },
  ...(images ? { images } : {}),
})
const request = (more: Partial<Request> = {}): Request => ({
  instructions: '',
  messages: [user('Q')],
  tools: [],
  answer: false,
  ...more,
})
const never = new AbortController().signal
const ask = (model: AiSdkModel, options: AiSdkOptions = {}, more: Partial<Request> = {}) =>
  fromAiSdk(model, { clock, ...options }).turn(request(more), () => true, never)

const usage3 = {
  inputTokens: { total: 10, noCache: 4, cacheRead: 6, cacheWrite: undefined },
  outputTokens: { total: 3, text: 1, reasoning: 2 },
}
const finish3 = { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage: usage3 }
const text = (...deltas: string[]) => [
  { type: 'text-start', id: '1' },
  ...deltas.map(delta => ({ type: 'text-delta', id: '1', delta })),
  { type: 'text-end', id: '1' },
]
const apiError = (fields: object) =>
  Object.assign(new Error('no luck'), { [Symbol.for('vercel.ai.error.AI_APICallError')]: true }, fields)

test('versions 2, 3 and 4 of the specification are taken, and no other', async () => {
  const usage2 = {
    inputTokens: 10,
    outputTokens: 3,
    totalTokens: 13,
    reasoningTokens: 2,
    cachedInputTokens: 6,
  }
  const finish2 = { type: 'finish', finishReason: 'stop', usage: usage2 }
  for (const [version, finish] of [
    ['v2', finish2],
    ['v3', finish3],
    ['v4', finish3],
  ] as const) {
    const turn = await ask(fake(version, [...text('Hi', '!'), finish]).model)
    expect(turn).toMatchObject({ text: 'Hi!', input: 10, tokens: 3, cached: 6, reasoned: 2 })
  }
  for (const version of ['v1', 'v9'])
    expect(() => fromAiSdk(fake(version).model)).toThrow(expect.objectContaining({ code: 'T3014' }))
})

test("the SDK's own types are taken as they are", () => {
  expectTypeOf<LanguageModelV2>().toExtend<AiSdkModel>()
  expectTypeOf<LanguageModelV3>().toExtend<AiSdkModel>()
  expectTypeOf<LanguageModelV4>().toExtend<AiSdkModel>()
})

test('a picture stands as each version wants it, and as a note where the model takes none', async () => {
  const picture = `data:image/png;base64,${'A'.repeat(164_000)}`
  const messages = [user('See', [picture])]
  const sent = async (version: string, images: boolean) => {
    const { model, asked } = fake(version, [...text('x'), finish3])
    await ask(model, { images }, { messages })
    return asked[0]?.prompt[0]?.content[1]
  }
  const base64 = 'A'.repeat(164_000)
  expect(await sent('v3', true)).toEqual({ type: 'file', mediaType: 'image/png', data: base64 })
  expect(await sent('v4', true)).toMatchObject({ data: { type: 'data', data: base64 } })
  const note = '[a picture, image/png, 123 kB, not shown: the model takes none]'
  expect(await sent('v4', false)).toEqual({ type: 'text', text: note })
})

test('settings become options; a record in the body is for the provider of that name', async () => {
  const { model, asked } = fake('v4', [...text('x'), finish3])
  const tools = [{ type: 'function' as const, function: { name: 'a.b', description: 'd', parameters: true } }]
  await ask(
    model,
    {},
    {
      tools,
      settings: {
        temperature: 0.5,
        maxTokens: 7,
        reasoning: 'high',
        toolChoice: { tool: 'a.b' },
        headers: { 'x-a': 'b' },
        body: { topP: 0.1, fake: { effort: 9 } },
      },
    },
  )
  const name = asked[0]?.tools?.[0]?.name
  expect(name).toMatch(/^a_b_[0-9a-z]{11}$/)
  expect(asked[0]).toMatchObject({
    temperature: 0.5,
    maxOutputTokens: 7,
    reasoning: 'high',
    toolChoice: { type: 'tool', toolName: name },
    headers: { 'x-a': 'b' },
    topP: 0.1,
    providerOptions: { fake: { effort: 9 } },
    tools: [{ inputSchema: { type: 'object' } }],
  })
})

test('a field of the body may bear any name', async () => {
  const { model, asked } = fake('v4', [...text('x'), finish3])
  const body = JSON.parse('{"__proto__":{"effort":9},"constructor":1}')
  await ask(model, {}, { settings: { body } })
  expect(JSON.stringify(asked[0]?.providerOptions)).toBe('{"__proto__":{"effort":9}}')
  expect(asked[0]).toMatchObject({ constructor: 1 })
})

test('the same request is asked with the same bytes', async () => {
  const { model, asked } = fake('v4', [...text('x'), finish3], [...text('x'), finish3])
  const more = { settings: { cache: true, temperature: 1, body: { b: 1, a: 2 } } }
  await ask(model, {}, more)
  await ask(model, {}, more)
  expect(JSON.stringify(asked[1])).toBe(JSON.stringify(asked[0]))
})

test('what cannot be had for now is asked for again before the first piece, as long as the server asks to wait', async () => {
  waits.length = 0
  const busy = apiError({ statusCode: 429, isRetryable: true, responseHeaders: { 'retry-after': '9' } })
  const { model, asked } = fake('v4', busy, new TypeError('fetch failed'), [...text('Hi'), finish3])
  expect(await ask(model)).toMatchObject({ text: 'Hi' })
  expect(asked).toHaveLength(3)
  expect(waits[0]).toBe(9000)
})

test.each([
  ['T3005', 400, apiError({ statusCode: 400, isRetryable: false })],
  ['T3006', 503, apiError({ statusCode: 503, isRetryable: true })],
  ['T3004', undefined, apiError({ isRetryable: true })],
])('an error is %s, with the status %s and its words', async (code, status, error) => {
  const { model } = fake('v4', error)
  const failed = ask(model, { tries: 1 })
  await expect(failed).rejects.toMatchObject({ code, ...(status ? { status } : {}) })
  await expect(failed).rejects.toThrow(/model 'm' of fake.chat .*no luck/)
})

test('an error does not hold the value of a header', async () => {
  const error = apiError({ statusCode: 400, message: 'bad header very-secret-value' })
  const failed = ask(fake('v4', error).model, {}, { settings: { headers: { 'x-key': 'very-secret-value' } } })
  await expect(failed).rejects.toThrow('bad header [secret]')
})

test.each([
  ['nothing of a finish', []],
  ['interrupted', [{ ...finish3, finishReason: { unified: 'interrupted', raw: undefined } }]],
  ['other, and no reason', [{ ...finish3, finishReason: { unified: 'other', raw: undefined } }]],
  ['unknown', [{ ...finish3, finishReason: 'unknown' }]],
])('a stream that ends with %s broke off', async (_, end) => {
  const { model, asked } = fake('v3', [...text('half'), ...end])
  await expect(ask(model)).rejects.toMatchObject({ code: 'T3008' })
  expect(asked).toHaveLength(1)
})

test('a false stops the turn, and so does the signal', async () => {
  let cancelled = false
  const endless = {
    ...fake('v4').model,
    doStream: async () => ({
      stream: new ReadableStream({
        pull: c => c.enqueue({ type: 'text-delta', id: '1', delta: 'x' }),
        cancel: () => void (cancelled = true),
      }),
    }),
  }
  const model = fromAiSdk(endless)
  let n = 0
  const turn = await model.turn(request(), () => ++n < 3, never)
  expect(turn).toMatchObject({ text: 'xxx', cut: 'stopped' })
  expect(cancelled).toBe(true)
  const stop = new AbortController()
  const hanging = fromAiSdk({ ...endless, doStream: () => new Promise<never>(() => {}) })
  const stopped = hanging.turn(request(), () => true, stop.signal)
  stop.abort()
  expect(await stopped).toMatchObject({ text: '', cut: 'stopped' })
})

test('blocks that are written in turns are parts of their own, and each goes back whole', async () => {
  const parts = [
    { type: 'text-start', id: 'a' },
    { type: 'text-start', id: 'b' },
    { type: 'text-delta', id: 'a', delta: 'A1' },
    { type: 'text-delta', id: 'b', delta: 'B1' },
    { type: 'text-delta', id: 'a', delta: 'A2' },
    { type: 'text-end', id: 'b', providerMetadata: { fake: { id: 'B' } } },
    finish3,
  ]
  const { model, asked } = fake('v4', parts, [...text('x'), finish3])
  const turn = await ask(model)
  expect(turn.text).toBe('A1B1A2')
  const said: Message = { ...user(''), ...turn, role: 'assistant', origin: { from: 'model', model: 'm' } }
  await ask(model, {}, { messages: [user('Q'), said] })
  expect(asked[1]?.prompt[1]?.content).toEqual([
    { type: 'text', text: 'A1A2' },
    { type: 'text', text: 'B1', providerOptions: { fake: { id: 'B' } } },
  ])
})

test('what the provider did itself, and files that it made, go back and are no calls of ours', async () => {
  const parts = [
    { type: 'tool-input-start', id: 's', toolName: 'web_search', providerExecuted: true },
    { type: 'tool-input-delta', id: 's', delta: '{}' },
    { type: 'tool-call', toolCallId: 's', toolName: 'web_search', input: '{}', providerExecuted: true },
    { type: 'tool-result', toolCallId: 's', toolName: 'web_search', result: [1], preliminary: true },
    { type: 'tool-result', toolCallId: 's', toolName: 'web_search', result: [1, 2] },
    { type: 'source', sourceType: 'url', id: 'u', url: 'https://example.com' },
    { type: 'file', mediaType: 'image/png', data: { type: 'data', data: new Uint8Array([1, 2, 3]) } },
    { type: 'custom', kind: 'fake.mark', providerMetadata: { fake: { x: 1 } } },
    ...text('Found.'),
    finish3,
  ]
  const { model, asked } = fake('v4', parts, [...text('x'), finish3])
  const pieces: TurnPiece[] = []
  const turn = await fromAiSdk(model).turn(request(), piece => pieces.push(piece) > 0, never)
  expect(turn.calls).toEqual([])
  expect(pieces).toEqual([{ kind: 'text', text: 'Found.' }])
  const stored = JSON.parse(JSON.stringify(turn))
  const said: Message = { ...user(''), ...stored, role: 'assistant', origin: { from: 'model', model: 'm' } }
  await ask(model, {}, { messages: [said] })
  expect(asked[1]?.prompt[0]?.content).toEqual([
    { type: 'tool-call', toolCallId: 's', toolName: 'web_search', input: {}, providerExecuted: true },
    { type: 'tool-result', toolCallId: 's', toolName: 'web_search', output: { type: 'json', value: [1, 2] } },
    { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AQID' } },
    { type: 'custom', kind: 'fake.mark', providerOptions: { fake: { x: 1 } } },
    { type: 'text', text: 'Found.' },
  ])
})

test('a warning is passed on once', async () => {
  const warned = {
    type: 'stream-start',
    warnings: [{ type: 'unsupported', feature: 'temperature', details: 'no' }],
  }
  const parts = [warned, ...text('x'), finish3]
  const warn = vi.fn()
  const model = fromAiSdk(fake('v4', parts, parts).model, { warn })
  for (let n = 0; n < 2; n++) await model.turn(request(), () => true, never)
  expect(warn.mock.calls).toEqual([['unsupported: temperature: no']])
})

test('the cost is at the price that is stated, cached tokens at theirs', async () => {
  const price = { input: 2, cached: 1, output: 10 }
  const turn = await ask(fake('v4', [...text('x'), finish3]).model, { price })
  expect(turn.cost).toBeCloseTo((4 * 2 + 6 * 1 + 3 * 10) / 1e6, 12)
})
