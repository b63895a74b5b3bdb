// The parts of an AI SDK model's turn in their order, as they are kept with the message and sent back: a signature
// holds for its part, and reasoning belongs to what follows it. They stand in the one entry of `details` that every
// other endpoint passes over.
import type { Call, Json, Message } from '../../define/records.ts'
import { type Echo, echoEntry, readEcho } from '../echo.ts'
import { fields, parsed, wellFormed } from '../json.ts'
import { hash, wireName } from '../names.ts'
import type { AiSdkModel, AssistantPart, FilePart, ProviderFields } from './spec.ts'

/** A part as it is kept. */
export type Kept = {
  options?: ProviderFields
} /** Where it stands in the message's text or reasoning: from this character to that. */ & (
  | { type: 'text' | 'reasoning'; from: number; to: number }
  /** A block that was written in turns with another. */
  | { type: 'text' | 'reasoning'; text: string }
  /** One of the message's calls. */
  | { type: 'call'; id: string }
  /** A call that the provider made and answered itself. */
  | { type: 'theirs'; id: string; tool: string; input: Json }
  | { type: 'result'; id: string; tool: string; value: Json; failed?: true }
  | { type: 'file' | 'reasoning-file'; mediaType: string; base64: string }
  | { type: 'file' | 'reasoning-file'; mediaType: string; url: string }
  | { type: 'custom'; kind: string }
)

/** Names an AI SDK model in stored messages: what it wrote is sent back to it alone. */
export function modelMark(model: AiSdkModel): string {
  return hash(`ai-sdk\n${model.provider}\n${model.modelId}`)
}

/** The entry of `details` that keeps `parts`, which are of a text and a reasoning of these lengths. */
export function keptEntry(by: string, parts: readonly Kept[], lengths: NonNullable<Echo['lengths']>): Json {
  return echoEntry({ by, parts: parts as unknown as Json[], lengths })
}

/** An assistant message as parts: as it was written where the model `by` wrote it, else its text and calls. */
export function assistantParts(message: Message, by: string, version: string): AssistantPart[] {
  const kept = keptOf(message, by)
  const calls = new Map(message.calls.map(call => [call.id, call]))
  const parts: AssistantPart[] = []
  for (const part of whole(kept ?? [], calls)) {
    if (part.type === 'call') {
      parts.push(callPart(calls.get(part.id)!, true))
      calls.delete(part.id)
    } else parts.push(partOf(part, message, version))
  }
  if (!kept && message.text !== '') parts.push({ type: 'text', text: wellFormed(message.text) })
  for (const call of calls.values()) parts.push(callPart(call, kept !== undefined))
  return parts
}

/** The parts that are kept with the message; undefined where another model wrote it, or it was changed since. */
function keptOf(message: Message, by: string): readonly Kept[] | undefined {
  const { echo } = readEcho(message)
  if (echo?.by !== by || !echo.parts || !echo.lengths) return undefined
  const kept = echo.parts as unknown as readonly Kept[]
  if (echo.lengths.reasoning !== message.reasoning.length) return undefined
  if (echo.lengths.text === message.text.length) return kept
  // A text that was changed, as one that looks like a marker is, can stand for its only part and for no other.
  if (kept.filter(part => part.type === 'text').length > 1) return undefined
  return kept.map(part => (part.type === 'text' ? { ...part, from: 0, to: message.text.length } : part))
}

/**
 * Without the calls that have left the message (a handoff's), and without reasoning that nothing of what it led to is
 * left of: several providers refuse reasoning that stands alone.
 */
function whole(kept: readonly Kept[], calls: ReadonlyMap<string, Call>): Kept[] {
  const told: Kept[] = []
  let reasoning: Kept[] = []
  let led = false
  for (const part of kept) {
    if (part.type === 'reasoning' || part.type === 'reasoning-file') {
      if (led) reasoning = []
      led = false
      reasoning.push(part)
    } else {
      led = true
      if (part.type === 'call' && !calls.has(part.id)) continue
      told.push(...reasoning, part)
      reasoning = []
    }
  }
  return told
}

function partOf(part: Exclude<Kept, { type: 'call' }>, message: Message, version: string): AssistantPart {
  const more = part.options ? { providerOptions: part.options } : {}
  switch (part.type) {
    case 'text':
    case 'reasoning': {
      const text = 'to' in part ? message[part.type].slice(part.from, part.to) : part.text
      return { type: part.type, text: wellFormed(text), ...more }
    }
    case 'theirs': {
      const { id, tool, input } = part
      return { type: 'tool-call', toolCallId: id, toolName: tool, input, providerExecuted: true, ...more }
    }
    case 'result': {
      const output = { type: part.failed ? ('error-json' as const) : ('json' as const), value: part.value }
      return { type: 'tool-result', toolCallId: part.id, toolName: part.tool, output, ...more }
    }
    case 'custom':
      return { type: 'custom', kind: part.kind, ...more }
    default: {
      const data = 'url' in part ? fileUrl(part.url, version) : fileData(part.base64, version)
      return { type: part.type, mediaType: part.mediaType, data, ...more }
    }
  }
}

/** The data of a file, as the version of the specification wants it. */
export function fileData(base64: string, version: string): FilePart['data'] {
  return version === 'v4' ? { type: 'data', data: base64 } : base64
}

function fileUrl(url: string, version: string): FilePart['data'] {
  return version === 'v4' ? { type: 'url', url: new URL(url) } : new URL(url)
}

/** Arguments that are no record (cut, or garbled) go back as one all the same: no provider takes anything else. */
function callPart(call: Call, own: boolean): AssistantPart {
  const blank = call.arguments.trim() === ''
  const read = blank ? {} : fields(parsed(call.arguments))
  const input = (read ?? { unparsed: wellFormed(call.arguments) }) as Json
  const options = own ? fields(call.extra?.['providerMetadata']) : undefined
  return {
    type: 'tool-call',
    toolCallId: call.id,
    toolName: wireName(call.tool),
    input,
    ...(options ? { providerOptions: options as ProviderFields } : {}),
  }
}
