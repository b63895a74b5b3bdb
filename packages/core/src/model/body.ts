// The body of a request, as text. A message's text is made once and kept, so building a body is joining texts, and
// the same history gives the same bytes, which is what prompt caches go by.
import type { Call, FunctionObject, Json, Message, Request } from '../define/records.ts'
import type { Api } from './api.ts'
import { readEcho } from './echo.ts'
import { fields, parsed } from './json.ts'
import { hash, wireName } from './names.ts'

/** What the wire texts of messages depend on. */
interface Manner {
  /** Which endpoint and model is asked: only what it wrote itself is sent back to it. */
  by: string
  emptyContent: 'empty' | 'null' | 'omit'
  reasoning: 'always' | 'tools' | 'never'
  reasoningKey: string | undefined
}

/** Names an endpoint and model in stored messages. A hash, as an address may hold what nobody should store. */
export function endpointMark(url: URL, model: string): string {
  return hash(`${url.origin}${url.pathname}\n${model}`)
}

/** The request of one streamed turn of `model`. */
export function bodyOf(api: Api, by: string, model: string, request: Request): string {
  const manner: Manner = {
    by,
    emptyContent: api.emptyContent ?? 'empty',
    reasoning: api.reasoning ?? 'always',
    reasoningKey: api.reasoningKey,
  }
  const texts = textsOf(manner)
  const messages: string[] = []
  if (request.instructions !== '')
    messages.push(JSON.stringify({ role: 'system', content: wellFormed(request.instructions) }))
  for (const message of request.messages) {
    let text = texts.get(message)
    if (text === undefined) {
      text = messageText(message, manner)
      texts.set(message, text)
    }
    if (text !== '') messages.push(text)
  }
  const { stream_options: options, ...rest } = api.body ?? {}
  const head: Record<string, unknown> = { model, ...rest }
  delete head['messages']
  delete head['tools']
  head['stream'] = true
  if (options !== null) head['stream_options'] = { include_usage: true, ...fields(options) }
  if (request.format) {
    const format = { name: wireName(request.format.name), schema: request.format.schema }
    head['response_format'] = { type: 'json_schema', json_schema: format }
  }
  const tools = request.tools.length > 0 ? `,"tools":[${request.tools.map(toolText).join()}]` : ''
  return `${JSON.stringify(head).slice(0, -1)},"messages":[${messages.join()}]${tools}}`
}

/** The texts of messages, one table for each manner; the oldest table is dropped where there are many. */
const tables = new Map<string, WeakMap<Message, string>>()

function textsOf(manner: Manner): WeakMap<Message, string> {
  const key = JSON.stringify(manner)
  let table = tables.get(key)
  if (!table) {
    const oldest = tables.size >= 64 ? tables.keys().next().value : undefined
    if (oldest !== undefined) tables.delete(oldest)
    table = new WeakMap()
    tables.set(key, table)
  }
  return table
}

const toolTexts = new WeakMap<FunctionObject, string>()

function toolText(tool: FunctionObject): string {
  let text = toolTexts.get(tool)
  if (text === undefined) {
    const { name, description, parameters, ...more } = tool.function
    const told = { name: wireName(name), description: wellFormed(description), parameters, ...more }
    text = JSON.stringify({ type: 'function', function: told })
    toolTexts.set(tool, text)
  }
  return text
}

/** One message as it goes over the wire; '' where it says nothing. */
function messageText(message: Message, manner: Manner): string {
  const wire =
    message.role === 'assistant'
      ? assistant(message, manner)
      : message.role === 'tool'
        ? { role: 'tool', tool_call_id: message.call, content: wellFormed(message.text) }
        : { role: message.role, content: contentOf(message) }
  return wire ? JSON.stringify(wire) : ''
}

function contentOf(message: Message): Json {
  const text = wellFormed(message.text)
  if (!message.images?.length) return text
  const pictures = message.images.map(url => ({ type: 'image_url', image_url: { url } }))
  return text === '' ? pictures : [{ type: 'text', text }, ...pictures]
}

function assistant(message: Message, manner: Manner): Record<string, Json> | undefined {
  const { details, echo } = readEcho(message)
  // What no endpoint of ours marked was put there by hand, to be sent.
  const own = echo === undefined || echo.by === manner.by
  const takes = manner.reasoning === 'always' || (manner.reasoning === 'tools' && message.calls.length > 0)
  const text = wellFormed(message.text)
  const reasoning = wellFormed(message.reasoning)
  const extra: Record<string, Json> = {}
  let content: Json = text
  if (takes && own) {
    let from = 0
    for (const [key, size] of Object.entries(
      echo?.lists ?? (details.length > 0 ? { reasoning_details: details.length } : {}),
    )) {
      extra[key] = details.slice(from, from + size) as Json[]
      from += size
    }
    if (manner.reasoningKey === undefined) {
      for (const [key, value] of Object.entries(echo?.keys ?? {}))
        extra[key] = value === true ? reasoning : wellFormed(value)
      if (echo?.think) content = `${echo.think[0]}${reasoning}${echo.think[1]}${text}`
      if (echo?.part) content = withPart(reasoning, text)
    }
  }
  if (takes && manner.reasoningKey !== undefined) extra[manner.reasoningKey] = reasoning
  if (own) Object.assign(extra, echo?.fields)
  const calls = message.calls.map(call => callOf(call, own))
  const silent = content === '' && calls.length === 0 && Object.values(extra).every(value => value === '')
  // An assistant that neither says nor calls anything is an error for several servers, at every later turn.
  if (silent) return undefined
  const wire: Record<string, Json> = { role: 'assistant' }
  if (content !== '' || calls.length === 0 || manner.emptyContent === 'empty') wire['content'] = content
  else if (manner.emptyContent === 'null') wire['content'] = null
  Object.assign(wire, extra)
  if (calls.length > 0) wire['tool_calls'] = calls
  return wire
}

function withPart(reasoning: string, text: string): Json {
  const part: Json = { type: 'thinking', thinking: [{ type: 'text', text: reasoning }] }
  return text === '' ? [part] : [part, { type: 'text', text }]
}

function callOf(call: Call, own: boolean): Json {
  const { function: inFunction, ...extra } = own ? (call.extra ?? {}) : {}
  const fn = { ...fields(inFunction), name: wireName(call.tool), arguments: argumentsOf(call.arguments) }
  return { ...extra, id: call.id, type: 'function', function: fn }
}

/**
 * The arguments as they go back: as the model wrote them, but always the text of a JSON object. Several servers parse
 * the whole history and refuse every later turn for one call that was cut or garbled.
 */
function argumentsOf(text: string): string {
  if (text.trim() === '' || text.trim() === 'null') return '{}'
  return fields(parsed(text)) ? text : JSON.stringify({ unparsed: wellFormed(text) })
}

/** Half a surrogate pair is no Unicode: strict servers refuse the whole request for it. */
function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed()
}
