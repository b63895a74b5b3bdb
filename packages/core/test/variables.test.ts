// What a conversation knows by name, and no model is told.
import { describe, expect, it } from 'vitest'
import { agent, flow, type Json, run, thread, tool } from '../src/index.ts'
import { calls, says, scripted } from '../src/test.ts'
import { anything, optional, text } from '../src/values.ts'
import { byTurn, world } from './app/world.ts'

const keep = tool('keep', {
  about: 'keeps',
  input: { name: text(), value: anything(), owner: optional(text()) },
  run: ({ name, value, owner }, { variables }) => variables.set(name, value as Json, owner),
})
const show = tool('show', {
  about: 'shows',
  input: { name: text(), owner: optional(text()) },
  run: ({ name, owner }, { variables }) => ({ [name]: variables.get(name, owner) ?? 'none' }),
})
const turns = (...made: [string, object][]) => [...made.map(call => calls([call])), says('done')]
const told = (messages: readonly { role: string; text: string }[]) =>
  messages.filter(({ role }) => role === 'tool').map(({ text }) => text)

async function script(made: [string, object][], options: object = {}) {
  const asked = agent('asked', { model: scripted(turns(...made)), instructions: '', tools: [keep, show] })
  const { messages } = await run(asked, 'go', options).result
  return { results: told(messages), all: JSON.stringify(messages) }
}

describe('variables', () => {
  it('are what the run was told, and no message shows them', async () => {
    const { results, all } = await script([['show', { name: 'customer' }]], {
      variables: { customer: 7, secret: 'not to be told' },
    })
    expect(results).toEqual(['{"customer":7}'])
    expect(all).not.toContain('not to be told')
  })

  it('are what an earlier call kept; a later one replaces it, and null is a value', async () => {
    const { results } = await script(
      [
        ['show', { name: 'a' }],
        ['keep', { name: 'a', value: { deep: [1, 'x'] } }],
        ['show', { name: 'a' }],
        ['keep', { name: 'a', value: null }],
        ['show', { name: 'a' }],
      ],
      { variables: { a: 'told' } },
    )
    expect(results.filter(text => text.startsWith('{'))).toEqual([
      '{"a":"told"}',
      '{"a":{"deep":[1,"x"]}}',
      '{"a":"none"}',
    ])
  })

  it('of an owner are known to its calls only, and beat those of all', async () => {
    const { results } = await script([
      ['keep', { name: 'id', value: 'mine', owner: 'one' }],
      ['show', { name: 'id' }],
      ['show', { name: 'id', owner: 'one' }],
      ['show', { name: 'id', owner: 'two' }],
      ['keep', { name: 'id', value: 'all' }],
      ['show', { name: 'id', owner: 'one' }],
      ['show', { name: 'id', owner: 'two' }],
    ])
    expect(results.filter(text => text.startsWith('{'))).toEqual(
      ['none', 'mine', 'none', 'mine', 'all'].map(id => JSON.stringify({ id })),
    )
  })

  it.each(['__proto__', 'constructor', 'toString', '["a"]', ''])('may be called %j', async name => {
    const { results } = await script([
      ['show', { name }],
      ['keep', { name, value: 'v' }],
      ['show', { name }],
    ])
    expect(results.filter(text => text.startsWith('{'))).toEqual(
      ['none', 'v'].map(value => `{${JSON.stringify(name)}:${JSON.stringify(value)}}`),
    )
    expect(({} as { v?: string }).v).toBeUndefined()
  })

  it('stay with the conversation: a later run on it knows them, and what it is told counts more', async () => {
    const on = thread()
    await script([['keep', { name: 'id', value: 'kept', owner: 'one' }]], {
      thread: on,
      variables: { customer: 7 },
    })
    const asks: [string, object][] = [
      ['show', { name: 'id', owner: 'one' }],
      ['show', { name: 'customer' }],
    ]
    expect((await script(asks, { thread: on })).results).toEqual(['{"id":"kept"}', '{"customer":7}'])
    expect((await script(asks, { thread: on, variables: { id: 'told' } })).results[0]).toBe('{"id":"told"}')
    expect((await script(asks, { thread: on })).results[0]).toBe('{"id":"told"}')
    expect((await script(asks)).results).toEqual(['{"id":"none"}', '{"customer":"none"}'])
  })

  it('are a record, or the run does not begin', async () => {
    const asked = agent('asked', { model: scripted([says('x')]), instructions: '', tools: [] })
    for (const variables of [[], 'a', null])
      expect(() => run(asked, 'go', { variables } as never)).toThrow('variables: is no record')
  })
})

describe.each(['memory', 'sqlite'] as const)('in an app over %s, variables', kind => {
  const helper = (model: ReturnType<typeof byTurn>) =>
    agent('helper', { model, instructions: '', tools: [keep, show] })

  it("live with the thread of a person, over a restart, and are nobody else's", async () => {
    const { begin } = world(kind)
    const first = byTurn(turns(['keep', { name: 'id', value: 'kept' }]))
    const one = await begin({ agents: [helper(first)] })
    const input = { message: 'go', thread: 'main', variables: { customer: 7 } }
    await one.runs.answer(await one.runs.start('helper', input, { person: 'ann' }))
    await one.close()
    const second = byTurn([
      says('0'),
      says('0'),
      ...turns(['show', { name: 'id' }], ['show', { name: 'customer' }]),
    ])
    const two = await begin({ agents: [helper(second)] })
    const again = { message: 'and?', thread: 'main' }
    await two.runs.answer(await two.runs.start('helper', again, { person: 'ann' }))
    expect(told(second.told.at(-1)!).slice(1)).toEqual(['{"id":"kept"}', '{"customer":7}'])
    await two.close()
    const third = byTurn(turns(['show', { name: 'id' }], ['show', { name: 'customer' }]))
    const three = await begin({ agents: [helper(third)] })
    await three.runs.answer(await three.runs.start('helper', again, { person: 'bob' }))
    expect(told(third.told.at(-1)!)).toEqual(['{"id":"none"}', '{"customer":"none"}'])
  })

  it('go with the run that kept them when it is deleted', async () => {
    const { begin } = world(kind)
    const model = byTurn([...turns(['keep', { name: 'id', value: 'kept' }])])
    const one = await begin({ agents: [helper(model)] })
    const made = await one.runs.start('helper', { message: 'go', thread: 'main', variables: { customer: 7 } })
    await one.runs.answer(made)
    await one.runs.delete(made)
    await one.close()
    const after = byTurn(turns(['show', { name: 'id' }], ['show', { name: 'customer' }]))
    const two = await begin({ agents: [helper(after)] })
    await two.runs.answer(await two.runs.start('helper', { message: 'go', thread: 'main' }))
    expect(told(after.told.at(-1)!)).toEqual(['{"id":"none"}', '{"customer":"none"}'])
  })

  it('are known from call to call of a flow, and out of its branches', async () => {
    const { begin } = world(kind)
    const work = flow('work', {
      about: 'works',
      run: async ({ call, all }) => {
        await all(['a', 'b'], async (name, { call }) => await call(keep, { name, value: `of ${name}` }))
        return [await call(show, { name: 'a' }), await call(show, { name: 'b' })]
      },
    })
    const one = await begin({ flows: [work] })
    expect(await one.runs.answer(await one.runs.start(work, {}))).toEqual([{ a: 'of a' }, { b: 'of b' }])
  })
})
