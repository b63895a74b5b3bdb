// `langchain` with `@langchain/langgraph`: createAgent, streamed with streamMode 'messages' (its way to get tokens).
// Best configuration: no tracer (environment.ts), no checkpointer, no middleware; the recursion limit is lifted.
// Callbacks run in the foreground (LANGCHAIN_CALLBACKS_BACKGROUND=false): by default they lag behind the run, and
// with more than 16 calls in a turn the stream ends before it gave the answer. It is also a little faster so.
import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager'
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessageChunk, type BaseMessage } from '@langchain/core/messages'
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs'
import { createAgent, tool } from 'langchain'
import { z } from 'zod'
import { add, type Heard, type Script, type Subject } from '../work.ts'

let playing: Script

class ScriptedModel extends BaseChatModel {
  _llmType(): string {
    return 'scripted'
  }
  override bindTools(): this {
    return this
  }
  async _generate(): Promise<ChatResult> {
    throw new Error('only streams')
  }
  override async *_streamResponseChunks(
    messages: BaseMessage[],
    _options: this['ParsedCallOptions'],
    run?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const turn = playing.next(() => JSON.stringify(messages))
    if (turn.calls.length > 0) {
      const tool_call_chunks = turn.calls.map(({ id, arguments: args }, index) => ({
        id,
        args,
        index,
        name: 'add',
        type: 'tool_call_chunk' as const,
      }))
      yield new ChatGenerationChunk({
        text: '',
        message: new AIMessageChunk({ content: '', tool_call_chunks }),
      })
    }
    for (const text of turn.pieces) {
      const chunk = new ChatGenerationChunk({ text, message: new AIMessageChunk({ content: text }) })
      yield chunk
      // As the models of its providers do: streamMode 'messages' hears of a token only by this.
      await run?.handleLLMNewToken(text, undefined, undefined, undefined, undefined, { chunk })
    }
  }
}

const addTool = tool(input => add(input), {
  name: 'add',
  description: 'Adds two numbers',
  schema: z.object({ a: z.number(), b: z.number() }),
})

const agent = createAgent({ model: new ScriptedModel({}), tools: [addTool] })

async function talk(script: Script): Promise<Heard> {
  playing = script
  const stream = await agent.stream(
    { messages: [{ role: 'user', content: 'go' }] },
    { streamMode: 'messages', recursionLimit: 100_000 },
  )
  let text = ''
  let pieces = 0
  for await (const [message] of stream) {
    if (!AIMessageChunk.isInstance(message) || message.text === '') continue
    text += message.text
    pieces++
  }
  return { text, pieces }
}

export const subject: Subject = {
  name: 'langchain',
  packages: ['langchain', '@langchain/core', '@langchain/langgraph', 'zod'],
  imports: ['langchain'],
  talk,
}
