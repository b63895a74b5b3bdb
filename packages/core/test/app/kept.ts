// The runs whose journals are kept as files. Their code may change as people's code does: the files must still be
// followed. TOOLWRIGHT_RECORD=1 records those that are missing.
import { type App, agent, type Flow, flow, tool } from '../../src/index.ts'
import { calls, says, scripted } from '../../src/test.ts'
import { integer, text } from '../../src/values.ts'
import { ASKS, work } from './chaoswork.ts'

export interface KeptRun {
  name: string
  /** What the app knows. `live` is called by everything that a replay must not do again. */
  definitions(
    live: () => void,
  ): Pick<Parameters<typeof import('../../src/index.ts').app>[0], 'agents' | 'flows'>
  /** Starts it, and says and answers what it waits for. */
  begin(app: App): Promise<{ id: string }>
  /** Asks to be agreed to. */
  asks: string[]
}

const requirement: KeptRun = {
  name: 'notes',
  asks: ['ask 1.1'],
  definitions(live) {
    const tidy = flow('tidy', {
      about: 'Marks a note done',
      access: 'signedIn',
      as: 'starter',
      input: { note: text() },
      output: text(),
      danger: 'ask',
      run: async ({ step }) => {
        await step('close', live)
        return 'closed'
      },
    })
    const countNotes = tool('countNotes', { about: 'Counts', run: () => (live(), 3) })
    const model = counted(live, [
      calls([
        ['tidy', '{"note":"3"}'],
        ['countNotes', '{}'],
      ]),
      says('Closed, and 3 are there.'),
    ])
    return {
      agents: [agent('helper', { model, instructions: 'You help with notes.', tools: [tidy, countNotes] })],
    }
  },
  begin: app => app.runs.start('helper', 'Tidy note 3', { person: 'ann' }),
}

const everything: KeptRun = {
  name: 'flow',
  asks: ['ask 1'],
  definitions(live) {
    const pay = tool('pay', {
      about: 'Pays',
      input: { n: integer() },
      danger: 'ask',
      run: ({ n }) => (live(), n),
    })
    const whole: Flow<{ n: number }> = flow('whole', {
      input: { n: integer() },
      run: async ({ input, step, sleep, wait, all, call }) => {
        const at = await step('now', () => (live(), new Date(input.n)))
        await sleep('1 second')
        const doubled = await all(
          [1, 2, 3],
          async (n, own) => await own.step('double', () => (live(), 2 * n)),
        )
        const failed = await step('fails', () => (live(), Promise.reject(new RangeError('no')))).catch(
          e => e.message,
        )
        const word = await wait<string>('word')
        const paid = await call(pay, { n: 5 })
        return { at, doubled, failed, word, paid }
      },
    })
    return { flows: [whole] }
  },
  async begin(app) {
    const run = await app.runs.start('whole', { n: 7 })
    await app.runs.signal(run, 'word', 'go')
    return run
  },
}

const chaos: KeptRun = {
  name: 'chaos',
  asks: ASKS,
  definitions: live => ({ agents: [work(live)] }),
  begin: app => app.runs.start('main', 'go', { person: 'ann' }),
}

export const keptRuns = [requirement, everything, chaos]

function counted(live: () => void, turns: Parameters<typeof scripted>[0]) {
  const model = scripted(turns)
  return { ...model, turn: (...args: Parameters<typeof model.turn>) => (live(), model.turn(...args)) }
}
