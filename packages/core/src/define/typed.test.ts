// Tools of plain functions, with what a build step would have read from their types written by hand.
import { describe, expect, it } from 'vitest'
import { agent, ask, llm, model, run, schema, tool } from '../index.ts'
import { calls, says, scripted } from '../test.ts'
import type { Context } from './context.ts'
import type { Expanded } from './typed.ts'

const number = { type: 'number' }
const added: Expanded = {
  name: 'add',
  about: 'Adds.',
  params: ['a', 'b'],
  input: {
    type: 'object',
    properties: { a: number, b: { ...number, default: 10 } },
    required: ['a'],
    additionalProperties: false,
  },
}
const add = (a: number, b = 10): number => a + b
const named: Expanded = {
  about: 'Greets.',
  input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
}

describe('a tool of a plain function', () => {
  it('has the name, the description and the schema that its types say', () => {
    const made = tool(add, () => added)
    expect([made.name, made.description, made.parameters]).toEqual(['add', 'Adds.', added.input])
  })

  it('is called by code like the function, its defaults filled in', async () => {
    const made = tool(add, () => added)
    expect(await made(1, 2)).toBe(3)
    expect(await made(1)).toBe(11)
    expect(await made.run('{"a":5}')).toBe('15')
  })

  it('is called by a model with a record, and refuses what does not read', async () => {
    const helper = agent(
      scripted([calls([['add', { a: 1, b: 4 }]]), calls([['add', { b: 1 }]]), says('ok')]),
      '',
      [tool(add, () => added)],
    )
    await run(helper, 'x')
    const results = helper.history.filter(each => each.role === 'tool').map(each => each.text)
    expect(results[0]).toBe('5')
    expect(results[1]).toContain('a: is missing')
  })

  it('takes one record, and the context behind it', async () => {
    const seen: unknown[] = []
    const greet = tool(
      'greet',
      ({ name }: { name: string }, ctx: Context) => {
        seen.push(typeof ctx.signal.aborted)
        return `Hello ${name}`
      },
      () => named,
    )
    expect(await greet({ name: 'Ada' })).toBe('Hello Ada')
    expect(seen).toEqual(['boolean'])
  })

  it('gets the context behind its parameters, those left out too', async () => {
    const seen: unknown[] = []
    const made = tool(
      (a: number, b: number | undefined, ctx: Context) => seen.push(a, b, ctx.callKey),
      () => ({
        ...added,
        input: { type: 'object', properties: { a: number, b: number }, required: ['a'] },
      }),
    )
    await made(1, undefined)
    expect(seen).toEqual([1, undefined, ''])
  })

  it('states only the rest where `run` has types', async () => {
    const greet = tool(
      'greet',
      { about: 'Greets.', readOnly: true, run: (input: { name: string }) => input.name },
      () => ({
        input: named.input!,
      }),
    )
    expect([greet.readOnly, greet.parameters]).toEqual([true, named.input])
    expect(await greet({ name: 'Ada' })).toBe('Ada')
  })

  it('fails at once where its types were not read, and says how to have them read', () => {
    for (const make of [
      () => tool(add),
      () => tool('add', add),
      () => agent('m', '', [add]),
      () => schema<number>(),
    ])
      expect(make).toThrow(/T2108[\s\S]*toolwright\/register/)
  })
})

describe('a list of tools', () => {
  it('takes plain functions by their place, from the end behind a spread', async () => {
    const helper = agent(
      scripted([
        calls([
          ['first', { a: 1 }],
          ['last', { a: 2 }],
        ]),
        says('ok'),
      ]),
      '',
      [add, tool('middle', { about: 'x', run: () => 1 }), { tool: add, tries: 2 }],
      () => ({ tools: { 0: { ...added, name: 'first' }, [-1]: { ...added, name: 'last' } } }),
    )
    await run(helper, 'x')
    expect(helper.history.filter(each => each.role === 'tool').map(each => each.text)).toEqual(['11', '12'])
  })
})

describe('ask, llm and model', () => {
  const output = { type: 'object', properties: { a: number }, required: ['a'], additionalProperties: false }
  const typed = (): Expanded => ({ output })

  it('ask for the record that their type says', async () => {
    const helper = agent(scripted([calls([['answer', { a: 1 }]])]), '', [])
    const answer = await ask<{ a: number }>(helper, 'x', undefined, typed)
    expect(answer.a).toBe(1)
  })

  it('ask inside of a tool, with plain functions as tools', async () => {
    const inner = scripted([calls([['add', { a: 1 }]]), calls([['answer', { a: 7 }]])])
    const work = tool('work', {
      about: 'Works.',
      run: async () =>
        (
          await llm<{ a: number }>('x', { tools: [add], model: inner }, () => ({
            output,
            tools: { 0: added },
          }))
        ).a,
    })
    const helper = agent(scripted([calls([['work', {}]]), says('ok')]), '', [work])
    await run(helper, 'x')
    expect(helper.history.find(each => each.role === 'tool')?.text).toBe('7')
  })

  it('are functions of the types', async () => {
    const sum = model<{ name: string }, { a: number }>(
      'sum',
      { model: scripted([calls([['answer', { a: 3 }]])]), about: 'Sums up.' },
      () => ({ input: named.input!, output }),
    )
    expect((await sum({ name: 'x' })).a).toBe(3)
  })

  it('give the schema itself', () => {
    expect(schema<{ a: number }>(typed)).toBe(output)
  })
})
