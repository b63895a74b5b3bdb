// An OpenAI-compatible API: where it is, what it is told with each request, and its address.

import type { Json, Price } from '../define/records.ts'
import { ToolwrightError } from '../errors.ts'
import type { Provider } from '../value/dialect.ts'
import type { ApiClock } from './clock.ts'

/** An OpenAI-compatible chat API and how to live with it. Only `url` is needed. */
export interface Api {
  /** The address that `/chat/completions` is added to: 'https://openrouter.ai/api/v1'. A query in it is kept. */
  url: string
  /** Sent as `authorization: Bearer KEY`, unless `headers` states an authorization of its own. */
  key?: string | undefined
  /** Further headers of each request. Their values are treated as secrets. */
  headers?: Record<string, string>
  /** In place of the global fetch. */
  fetch?: typeof fetch
  /**
   * Further fields of each request's body: temperature, max_tokens, reasoning_effort …
   * `stream_options: null` leaves that field out. `messages`, `tools` and `stream` cannot be replaced.
   */
  body?: Record<string, Json>
  /**
   * The `content` of an assistant message that only calls tools: `''` [empty], null, or none at all.
   * Ollama and LM Studio refuse null; some gateways are said to refuse `''`.
   */
  emptyContent?: 'empty' | 'null' | 'omit'
  /**
   * Which assistant messages take the reasoning along that this endpoint wrote for them, under the
   * key it came in: each [always], those with tool calls, or none.
   */
  reasoning?: 'always' | 'tools' | 'never'
  /** Sends the reasoning text under this key instead, with every message that {@link Api.reasoning} names, also where it is ''. */
  reasoningKey?: string
  /** It takes pictures [true]; false: a picture is told as a note with its type and size. */
  images?: boolean
  /** It takes a JSON-schema response format [true at api.openai.com and Azure OpenAI, else false]. */
  formats?: boolean
  /** US dollars a million tokens, for answers that do not say what they cost. */
  price?: Price
  /**
   * The field that takes the most tokens of a turn [max_completion_tokens at api.openai.com and Azure OpenAI,
   * max_tokens elsewhere].
   */
  maxTokens?: 'max_tokens' | 'max_completion_tokens'
  /** How tools are told: as this provider takes them. Left out: by the host, else `plain`. */
  dialect?: Provider
  /** Takes each different warning once: of a tool that cannot be told, say [console.warn]. */
  warn?: (warning: string) => void
  /** The field that takes how much to reason: `reasoning_effort`, or [at openrouter.ai] `reasoning: { effort }`. */
  effort?: 'reasoning_effort' | 'reasoning'
  /** How long the server may be silent, in ms [300,000: 5 minutes]; 0: for ever. */
  idle?: number
  /** How often one turn is asked for at most, the first time included [4]. */
  tries?: number
  clock?: ApiClock
}

/** The address of `path` under the API's. Throws T3003 where that is no http address. */
export function addressOf(api: Api, path: string): URL {
  let url: URL | undefined
  try {
    url = new URL(String(api.url).trim())
  } catch {
    // told below, without the text: it may hold a key
  }
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new ToolwrightError('T3003', 'the address of the model API is no http(s) address', {
      fix: 'State one such as http://localhost:11434/v1 (in AI_URL, or as the `url` of the API).',
    })
  }
  // People paste the whole address of the chat endpoint; the base is what is meant.
  const base = url.pathname.replace(/\/+$/, '').replace(/\/chat\/completions$/, '')
  url.pathname = `${base}/${path}`
  url.hash = ''
  return url
}

/** The headers of a request to the API. A user and password in the address become basic authorization, as fetch refuses them there. */
export function headersOf(api: Api, url: URL): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(api.headers ?? {})) headers[name.toLowerCase()] = value
  const key = api.key?.trim()
  // fetch would refuse it, as if the server could not be reached.
  if (key && /[^\x21-\x7e]/.test(key))
    throw new ToolwrightError('T3002', 'the key of a model API holds a character that no key has', {
      fix: 'Copy the key again, without quotation marks or anything around it (AI_API_KEY, or the `key` of the API).',
    })
  if (key) headers['authorization'] ??= `Bearer ${key}`
  if (url.username || url.password) {
    const user = new TextEncoder().encode(`${decoded(url.username)}:${decoded(url.password)}`)
    headers['authorization'] ??= `Basic ${btoa(String.fromCharCode(...user))}`
    url.username = ''
    url.password = ''
  }
  return headers
}

/** The text without its percent escapes, or as it is where they are none. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The address as people may see it: no user, no query. */
export function shownAddress(url: URL): string {
  return `${url.origin}${url.pathname}`
}
