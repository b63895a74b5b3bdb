// `@earendil-works/pi-agent-core`, its class Agent: the way that its README shows first. No hooks, no session.
import { Agent } from '@earendil-works/pi-agent-core'
import { addTool, llm, streamOf } from '../pi-model.ts'
import type { Heard, Script, Subject } from '../work.ts'

async function talk(script: Script): Promise<Heard> {
  // The agent holds its conversation, so each has its own.
  const agent = new Agent({
    initialState: { systemPrompt: '', model: llm, tools: [addTool] },
    streamFn: streamOf(script),
  })
  let text = ''
  let pieces = 0
  agent.subscribe(event => {
    if (event.type !== 'message_update' || event.assistantMessageEvent.type !== 'text_delta') return
    text += event.assistantMessageEvent.delta
    pieces++
  })
  await agent.prompt('go')
  return { text, pieces }
}

export const subject: Subject = {
  name: 'pi (Agent)',
  packages: ['@earendil-works/pi-agent-core'],
  imports: ['@earendil-works/pi-agent-core'],
  talk,
}
