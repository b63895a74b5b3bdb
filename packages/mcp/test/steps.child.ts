// A program that a test kills: a run of an app whose call of an outside server is under way.
import { agent, app } from '@toolwright/core'
import { sqlite } from '@toolwright/core/sqlite'
import { calls, says, scripted } from '@toolwright/core/test'
import { mcp } from '../src/index.ts'

const [store = '', url = '', lock = '', again = ''] = process.argv.slice(2)
const notes = mcp('notes', { url, lock, ...(again === 'never' ? { again: 'never' } : {}) })
const script = [calls([['notes.add', '{"text":"a"}']]), says('done')]
const helper = agent('helper', {
  // After a kill the turn that was made is not asked for again.
  model: {
    name: 'scripted',
    turn: async (request, each) =>
      scripted(request.messages.some(one => one.role === 'tool') ? [script[1]!] : [script[0]!]).turn(
        request,
        each,
        new AbortController().signal,
      ),
  },
  instructions: '',
  tools: [notes],
  trust: [notes],
})
const desk = app({ agents: [helper], services: [notes], store: sqlite(store) })
const run = await desk.runs.start(helper, 'go', { key: 'one' })
const answer = await desk.runs.answer(run)
const steps = await desk.runs.steps(run)
const tool = steps.find(each => each.name === 'tool 1.1 notes.add')
process.stdout.write(
  `${JSON.stringify({ answer, names: steps.map(each => each.name), tool: tool?.value })}\n`,
)
await desk.close()
process.exit(0)
