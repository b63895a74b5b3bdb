// A program in Agency as a flow of an app: what its model said and its tools did is kept, and it waits for a person as
// long as it takes, over any number of restarts. `desk.agency` is the program.
import { registerAgency, useModel } from '@toolwright/agency'
import { app, memory } from 'toolwright'
import { calls, says, scripted } from 'toolwright/test'

registerAgency()
const { main } = await import('./desk.agency')
useModel(
  scripted([
    calls([['look', { shelf: 'top' }]]),
    calls([['answer', { note: 'an old bill', why: 'it was paid' }]]),
    calls([['tidy', { note: 'an old bill' }]]),
    says('The old bill is gone'),
  ]),
)

// `sqlite('desk.db')` in place of `memory()`: it survives.
await using desk = app({ flows: [main], store: memory() })
const run = await desk.runs.start(main, { room: 'study' })

for await (const { kind, step, call } of desk.runs.pieces(run))
  if (kind === 'ask') {
    console.log(`${step} asks: ${call?.tool} ${call?.arguments}`)
    await desk.runs.approve(run, step)
  }
console.log(await desk.runs.answer(run))
