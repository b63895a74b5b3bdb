// `@openai/agents`: an Agent and run(…, { stream: true }).
// Best configuration: tracing is off altogether (setTracingDisabled, and in the runner), so no span is made and no
// exporter runs; maxTurns is lifted.
import { Agent, type Model, Runner, setTracingDisabled, tool } from '@openai/agents'
import { z } from 'zod'
import { add, type Heard, type Script, type Subject, type Turn } from '../work.ts'

setTracingDisabled(true)

type StreamEvent = ReturnType<Model['getStreamedResponse']> extends AsyncIterable<infer E> ? E : never
type Output = Extract<StreamEvent, { type: 'response_done' }>['response']['output']

function outputOf(turn: Turn): Output {
  if (turn.calls.length > 0)
    return turn.calls.map(({ id, arguments: json }) => ({
      type: 'function_call',
      name: 'add',
      callId: id,
      status: 'completed',
      arguments: json,
    }))
  return [
    {
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: turn.text }],
    },
  ]
}

let playing: Script

const model: Model = {
  getResponse() {
    throw new Error('only streams')
  },
  async *getStreamedResponse({ input }): AsyncGenerator<StreamEvent> {
    const turn = playing.next(() => JSON.stringify(input))
    yield { type: 'response_started' }
    for (const delta of turn.pieces) yield { type: 'output_text_delta', delta }
    const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 }
    yield { type: 'response_done', response: { id: 'response', usage, output: outputOf(turn) } }
  },
}

const addTool = tool({
  name: 'add',
  description: 'Adds two numbers',
  parameters: z.object({ a: z.number(), b: z.number() }),
  execute: input => add(input),
})
const runner = new Runner({ tracingDisabled: true })

const agent = new Agent({ name: 'bench', instructions: '', model, tools: [addTool] })

async function talk(script: Script): Promise<Heard> {
  playing = script
  const result = await runner.run(agent, 'go', { stream: true, maxTurns: 10_000 })
  let text = ''
  let pieces = 0
  for await (const event of result) {
    if (event.type !== 'raw_model_stream_event' || event.data.type !== 'output_text_delta') continue
    text += event.data.delta
    pieces++
  }
  await result.completed
  if (result.finalOutput !== text) throw new Error(`@openai/agents ended with ${result.finalOutput}`)
  return { text, pieces }
}

export const subject: Subject = {
  name: '@openai/agents',
  packages: ['@openai/agents', 'zod'],
  imports: ['@openai/agents'],
  talk,
}
