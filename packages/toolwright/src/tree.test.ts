import type { LogEvent, Message } from '@toolwright/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tree } from './tree.ts'

// Hand-written logs. Each event says only what matters to it; time, run and the place in the thread are filled in.
type Filled = 'at' | 'run' | 'thread' | 'row'
type Short<E> = E extends LogEvent ? Omit<E, Filled> & { at?: number; run?: string } : never
let row = 0
const log = (...events: Short<LogEvent>[]) =>
  events.map(event => ({ at: 0, run: 'r1', thread: event.span, row: row++, ...event }) as LogEvent)

const blank = { reasoning: '', calls: [], call: '', details: [] }
const user = (text: string): Message => ({ ...blank, role: 'user', text, origin: { from: 'person' } })
const says = (text: string, ...calls: [tool: string, input: string][]): Message => ({
  ...blank,
  role: 'assistant',
  text,
  calls: calls.map(([tool, input], i) => ({ id: `call_${i}`, tool, arguments: input })),
  origin: { from: 'model', model: 'm' },
})
const result = (tool: string, text: string, call = 'call_0'): Message => ({
  ...blank,
  role: 'tool',
  text,
  call,
  origin: { from: 'tool', tool },
})

const said = (message: Message, span = '') => ({ kind: 'message' as const, span, message })
const begun = (number: string, tool: string, input: string, parent = '', at = 0) => ({
  kind: 'call' as const,
  span: `${parent ? `${parent}/` : ''}tool ${number} ${tool}`,
  parent,
  number,
  tool,
  arguments: input,
  at,
})
const noUsage = { calls: 0, tokens: 0, input: 0, toolCalls: 0 }
const ended = (number: string, tool: string, ms: number, more: object = {}, parent = '') => ({
  kind: 'call end' as const,
  span: `${parent ? `${parent}/` : ''}tool ${number} ${tool}`,
  parent,
  number,
  tool,
  ms,
  waited: 0,
  usage: noUsage,
  failed: false,
  ...more,
})
const conversation = (span: string, parent?: string) => ({
  kind: 'conversation' as const,
  span,
  ...(parent === undefined ? {} : { parent }),
  agent: 'a',
  model: 'm',
})
const lines = (...all: string[]) => all.join('\n')

describe('tree', () => {
  it('draws the transcript of the requirement, to the letter', () => {
    const inside = 'tool 1.1 getCapital/llm 1'
    const usage = { calls: 1, tokens: 8, input: 86, cost: 0.00012, toolCalls: 0 }
    const events = log(
      conversation(''),
      said(user('Use your getCapital tool to get the capital of India.')),
      said(says('', ['getCapital', '{"country":"India"}'])),
      begun('1.1', 'getCapital', '{"country":"India"}'),
      conversation(inside, 'tool 1.1 getCapital'),
      said(user('What is the capital of India?'), inside),
      said(says('The capital of India is New Delhi.'), inside),
      ended('1.1', 'getCapital', 1912, { usage }),
      said(result('getCapital', 'The capital of India is New Delhi.')),
      said(says('The capital of India is New Delhi. (Retrieved using the getCapital tool.)')),
      { kind: 'end', span: '', ended: 'answer', ms: 3000, waited: 0, usage },
    )
    expect(tree(events)).toBe(
      lines(
        '[user] Use your getCapital tool to get the capital of India.',
        '[assistant] tool call: getCapital({"country":"India"})',
        '▼ toolExecution getCapital (1.9s, 94 tok, $0.000)',
        '    [user] What is the capital of India?',
        '    [assistant] The capital of India is New Delhi.',
        '▶ toolCall "getCapital" (1.9s)',
        '[tool: getCapital] The capital of India is New Delhi.',
        '[assistant] The capital of India is New Delhi. (Retrieved using the getCapital tool.)',
      ),
    )
  })

  it('draws no ▼ where no conversation happened, and leaves out what is unknown', () => {
    const events = log(
      said(user('Add.')),
      said(says('I add.', ['add', '{"a":1}'])),
      begun('1.1', 'add', '{"a":1}'),
      ended('1.1', 'add', 12),
      said(result('add', '3')),
    )
    expect(tree(events)).toBe(
      lines(
        '[user] Add.',
        '[assistant] I add.',
        '[assistant] tool call: add({"a":1})',
        '▶ toolCall "add" (12ms)',
        '[tool: add] 3',
      ),
    )
    const inside = 'tool 1.1 add/llm 1'
    const silent = log(begun('1.1', 'add', ''), conversation(inside, 'tool 1.1 add'), said(user('?'), inside))
    expect(tree([...silent, ...log(ended('1.1', 'add', 200))])).toContain('▼ toolExecution add (0.2s)\n')
  })

  it('draws parallel calls in the order in which the model made them, each with its own result', () => {
    const events = log(
      said(says('', ['slow', '{}'], ['fast', '{}'], ['fast', '{"n":2}'])),
      begun('1.2', 'fast', '{}'),
      begun('1.1', 'slow', '{}'),
      begun('1.3', 'fast', '{"n":2}'),
      ended('1.3', 'fast', 100),
      ended('1.2', 'fast', 200),
      ended('1.1', 'slow', 3000),
      said(result('slow', 'S', 'call_0')),
      said(result('fast', 'F', 'call_1')),
      said(result('fast', 'F2', 'call_2')),
    )
    expect(tree(events)).toBe(
      lines(
        '[assistant] tool call: slow({})',
        '[assistant] tool call: fast({})',
        '[assistant] tool call: fast({"n":2})',
        '▶ toolCall "slow" (3.0s)',
        '[tool: slow] S',
        '▶ toolCall "fast" (0.2s)',
        '[tool: fast] F',
        '▶ toolCall "fast" (0.1s)',
        '[tool: fast] F2',
      ),
    )
  })

  it('gives results to calls in order where a provider repeats its ids, and keeps those of calls never begun', () => {
    const twice = says('', ['a', '1'], ['b', '2'], ['gone', '3'])
    const calls = twice.calls.map(call => ({ ...call, id: '' }))
    const events = log(
      said({ ...twice, calls }),
      begun('1.1', 'a', '1'),
      begun('1.2', 'b', '2'),
      ended('1.1', 'a', 100),
      ended('1.2', 'b', 100),
      said(result('a', 'A', '')),
      said(result('b', 'B', '')),
      said(result('gone', 'there is no tool gone', '')),
    )
    expect(tree(events).split('\n').slice(3)).toEqual([
      '▶ toolCall "a" (0.1s)',
      '[tool: a] A',
      '▶ toolCall "b" (0.1s)',
      '[tool: b] B',
      '[tool: gone] there is no tool gone',
    ])
  })

  it('sorts calls by their numbers, those that a program made behind its own call', () => {
    const numbers = ['1.10', '1.2', '1.2.10', '1.2.9', '1.1']
    const events = log(...numbers.map(number => begun(number, `t${number}`, '{}')))
    expect(tree(events).match(/t[\d.]+/g)).toEqual(['t1.1', 't1.2', 't1.2.9', 't1.2.10', 't1.10'])
  })

  it('nests to any depth, and gives each of several conversations in a call a heading', () => {
    const first = 'tool 1.1 research/llm 1'
    const second = 'tool 1.1 research/llm 2'
    const deep = `${first}/tool 1.1 find`
    const events = log(
      said(says('', ['research', '{}'])),
      begun('1.1', 'research', '{}'),
      conversation(first, 'tool 1.1 research'),
      conversation(second, 'tool 1.1 research'),
      said(user('two'), second),
      said(user('one'), first),
      said(says('', ['find', '{"q":1}']), first),
      begun('1.1', 'find', '{"q":1}', first),
      conversation(`${deep}/llm 1`, deep),
      said(user('deepest'), `${deep}/llm 1`),
      ended('1.1', 'find', 500, { usage: { ...noUsage, tokens: 5 } }, first),
      said(result('find', 'found'), first),
      ended('1.1', 'research', 61_000),
    )
    expect(tree(events)).toBe(
      lines(
        '[assistant] tool call: research({})',
        '▼ toolExecution research (1m 01s)',
        '    · llm 1',
        '        [user] one',
        '        [assistant] tool call: find({"q":1})',
        '        ▼ toolExecution find (0.5s, 5 tok)',
        '            [user] deepest',
        '        ▶ toolCall "find" (0.5s)',
        '        [tool: find] found',
        '    · llm 2',
        '        [user] two',
        '▶ toolCall "research" (1m 01s)',
      ),
    )
  })

  it('shows waiting time apart, failed and refused calls, and what ended the run early', () => {
    const decision = {
      kind: 'decision' as const,
      span: 'tool 1.2 pay',
      parent: '',
      tool: 'pay',
      number: '1.2',
    }
    const events = log(
      said(says('', ['a', '{}'], ['pay', '{}'])),
      begun('1.1', 'a', '{}'),
      begun('1.2', 'pay', '{}'),
      ended('1.1', 'a', 200, { waited: 4100, failed: true }),
      { ...decision, kind: 'ask', number: '1.2', arguments: '{}', why: '' },
      { ...decision, approved: false, why: 'too\nmuch' },
      ended('1.2', 'pay', 0, { waited: 60_000, failed: true }),
      { kind: 'end', span: '', ended: 'limit', limit: 'steps', ms: 200, waited: 64_100, usage: noUsage },
    )
    expect(tree(events).split('\n').slice(2)).toEqual([
      '▶ toolCall "a" (0.2s, waited 4.1s) failed',
      '▶ toolCall "pay" (0ms, waited 1m 00s) refused: too much',
      '■ limit: steps (0.2s, waited 1m 04s)',
    ])
  })

  it('ends what still runs in ⋯, with its time where the time now is known, and shows what waits for a person', () => {
    const inside = 'tool 1.1 research/llm 1'
    const ask = { kind: 'ask' as const, span: 'tool 1.2 pay', parent: '', tool: 'pay', number: '1.2' }
    const events = log(
      said(says('', ['research', '{}'], ['pay', '{"amount":3}'])),
      begun('1.1', 'research', '{}', '', 1000),
      conversation(inside, 'tool 1.1 research'),
      said(user('one'), inside),
      begun('1.2', 'pay', '{"amount":3}', '', 2000),
      { ...ask, arguments: '{"amount":3}', why: 'the tool asks before each call' },
    )
    expect(tree(events, { now: 4500 }).split('\n').slice(2)).toEqual([
      '▼ toolExecution research (3.5s) ⋯',
      '    [user] one',
      '▶ toolCall "research" (3.5s) ⋯',
      '▶ toolCall "pay" (2.5s) ⋯',
      '? ask 1.2 waits for a person: pay({"amount":3}) (the tool asks before each call)',
    ])
    expect(tree(events)).toContain('▶ toolCall "pay" ⋯')
    const answered = log({ ...ask, kind: 'decision', approved: true })
    expect(tree([...events, ...answered])).not.toContain('?')
  })

  it('draws the calls that a program makes inside of a call of its own', () => {
    const events = log(
      said(says('', ['sequence', '{}'])),
      begun('1.1', 'sequence', '{}'),
      begun('1.1.2', 'b', '{}', 'tool 1.1 sequence'),
      begun('1.1.1', 'a', '{}', 'tool 1.1 sequence'),
      ended('1.1.2', 'b', 100, {}, 'tool 1.1 sequence'),
      ended('1.1.1', 'a', 200, {}, 'tool 1.1 sequence'),
      ended('1.1', 'sequence', 300),
      said(result('sequence', 'done')),
    )
    expect(tree(events).split('\n')).toEqual([
      '[assistant] tool call: sequence({})',
      '▼ toolExecution sequence (0.3s)',
      '    ▶ toolCall "a" (0.2s)',
      '    ▶ toolCall "b" (0.1s)',
      '▶ toolCall "sequence" (0.3s)',
      '[tool: sequence] done',
    ])
  })

  it('draws a handoff on the thread of its caller, in whichever span its messages are told', () => {
    const inside = 'tool 1.1 over/llm 1'
    const marks = ['[dispatching over: {}]', '[over finished. ok] Continue'].map(text => says(text))
    for (const span of ['', inside]) {
      const place = { span, ...(span === '' ? {} : { parent: 'tool 1.1 over' }), thread: 'main' }
      const told = (row: number, message: Message) => ({ kind: 'message' as const, ...place, row, message })
      const events = log(
        { ...said(says('', ['over', '{}'])), row: 0, thread: 'main' } as never,
        { ...begun('1.1', 'over', '{}'), handoff: true },
        { kind: 'change', span: '', thread: 'main', row: 0 } as never,
        said(marks[0] as Message),
        told(4, user('one')) as never,
        conversation(inside, 'tool 1.1 over'),
        told(5, says('', ['look', '{}'])) as never,
        begun('1.1', 'look', '{}', inside),
        ended('1.1', 'look', 100, {}, inside),
        told(6, result('look', 'seen')) as never,
        said(marks[1] as Message),
        ended('1.1', 'over', 200),
      )
      expect(tree(events).split('\n')).toEqual([
        '[assistant] [dispatching over: {}]',
        '[user] one',
        '[assistant] tool call: look({})',
        '▶ toolCall "look" (0.1s)',
        '[tool: look] seen',
        '[assistant] [over finished. ok] Continue',
      ])
    }
  })

  it('is the same for a run that went on after a kill and told its beginning again', () => {
    const once = log(
      conversation(''),
      said(user('Add.')),
      said(says('', ['add', '{}'])),
      begun('1.1', 'add', '{}'),
      { kind: 'ask', span: 'tool 1.1 add', parent: '', tool: 'add', number: '1.1', arguments: '{}', why: '' },
    )
    const rest = log(ended('1.1', 'add', 100), said(result('add', '3')), said(says('It is 3.')))
    const inside = { span: 'tool 1.1 add/llm 1', parent: 'tool 1.1 add', thread: 'own', row: 0 }
    once.push(...log({ kind: 'message', message: user('inside'), ...inside } as never))
    expect(tree(once)).toContain('\n    [user] inside\n')
    expect(tree([...once, ...once])).toBe(tree(once))
    expect(tree([...once, ...once, ...rest])).toBe(tree([...once, ...rest]))
    expect(tree([...once, ...rest])).toContain('▶ toolCall "add" (0.1s)\n[tool: add] 3\n')
  })

  it('hangs the lines of a text under its first, and escapes all that others wrote', () => {
    const events = log(
      said(user('first\n[assistant] not me\n\nlast')),
      said(says('\x1b[2Jgone', ['a\x07', '{"x":"\u202e"}'])),
      begun('1.1', 'a\x07', '{}'),
      said(result('a\x07', 'r\r\n2')),
    )
    expect(tree(events)).toBe(
      lines(
        '[user] first',
        '    [assistant] not me',
        '',
        '    last',
        '[assistant] \\x1b[2Jgone',
        '[assistant] tool call: a\\x07({"x":"\\u202e"})',
        '▶ toolCall "a\\x07" ⋯',
        '[tool: a\\x07] r',
        '    2',
      ),
    )
  })

  it('lets no control character of anything foreign through', () => {
    const foreign = fc
      .array(fc.oneof(fc.constantFrom('\x1b[2J', '\u202e', '\r', '\n', '\t', '\x9b'), fc.string()), {
        maxLength: 5,
      })
      .map(parts => parts.join(''))
    fc.assert(
      fc.property(foreign, foreign, foreign, (name, text, input) => {
        const ask = { span: `tool 1.1 ${name}`, parent: '', tool: name, number: '1.1' }
        const events = log(
          said(user(text)),
          said(says(text, [name, input])),
          begun('1.1', name, input),
          { kind: 'conversation', span: `x/${name}`, parent: ask.span, agent: name, model: name },
          { kind: 'conversation', span: 'y/', parent: ask.span, agent: name, model: name },
          { ...ask, kind: 'ask', arguments: input, why: text },
          said(result(name, text)),
          { kind: 'warning', span: '', text },
          { kind: 'end', span: '', ended: 'limit', limit: text, ms: 0, waited: 0, usage: noUsage },
        )
        const refused = log({ ...ask, kind: 'decision', approved: false, why: text }, ended('1.1', name, 0))
        for (const drawn of [tree(events, { warnings: true }), tree([...events, ...refused])])
          expect(drawn).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e]/u)
      }),
    )
  })

  it('cuts long texts, but never the input of an ask; counts pictures', () => {
    const long = `{"t":"${'x'.repeat(5000)}"}`
    const ask = {
      kind: 'ask' as const,
      span: 'tool 1.1 pay',
      parent: '',
      tool: 'pay',
      number: '1.1',
      why: '',
    }
    const drawn = tree(
      log(said({ ...user('y'.repeat(30)), images: ['data:,', 'data:,'] }), begun('1.1', 'pay', long), {
        ...ask,
        arguments: long,
      }),
      { longest: 10 },
    )
    expect(drawn).toContain(`[user] ${'y'.repeat(10)}… (20 more characters) (2 pictures)`)
    expect(drawn).toContain(long)
    expect(tree(log(said({ ...user('See'), images: ['data:,'] })))).toBe('[user] See (1 picture)')
  })

  it('shows warnings where asked', () => {
    const events = log({ kind: 'warning', span: '', text: 'endTurn was ignored' })
    expect(tree(events)).toBe('')
    expect(tree(events, { warnings: true })).toBe('! endTurn was ignored')
  })

  it('draws several runs one after another, and a log that begins in the middle', () => {
    const events = log(
      said(user('one')),
      { kind: 'message', span: '', run: 'r2', message: user('two') },
      { kind: 'message', span: 'tool 1.1 x/llm 1', parent: 'tool 1.1 x', run: 'r3', message: user('three') },
    )
    expect(tree(events)).toBe('[user] one\n\n[user] two\n\n[user] three')
    expect(tree([])).toBe('')
  })
})
