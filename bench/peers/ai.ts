// `ai` (the AI SDK): streamText with one tool, its own loop going on until the model stops calling.
// Best configuration: telemetry is off unless it is switched on (it is not); no retries, so that no retry wrapper
// holds a copy; warnings are not logged. Its model interface is a ReadableStream of parts; the fake's is filled
// at once, so no part waits for anything.
import { isStepCount, type LanguageModel, streamText, tool } from 'ai'
import { z } from 'zod'
import { add, type Heard, type Script, type Subject, type Turn } from '../work.ts'

type Model = Extract<LanguageModel, { specificationVersion: 'v4' }>
type Part = Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer P> ? P : never

globalThis.AI_SDK_LOG_WARNINGS = false

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
  specificationVersion: 'v4',
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

const tools = {
  add: tool({
    description: 'Adds two numbers',
    inputSchema: z.object({ a: z.number(), b: z.number() }),
    execute: input => add(input),
  }),
}

async function talk(script: Script): Promise<Heard> {
  playing = script
  const result = streamText({
    model,
    prompt: 'go',
    tools,
    stopWhen: isStepCount(10_000),
    maxRetries: 0,
    onError({ error }) {
      throw error
    },
  })
  let text = ''
  let pieces = 0
  for await (const piece of result.textStream) {
    text += piece
    pieces++
  }
  return { text, pieces }
}

export const subject: Subject = { name: 'ai', packages: ['ai', 'zod'], imports: ['ai'], talk }
