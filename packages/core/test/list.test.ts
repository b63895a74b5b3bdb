// `tell: 'list'` and sequences: other ways of telling, the same calls.
import { describe, expect, test } from 'vitest'
import type { Request } from '../src/define/records.ts'
import { TOOL } from '../src/define/tool.ts'
import { agent, type Entry, type Piece, run, type Sequence, tool } from '../src/index.ts'
import { calls, says, scripted } from '../src/test.ts'
import { integer, text } from '../src/values.ts'
import { unpaired } from './support/invariants.ts'

const find = tool('crm.find', {
  about: 'finds a customer',
  input: { email: text() },
  run: ({ email }) => `found ${email}`,
})
const pay = tool('pay', {
  about: 'pays',
  input: { amount: integer() },
  danger: 'ask',
  run: ({ amount }) => `paid ${amount}`,
})
const call = (tool: string, input: unknown) => calls([['call', JSON.stringify({ tool, input })]])
const results = (a: { history: { role: string; text: string }[] }) =>
  a.history.filter(m => m.role === 'tool').map(m => m.text)

/** A model that keeps what it was asked. */
function asked(turns: Parameters<typeof scripted>[0]) {
  const requests: Request[] = []
  const inner = scripted(turns)
  return {
    requests,
    model: {
      ...inner,
      turn: (...args: Parameters<typeof inner.turn>) => (requests.push({ ...args[0] }), inner.turn(...args)),
    },
  }
}

describe("tell: 'list'", () => {
  test('one function, and the tools as lines in the instructions', async () => {
    const { model, requests } = asked([call('crm.find', { email: 'a@b.c' }), says('end')])
    const a = agent('one', { model, instructions: 'Be good.', tools: [find, pay], tell: 'list' })
    const pieces: Piece[] = []
    await run(a, 'go', p => pieces.push(p))
    expect(requests[0]!.tools.map(t => t.function.name)).toEqual(['call'])
    expect(requests[0]!.instructions).toBe(
      'Be good.\n\nThe tools, called with `call` by name and input:\n- "crm.find(email: string): finds a customer"\n- "pay(amount: integer): pays"',
    )
    expect(results(a)).toEqual(['found a@b.c'])
    // People see the inner tool; the thread keeps the call as the model made it.
    expect(pieces.slice(0, 2).map(p => [p.kind, p.step, p.call?.arguments])).toEqual([
      ['call', 'tool 1.1 crm.find', '{"email":"a@b.c"}'],
      ['result', 'tool 1.1 crm.find', '{"email":"a@b.c"}'],
    ])
    expect(a.history[1]!.calls[0]).toMatchObject({ tool: 'call' })
    expect(a.history[2]!.origin).toEqual({ from: 'tool', tool: 'crm.find' })
  })

  test('the guard, the reading and the limits are those of the inner tool', async () => {
    const shown: string[] = []
    const turns = [
      call('pay', { amount: '5' }),
      call('pay', { amount: 'x' }),
      call('crm.fnd', {}),
      calls([['call', '{"input":{}}']]),
      calls([['call', '{']]),
      call('pay', '{"amount":7}'),
      says('end'),
    ]
    const a = agent('one', { model: scripted(turns), instructions: '', tools: [find, pay], tell: 'list' })
    await run(a, 'go', { approver: ask => (shown.push(`${ask.call.tool} ${ask.call.arguments}`), true) })
    expect(shown).toEqual(['pay {"amount":5}', 'pay {"amount":7}'])
    const [paid, unread, unknown, missing, broken, again] = results(a)
    expect([paid, again]).toEqual(['paid 5', 'paid 7'])
    expect(unread).toMatch(/^amount: expected integer/)
    expect(unknown).toBe('There is no tool "crm.fnd". Did you mean crm.find?')
    expect(missing).toMatch(/^The tool is missing/)
    expect(broken).toMatch(/^The arguments are no valid JSON/)
    expect(unpaired(a.history)).toBeUndefined()
  })

  test('digits beyond what a number holds reach a text as they were written', async () => {
    const order = tool('order', { about: 'orders', input: { id: text() }, run: ({ id }) => id })
    const a = agent('one', {
      model: scripted([calls([['call', '{"tool":"order","input":{"id":12345678901234567890}}']]), says('x')]),
      instructions: '',
      tools: [order],
      tell: 'list',
    })
    await run(a, 'go')
    expect(results(a)).toEqual(['12345678901234567890'])
  })

  test('a handoff is one under `call` too, and `answer` stays a function of its own', async () => {
    const h = tool('h', { about: 'takes over', handoff: true, run: () => 'done' })
    const { model, requests } = asked([call('h', {}), calls([['answer', '{"n":1}']])])
    const a = agent('one', { model, instructions: '', tools: [h], tell: 'list', output: { n: integer() } })
    expect(await run(a, 'go')).toBe('{"n":1}')
    expect(requests[0]!.tools.map(t => t.function.name)).toEqual(['call', 'answer'])
    expect(a.history[1]!.text).toBe('[dispatching h: {}]')
  })

  test('hundreds of tools: groups in the instructions, and `find` brings lines', async () => {
    const topics = ['invoice', 'customer', 'parcel', 'meeting', 'holiday']
    const many: Entry[] = Array.from({ length: 300 }, (_, i) =>
      tool(`${topics[i % 5]}s.op${i}`, {
        about: `does thing ${i} with one ${topics[i % 5]}`,
        input: { id: text() },
        run: () => `${i}`,
      }),
    )
    many.push(
      tool('weather.get', {
        about: 'Tells temperature and rain for a town',
        input: { town: text('Where') },
        run: () => 'sunny',
      }),
    )
    const { model, requests } = asked([
      calls([['find', '{"query":"how much will it rain in towns?"}']]),
      call('weather.get', { town: 'Oslo' }),
      says('end'),
    ])
    const a = agent('one', { model, instructions: '', tools: many, tell: 'list', trust: [] })
    a.approve = asking => asking.tool !== 'find' || Promise.reject(new Error('find never asks'))
    await run(a, 'go')
    expect(requests[0]!.tools.map(t => t.function.name)).toEqual(['call', 'find'])
    expect(requests[0]!.instructions.length).toBeLessThan(5000)
    expect(requests[0]!.instructions).toContain('"invoices (60): op0, op5')
    const [found, weather] = results(a)
    expect(found!.split('\n')[0]).toBe('"weather.get(town: string): Tells temperature and rain for a town"')
    expect(weather).toBe('sunny')
  })

  test('`find` gives way to a tool of that name', async () => {
    const many: Entry[] = Array.from({ length: 60 }, (_, i) =>
      tool(`t${i}`, { about: `is ${i}`, run: () => i }),
    )
    many.push(tool('find', { about: 'is the own find', run: () => 'own' }))
    const { model, requests } = asked([says('x')])
    await run(agent('one', { model, instructions: '', tools: many, tell: 'list' }), 'go')
    expect(requests[0]!.tools.map(t => t.function.name)).toEqual(['call', 'find_tools'])
  })

  test('T1009: a tool told as `call`', () => {
    const define = (name: string) => () =>
      agent('one', { model: scripted([]), instructions: '', tools: [{ tool: find, name }], tell: 'list' })
    expect(define('call')).toThrow(/T1009/)
    expect(define('sequence')).toThrow(/T1009/)
    expect(define('fill')).not.toThrow()
    expect(() =>
      agent('one', { model: scripted([]), instructions: '', tools: [], tell: 'lst' as never }),
    ).toThrow(/tell: is lst/)
  })
})

describe('a sequence, with a stand-in for its language', () => {
  // A program is one tool name a line: each is called, and the last result is given back.
  const sequence: Sequence = {
    instructions: told => `Programs call ${told.map(t => t.name).join(', ')}.`,
    tool: told => ({
      ...tool('sequence', { about: 'Runs a program', input: { program: text() }, run: () => 1 })[TOOL],
      execute: async (input, ctx) => {
        const lines = (input as { program: string }).program.split('\n')
        let last = ''
        for (const [i, line] of lines.entries()) {
          const [name, args] = line.split(' ')
          const one = told.find(t => t.name === name)
          if (!one) throw new Error(`line ${i + 1}: there is no ${name}`)
          const outcome = await ctx.call(String(i), one, args ?? '{}')
          if (outcome.failed) throw new Error(outcome.text)
          last = outcome.text
        }
        return last
      },
    }),
  }

  test('each call in it is an ordinary call: guarded, numbered, shown, counted', async () => {
    const { model, requests } = asked([
      calls([['sequence', JSON.stringify({ program: 'crm.find {"email":"a"}\npay {"amount":2}' })]]),
      says('end'),
    ])
    const a = agent('one', { model, instructions: '', tools: [find, pay], sequence })
    const steps: string[] = []
    const result = await run(a, 'go', {
      nested: true,
      approver: ask => (steps.push(ask.step), true),
      each: p => p.kind === 'result' && steps.push(p.step),
    }).result
    expect(requests[0]!.tools.map(t => t.function.name)).toEqual(['sequence'])
    expect(requests[0]!.instructions).toBe('Programs call crm.find, pay.')
    expect(steps).toEqual([
      'tool 1.1 sequence/tool 0 crm.find',
      'tool 1.1 sequence/ask 1',
      'tool 1.1 sequence/tool 1 pay',
      'tool 1.1 sequence',
    ])
    expect(results(a)).toEqual(['paid 2'])
    expect(result.usage.toolCalls).toBe(3)
  })

  test('T1009 for its words', () => {
    const define = (name: string) => () =>
      agent('one', { model: scripted([]), instructions: '', tools: [{ tool: find, name }], sequence })
    for (const name of ['all', 'fill', 'fail', 'where', 'Record', 'call', 'sequence'])
      expect(define(name)).toThrow(/T1009/)
    expect(define('answer')).not.toThrow()
  })
})
