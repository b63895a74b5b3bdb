// toolwright itself, through its public surface: the built package, or its source where --source is given.
// Only the round limit is lifted; the guard, the limits, the reading of arguments and the thread work as by default.
import { agent, type Model, run, thread, tool } from '@toolwright/core'
import { number } from '@toolwright/core/values'
import { add, type Heard, type Script, type Subject } from '../work.ts'

let playing: Script

const model: Model = {
  name: 'scripted',
  async turn(request, each) {
    const turn = playing.next(() => JSON.stringify(request.messages))
    for (const text of turn.pieces) each({ kind: 'text', text })
    return {
      text: turn.text,
      reasoning: '',
      calls: turn.calls.map(({ id, arguments: json }) => ({ id, tool: 'add', arguments: json })),
      details: [],
      tokens: 1,
      input: 1,
      window: 0,
    }
  },
}

const addTool = tool('add', {
  about: 'Adds two numbers',
  input: { a: number(), b: number() },
  run: input => add(input),
})
const bench = agent('bench', { model, instructions: '', tools: [addTool], limits: { steps: 10_000 } })

async function talk(script: Script): Promise<Heard> {
  playing = script
  let text = ''
  let pieces = 0
  for await (const piece of run(bench, 'go', { thread: thread() })) {
    if (piece.kind !== 'text') continue
    text += piece.text
    pieces++
  }
  return { text, pieces }
}

export const subject: Subject = {
  name: 'toolwright',
  packages: ['@toolwright/core'],
  imports: ['@toolwright/core'],
  talk,
}
