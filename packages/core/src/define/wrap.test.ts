import { expect, expectTypeOf, test } from 'vitest'
import { run } from '../loop/run.ts'
import { calls, says, scripted } from '../model/scripted.ts'
import { text } from '../value/words.ts'
import { agent } from './agent.ts'
import { definitionOf, type Tool, tool } from './tool.ts'
import { wrapTool } from './wrap.ts'

const shout = tool('shout', {
  about: 'Shouts.',
  input: { words: text() },
  readOnly: true,
  line: 'shouting',
  run: ({ words }) => words.toUpperCase(),
})

test('it stands around the function, and everything else of the tool stays', async () => {
  const seen: unknown[] = []
  const wrapped = wrapTool(shout, async (input, ctx, next) => {
    seen.push(input, ctx.callKey !== '')
    return `${await next(input)}!`
  })
  const { execute: _, ...outer } = definitionOf(wrapped)!
  const { execute: __, ...inner } = definitionOf(shout)!
  expect(outer).toEqual(inner)
  const model = scripted([
    calls([['shout', { words: 'hey' }]]),
    request => says(request.messages.at(-1)?.text ?? ''),
  ])
  expect(await run(agent(model, '', [wrapped]), 'Q')).toBe('HEY!')
  expect(seen).toEqual([{ words: 'hey' }, true])
  expect(await wrapped({ words: 'ho' })).toBe('HO!')
  expectTypeOf(wrapped).toEqualTypeOf<Tool<{ words: string }, Promise<string>>>()
})

test('what it throws is a failed result, and the function does not run', async () => {
  let ran = 0
  const pay = tool('pay', { about: 'Pays.', run: () => ++ran })
  const guarded = wrapTool(pay, () => {
    throw new Error('not today')
  })
  const told: string[] = []
  const model = scripted([
    calls([['pay', {}]]),
    request => (told.push(request.messages.at(-1)!.text), says('ok')),
  ])
  await run(agent(model, '', [guarded]), 'Q')
  expect(told[0]).toContain('not today')
  expect(ran).toBe(0)
})

test('an agent can be wrapped as the tool that it is', async () => {
  const inner = agent('helper', {
    model: scripted([says('I helped.')]),
    instructions: '',
    tools: [],
    about: 'Helps.',
  })
  const wrapped = wrapTool(inner, async (input, _, next) => `(${await next(input)})`)
  const model = scripted([
    calls([['helper', { message: 'Help!' }]]),
    request => says(request.messages.at(-1)?.text ?? ''),
  ])
  expect(await run(agent(model, '', [wrapped]), 'Q')).toBe('(I helped.)')
})

test('what is no tool is refused', () => {
  expect(() => wrapTool({} as never, () => 1)).toThrow(TypeError)
})
