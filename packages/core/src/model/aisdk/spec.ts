// The language model specification of the AI SDK (@ai-sdk/provider, versions 2, 3 and 4), as far as it is used here.
// Declared by shape, so that nothing has to be installed for it. Source: github.com/vercel/ai, packages/provider.
import type { Json, JsonSchema } from '../../define/records.ts'

/** Fields for a provider, under its name; what a provider sent with a part goes back to it as they are. */
export type ProviderFields = Record<string, Record<string, Json>>

/** A language model of the AI SDK: what `anthropic('…')`, `openai('…')` and the like give. */
export interface AiSdkModel {
  /** 'v2', 'v3' or 'v4'. */
  readonly specificationVersion: string
  /** 'anthropic.messages', 'openai.responses' … */
  readonly provider: string
  readonly modelId: string
  // A method, so that a model whose options are typed more closely fits.
  doStream(options: never): PromiseLike<{ stream: ReadableStream<unknown> }>
}

/** What `doStream` is asked. */
export interface CallOptions {
  prompt: PromptMessage[]
  tools?: FunctionTool[]
  toolChoice?: { type: 'auto' | 'none' | 'required' } | { type: 'tool'; toolName: string }
  temperature?: number
  maxOutputTokens?: number
  /** Version 4 only. */
  reasoning?: string
  responseFormat?: { type: 'json'; name: string; schema: JsonSchema }
  headers?: Record<string, string>
  providerOptions?: ProviderFields
  abortSignal: AbortSignal
}

export interface FunctionTool {
  type: 'function'
  name: string
  description: string
  inputSchema: JsonSchema
  providerOptions?: ProviderFields
}

export type PromptMessage = { providerOptions?: ProviderFields } & (
  | { role: 'system'; content: string }
  | { role: 'user'; content: (TextPart | FilePart)[] }
  | { role: 'assistant'; content: AssistantPart[] }
  | { role: 'tool'; content: ToolResultPart[] }
)

interface Part {
  providerOptions?: ProviderFields
}
export interface TextPart extends Part {
  type: 'text'
  text: string
}
export interface FilePart extends Part {
  type: 'file' | 'reasoning-file'
  mediaType: string
  /** Base64 as it is, or in version 4 `{ type: 'data', data }`; what a model made may stand under a URL. */
  data: string | { type: 'data'; data: string } | { type: 'url'; url: URL } | URL
}
export interface ReasoningPart extends Part {
  type: 'reasoning'
  text: string
}
export interface ToolCallPart extends Part {
  type: 'tool-call'
  toolCallId: string
  toolName: string
  input: Json
  providerExecuted?: boolean
}
export interface ToolResultPart extends Part {
  type: 'tool-result'
  toolCallId: string
  toolName: string
  output: { type: 'text'; value: string } | { type: 'json' | 'error-json'; value: Json }
}
export interface CustomPart extends Part {
  type: 'custom'
  kind: string
}
export type AssistantPart = TextPart | FilePart | ReasoningPart | ToolCallPart | ToolResultPart | CustomPart
