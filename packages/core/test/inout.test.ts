// What goes in and out: models as functions, results of several kinds, records as they are written, settings.
import fc from 'fast-check'
import { describe, expect, expectTypeOf, test } from 'vitest'
import type { Model, Piece, Request, Settings } from '../src/define/records.ts'
import { ANSWER, agent, ask, llm, model, type Run, result, run, tool } from '../src/index.ts'
import { readPartial } from '../src/loop/partial.ts'
import { calls, says, scripted } from '../src/test.ts'
import { integer, list, record, text } from '../src/values.ts'

describe('a model called as a function', () => {
  const make = (turns: Parameters<typeof scripted>[0], requests: Request[] = []) => {
    const inner = scripted(turns)
    const spied: Model = {
      ...inner,
      turn: (r, each, signal) => (
        requests.push({ ...r, messages: [...r.messages] }), inner.turn(r, each, signal)
      ),
    }
    return model('summarise', {
      model: spied,
      about: 'Sums up a text',
      input: { text: text() },
      output: text(),
      instructions: 'In one line.',
    })
  }

  test('by code: its input is the prompt, its answer a text', async () => {
    const requests: Request[] = []
    const summarise = make([says('short'), says('again')], requests)
    expectTypeOf(summarise).parameter(0).toEqualTypeOf<{ text: string }>()
    expect(await summarise({ text: 'long' })).toBe('short')
    expect(requests[0]).toMatchObject({
      instructions: 'In one line.',
      tools: [],
      messages: [{ role: 'user', text: '{"text":"long"}' }],
    })
    // Each call is a conversation of its own.
    expect(await summarise({ text: 'other' })).toBe('again')
    expect(requests[1]!.messages).toHaveLength(1)
  })

  test('a record is asked for through `answer`', async () => {
    const count = model('count', {
      model: scripted([calls([[ANSWER, '{"n":"3"}']])]),
      about: 'Counts',
      input: { of: text() },
      output: { n: integer() },
    })
    const counted = await count({ of: 'x' })
    expectTypeOf(counted).toEqualTypeOf<{ n: number }>()
    expect(counted).toEqual({ n: 3 })
  })

  test('as a tool, and inside of a tool: charged to the run', async () => {
    const summarise = make([
      { ...says('one'), tokens: 5 },
      { ...says('two'), tokens: 6 },
    ])
    const outer = tool('outer', { about: 'uses it', run: async () => await summarise({ text: 'inside' }) })
    const turns = calls([
      ['summarise', '{"text":"a"}'],
      ['outer', '{}'],
    ])
    const a = agent('a', {
      model: scripted([turns, says('end')]),
      instructions: '',
      tools: [summarise, outer],
    })
    a.approve = call => call.tool !== 'summarise' || Promise.reject(new Error('it is read-only'))
    const { usage } = await run(a, 'go').result
    expect(
      a.history
        .filter(m => m.role === 'tool')
        .map(m => m.text)
        .sort(),
    ).toEqual(['one', 'two'])
    expect(usage).toMatchObject({ calls: 4, tokens: 11 })
  })

  test('bad statements are errors, all at once', () => {
    expect(() => model('x', { about: '', tools: [] } as never)).toThrow(/has 5 faults/)
  })
})

describe('a result of several kinds', () => {
  const image = 'data:image/png;base64,AAAA'

  test('code gets the data, the model texts and pictures, after all results of the turn', async () => {
    const chart = tool('chart', {
      about: 'draws',
      run: () => result({ data: { points: 3 }, model: ['a chart', { image }] }),
    })
    const other = tool('other', { about: 'other', run: () => 'ok' })
    const a = agent('a', {
      model: scripted([
        calls([
          ['chart', '{}'],
          ['other', '{}'],
        ]),
        says('end'),
      ]),
      instructions: '',
      tools: [chart, other],
    })
    await run(a, 'go')
    expect(a.history.slice(2, 5).map(m => [m.role, m.text, m.images])).toEqual([
      ['tool', 'a chart', undefined],
      ['tool', 'ok', undefined],
      ['user', 'The picture that chart attached:', [image]],
    ])
  })

  test('what is no picture is an error of the tool', async () => {
    const bad = tool('bad', {
      about: 'is bad',
      run: () => result({ data: 1, model: [{ image: 'http://x/y.png' }] }),
    })
    const a = agent('a', {
      model: scripted([calls([['bad', '{}']]), says('end')]),
      instructions: '',
      tools: [bad],
    })
    await run(a, 'go')
    expect(a.history[2]!.text).toContain("{ image: 'data:image/png;base64,…' }")
  })
})

describe('a record as it is being written', () => {
  test('grows by the pieces of `answer`', async () => {
    const whole = '{"city":"Rome","people":[{"name":"Ada"},{"name":"Bob"}]}'
    const writing: Model = {
      name: 'm',
      async turn(_r, each) {
        for (const part of whole.match(/.{1,3}/g)!)
          each({ kind: 'input', text: part, index: 0, tool: ANSWER })
        return calls([[ANSWER, whole]])
      },
    }
    const output = { city: text(), people: list(record({ name: text() })) }
    const asked = ask(agent(writing, '', []), 'go', { output })
    const seen: unknown[] = []
    for await (const part of asked.partial()) seen.push(part)
    expect(seen[0]).toEqual({})
    expect(seen).toContainEqual({ city: 'Rom' })
    expect(seen).toContainEqual({ city: 'Rome', people: [{ name: 'Ada' }] })
    expect(seen.at(-1)).toEqual(JSON.parse(whole))
    expect(await asked).toEqual(JSON.parse(whole))
  })

  test('is what it is: one with a field `response` alone is no wrapping, and what is no record comes out of its', async () => {
    const writing = (whole: string): Model => ({
      name: 'm',
      async turn(_r, each) {
        for (const part of whole.match(/.{1,4}/g)!)
          each({ kind: 'input', text: part, index: 0, tool: ANSWER })
        return calls([[ANSWER, whole]])
      },
    })
    const parts = async (asked: Run<unknown>) => {
      const seen: unknown[] = []
      for await (const part of asked.partial()) seen.push(part)
      return seen
    }
    const whole = '{"response":"yes"}'
    const one = ask(agent(writing(whole), '', []), 'go', { output: { response: text() } })
    expect(await parts(one)).toEqual([{}, { response: 'yes' }])
    const bare = ask(agent(writing(whole), '', []), 'go', { output: text() })
    expect(await parts(bare)).toEqual(['yes'])
  })

  test('ends with the whole as it was read, also of a model that does not stream its calls', async () => {
    const output = { n: integer(), unit: text({ default: 'EUR' }) }
    const asked = ask(agent(scripted([calls([[ANSWER, '{"n":"3"}']])]), '', []), 'go', { output })
    const seen: unknown[] = []
    for await (const part of asked.partial()) seen.push(part)
    expect(seen).toEqual([{ n: 3, unit: 'EUR' }])
    const failing = ask(agent(scripted([]), '', []), 'go', { output })
    for await (const part of failing.partial()) seen.push(part)
    expect(seen).toHaveLength(1)
    await expect(failing).rejects.toThrow('T3011')
  })

  test('any beginning of any JSON text reads as a beginning of it, and the whole as the whole', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.nat(), (value, at) => {
        const whole = JSON.stringify(value)
        expect(readPartial(whole)).toEqual(JSON.parse(whole))
        const part = readPartial(whole.slice(0, at % (whole.length + 1)))
        if (typeof value === 'object' && value !== null && at % (whole.length + 1) > 0)
          expect(begins(part, JSON.parse(whole))).toBe(true)
      }),
      { numRuns: 2000, seed: 3 },
    )
  })
})

/** True where `part` is how `whole` may look before it has come to its end. */
function begins(part: unknown, whole: unknown): boolean {
  if (Array.isArray(part))
    return Array.isArray(whole) && part.length <= whole.length && part.every((p, i) => begins(p, whole[i]))
  if (typeof part === 'object' && part !== null)
    return (
      typeof whole === 'object' &&
      whole !== null &&
      Object.entries(part).every(
        ([k, v]) => Object.hasOwn(whole, k) && begins(v, (whole as Record<string, unknown>)[k]),
      )
    )
  if (typeof part === 'string') return typeof whole === 'string' && whole.startsWith(part)
  if (typeof part === 'number') return typeof whole === 'number'
  return part === whole
}

describe('settings', () => {
  const asked = async (
    settings: Settings,
    turns: Parameters<typeof scripted>[0],
    steps = 16,
  ): Promise<(Settings | undefined)[]> => {
    const seen: (Settings | undefined)[] = []
    const inner = scripted(turns)
    const spied: Model = {
      ...inner,
      turn: (r, each, signal) => (seen.push(r.settings), inner.turn(r, each, signal)),
    }
    const t = tool('t', { about: 't', polls: true, run: () => 1 })
    await run(agent('a', { model: spied, instructions: '', tools: [t], settings, limits: { steps } }), 'go')
    return seen
  }
  const once = calls([['t', '{}']])

  test('reach each request; a choice that forces a call counts for the first turn only', async () => {
    expect(await asked({ temperature: 0, toolChoice: 'required' }, [once, once, says('x')])).toEqual([
      { temperature: 0, toolChoice: 'required' },
      { temperature: 0 },
      { temperature: 0 },
    ])
    expect(await asked({ toolChoice: { tool: 't' }, forced: 'always' }, [once, once, says('x')], 2)).toEqual([
      { toolChoice: { tool: 't' }, forced: 'always' },
      { toolChoice: { tool: 't' }, forced: 'always' },
      // The last turn offers no tools.
      {},
    ])
    expect(await asked({ toolChoice: 'none' }, [says('x')])).toEqual([{ toolChoice: 'none' }])
  })

  test('`llm` has its own', async () => {
    const seen: (Settings | undefined)[] = []
    const small: Model = { name: 's', turn: async r => (seen.push(r.settings), says('ok')) }
    const t = tool('t', { about: 't', run: () => llm('x', { model: small, settings: { temperature: 1 } }) })
    await run(
      agent('a', {
        model: scripted([once, says('x')]),
        instructions: '',
        tools: [t],
        settings: { temperature: 0 },
      }),
      'go',
    )
    expect(seen).toEqual([{ temperature: 1 }])
  })

  test('`input` pieces show a call’s arguments as they stream', async () => {
    const writing: Model = {
      name: 'm',
      async turn(r, each) {
        if (r.messages.length > 1) return says('end')
        for (const part of ['{"te', 'xt":"a"}']) each({ kind: 'input', text: part, index: 0, tool: 't' })
        return calls([['t', '{"text":"a"}']])
      },
    }
    const pieces: Piece[] = []
    const t = tool('t', { about: 't', input: { text: text() }, run: ({ text }) => text })
    await run(agent('a', { model: writing, instructions: '', tools: [t] }), 'go', p => pieces.push(p))
    expect(pieces.slice(0, 3).map(p => [p.kind, p.text])).toEqual([
      ['input', '{"te'],
      ['input', 'xt":"a"}'],
      ['call', ''],
    ])
  })
})
