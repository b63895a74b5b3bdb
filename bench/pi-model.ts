// The fake model and the tool of both ways to use `@earendil-works/pi-agent-core`. The fake fills its event stream at
// once; the schema is made with the package's own builders, as its README shows.
import type { AgentLoopConfig, AgentTool, StreamFn } from '@earendil-works/pi-agent-core'
import { type AssistantMessage, createAssistantMessageEventStream } from '@earendil-works/pi-ai'
import { num, obj } from '@earendil-works/pi-schema'
import { add, type Script, type Turn } from './work.ts'

export const llm: AgentLoopConfig['model'] = {
  id: 'scripted',
  name: 'scripted',
  api: 'bench',
  provider: 'bench',
  baseUrl: '',
  reasoning: false,
  input: ['text'],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 1_000_000,
  maxTokens: 100_000,
}

function messageOf(turn: Turn): AssistantMessage {
  return {
    role: 'assistant',
    // A model writes JSON; a provider of the package reads it once more as it grows, this one only once.
    content: turn.calls.map(({ id, arguments: json }) => ({
      type: 'toolCall',
      id,
      name: 'add',
      arguments: JSON.parse(json),
    })),
    api: llm.api,
    provider: llm.provider,
    model: llm.id,
    usage: {
      input: 1,
      output: 1,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 2,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    },
    stopReason: turn.calls.length > 0 ? 'toolUse' : 'stop',
    timestamp: Date.now(),
  }
}

export const streamOf =
  (script: Script): StreamFn =>
  (_model, context) => {
    const turn = script.next(() => JSON.stringify(context.messages))
    const message = messageOf(turn)
    const stream = createAssistantMessageEventStream()
    stream.push({ type: 'start', partial: message })
    if (turn.pieces.length > 0) {
      const part = { type: 'text' as const, text: '' }
      message.content.push(part)
      stream.push({ type: 'text_start', contentIndex: 0, partial: message })
      for (const delta of turn.pieces) {
        part.text += delta
        stream.push({ type: 'text_delta', contentIndex: 0, delta, partial: message })
      }
      stream.push({ type: 'text_end', contentIndex: 0, content: part.text, partial: message })
    }
    stream.push({ type: 'done', reason: turn.calls.length > 0 ? 'toolUse' : 'stop', message })
    return stream
  }

const parameters = obj({ a: num(), b: num() })
export const addTool: AgentTool<typeof parameters> = {
  name: 'add',
  label: 'Add',
  description: 'Adds two numbers',
  parameters,
  execute: async (_id, input) => ({
    content: [{ type: 'text', text: String(add(input)) }],
    details: undefined,
  }),
}
