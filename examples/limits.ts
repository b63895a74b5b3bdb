// Limits: at one, the calls that run finish, none begins, and the model has one last turn to say where it stands.
import { agent, run, ToolwrightError, tool } from 'toolwright'
import { calls, says, scripted } from 'toolwright/test'
import { integer } from 'toolwright/values'

const page = tool('page', {
  about: 'Reads a page of the archive.',
  input: { n: integer({ min: 1 }) },
  readOnly: true,
  run: ({ n }) => `Page ${n}: nothing about tea.`,
})

const readsOn = [1, 2, 3].map(n => calls([['page', { n }]]))

const reader = agent('reader', {
  model: scripted([...readsOn.slice(0, 2), says('Nothing on the first two pages; I had to stop there.')]),
  instructions: 'You search the archive.',
  tools: [page],
  limits: { steps: 2, time: '10 minutes', perRun: { tokensOut: 20_000 } },
})

const { answer, ended, limit } = await run(reader, 'Who brought tea here?').result
console.log(`${answer} (${ended}: ${limit})`)

// A model that does not take its last turn to answer has none.
const stubborn = agent('stubborn', {
  model: scripted(readsOn),
  instructions: 'You search the archive.',
  tools: [page],
  limits: { steps: 2 },
})

try {
  await run(stubborn, 'Who brought tea here?')
} catch (error) {
  if (error instanceof ToolwrightError) console.log(error.message)
}
