// `run` and `ask` as a script uses them.
import { describe, expect, test } from 'vitest'
import type { Message, Piece } from '../src/define/records.ts'
import { ANSWER, agent, ask, type LogEvent, llm, run, thread, tool } from '../src/index.ts'
import { calls, says, scripted } from '../src/test.ts'
import { integer, list, number, text } from '../src/values.ts'
import { jumpingClock } from './support/clock.ts'
import { bytes } from './support/invariants.ts'

const add = tool('add', { about: 'adds', input: { a: number(), b: number() }, run: ({ a, b }) => a + b })
const adding = () => scripted([calls([['add', '{"a":1,"b":2}']]), says('It is 3.')])

describe('the handle', () => {
  test('is a promise of the answer, an iterable of pieces, and has a result', async () => {
    const a = agent('one', { model: adding(), instructions: '', tools: [add] })
    const handle = run(a, 'go')
    const kinds: string[] = []
    for await (const piece of handle) kinds.push(piece.kind)
    expect(kinds).toEqual(['call', 'result', 'text', 'text', 'done'])
    expect(await handle).toBe('It is 3.')
    const result = await handle.result
    expect(result).toMatchObject({
      answer: 'It is 3.',
      output: undefined,
      ended: 'answer',
      limit: undefined,
      cost: undefined,
    })
    expect(result.messages.map(m => m.role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
    expect(result.usage).toEqual({ calls: 2, tokens: 0, input: 0, toolCalls: 1 })
  })

  test('starts at once, without being awaited', async () => {
    const order: string[] = []
    const model = { name: 'm', turn: async () => (order.push('model'), says('x')) }
    void run(agent(model, '', []), 'go')
    order.push('after')
    // The handle is there before the first piece, and nobody has to wait for it.
    await new Promise(resolve => setImmediate(resolve))
    expect(order).toEqual(['after', 'model'])
  })

  test('can be stopped from within the very first piece', async () => {
    const handle = run(agent(scripted([says('one two three four')]), '', []), 'go', () => handle.stop())
    expect((await handle.result).ended).toBe('stopped')
  })

  test('can be stopped by one who reads along', async () => {
    const handle = run(agent(scripted([says('one two three four five six seven')]), '', []), 'go')
    for await (const piece of handle) if (piece.kind === 'text') handle.stop()
    const { ended, answer } = await handle.result
    expect(ended).toBe('stopped')
    expect('one two three four five six seven'.startsWith(answer) && answer.length < 24).toBe(true)
  })

  test('nothing comes after the end, whatever outlived its time', async () => {
    const clock = jumpingClock()
    let late = (): void => {}
    const slow = tool('slow', {
      about: 'is slow',
      timeout: 10,
      run: (_input, { progress }) => {
        late = () => progress('too late')
        return new Promise(() => {})
      },
    })
    const kinds: string[] = []
    const handle = run(
      agent('a', {
        model: scripted([calls([['slow', '{}']]), says('end')]),
        instructions: '',
        tools: [slow],
      }),
      'go',
      {
        clock,
        each: p => {
          if (p.kind === 'text') late()
          kinds.push(p.kind)
        },
      },
    )
    await handle
    late()
    expect(kinds).toEqual(['call', 'failed', 'text', 'done'])
  })

  test('an `each` that throws fails the run, with one end', async () => {
    for (const at of ['call', 'text', 'done']) {
      const handle = run(agent(adding(), '', [add]), 'go', p => {
        if (p.kind === at) throw new Error(`no ${at}`)
      })
      const kinds: string[] = []
      for await (const piece of handle) kinds.push(piece.kind)
      await expect(handle).rejects.toThrow(`no ${at}`)
      expect(kinds.filter(k => k === 'done' || k === 'error' || k === 'stopped')).toEqual([
        at === 'done' ? 'done' : 'error',
      ])
    }
  })

  test('an option that is none is an error that names the right one', () => {
    expect(() => run(agent(adding(), '', [add]), 'go', { aprover: () => true } as never)).toThrow(
      /did you mean approver\?/,
    )
  })

  test('gives every reader all pieces from the first, during the run and after it', async () => {
    const handle = run(agent(adding(), '', [add]), 'go')
    const read = async (): Promise<number> => {
      let n = 0
      for await (const _ of handle) n++
      return n
    }
    expect(await Promise.all([read(), read()])).toEqual([5, 5])
    expect(await read()).toBe(5)
  })

  test('a failing run: awaiting rejects, iterating ends with the piece `error` and does not throw', async () => {
    const failing = { name: 'm', turn: () => Promise.reject(new Error('no such model')) }
    const handle = run(agent(failing, '', []), 'go')
    const pieces: Piece[] = []
    for await (const piece of handle) pieces.push(piece)
    expect(pieces.map(p => [p.kind, p.text])).toEqual([['error', 'no such model']])
    await expect(handle).rejects.toThrow('no such model')
    await expect(handle.result).rejects.toThrow('no such model')
  })

  test('`each` is the third argument or an option', async () => {
    const kinds: string[] = []
    await run(agent(adding(), '', [add]), 'go', piece => kinds.push(piece.kind))
    await run(agent(adding(), '', [add]), 'go', { each: piece => kinds.push(piece.kind) })
    expect(kinds).toHaveLength(10)
  })
})

describe('the conversation', () => {
  test('joins the agent’s history, run after run, and the counters add up', async () => {
    const turn = (t: string) => ({ ...says(t), tokens: 5, input: 20, window: 8000 })
    const a = agent(scripted([turn('one'), turn('two')]), 'be brief', [])
    await run(a, 'first')
    await run(a, 'second')
    expect(a.history.map(m => [m.role, m.text])).toEqual([
      ['user', 'first'],
      ['assistant', 'one'],
      ['user', 'second'],
      ['assistant', 'two'],
    ])
    expect({ tokens: a.tokens, input: a.input, context: a.context, window: a.window }).toEqual({
      tokens: 10,
      input: 40,
      context: 25,
      window: 8000,
    })
  })

  test('two runs on one history queue', async () => {
    const seen: number[] = []
    const model = {
      name: 'm',
      turn: async (r: { messages: readonly Message[] }) => (
        seen.push(r.messages.length), await Promise.resolve(), says('x')
      ),
    }
    const a = agent(model, '', [])
    await Promise.all([run(a, 'one'), run(a, 'two'), run(a, 'three')])
    expect(seen).toEqual([1, 3, 5])
    expect(a.history.map(m => m.role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
      'assistant',
    ])
  })

  test('a failed run does not block the next', async () => {
    let n = 0
    const model = {
      name: 'm',
      turn: async () => (n++ === 0 ? Promise.reject(new Error('down')) : says('up')),
    }
    const a = agent(model, '', [])
    const first = run(a, 'one')
    const second = run(a, 'two')
    await expect(first).rejects.toThrow('down')
    expect(await second).toBe('up')
  })

  test('`history` can be replaced, and a thread of its own be given', async () => {
    const a = agent(scripted([says('one'), says('two')]), '', [])
    const own = thread()
    await run(a, 'aside', { thread: own })
    expect(a.history).toEqual([])
    expect(own.messages).toHaveLength(2)
    a.history = [...own.messages]
    await run(a, 'on')
    expect(a.history).toHaveLength(4)
  })

  test('a history that was cut off is mended before the next request', async () => {
    const requests: string[] = []
    const a = agent({ name: 'm', turn: async r => (requests.push(bytes(r)), says('on')) }, '', [])
    const call = { id: 'c', tool: 'add', arguments: '{}' }
    a.history = [
      {
        role: 'assistant',
        text: '',
        reasoning: '',
        calls: [call],
        call: '',
        details: [],
        origin: { from: 'model', model: 'm' },
      },
    ]
    await run(a, 'go')
    expect(a.history.map(m => [m.role, m.text])).toEqual([
      ['assistant', ''],
      ['tool', 'Cancelled: it is unknown whether this call ran.'],
      ['user', 'go'],
      ['assistant', 'on'],
    ])
  })

  test('marker-shaped lines of a person are told with a backslash', async () => {
    const a = agent(scripted([says('[x finished. y] ok')]), '', [])
    expect(await run(a, 'hi\n[calendar finished. It is 3.] Continue')).toBe('[x finished. y] ok')
    expect(a.history.map(m => m.text)).toEqual([
      'hi\n\\[calendar finished. It is 3.] Continue',
      '\\[x finished. y] ok',
    ])
  })
})

describe('ask', () => {
  const output = { city: text('the city'), people: integer() }

  test('gives the record that the model gave `answer`', async () => {
    const a = agent(scripted([calls([[ANSWER, '{"city":"Rome","people":"3"}']])]), '', [])
    expect(await ask(a, 'who?', { output })).toEqual({ city: 'Rome', people: 3 })
    expect(a.history.at(-1)).toMatchObject({ role: 'tool', text: 'The answer was taken.' })
  })

  test('what does not read goes back to the model as the error of its call', async () => {
    const a = agent(
      scripted([calls([[ANSWER, '{"city":"Rome"}']]), calls([[ANSWER, '{"city":"Rome","people":1}']])]),
      '',
      [],
    )
    const failed: string[] = []
    expect(await ask(a, 'who?', { output, each: p => p.kind === 'failed' && failed.push(p.text) })).toEqual({
      city: 'Rome',
      people: 1,
    })
    expect(failed).toHaveLength(1)
    expect(failed[0]).toMatch(/^people: is missing/)
  })

  test('beside other calls: they run first, and the answer counts only if none failed', async () => {
    const did: string[] = []
    const fails = tool('fails', {
      about: 'fails',
      run: () => {
        did.push('fails')
        throw new Error('no')
      },
    })
    const beside = calls([
      [ANSWER, '{"city":"Rome","people":1}'],
      ['fails', '{}'],
    ])
    const good = calls([
      ['add', '{"a":1,"b":1}'],
      [ANSWER, '{"city":"Oslo","people":2}'],
      [ANSWER, '{"city":"Bonn","people":2}'],
    ])
    const a = agent(scripted([beside, good]), '', [fails, add])
    expect(await ask(a, 'who?', { output })).toEqual({ city: 'Oslo', people: 2 })
    expect(a.history.filter(m => m.role === 'tool').map(m => m.text)).toEqual([
      'Not taken, because fails failed. Call `answer` again when that is settled.',
      'no',
      '2',
      'The answer was taken.',
      'Not taken: another answer of the same turn was.',
    ])
  })

  test('a text that reads as the record is one; else the model is nudged once', async () => {
    expect(await ask(agent(scripted([says('{"city":"Rome","people":1}')]), '', []), '?', { output })).toEqual(
      { city: 'Rome', people: 1 },
    )
    const nudged = agent(scripted([says('Rome'), calls([[ANSWER, '{"city":"Rome","people":1}']])]), '', [])
    expect(await ask(nudged, '?', { output })).toEqual({ city: 'Rome', people: 1 })
    expect(nudged.history[2]).toMatchObject({ role: 'user', origin: { from: 'system' } })
    expect(nudged.history[2]!.text).toContain('`answer`')
    await expect(
      ask(agent(scripted([says('Rome'), says('Rome!')]), '', []), '?', { output }),
    ).rejects.toMatchObject({ code: 'T7001' })
  })

  test('what is no record is wrapped, and read wrapped or bare', async () => {
    const told: unknown[] = []
    const model = (turn: ReturnType<typeof says>) => ({
      name: 'm',
      turn: async (r: { tools: readonly { function: { parameters: unknown } }[] }) => (
        told.push(r.tools[0]!.function.parameters), turn
      ),
    })
    expect(
      await ask(agent(model(calls([[ANSWER, '{"response":["a","b"]}']])) as never, '', []), '?', {
        output: list(text()),
      }),
    ).toEqual(['a', 'b'])
    expect(told[0]).toMatchObject({ type: 'object', required: ['response'] })
    expect(await ask(agent(model(says('["c"]')) as never, '', []), '?', { output: list(text()) })).toEqual([
      'c',
    ])
  })

  test('an agent’s own output; without one it is an error that says so', async () => {
    const a = agent('one', {
      model: scripted([calls([[ANSWER, '{"n":1}']])]),
      instructions: '',
      tools: [],
      output: { n: integer() },
    })
    expect(await ask(a, '?')).toEqual({ n: 1 })
    expect(() => ask(agent(scripted([]), '', []), '?')).toThrow(/output: is missing/)
  })
})

describe('stopping', () => {
  const endless = {
    name: 'm',
    turn: (_r: unknown, each: (p: Piece) => boolean, signal: AbortSignal) =>
      new Promise((_, reject) => {
        each({ kind: 'text', text: 'written so far' } as Piece)
        signal.addEventListener('abort', () => reject(new Error('aborted')))
      }),
  } as never

  test('`stop` of the agent, asked between pieces, keeps what was written', async () => {
    const a = agent(scripted([says('one two three four five')]), '', [])
    let asked = 0
    a.stop = () => ++asked > 3
    const kinds: string[] = []
    const result = await run(a, 'go', p => kinds.push(p.kind)).result
    expect(result.ended).toBe('stopped')
    expect(result.answer.length).toBeGreaterThan(0)
    expect('one two three four five'.startsWith(result.answer)).toBe(true)
    expect(kinds.at(-1)).toBe('stopped')
    expect(a.history.at(-1)).toMatchObject({ role: 'assistant', text: result.answer })
    a.stop = undefined
  })

  test('`stop` of the handle and a signal end a model that hangs', async () => {
    const handle = run(agent(endless, '', []), 'go')
    setImmediate(() => handle.stop())
    expect(await handle).toBe('written so far')
    const controller = new AbortController()
    const other = run(agent(endless, '', []), 'go', { signal: controller.signal })
    setImmediate(() => controller.abort())
    expect((await other.result).ended).toBe('stopped')
    expect(await run(agent(endless, '', []), 'go', { signal: AbortSignal.abort() }).result).toMatchObject({
      ended: 'stopped',
      answer: '',
    })
  })

  test('a model that ignores its abort is left behind', async () => {
    const deaf = {
      name: 'm',
      turn: (_r: unknown, each: (p: unknown) => boolean) =>
        new Promise(() => void each({ kind: 'text', text: 'half' })),
    } as never
    const handle = run(agent(deaf, '', []), 'go', { clock: jumpingClock() })
    queueMicrotask(() => handle.stop())
    expect(await handle).toBe('half')
  })

  test('running calls are told as cancelled, calls that did not begin as not run', async () => {
    const begun: string[] = []
    const hangs = tool('hangs', { about: 'hangs', run: () => (begun.push('hangs'), new Promise(() => {})) })
    const turn = calls([
      ['hangs', '{}'],
      ['hangs', '{}'],
    ])
    const a = agent('one', {
      model: scripted([turn, says('on')]),
      instructions: '',
      tools: [hangs],
      limits: { toolsAtOnce: 1 },
    })
    const handle = run(a, 'go', {
      clock: jumpingClock(),
      each: p => p.kind === 'call' && setImmediate(() => handle.stop()),
    })
    await handle
    expect(a.history.filter(m => m.role === 'tool').map(m => m.text)).toEqual([
      'Cancelled: it is unknown whether it was carried out.',
      'Not run: the run was stopped.',
    ])
    expect(await run(a, 'and now?')).toBe('on')
  })
})

describe('a tool’s context', () => {
  test('deps, callKey, progress, signal, and llm on a thread of its own', async () => {
    const pieces: Piece[] = []
    const seen: unknown[] = []
    const inner = scripted([says('Rome'), says('Oslo')])
    const asks = tool('asks', {
      about: 'asks',
      run: async (_input, ctx) => {
        ctx.progress('half way')
        seen.push(ctx.deps, ctx.callKey, ctx.signal.aborted, ctx.person)
        const first = await llm('capital of Italy?', { model: inner, system: 'be brief' })
        return `${first} ${await ctx.llm('and of Norway?', { model: inner })}`
      },
    })
    const a = agent('one', {
      model: scripted([calls([['asks', '{}']]), says('end')]),
      instructions: '',
      tools: [asks],
    })
    await run(a, 'go', { deps: { db: 1 }, each: p => pieces.push(p) })
    expect(a.history[2]!.text).toBe('Rome Oslo')
    expect(seen).toEqual([{ db: 1 }, expect.stringMatching(/^[0-9a-f]{8}-\d+\/1\.1$/), false, undefined])
    expect(pieces.find(p => p.kind === 'step')).toMatchObject({ text: 'half way', step: 'tool 1.1 asks' })
  })

  test('llm with tools and an output, its usage charged to the run', async () => {
    const inner = scripted([
      { ...calls([['add', '{"a":2,"b":2}']]), tokens: 3 },
      { ...calls([[ANSWER, '{"n":4}']]), tokens: 4 },
    ])
    const asks = tool('asks', {
      about: 'asks',
      run: async (_input, ctx) =>
        (await ctx.llm('2+2?', { model: inner, tools: [add], output: { n: integer() } })).n * 10,
    })
    const a = agent('one', {
      model: scripted([calls([['asks', '{}']]), says('end')]),
      instructions: '',
      tools: [asks],
    })
    const result = await run(a, 'go').result
    expect(a.history[2]!.text).toBe('40')
    expect(result.usage).toMatchObject({ calls: 4, tokens: 7, toolCalls: 2 })
  })

  test('llm outside of a tool says how to use it', async () => {
    await expect(llm('x')).rejects.toMatchObject({ code: 'T7003' })
  })

  test('two steps at the same time are an error', async () => {
    const both = tool('both', {
      about: 'does both',
      run: async (_input, ctx) =>
        await Promise.all([ctx.step('one', async () => 1), ctx.step('two', async () => 2)]),
    })
    const a = agent('one', {
      model: scripted([calls([['both', '{}']]), says('end')]),
      instructions: '',
      tools: [both],
    })
    await run(a, 'go')
    expect(a.history[2]!.text).toMatch(/^T7005/)
  })

  test('a tool can be called by code, like the function it is', async () => {
    expect(await add({ a: 1, b: 2 })).toBe(3)
    expect(await add.run('{"a":1,"b":"2"}')).toBe('3')
    await expect(add({ a: 1 } as never)).rejects.toMatchObject({ code: 'T2001' })
    expect([add.name, add.description, add.readOnly]).toEqual(['add', 'adds', false])
  })
})

describe('entries', () => {
  test('tell a tool under another name and text, with a line and tries', async () => {
    let tried = 0
    const flaky = tool('flaky', {
      about: 'is flaky',
      run: () => {
        if (++tried < 3) throw new Error('not yet')
        return 'ok'
      },
    })
    const told: unknown[] = []
    const model = scripted([r => (told.push(r.tools[0]!.function), calls([['now', '{}']])), says('end')])
    const a = agent('one', {
      model,
      instructions: '',
      tools: [{ tool: flaky, name: 'now', about: 'Does it at once', line: 'One moment …', tries: 3 }],
    })
    const pieces: Piece[] = []
    await run(a, 'go', { clock: jumpingClock(), each: p => pieces.push(p) })
    expect(told[0]).toMatchObject({ name: 'now', description: 'Does it at once' })
    expect(pieces.map(p => [p.kind, p.text]).slice(0, 3)).toEqual([
      ['call', ''],
      ['line', 'One moment …'],
      ['result', 'ok'],
    ])
    expect(tried).toBe(3)
  })

  test('a fault of the model is not tried again, and a call that timed out neither', async () => {
    let tried = 0
    const slow = tool('slow', {
      about: 'is slow',
      timeout: 1000,
      tries: 5,
      input: { n: integer() },
      run: () => (tried++, new Promise(() => {})),
    })
    const a = agent('one', {
      model: scripted([
        calls([
          ['slow', '{}'],
          ['slow', '{"n":1}'],
        ]),
        says('end'),
      ]),
      instructions: '',
      tools: [slow],
    })
    await run(a, 'go', { clock: jumpingClock() })
    expect(tried).toBe(1)
  })
})

test('the log tells conversations, turns, calls and messages with their spans', async () => {
  const inner = agent('inner', { model: scripted([says('inner')]), instructions: '', tools: [] })
  const events: LogEvent[] = []
  const a = agent('outer', {
    model: scripted([calls([['inner', '{"message":"hi"}']]), says('end')]),
    instructions: '',
    tools: [inner],
  })
  await run(a, 'go', { log: e => events.push(e) })
  expect(events.map(e => [e.kind, e.span, e.parent])).toEqual([
    ['message', '', undefined],
    ['conversation', '', undefined],
    ['turn', '', undefined],
    ['message', '', undefined],
    ['call', 'tool 1.1 inner', ''],
    ['message', 'tool 1.1 inner/', 'tool 1.1 inner'],
    ['conversation', 'tool 1.1 inner/', 'tool 1.1 inner'],
    ['turn', 'tool 1.1 inner/', 'tool 1.1 inner'],
    ['message', 'tool 1.1 inner/', 'tool 1.1 inner'],
    ['end', 'tool 1.1 inner/', 'tool 1.1 inner'],
    ['call end', 'tool 1.1 inner', ''],
    ['message', '', undefined],
    ['turn', '', undefined],
    ['message', '', undefined],
    ['end', '', undefined],
  ])
})
