// Models of OpenAI-compatible APIs: the one that the environment names, and any that code names.
import type { Model, Turn } from '../define/records.ts'
import { ToolwrightError } from '../errors.ts'
import { type Api, addressOf } from './api.ts'
import { isOpenAi } from './settings.ts'
import { streamed } from './streamed.ts'
import { windowOf } from './window.ts'

const OPENROUTER = 'https://openrouter.ai/api/v1'

/** What an endpoint may state beside its model: any setting of {@link Api}, and the context window in tokens [-1: read from the API]. */
export type EndpointOptions = Partial<Api> & { window?: number }

/**
 * The model `model` (default: AI_MODEL) of the OpenAI-compatible API at AI_URL with the key AI_API_KEY; OpenRouter
 * where AI_URL is unset. The environment is read now. Throws T3001 where no model is named, T3002 where a key is
 * needed and there is none, T3003 where the address is none.
 */
export function endpoint(model?: string, options: EndpointOptions = {}): Model {
  const { window = -1, ...settings } = options
  const id = model?.trim() || variable('AI_MODEL')
  const url = options.url ?? (variable('AI_URL') || OPENROUTER)
  const key = options.key ?? (options.url === undefined ? variable('AI_API_KEY') : '')
  const api: Api = { ...settings, url, key }
  const address = addressOf(api, '')
  if (!id) {
    throw new ToolwrightError('T3001', 'no model is named', {
      fix: "Set AI_MODEL, or name one: endpoint('openai/gpt-5').",
    })
  }
  if (!key && needsKey(api, address)) {
    const missing = options.url === undefined ? 'AI_API_KEY is not set' : 'no `key` was given'
    throw new ToolwrightError('T3002', `the API at ${address.origin} needs a key, and ${missing}`, {
      fix: 'Set AI_API_KEY (or `key`); where the API needs none, to any word. A local server is named by AI_URL.',
    })
  }
  return served(id, id, window, () => api, { ...api, formats: api.formats ?? isOpenAi(api) })
}

/**
 * Model `id` of the API that `api` gives, shown as `name`. `api` is asked at each turn, because a key may expire:
 * what it throws fails that turn with why (T3013), and the next turn asks it again. `window` is the context window in
 * tokens; 0: unknown; -1: read from the API at the first turn, beside that turn. `facts` says what is known of the
 * model before its API is: whether it takes pictures, whether it takes a response format, and its price.
 */
export function served(
  name: string,
  id: string,
  window: number,
  api: () => Api | Promise<Api>,
  { images, formats, price }: Pick<Model, 'images' | 'formats' | 'price'> = {},
): Model {
  const facts = {
    ...(images === undefined ? {} : { images }),
    ...(formats === undefined ? {} : { formats }),
    ...(price === undefined ? {} : { price }),
  }
  return {
    name,
    ...facts,
    async window() {
      if (window >= 0) return window
      const asked = await apiOf(name, api, new AbortController().signal).catch(() => undefined)
      return asked ? await windowOf(asked, id) : 0
    },
    async turn(request, each, signal) {
      const asked = await apiOf(name, api, signal)
      if (!asked) return stopped(window)
      const given = { ...facts, ...asked }
      if (window >= 0) return streamed(given, id, window, request, each, signal)
      const size = windowOf(given, id)
      const turn = await streamed(given, id, 0, request, each, signal)
      return signal.aborted || turn.cut === 'stopped' ? turn : { ...turn, window: await size }
    },
  }
}

/** The API for this turn; undefined where the turn is stopped before there is one. */
async function apiOf(
  name: string,
  api: () => Api | Promise<Api>,
  signal: AbortSignal,
): Promise<Api | undefined> {
  if (signal.aborted) return undefined
  const { promise: aborted, resolve } = Promise.withResolvers<undefined>()
  const stop = () => resolve(undefined)
  signal.addEventListener('abort', stop)
  try {
    return await Promise.race([api(), aborted])
  } catch (error) {
    if (error instanceof ToolwrightError) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new ToolwrightError('T3013', `the API of model '${name}' could not be had: ${why}`, {
      fix: 'The next turn asks for it again.',
    })
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

function stopped(window: number): Turn {
  return {
    text: '',
    reasoning: '',
    calls: [],
    details: [],
    tokens: 0,
    input: 0,
    window: Math.max(window, 0),
    cut: 'stopped',
  }
}

/**
 * An API on the internet needs a key; a server on this computer, or one of an own network, spoken to in plain http,
 * does not. A header or an address that holds a secret stands for a key.
 */
function needsKey(api: Api, address: URL): boolean {
  if (address.protocol === 'http:' || isLoopback(address.hostname)) return false
  return Object.keys(api.headers ?? {}).length === 0 && address.password === '' && address.search === ''
}

function isLoopback(host: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)$/i.test(host)
}

/** A variable of the environment, '' where it is unset or where there is no environment. */
function variable(name: string): string {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
  return process?.env?.[name]?.trim() ?? ''
}
