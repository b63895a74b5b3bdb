// A request as an AI SDK model is asked it.
import type { Json, JsonSchema, Message, Request } from '../../define/records.ts'
import { setField } from '../../value/json.ts'
import { markedMessages } from '../cache.ts'
import { fields, wellFormed } from '../json.ts'
import { wireName } from '../names.ts'
import { pictureData, pictureNote } from '../picture.ts'
import { assistantParts, fileData } from './kept.ts'
import type { CallOptions, FilePart, FunctionTool, PromptMessage, ProviderFields, TextPart } from './spec.ts'

/** What the prompt depends on beside the request. */
export interface Manner {
  /** Which model is asked: {@link modelMark}. */
  by: string
  /** The version of the specification. */
  version: string
  images: boolean
}

/** Anthropic wants marks; every other provider passes over them. */
const MARK: ProviderFields = { anthropic: { cacheControl: { type: 'ephemeral' } } }

/** The options of `doStream` for a request, but for the signal. */
export function optionsOf(request: Request, manner: Manner): Omit<CallOptions, 'abortSignal'> {
  const { settings, format, tools } = request
  const { temperature, maxTokens, reasoning, toolChoice, headers, body, cache = false } = settings ?? {}
  const options: Omit<CallOptions, 'abortSignal'> = { prompt: promptOf(request, manner, cache) }
  if (tools.length > 0) options.tools = tools.map((tool, n) => toolOf(tool, cache && n === tools.length - 1))
  if (toolChoice !== undefined && tools.length > 0) {
    if (typeof toolChoice === 'string') options.toolChoice = { type: toolChoice }
    else if (tools.some(tool => tool.function.name === toolChoice.tool))
      options.toolChoice = { type: 'tool', toolName: wireName(toolChoice.tool) }
  }
  if (temperature !== undefined) options.temperature = temperature
  if (maxTokens !== undefined) options.maxOutputTokens = maxTokens
  if (reasoning !== undefined && manner.version === 'v4') options.reasoning = reasoning
  if (headers) options.headers = { ...headers }
  if (format) options.responseFormat = { type: 'json', name: wireName(format.name), schema: format.schema }
  // A record is for the provider of that name; anything else is an option of the call, such as topP or seed.
  const providers: ProviderFields = {}
  const others: Record<string, Json> = {}
  for (const [name, value] of Object.entries(body ?? {})) {
    if (fields(value)) setField(providers, name, value)
    else setField(others, name, value)
  }
  if (Object.keys(providers).length > 0) options.providerOptions = providers
  return { ...options, ...others }
}

function toolOf(
  { function: { name, description, parameters } }: Request['tools'][number],
  marked: boolean,
): FunctionTool {
  const inputSchema: JsonSchema = typeof parameters === 'boolean' ? { type: 'object' } : parameters
  const tool = {
    type: 'function' as const,
    name: wireName(name),
    description: wellFormed(description),
    inputSchema,
  }
  return marked ? { ...tool, providerOptions: MARK } : tool
}

/** Results of one turn are one message, as some providers want as many results as there were calls, at once. */
function promptOf({ instructions, messages }: Request, manner: Manner, cache: boolean): PromptMessage[] {
  const prompt: PromptMessage[] = []
  const marked = cache ? markedMessages(messages) : undefined
  const tools = new Map<string, string>()
  if (instructions !== '') prompt.push({ role: 'system', content: wellFormed(instructions) })
  for (const message of messages) {
    const last = prompt.at(-1)
    if (message.role === 'tool') {
      const output = { type: 'text' as const, value: wellFormed(message.text) }
      // A result whose call is gone still has to name a tool.
      const toolName = wireName(tools.get(message.call) ?? 'unknown')
      const part = { type: 'tool-result' as const, toolCallId: message.call, toolName, output }
      if (last?.role === 'tool') last.content.push(part)
      else prompt.push({ role: 'tool', content: [part] })
    } else if (message.role === 'assistant') {
      for (const call of message.calls) tools.set(call.id, call.tool)
      const content = assistantParts(message, manner.by, manner.version)
      if (content.length > 0) prompt.push({ role: 'assistant', content })
    } else if (message.role === 'system' && (!last || last.role === 'system'))
      prompt.push({ role: 'system', content: wellFormed(message.text) })
    // Not every provider takes a system message further on.
    else prompt.push({ role: 'user', content: userParts(message, manner) })
    if (marked?.has(message)) mark(prompt)
  }
  if (cache && prompt[0]?.role === 'system') prompt[0].providerOptions = MARK
  return prompt
}

function mark(prompt: PromptMessage[]): void {
  const last = prompt.at(-1)
  if (last) last.providerOptions = MARK
}

function userParts(message: Message, { images, version }: Manner): (TextPart | FilePart)[] {
  const parts: (TextPart | FilePart)[] = []
  const say = (text: string) => parts.push({ type: 'text', text: wellFormed(text) })
  if (message.text !== '' || !message.images?.length) say(message.text)
  for (const url of message.images ?? []) {
    const data = images ? pictureData(url) : undefined
    if (data) parts.push({ type: 'file', mediaType: data.type, data: fileData(data.base64, version) })
    else say(pictureNote(url))
  }
  return parts
}
