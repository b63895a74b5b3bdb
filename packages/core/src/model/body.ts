// The body of a request, as text. A message's text is made once and kept, so building a body is joining texts, and
// the same history gives the same bytes, which is what prompt caches go by.
import type { Call, FunctionObject, Json, Message, Request } from '../define/records.ts'
import type { Api } from './api.ts'
import { MARK, markedMessages, markedWire } from './cache.ts'
import { readEcho } from './echo.ts'
import { fields, parsed, wellFormed } from './json.ts'
import { hash, wireName } from './names.ts'
import { pictureNote } from './picture.ts'
import { offeredTools } from './provider.ts'
import { overlay, settingsFields } from './settings.ts'

/** What the wire texts of messages depend on. */
interface Manner {
  /** Which endpoint and model is asked: only what it wrote itself is sent back to it. */
  by: string
  emptyContent: 'empty' | 'null' | 'omit'
  reasoning: 'always' | 'tools' | 'never'
  reasoningKey: string | undefined
  images: boolean
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
    images: api.images ?? true,
  }
  const { settings } = request
  const functions = offeredTools(api, model, request.tools)
  const cache = settings?.cache ?? false
  const messages = messageTexts(request, manner, cache)
  const { stream_options: options, ...rest } = api.body ?? {}
  const head: Record<string, unknown> = {
    model,
    ...rest,
    ...settingsFields(api, { ...request, tools: functions }),
  }
  if (options !== null) head['stream_options'] = { include_usage: true, ...fields(options) }
  if (request.format) {
    const format = { name: wireName(request.format.name), schema: request.format.schema }
    head['response_format'] = { type: 'json_schema', json_schema: format }
  }
  overlay(head, settings?.body ?? {})
  if (head['stream_options'] === null) delete head['stream_options']
  delete head['messages']
  delete head['tools']
  head['stream'] = true
  const offered = functions.map((tool, n) => toolText(tool, cache && n === functions.length - 1))
  const listed = offered.length > 0 ? `,"tools":[${offered.join()}]` : ''
  return `${JSON.stringify(head).slice(0, -1)},"messages":[${messages.join()}]${listed}}`
}

/** The messages as they go over the wire. */
function messageTexts({ instructions, messages }: Request, manner: Manner, cache: boolean): string[] {
  const texts = textsOf(manner)
  const marked = cache ? markedMessages(messages) : undefined
  const told: string[] = []
  if (instructions !== '') {
    const system = { role: 'system', content: wellFormed(instructions) }
    told.push(JSON.stringify(cache ? markedWire(system) : system))
  }
  for (const message of messages) {
    const text = marked?.has(message) ? markedText(message, manner) : keptText(message, manner, texts)
    if (text !== '') told.push(text)
  }
  return told
}

function keptText(message: Message, manner: Manner, texts: WeakMap<Message, string>): string {
  let text = texts.get(message)
  if (text === undefined) {
    const wire = messageWire(message, manner)
    text = wire ? JSON.stringify(wire) : ''
    texts.set(message, text)
  }
  return text
}

/** Not kept: the mark moves on with each turn. */
function markedText(message: Message, manner: Manner): string {
  const wire = messageWire(message, manner)
  return wire ? JSON.stringify(markedWire(wire)) : ''
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

function toolText(tool: FunctionObject, marked: boolean): string {
  let text = toolTexts.get(tool)
  if (text === undefined) {
    const { name, description, parameters, ...more } = tool.function
    const told = { name: wireName(name), description: wellFormed(description), parameters, ...more }
    text = JSON.stringify({ type: 'function', function: told })
    toolTexts.set(tool, text)
  }
  return marked ? `${text.slice(0, -1)},${JSON.stringify(MARK).slice(1)}` : text
}

/** One message as it goes over the wire; undefined where it says nothing. */
function messageWire(message: Message, manner: Manner): Record<string, Json> | undefined {
  if (message.role === 'assistant') return assistant(message, manner)
  if (message.role === 'tool')
    return { role: 'tool', tool_call_id: message.call, content: wellFormed(message.text) }
  return { role: message.role, content: contentOf(message, manner.images) }
}

function contentOf(message: Message, images: boolean): Json {
  const text = wellFormed(message.text)
  if (!message.images?.length) return text
  if (!images)
    return [text, ...message.images.map(image => pictureNote(image))].filter(line => line !== '').join('\n')
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
