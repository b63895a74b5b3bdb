// An app: an agent that waits for a person's word, over a restart of its process, and a flow that tidies up at night.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, agent, app, flow, sqlite, tool } from 'toolwright'
import { calls, says, scripted } from 'toolwright/test'
import { integer, text } from 'toolwright/values'

const notes = new Map<string, 'open' | 'done'>([
  ['1', 'done'],
  ['2', 'open'],
  ['3', 'open'],
])

const countNotes = tool('countNotes', {
  about: 'Counts the open notes.',
  readOnly: true,
  run: () => [...notes.values()].filter(state => state === 'open').length,
})

// A flow is code whose steps are kept: after a kill it goes on where it was. As a tool it asks before each call.
const tidy = flow('tidy', {
  about: 'Marks a note done',
  access: 'signedIn',
  as: 'starter',
  input: { note: text() },
  output: text(),
  danger: 'ask',
  run: async ({ input, person, step }) => {
    await step('close', () => notes.set(input.note, 'done'))
    return `closed for ${person}`
  },
})

const nightly = flow('nightly', {
  output: integer(),
  run: async ({ step, sleep, all }) => {
    await sleep('100 ms')
    const done = await step('find', () =>
      [...notes].filter(([, state]) => state === 'done').map(([id]) => id),
    )
    await all(done, (id, own) => own.step('remove', () => notes.delete(id)))
    return done.length
  },
})

const helper = agent('helper', {
  model: scripted([
    calls([
      ['countNotes', {}],
      ['tidy', { note: '3' }],
    ]),
    says('Note 3 is closed. One note is open.'),
  ]),
  instructions: 'You help with notes.',
  tools: [countNotes, tidy],
  access: 'signedIn',
})

const folder = mkdtempSync(join(tmpdir(), 'notes-'))
/** Each time as if the process had just been started. */
const start = (): App =>
  app({ agents: [helper], flows: [tidy, nightly], store: sqlite(join(folder, 'notes.db')) })

let running = start()
const run = await running.runs.start(helper, 'Tidy note 3', { person: 'ann' })
for await (const piece of running.runs.pieces(run)) {
  if (piece.kind === 'ask') console.log(`asks: ${piece.call.tool} ${piece.call.arguments}`)
  if (piece.kind === 'ask') break
}
await running.close()

// Days later, perhaps, and on another day's code.
running = start()
await running.open()
for (const ask of await running.runs.asks())
  console.log(`${ask.step} of ${run.person} still waits: ${ask.about}`)
console.log(`approved: ${await running.runs.approve(run, 'ask 1.2', { by: 'ann' })}`)
console.log(await running.runs.answer(run))

const night = await running.runs.start(nightly, {})
console.log(`nightly removed ${await running.runs.answer(night)} notes; ${notes.size} is left`)
console.log((await running.runs.steps(run)).map(step => step.name).join(', '))
await running.close()
rmSync(folder, { recursive: true })
