// Runs an .agency file with a model whose turns take the time that they say, and prints its thread as a tree.
// node agencytree.ts FILE '[{ "says": "…", "ms": 1912, "tokens": 8, "input": 86, "cost": 0.0001 }, { "calls": […] }]'
import { runFile } from '@toolwright/agency'
import { type LogEvent, tree } from 'toolwright'
import { calls, says, scripted } from 'toolwright/test'

interface TimedTurn {
  says?: string
  calls?: [string, object][]
  ms?: number
  tokens?: number
  input?: number
  cost?: number
}

const [, , file, turns] = process.argv
const clock = { ms: 1_000_000_000_000, now: () => clock.ms, after: () => () => {} }
const model = scripted(
  (JSON.parse(turns!) as TimedTurn[]).map(({ says: text, calls: made, ms = 0, ...costs }) => () => {
    clock.ms += ms
    return made ? calls(made) : says(text!, costs)
  }),
)
const events: LogEvent[] = []
await runFile(file!, { model, clock, log: event => events.push(event) })
console.log(tree(events))
