// Both examples of the requirement, verbatim, given the definitions they use.
import { expect, test } from 'vitest'
import { agent, app, flow, memory, type ToolwrightError, tool } from '../../src/index.ts'
import { calls, says, scripted } from '../../src/test.ts'
import { text } from '../../src/values.ts'

const notes = new Map<string, 'open' | 'done'>()
const closeNote = async ({ note }: { note: string }): Promise<void> => {
  notes.set(note, 'done')
}
const countNotes = tool('countNotes', { about: 'Counts the notes', readOnly: true, run: () => notes.size })
const nightly = flow('nightly', {
  about: 'Tidies up',
  as: 'starter',
  input: {},
  output: text(),
  run: async ({ step }) => {
    await step('tidy', () => notes.clear())
    return 'tidied'
  },
})

test('an agent with entries', async () => {
  const embedder = scripted([calls([['countNotes', '{}']]), calls([['tidyNow', '{}']]), says('done')])
  // ---- verbatim ----
  const helper = agent('helper', {
    model: embedder,
    instructions: 'You help with notes.',
    tools: [
      countNotes,
      { tool: nightly, tries: 2, about: 'Tidies up at once', line: false, name: 'tidyNow' },
    ],
    limits: {
      steps: 12,
      perRun: { tokensOut: 50000 },
      time: '10 minutes',
      ask: '7 days',
      result: '1 MB',
      toolCalls: 100,
      toolsAtOnce: 8,
      pass: '5 seconds',
    },
  })
  // ------------------
  notes.set('1', 'open')
  const notesApp = app({ agents: [helper], flows: [nightly], store: memory() })
  const run = await notesApp.runs.start(helper, { message: 'Tidy up' }, { person: 'ann' })
  expect(await notesApp.runs.answer(run)).toBe('done')
  expect(notes.size).toBe(0)
  const steps = (await notesApp.runs.steps(run)).map(step => step.name)
  expect(steps).toEqual(
    expect.arrayContaining(['model 1', 'tool 1.1 countNotes', 'model 2', 'tool 2.1 tidyNow', 'model 3']),
  )
  await notesApp.close()
})

test('a flow as a tool, which asks before each call', async () => {
  const writer = scripted([calls([['tidy', '{"note":"3"}']]), says('It is closed.')])
  // ---- verbatim ----
  const tidy = flow('tidy', {
    about: 'Marks a note done',
    access: 'signedIn',
    as: 'starter',
    input: { note: text() },
    output: text(),
    danger: 'ask',
    run: async ({ input, step }) => {
      await step('close', () => closeNote({ note: input.note }))
      return 'closed'
    },
  })

  const helper = agent('helper', {
    model: writer,
    instructions: 'You help with notes.',
    tools: [tidy],
    access: 'signedIn',
    limits: { steps: 8, perRun: { calls: 100 } },
  })
  // ------------------
  notes.set('3', 'open')
  const notesApp = app({ agents: [helper], flows: [tidy] })
  const run = await notesApp.runs.start(helper, 'Tidy note 3', { person: 'ann' })
  for await (const piece of notesApp.runs.pieces(run)) if (piece.kind === 'ask') break
  const asks = await waiting(() => notesApp.runs.asks(run))
  expect(asks).toMatchObject([
    { step: 'ask 1.1', call: { tool: 'tidy', arguments: '{"note":"3"}' }, about: 'Marks a note done' },
  ])
  // The clock may go on between the two.
  expect((asks[0]!.until - asks[0]!.asked) / 86_400_000).toBeCloseTo(7, 4)
  expect(notes.get('3')).toBe('open')
  expect(await notesApp.runs.approve(run, 'ask 1.1')).toBe('taken')
  expect(await notesApp.runs.answer(run)).toBe('It is closed.')
  expect(notes.get('3')).toBe('done')
  const steps = await notesApp.runs.steps(run)
  expect(steps.map(step => step.name)).toEqual(
    expect.arrayContaining(['model 1', 'ask 1.1', 'tool 1.1 tidy', 'tool 1.1 tidy/close', 'model 2']),
  )
  await notesApp.close()
})

async function waiting<T>(list: () => Promise<T[]>): Promise<T[]> {
  for (;;) {
    const found = await list()
    if (found.length > 0) return found
    await new Promise(resolve => setTimeout(resolve, 1))
  }
}

test('a flow that is no tool says so where it is named, with its code', () => {
  const bare = flow('bare', { run: async () => 1 })
  const model = scripted([])
  const told = (tools: readonly unknown[]): ToolwrightError => {
    try {
      agent('a', { model, instructions: '', tools: tools as never })
    } catch (error) {
      return error as ToolwrightError
    }
    throw new Error('it was let through')
  }
  expect(told([flow('f', { as: 'starter', about: 'x', run: async () => 1 })])).toMatchObject({
    code: 'T7009',
  })
  expect(told([flow('f', { about: 'x', input: {}, output: text(), run: async () => '' })])).toMatchObject({
    code: 'T7012',
  })
  // An entry's own `about` does not stand for the flow's.
  const entry = told([
    { tool: flow('f', { as: 'starter', input: {}, output: text(), run: async () => '' }), about: 'x' },
  ])
  expect(entry).toMatchObject({ code: 'T7009' })
  expect(entry.message).toContain('does not state about')
  const both = told([bare])
  expect(both.message).toContain('T7009')
  expect(both.message).toContain('T7012')
  expect(both.message).toContain('about and input and output')
})
