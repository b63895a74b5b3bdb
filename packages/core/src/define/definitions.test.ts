// Bad definitions are errors where they are made, all faults at once.
import { describe, expect, expectTypeOf, test } from 'vitest'
import { agent, type Context, tool } from '../index.ts'
import { says, scripted } from '../test.ts'
import { integer, list, optional, text } from '../values.ts'
import { duration, type LimitsStated, readLimits, size } from './limits.ts'
import { nearest } from './names.ts'

const model = scripted([says('x')])
const fine = tool('fine', { about: 'is fine', run: () => 1 })

function faultsOf(define: () => unknown): string {
  try {
    define()
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('no error was thrown')
}

describe('tool', () => {
  test('lists every fault at once, each with its option and mend', () => {
    const message = faultsOf(() =>
      tool(' x', { about: '', danger: 'always', tries: 0, timeout: 'soon', run: 3, extra: 1 } as never),
    )
    expect(message).toMatch(/^T1001: tool " x" has 7 faults:/)
    for (const option of ['name', 'about', 'danger', 'tries', 'timeout', 'run', 'extra'])
      expect(message).toContain(`\n  ${option}: `)
  })

  test('the words of other libraries are answered with the mend', () => {
    const message = faultsOf(() =>
      tool('x', { description: 'd', parameters: {}, inputSchema: {}, execute: () => 1 } as never),
    )
    expect(message).toContain('description: is no option (write about)')
    expect(message).toContain('parameters: is no option (write input')
    expect(message).toContain('inputSchema: is no option (write input')
    expect(message).toContain('execute: is no option (write run: (input, ctx) => …)')
  })

  test('an option that is nearly right is named', () => {
    expect(faultsOf(() => tool('x', { about: 'a', readonly: true, run: () => 1 } as never))).toContain(
      'did you mean readOnly?',
    )
  })

  test('an input that is missing while run takes one', () => {
    expect(faultsOf(() => tool('x', { about: 'a', run: (input: never) => input } as never))).toContain(
      'input: is missing',
    )
    expect(tool('x', { about: 'a', run: (_input, ctx) => ctx.callKey }).name).toBe('x')
  })

  test('infers the input and gives back a function of it', () => {
    const t = tool('x', {
      about: 'a',
      input: { id: integer(), tags: optional(list(text())) },
      run: (input, ctx: Context<{ db: string }>) => {
        expectTypeOf(input).toEqualTypeOf<{ id: number; tags?: string[] }>()
        return ctx.deps.db.length + input.id
      },
    })
    expectTypeOf(t).parameter(0).toEqualTypeOf<{ id: number; tags?: string[] }>()
    expectTypeOf(t).returns.resolves.toEqualTypeOf<number>()
  })
})

describe('agent', () => {
  test('lists every fault of itself and of its tools and limits', () => {
    const message = faultsOf(() =>
      agent('a', {
        model: 3,
        tools: [fine, fine, () => 1, { tool: 'x', name: '' }, null],
        limits: { steps: -1, time: 'long', perRun: { tokens: 1 }, nope: 2 },
        trust: [7, function sendMail() {}],
        access: 'everyone',
        maxSteps: 3,
      } as never),
    )
    expect(message).toMatch(/^T1001: agent "a" has \d+ faults:/)
    for (const part of [
      'model: is no model',
      'instructions: is no text',
      'tools[1]: is told as "fine", and so is tools[0]',
      'tools[2]: T2108: is the function',
      'tools[3].tool: is the text "x"',
      'tools[3].name: is empty',
      'tools[4]: is null',
      'limits.steps: is -1',
      'limits.time: is "long"',
      'limits.perRun.tokens: is no limit (the limits are tokensOut, calls, cost)',
      'limits.nope: is no limit',
      'trust[0]: is no tool, agent or service',
      'trust[1]: is the plain function sendMail, which does not state that it sends anything out',
      'access: is everyone',
      'maxSteps: is no option (write limits: { steps: 16 })',
    ])
      expect(message).toContain(part)
  })

  test('the short form has 16 rounds and the same definition', () => {
    const short = agent(model, 'be good', [fine])
    expect(short).toMatchObject({
      model,
      instructions: 'be good',
      rounds: 16,
      maxTokens: 0,
      maxMs: 0,
      history: [],
    })
    expect(agent('openai/some-model', 'be good').model.name).toBe('openai/some-model')
  })

  test('T1009: names that are kept', () => {
    const told = (name: string) => ({ tool: fine, name })
    const sequence = { tool: () => fine as never, instructions: () => '' }
    const code = (more: object, name: string): unknown => {
      try {
        agent('a', { model, instructions: '', tools: [told(name)], ...more } as never)
        return undefined
      } catch (error) {
        return (error as { code: string }).code
      }
    }
    const words =
      'all fill fail text number integer flag date list record choice optional anything first last count keys values sum join split sort unique where pick string number boolean null any void object Array Record Result call sequence'
    for (const name of words.split(' ')) {
      expect([name, code({ sequence }, name)]).toEqual([name, 'T1009'])
      expect([name, code({}, name)]).toEqual([name, undefined])
    }
    expect(code({ output: text() }, 'answer')).toBe('T1009')
    expect(code({}, 'answer')).toBeUndefined()
  })

  test('an agent is one thing or another by its output', () => {
    const texts = agent('a', { model, instructions: '', tools: [] })
    const records = agent('b', { model, instructions: '', tools: [], output: { n: integer() } })
    expectTypeOf(texts['~output']).toEqualTypeOf<string | undefined>()
    expectTypeOf(records['~output']).toEqualTypeOf<{ n: number } | undefined>()
  })
})

describe('limits as people write them', () => {
  test.each([
    ['10 minutes', 600_000],
    ['1 minute', 60_000],
    ['1.5 hours', 5_400_000],
    ['7 days', 604_800_000],
    ['90 s', 90_000],
    ['250 ms', 250],
    [500, 500],
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  ])('%s is %d ms', (stated, ms) => expect(duration(stated)).toBe(ms))

  test.each([
    '',
    '10',
    'minutes',
    '-1 minute',
    '0 s',
    '1 fortnight',
    '1 constructor',
    '1e3 s',
    0,
    -1,
    Number.NaN,
    null,
    undefined,
    true,
  ])('%s is no time', stated => expect(duration(stated)).toBeUndefined())

  test.each([
    ['1 MB', 1_000_000],
    ['512 kB', 512_000],
    ['1 KiB', 1024],
    ['10 bytes', 10],
    [2048, 2048],
  ])('%s is %d bytes', (stated, bytes) => expect(size(stated)).toBe(bytes))

  test('the requirement’s limits read', () => {
    const stated: LimitsStated = {
      steps: 12,
      perRun: { tokensOut: 50000 },
      time: '10 minutes',
      ask: '7 days',
      result: '1 MB',
      toolCalls: 100,
      toolsAtOnce: 8,
      pass: '5 seconds',
    }
    const faults: never[] = []
    expect(readLimits(stated, faults)).toMatchObject({
      steps: 12,
      tokensOut: 50000,
      time: 600_000,
      ask: 604_800_000,
      result: 1_000_000,
      toolCalls: 100,
      toolsAtOnce: 8,
      pass: 5000,
      asks: 20,
      repeats: 8,
      depth: 8,
    })
    expect(faults).toEqual([])
  })
})

test('nearest names', () => {
  expect(nearest('getWether', ['getWeather', 'sendMail'])).toEqual(['getWeather'])
  expect(nearest('weather', ['get_weather', 'x'])).toEqual(['get_weather'])
  expect(nearest('', ['a', 'b'])).toEqual([])
  expect(nearest('zzzzzz', ['getWeather'])).toEqual([])
})
