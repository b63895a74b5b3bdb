// `@earendil-works/pi-agent-core`, its low-level agentLoop: the same loop without the transcript and the state that
// the class Agent keeps. Measured as well, because it is its faster door.
import { type AgentContext, type AgentLoopConfig, agentLoop } from '@earendil-works/pi-agent-core'
import type { Message } from '@earendil-works/pi-ai'
import { addTool, llm, streamOf } from '../pi-model.ts'
import type { Heard, Script, Subject } from '../work.ts'

const config: AgentLoopConfig = { model: llm, convertToLlm: messages => messages as Message[] }

async function talk(script: Script): Promise<Heard> {
  const context: AgentContext = { messages: [], tools: [addTool] }
  const go = { role: 'user' as const, content: 'go', timestamp: Date.now() }
  let text = ''
  let pieces = 0
  for await (const event of agentLoop([go], context, config, undefined, streamOf(script))) {
    if (event.type !== 'message_update' || event.assistantMessageEvent.type !== 'text_delta') continue
    text += event.assistantMessageEvent.delta
    pieces++
  }
  return { text, pieces }
}

export const subject: Subject = {
  name: 'pi (agentLoop)',
  packages: ['@earendil-works/pi-agent-core'],
  imports: ['@earendil-works/pi-agent-core'],
  talk,
}
