// How large a model's context window is, as its API lists it.
import type { Json } from '../define/records.ts'
import { type Api, addressOf, headersOf } from './api.ts'
import { apiClock } from './clock.ts'
import { count, type Fields, fields } from './json.ts'
import { watch } from './watch.ts'

/** The window of a model that is loaded, before the one that it could have: vLLM, OpenRouter, LM Studio, llama.cpp, Groq, Mistral, Gemini … */
const KEYS = [
  'loaded_context_length',
  'n_ctx',
  'max_model_len',
  'context_length',
  'context_window',
  'max_context_length',
  'max_context_window_tokens',
  'max_input_tokens',
  'inputTokenLimit',
  'input_token_limit',
  'n_ctx_train',
]
const INSIDE = ['top_provider', 'meta', 'metadata', 'limits', 'capabilities', 'model_info']

/** How long the list may take, in ms: it is worth no waiting. */
const PATIENCE = 5_000
/** After no answer at all, the list is not asked for again for this long, in ms. */
const AGAIN = 60_000

const asked = new Map<string, { window: Promise<number | undefined>; failedAt?: number }>()

/**
 * The context window of model `name` in tokens, as `api` lists it (GET /models). Asked once a model in this process,
 * whoever asks; 0 where the API does not say or does not answer (no answer is asked for again after a minute).
 * It never rejects.
 */
export async function windowOf(api: Api, name: string): Promise<number> {
  const now = (api.clock ?? apiClock).now()
  let key: string
  try {
    key = `${addressOf(api, 'models').href}\n${name}`
  } catch {
    return 0
  }
  let entry = asked.get(key)
  if (!entry || (entry.failedAt !== undefined && now - entry.failedAt >= AGAIN)) {
    const fresh: { window: Promise<number | undefined>; failedAt?: number } = {
      window: listed(api, name).catch(() => undefined),
    }
    entry = fresh
    asked.set(key, entry)
    void fresh.window.then(window => {
      if (window === undefined) fresh.failedAt = now
    })
  }
  return (await entry.window) ?? 0
}

/** What the list says: 0 where it does not name the model or its window, undefined where there is no list. */
async function listed(api: Api, name: string): Promise<number | undefined> {
  const url = addressOf(api, 'models')
  const headers = headersOf(api, url)
  const watching = watch(new AbortController().signal, PATIENCE)
  try {
    const send = api.fetch ?? fetch
    const asking = send(url.href, {
      headers: { accept: 'application/json', ...headers },
      redirect: 'manual',
      signal: watching.signal,
    })
    const reading = asking.then(async response => {
      if (response.ok) return (await response.json()) as Json
      await response.body?.cancel()
      return undefined
    })
    reading.catch(() => {})
    const answer = await Promise.race([reading, watching.given])
    return answer === undefined ? undefined : windowIn(answer, name)
  } finally {
    watching.end()
  }
}

function windowIn(answer: Json, name: string): number {
  const listing = fields(answer)
  const models = [answer, listing?.['data'], listing?.['models']].find(Array.isArray) ?? []
  const entries = models.map(fields).filter(model => model !== undefined)
  const called = (model: Fields) => [model['id'], model['name'], model['model']]
  const wanted = [name, `models/${name}`, `${name}:latest`]
  const found =
    entries.find(model => called(model).some(id => typeof id === 'string' && wanted.includes(id))) ??
    // A server of one model often takes any name for it.
    (entries.length === 1 ? entries[0] : undefined)
  return found ? windowOfEntry(found) : 0
}

function windowOfEntry(model: Fields, depth = 0): number {
  const inner = INSIDE.map(key => fields(model[key])).filter(value => value !== undefined)
  // What the provider that is asked first takes can be less than what the model could.
  for (const key of KEYS) {
    const sizes = [model, ...inner]
      .map(from => count(from[key]))
      .filter(size => size !== undefined && size > 0)
    if (sizes.length > 0) return Math.min(...(sizes as number[]))
  }
  if (depth < 2) {
    for (const value of inner) {
      const size = windowOfEntry(value, depth + 1)
      if (size > 0) return size
    }
  }
  return 0
}
