// A model made from the journal of a run: it says again what the run's model said, so a kept run is a test for free.
import type { Model, Turn } from '../define/records.ts'
import { decode } from '../engine/codec.ts'
import type { Step } from '../engine/engine.ts'
import { ToolwrightError } from '../errors.ts'

/** The model of the conversation at `path` ('' is the run's own, 'tool 1.2 expert' that of a child) in `steps` of a run. */
export function replayedModel(steps: readonly Step[], path: string): Model {
  const turns: Turn[] = []
  for (const { name, value, status } of steps) {
    const slash = name.lastIndexOf('/')
    const n = /^model (\d+)$/.exec(name.slice(slash + 1))?.[1]
    if (n === undefined || status !== 'done' || name.slice(0, Math.max(0, slash)) !== path) continue
    const said = decode(value ?? null) as { turn?: Turn }
    if (said.turn) turns[Number(n) - 1] = said.turn
  }
  if (turns.length === 0)
    throw new ToolwrightError('T7023', `the run has no turns of a model at ${JSON.stringify(path)}`, {
      fix: "'' is the run's own model, 'tool 1.2 expert' that of a child agent; `runs.steps(run)` lists them",
    })
  let asked = 0
  return {
    name: 'replayed',
    async turn(_request, each) {
      const turn = turns[asked++]
      if (!turn)
        throw new ToolwrightError(
          'T3011',
          `the run has ${turns.length} turns, and turn ${asked} was asked for`,
          {
            fix: 'the code asks for more than it did when the run was kept: see where it differs, or fork the run there',
          },
        )
      if (turn.reasoning !== '') each({ kind: 'reasoning', text: turn.reasoning })
      if (turn.text !== '') each({ kind: 'text', text: turn.text })
      return { ...turn, calls: turn.calls.map(call => ({ ...call })) }
    },
  }
}
