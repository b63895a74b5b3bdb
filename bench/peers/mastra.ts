// `@mastra/core`: an Agent without a Mastra around it, streamed. Its models are the AI SDK's.
// Best configuration: no memory, no storage, no observability; its telemetry is off (environment.ts).
import { Agent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { z } from 'zod'
import { add, type Heard, type Script, type Subject, type Turn } from '../work.ts'

type Model = Extract<ConstructorParameters<typeof Agent>[0]['model'], { specificationVersion: 'v3' }>
type Part = Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer P> ? P : never

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

function partsOf(turn: Turn): Part[] {
  const parts: Part[] = [{ type: 'stream-start', warnings: [] }]
  for (const { id, arguments: input } of turn.calls)
    parts.push({ type: 'tool-call', toolCallId: id, toolName: 'add', input })
  if (turn.pieces.length > 0) {
    parts.push({ type: 'text-start', id: '0' })
    for (const delta of turn.pieces) parts.push({ type: 'text-delta', id: '0', delta })
    parts.push({ type: 'text-end', id: '0' })
  }
  const unified = turn.calls.length > 0 ? 'tool-calls' : 'stop'
  parts.push({ type: 'finish', usage, finishReason: { unified, raw: unified } })
  return parts
}

let playing: Script

const model: Model = {
  specificationVersion: 'v3',
  provider: 'bench',
  modelId: 'scripted',
  supportedUrls: {},
  doGenerate() {
    throw new Error('only streams')
  },
  async doStream({ prompt }) {
    const parts = partsOf(playing.next(() => JSON.stringify(prompt)))
    return {
      stream: new ReadableStream<Part>({
        start(controller) {
          for (const part of parts) controller.enqueue(part)
          controller.close()
        },
      }),
    }
  },
}

const addTool = createTool({
  id: 'add',
  description: 'Adds two numbers',
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  execute: async input => add(input),
})

const agent = new Agent({ id: 'bench', name: 'bench', instructions: '', model, tools: { add: addTool } })

async function talk(script: Script): Promise<Heard> {
  playing = script
  const result = await agent.stream('go', { maxSteps: 10_000 })
  let text = ''
  let pieces = 0
  for await (const piece of result.textStream) {
    text += piece
    pieces++
  }
  return { text, pieces }
}

export const subject: Subject = {
  name: '@mastra/core',
  packages: ['@mastra/core', 'zod'],
  imports: ['@mastra/core/agent', '@mastra/core/tools'],
  talk,
}
