import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Request } from '../define/records.ts'
import type { Api } from './api.ts'
import { endpoint, served } from './endpoint.ts'
import { modelOf } from './model.ts'
import { says, scripted } from './scripted.ts'
import { windowOf } from './window.ts'

const request: Request = { instructions: '', messages: [], tools: [], answer: false }
const idle = new AbortController().signal
const OK = 'data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'

beforeEach(() => {
  for (const name of ['AI_URL', 'AI_API_KEY', 'AI_MODEL']) vi.stubEnv(name, '')
})
afterEach(() => {
  vi.unstubAllEnvs()
})

/** A fetch that answers turns and lists of models, and keeps what it was asked. */
function server(models: unknown) {
  const asked: string[] = []
  const keys: unknown[] = []
  const fake: typeof fetch = async (url, init) => {
    asked.push(String(url))
    keys.push(new Headers(init?.headers).get('authorization'))
    if (!String(url).includes('/models')) return new Response(OK)
    return models instanceof Error ? Promise.reject(models) : Response.json(models)
  }
  return { asked, keys, fetch: fake }
}

describe('endpoint', () => {
  test('is the model of AI_MODEL at AI_URL, with AI_API_KEY', async () => {
    vi.stubEnv('AI_URL', 'https://api.example.com/v1')
    vi.stubEnv('AI_API_KEY', 'sk-1')
    vi.stubEnv('AI_MODEL', 'my/model')
    const { asked, keys, fetch } = server([])
    const model = endpoint(undefined, { fetch, window: 5 })
    expect(model.name).toBe('my/model')
    expect(await model.turn(request, () => true, idle)).toMatchObject({ text: 'Hi', window: 5 })
    expect(asked).toEqual(['https://api.example.com/v1/chat/completions'])
    expect(keys).toEqual(['Bearer sk-1'])
  })

  test('is at OpenRouter where AI_URL is unset', async () => {
    vi.stubEnv('AI_API_KEY', 'sk-1')
    const { asked, fetch } = server([])
    await endpoint('openai/gpt-5', { fetch, window: 0 }).turn(request, () => true, idle)
    expect(asked).toEqual(['https://openrouter.ai/api/v1/chat/completions'])
  })

  test('names the variable that is missing', () => {
    expect(() => endpoint()).toThrow(/T3001.*\n.*AI_MODEL/)
    expect(() => endpoint('openai/gpt-5')).toThrow(/T3002.*openrouter\.ai.*AI_API_KEY is not set/)
    vi.stubEnv('AI_URL', 'nonsense')
    expect(() => endpoint('m')).toThrow(/T3003.*\n.*AI_URL/)
  })

  test('needs no key on this computer or over plain http, but does over https', () => {
    for (const url of [
      'http://localhost:11434/v1',
      'https://127.0.0.1:8000',
      'https://[::1]:1/v1',
      'http://gpu-box:8000/v1',
    ]) {
      vi.stubEnv('AI_URL', url)
      expect(endpoint('m').name).toBe('m')
    }
    for (const url of ['https://api.example.com/v1', 'https://localhost.example.com']) {
      vi.stubEnv('AI_URL', url)
      expect(() => endpoint('m')).toThrow('T3002')
    }
  })

  test('never sends AI_API_KEY to an address that code states', async () => {
    vi.stubEnv('AI_API_KEY', 'sk-1')
    const { keys, fetch } = server([])
    await endpoint('m', { url: 'http://localhost:1/v1', fetch, window: 0 }).turn(request, () => true, idle)
    expect(keys).toEqual([null])
    expect(() => endpoint('m', { url: 'https://api.example.com/v1' })).toThrow('no `key` was given')
  })
})

describe('served', () => {
  test('asks for its API at each turn; a failure fails that turn only', async () => {
    const { fetch } = server([])
    let n = 0
    const model = served('Shown', 'id', 9, async () => {
      if (++n === 1) throw new Error('signed out')
      return { url: 'http://localhost:1', fetch }
    })
    await expect(model.turn(request, () => true, idle)).rejects.toThrow(
      "T3013: the API of model 'Shown' could not be had: signed out",
    )
    expect(await model.turn(request, () => true, idle)).toMatchObject({ text: 'Hi', window: 9 })
  })

  test('a stop does not wait for an API that never comes', async () => {
    const stop = new AbortController()
    const turn = served('m', 'm', 0, () => new Promise<Api>(() => {})).turn(request, () => true, stop.signal)
    stop.abort()
    expect(await turn).toMatchObject({ text: '', cut: 'stopped' })
  })

  test('reads the window at the first turn where it is -1, and asks once', async () => {
    const { asked, fetch } = server({ data: [{ id: 'm', context_length: 4096 }] })
    const model = served('m', 'm', -1, () => ({ url: 'http://served.example/v1', fetch }))
    for (let n = 0; n < 3; n++)
      expect(await model.turn(request, () => true, idle)).toMatchObject({ window: 4096 })
    expect(asked.filter(url => url.endsWith('/models'))).toEqual(['http://served.example/v1/models'])
  })
})

describe('windowOf', () => {
  let n = 0
  const windowIn = (models: unknown, name = 'm') =>
    windowOf({ url: `http://host${n++}.example/v1`, fetch: server(models).fetch }, name)
  const other = { id: 'other', context_length: 1 }

  test.each([
    [
      'OpenRouter',
      { data: [other, { id: 'm', context_length: 200_000, top_provider: { context_length: 131_072 } }] },
      131_072,
    ],
    ['vLLM', { data: [{ id: 'm', max_model_len: 32_768 }] }, 32_768],
    ['Groq', { data: [other, { id: 'm', context_window: 131_072 }] }, 131_072],
    ['Mistral', { data: [other, { id: 'm', max_context_length: 40_000 }] }, 40_000],
    [
      'LM Studio',
      { data: [other, { id: 'm', max_context_length: 40_000, loaded_context_length: 8_192 }] },
      8_192,
    ],
    [
      'llama.cpp, of one model by any name',
      { data: [{ id: '/models/x.gguf', meta: { n_ctx_train: 40_960 } }] },
      40_960,
    ],
    ['a bare list, with a text for the number', [other, { id: 'm', n_ctx: '2048' }], 2_048],
    ['Gemini', { models: [other, { name: 'models/m', inputTokenLimit: 1_048_576 }] }, 1_048_576],
    ['one that does not say', { data: [other, { id: 'm' }] }, 0],
    ['one that does not know it', { data: [other, { id: 'x', context_length: 5 }] }, 0],
    ['one that answers with something else', 'nonsense', 0],
  ])('%s', async (_, models, size) => {
    expect(await windowIn(models)).toBe(size)
  })

  test('those who ask at once share one request, and those who ask later its answer', async () => {
    const { asked, fetch } = server({
      data: [
        { id: 'm', context_length: 7 },
        { id: 'k', context_length: 8 },
      ],
    })
    const api = { url: 'http://shared.example/v1', fetch }
    expect(await Promise.all([windowOf(api, 'm'), windowOf({ ...api }, 'm'), windowOf(api, 'k')])).toEqual([
      7, 7, 8,
    ])
    expect(await windowOf(api, 'm')).toBe(7)
    expect(asked).toHaveLength(2)
  })

  test('no answer is 0, and asked for again after a minute', async () => {
    let now = 0
    const { asked, fetch } = server(new Error('down'))
    const api: Api = {
      url: 'http://down.example/v1',
      fetch,
      clock: { now: () => now, sleep: async () => {} },
    }
    expect(await windowOf(api, 'm')).toBe(0)
    now = 59_000
    expect(await windowOf(api, 'm')).toBe(0)
    expect(asked).toHaveLength(1)
    now = 60_000
    expect(await windowOf(api, 'm')).toBe(0)
    expect(asked).toHaveLength(2)
    expect(await windowOf({ url: 'no address' }, 'm')).toBe(0)
  })
})

describe('modelOf', () => {
  test('a model is itself, a text the endpoint of that name, made at its first turn', async () => {
    const model = scripted([says('x')])
    expect(modelOf(model)).toBe(model)
    const named = modelOf('openai/gpt-5')
    expect(named.name).toBe('openai/gpt-5')
    await expect(named.turn(request, () => true, idle)).rejects.toThrow('AI_API_KEY')
  })

  test('anything else is refused', () => {
    for (const wrong of ['', ' ', null, {}, 5]) expect(() => modelOf(wrong as string)).toThrow('T3014')
  })
})
