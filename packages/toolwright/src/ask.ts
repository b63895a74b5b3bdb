// `--ask`: before every call that is not read-only, the person who typed the command is asked.
import type { Agent, Ask, Call } from '@toolwright/core'

/**
 * Makes `agent` ask `asker` before every such call of its next run, also inside of calls. `whyOf` says why a call asks.
 * Gives the function that ends that.
 */
export function askEach(
  agent: Agent,
  asker: (ask: Ask) => Promise<boolean>,
  whyOf: (call: Call) => string,
): () => void {
  const before = agent.approve
  agent.approve = call =>
    asker({ step: '', call, why: whyOf(call), about: aboutOf(agent, call.tool), readOnly: false })
  return () => {
    agent.approve = before
  }
}

/** What the agent's tool `name` does; '' for a tool that only an agent inside of it has. */
function aboutOf(agent: Agent, name: string): string {
  for (const entry of agent.tools) {
    const { tool, ...told } = 'tool' in entry ? entry : { tool: entry }
    const { name: own, description } = tool as { name?: string; description?: string }
    const { about, name: other } = told as { about?: string; name?: string }
    if ((other ?? own) === name) return about ?? description ?? ''
  }
  return ''
}
