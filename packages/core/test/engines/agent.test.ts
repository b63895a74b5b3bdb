// The loop over a file: an agent whose process dies around each commit in turn ends as if nothing had happened.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { AGENT } from '../../src/define/agent.ts'
import type { Model, Turn } from '../../src/define/records.ts'
import { realClock } from '../../src/engine/clock.ts'
import type { Engine, Flow } from '../../src/engine/engine.ts'
import { keeper } from '../../src/engine/keeper.ts'
import { Lost } from '../../src/engine/store.ts'
import { agent, llm, tool } from '../../src/index.ts'
import { begin } from '../../src/loop/begin.ts'
import { fromPerson, Thread } from '../../src/loop/thread.ts'
import { sqliteStore } from '../../src/sqlite/store.ts'
import { calls, says } from '../../src/test.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolwright-agent-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A model that knows its turn from the conversation alone. */
function byTurn(name: string, turns: Turn[]): Model {
  return {
    name,
    async turn(request) {
      const said = request.messages.filter(m => m.role === 'assistant' && m.origin.from === 'model').length
      return { ...turns[said]!, tokens: 10, input: 100 }
    },
  }
}

/** Parallel calls, asks at two levels, a body with steps and an inner model, a failing call that is tried again. */
function helper(effects: string[]) {
  const leaf = agent('leaf', {
    model: byTurn('leaf', [calls([['send', '{}']]), says('sent')]),
    instructions: '',
    tools: [tool('send', { about: 'sends', danger: 'ask', run: () => 'ok' })],
  })
  const research = tool('research', {
    about: 'researches',
    run: async (_input, ctx) => {
      const at = await ctx.step('note', () => {
        effects.push('note')
        return new Date(0)
      })
      return `${at.getTime()} ${await llm('what?', { model: byTurn('small', [says('small')]) })}`
    },
  })
  const flaky = tool('flaky', {
    about: 'fails',
    run: () => {
      throw new Error('no')
    },
  })
  const pay = tool('pay', { about: 'pays', danger: 'ask', run: () => 'paid' })
  return agent('main', {
    model: byTurn('main', [
      calls([
        ['pay', '{}'],
        ['leaf', '{"message":"go"}'],
        ['research', '{}'],
        ['flaky', '{}'],
      ]),
      calls([['pay', '{}']]),
      says('all done'),
    ]),
    instructions: 'You help.',
    tools: [pay, leaf, research, { tool: flaky, tries: 2 }],
  })
}

function flowOf(effects: string[], threads: string[]): Flow {
  return async place => {
    const definition = helper(effects)[AGENT]
    const thread = new Thread(place.key)
    const { ending } = begin(definition, fromPerson('go'), {
      id: place.key,
      place,
      thread,
      // Pauses between tries are waits like others: they would take half a second here.
      clock: realClock,
      output: definition.output,
      limits: definition.limits,
      asksEach: false,
      declined: (name, decision) => `T7111: ${name} ${JSON.stringify(decision)}`,
    })
    const end = await ending
    threads.push(JSON.stringify(thread.messages))
    return [end.ended, end.text]
  }
}

interface Lived {
  output: unknown
  thread: string
  rows: number
  notes: number
  /** How often its code was begun. */
  begun: number
  commits: number
}

/** Lives until the run has ended; the first life ends around its commit number `death`. */
async function lives(
  name: string,
  death = 0,
  when: 'before' | 'after' = 'before',
  leaveAfter = 1e9,
): Promise<Lived> {
  const effects: string[] = []
  const threads: string[] = []
  let commits = 0
  let begun = 0
  for (let life = 0; life < 3; life++) {
    let now = Date.UTC(2026, 0, 1)
    const fast = { now: () => now, after: (ms: number, fn: () => void) => skip(ms, fn, by => (now += by)) }
    const store = sqliteStore(join(folder, `${name}.db`), {
      patience: 0,
      look: 1000,
      fault(at, commit) {
        commits = commit
        if (life === 0 && at === when && commit === death) throw new Lost()
      },
    })
    let lost = false
    const warn = (): void => {
      lost = true
    }
    const engine = keeper(store, { clock: fast, leaveAfter, warn })
    try {
      const flow = flowOf(effects, threads)
      await engine.open({ main: (place, run) => (begun++, flow(place, run)) })
      await engine.run({ flow: 'main', input: {}, id: 'r' })
      const run = await attended(engine, () => lost, leaveAfter)
      if (run) {
        const rows = (await engine.rows('r')).length
        return { output: run, thread: threads.at(-1)!, rows, notes: effects.length, begun, commits }
      }
    } catch (error) {
      if (!(error instanceof Lost)) throw error
    } finally {
      await engine.close({ grace: 0 })
    }
  }
  throw new Error('it never ended')
}

/** Short waits take no time; asks and timeouts, which are long, never end by themselves. */
function skip(ms: number, fn: () => void, move: (ms: number) => void): () => void {
  if (ms > 10_000) return () => {}
  const timer = setTimeout(() => {
    move(ms)
    fn()
  }, 1)
  return () => clearTimeout(timer)
}

/** Answers all asks until the run has ended, late where it shall leave before; nothing where the store was lost. */
async function attended(engine: Engine, lost: () => boolean, leaveAfter: number): Promise<unknown> {
  while (!lost()) {
    const run = await engine.get('r')
    if (run?.status === 'done') return run.output
    if (run && run.status !== 'running' && run.status !== 'waiting' && run.status !== 'ready')
      throw new Error(JSON.stringify(run))
    await new Promise(resolve => setTimeout(resolve, leaveAfter < 1000 ? 20 : 1))
    for (const { step } of await engine.asks('r')) await engine.decide('r', step, { approved: true })
  }
  return undefined
}

describe('an agent over a file', () => {
  const full = process.env['TOOLWRIGHT_FULL'] === '1'
  test('ends the same, wherever its process dies', { timeout: 300_000 }, async () => {
    const expected = await lives('undisturbed')
    expect(expected).toMatchObject({ output: ['answer', 'all done'], notes: 1 })
    expect(expected.rows).toBeGreaterThan(8)
    for (let death = 1; death <= expected.commits; death += full ? 1 : 4)
      for (const when of ['before', 'after'] as const) {
        const lived = await lives(`death${death}${when}`, death, when)
        const { output, thread, rows, notes } = lived
        expect({ death, when, output, thread, rows }).toEqual({
          death,
          when,
          output: expected.output,
          thread: expected.thread,
          rows: expected.rows,
        })
        expect(notes).toBeLessThanOrEqual(2)
      }
  })

  test('ends the same where it leaves memory while it waits', async () => {
    const stays = await lives('stays')
    const leaves = await lives('leaves', 0, 'before', 1)
    expect(leaves.begun).toBeGreaterThan(stays.begun)
    expect({ ...leaves, begun: 1, commits: 0 }).toEqual({ ...stays, begun: 1, commits: 0 })
  })
})
