// A run that was kept is a test for free: replayed as it was, or forked and gone on with by the code of today.
import { describe, expect, test } from 'vitest'
import { agent, type Model, run as runScript, thread, tool } from '../../src/index.ts'
import { calls, says } from '../../src/test.ts'
import { text } from '../../src/values.ts'
import { byTurn, world } from './world.ts'

const shout = (how: (word: string) => string) =>
  tool('shout', { about: 'Shouts', input: { word: text() }, run: ({ word }) => how(word) })
const loud = shout(word => word.toUpperCase())
const child = (model: Model, tools = [loud]) => agent('expert', { model, instructions: '', tools })

describe.each(['memory', 'sqlite'] as const)('over %s', kind => {
  async function kept() {
    const place = world(kind)
    const expert = byTurn([calls([['shout', '{"word":"deep"}']]), says('deep said')])
    const model = byTurn([
      calls([
        ['shout', '{"word":"hey"}'],
        ['expert', '{"message":"go"}'],
      ]),
      calls([['shout', '{"word":"ho"}']]),
      { ...says('That was loud.'), reasoning: 'hm' },
    ])
    const helper = (m: Model, tools = [loud], instructions = 'You shout.') =>
      agent('helper', { model: m, instructions, tools: [...tools, child(expert)] })
    const app = await place.begin({ agents: [helper(model)] })
    const run = await app.runs.start('helper', { message: 'Shout', thread: 'main' }, { person: 'ann' })
    await app.runs.answer(run)
    return { place, app, run, helper, model, expert }
  }

  test('replayed, a kept run tells whether the code of today does the same', async () => {
    const { app, run, helper } = await kept()
    const again = helper(await app.runs.replayed(run))
    const on = thread()
    expect(await runScript(again, 'Shout', { thread: on })).toBe('That was loud.')
    expect(on.messages.flatMap(m => (m.role === 'tool' ? [m.text] : []))).toEqual(['HEY', 'deep said', 'HO'])
    // The code changed: a test that compares would see it.
    const quiet = helper(await app.runs.replayed(run), [shout(word => word.toLowerCase())])
    const changed = thread()
    await runScript(quiet, 'Shout', { thread: changed })
    expect(changed.messages.flatMap(m => (m.role === 'tool' ? [m.text] : []))).toEqual([
      'hey',
      'deep said',
      'ho',
    ])
    // That of a child, and what is not there.
    const deep = child(await app.runs.replayed(run, 'tool 1.2 expert'))
    expect(await runScript(deep, 'go')).toBe('deep said')
    await expect(app.runs.replayed(run, 'tool 9.9 nobody')).rejects.toThrow('T7023')
    const longer = await app.runs.replayed(run)
    const each = () => true
    const request = { instructions: '', messages: [], tools: [], answer: false }
    for (let n = 0; n < 3; n++) await longer.turn(request, each, new AbortController().signal)
    await expect(longer.turn(request, each, new AbortController().signal)).rejects.toThrow('T3011')
  })

  test('a fork goes on from a step with changed code and instructions, and leaves all else as it was', async () => {
    const { place, app, run, helper, model, expert } = await kept()
    const before = JSON.stringify([await app.runs.get(run), await app.runs.steps(run)])
    await app.close()
    const asked = [model.asked, expert.asked]
    const said: string[] = []
    let plain = false
    const other: Model = {
      name: 'other',
      async turn(request) {
        said.push(request.instructions, ...request.messages.map(m => m.text))
        // More rows than the original has: none of them may join its thread.
        if (request.messages.length < 16 && request.instructions === 'You whisper.' && !plain)
          return calls([['shout', '{"word":"more"}']])
        return says('It ends otherwise.')
      },
    }
    const next = await place.begin({ agents: [helper(other, [shout(word => `${word}!`)], 'You whisper.')] })
    const fork = await next.runs.fork(run, 'model 3')
    expect(await next.runs.answer(fork)).toBe('It ends otherwise.')
    // What was kept before the step is given: neither models nor tools were asked again.
    expect([model.asked, expert.asked]).toEqual(asked)
    expect(said.slice(0, 7)).toEqual(['You whisper.', 'Shout', '', 'HEY', 'deep said', '', 'HO'])
    expect((await next.runs.steps(fork)).filter(step => /^model/.test(step.name)).length).toBeGreaterThan(6)
    plain = true
    expect(fork.person).toBe('ann')
    expect(JSON.stringify([await next.runs.get(run), await next.runs.steps(run)])).toBe(before)
    // It wrote to no thread but its own.
    said.length = 0
    await next.runs.answer(
      await next.runs.start('helper', { message: 'And?', thread: 'main' }, { person: 'ann' }),
    )
    expect(said.slice(1)).toEqual(['Shout', '', 'HEY', 'deep said', '', 'HO', 'That was loud.', 'And?'])
    // From an earlier step, more is done anew.
    const early = await next.runs.fork(run, 'model 2')
    expect(await next.runs.answer(early)).toBe('It ends otherwise.')
    await expect(next.runs.fork(run, 'model 9')).rejects.toThrow('T7023')
    // The original may go: the fork has what it needs.
    expect(await next.runs.delete(fork)).toBe(true)
    expect(await next.runs.delete(run)).toBe(true)
  })
})
