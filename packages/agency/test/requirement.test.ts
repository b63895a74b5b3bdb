// The programs that people are shown, as they stand, and the threads that they leave behind.
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { type BatchProgram, type BatchResult, drawn, runAll } from './run.ts'

const of = (name: string) => readFileSync(new URL(`programs/${name}.agency`, import.meta.url), 'utf8')
const capital = 'The capital of India is New Delhi.'
const asks = { calls: [['getCapital', { country: 'India' }]] } as const
const calendar = (answer: boolean) => ({
  says: JSON.stringify({ answer: 'You are free.', answeredEverything: answer }),
})
const order = 'Order 7 shipped yesterday and arrives Thursday.'

const programs: { [name: string]: BatchProgram } = {
  add: { source: of('add') },
  tool: { source: of('tool'), turns: [{ calls: [['add', { a: 4, b: 5 }]] }, { says: '9' }] },
  docstring: { source: of('docstring'), turns: [{ calls: [['add', { a: 4, b: 5 }]] }, { says: '9' }] },
  parameters: { source: of('parameters'), turns: [{ says: 'ok' }] },
  named: { source: of('named') },
  blocks: { source: of('blocks') },
  capital: {
    source: of('capital'),
    turns: [asks, { says: capital }, { says: `${capital} (Retrieved using the getCapital tool.)` }],
  },
  handoff: {
    source: of('handoff'),
    turns: [
      asks,
      { says: capital },
      { says: 'The capital of India is New Delhi (returned by the getCapital tool).' },
    ],
  },
  beside: {
    source: of('beside'),
    turns: [
      {
        calls: [
          ['getCapital', { country: 'India' }],
          ['updateStatus', { status: 'busy' }],
        ],
      },
      { says: capital },
      { says: 'Done.' },
    ],
  },
  twoHandoffs: {
    source: of('beside'),
    turns: [
      {
        calls: [
          ['getCapital', { country: 'India' }],
          ['getCapital', { country: 'France' }],
          ['updateStatus', { status: 'busy' }],
        ],
      },
      { says: 'I will ask again.' },
    ],
  },
  calendarEnds: {
    source: of('calendar'),
    turns: [{ calls: [['calendarAgent', { userMessage: 'Free?' }]] }, calendar(true)],
  },
  calendarGoesOn: {
    source: of('calendar'),
    turns: [{ calls: [['calendarAgent', { userMessage: 'Free?' }]] }, calendar(false), { says: 'And more.' }],
  },
  order: { source: of('order'), turns: [{ calls: [['lookupOrder', { id: '7' }]] }] },
  orderBeside: {
    source: of('order'),
    turns: [
      {
        calls: [
          ['lookupOrder', { id: '7' }],
          ['lookupOrder', { id: '8' }],
        ],
      },
      { says: 'Both.' },
    ],
  },
  handBack: {
    source: of('handback'),
    turns: [{ calls: [['calendarAgent', { userMessage: 'Free?' }]] }, { says: 'Connect one.' }],
  },
  scopeCall: {
    source: of('scope'),
    node: 'inner',
    turns: [{ calls: [['outer', {}]] }, { calls: [['deep', { scope: 'call' }]] }, { says: 'told again' }],
  },
  scopeTurn: {
    source: of('scope'),
    node: 'inner',
    turns: [{ calls: [['outer', {}]] }, { calls: [['deep', { scope: 'turn' }]] }],
  },
  system: { source: of('system'), turns: [asks, { says: capital }, { says: 'Done.' }] },
} // prettier

let results: { [name: string]: BatchResult }

beforeAll(async () => {
  const all = await runAll(Object.values(programs))
  results = Object.fromEntries(Object.keys(programs).map((name, i) => [name, all[i]!]))
}, 60_000)

const result = (name: string) => {
  const found = results[name]!
  expect(found.error, found.error).toBeUndefined()
  return found
}
const thread = (name: string) => {
  const { requests } = result(name)
  return drawn(requests.at(-1)!.messages)
}

describe('functions', () => {
  it('are called', () => {
    expect(result('add').printed).toBe('9\n')
  })

  it('are tools of a model', () => {
    expect(result('tool').printed).toBe('9\n')
    expect(thread('tool').at(-1)).toBe('[tool: call_0] 9')
  })

  it('are told with their docstring', () => {
    expect(result('docstring').requests[0]!.tools[0]!.function.description).toBe('Adds two numbers together.')
  })

  it('tell their defaults and optionals as nullable, and the rest as a list', () => {
    const told = Object.fromEntries(
      result('parameters').requests[0]!.tools.map(t => [t.function.name, t.function.parameters]),
    )
    expect(told['round']).toMatchObject({
      properties: {
        num: { type: 'number' },
        decimals: { anyOf: [{ type: 'number' }, { type: 'null' }], description: 'default: 2' },
      },
      required: ['num'],
    })
    expect(told['greet']).toMatchObject({
      properties: { greeting: { type: ['string', 'null'] } },
      required: ['name'],
    })
    expect(told['say']).toMatchObject({
      properties: { messages: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }] } },
    })
    expect(result('parameters').printed).toBe('3.14 3.1\nHello, Ada! Hi, Ada!\na b\nok\n')
  })

  it('take arguments by name', () => {
    expect(result('named').printed).toBe('Hello, Alice!\nHi, Adit!\nHi, Bob!\n')
  })

  it('take blocks', () => {
    expect(result('blocks').printed).toBe('hello\nhello\nhello\n')
  })
})

describe('a tool that asks a model', () => {
  it('does so on a thread of its own', () => {
    const { requests, printed } = result('capital')
    expect(drawn(requests[1]!.messages)).toEqual(['[user] What is the capital of India?'])
    expect(thread('capital')).toEqual([
      '[user] Use your getCapital tool to get the capital of India.',
      '[assistant] tool call: getCapital({"country":"India"})',
      '[tool: call_0] The capital of India is New Delhi.',
    ])
    expect(printed).toBe(`${capital} (Retrieved using the getCapital tool.)\n`)
  })

  it('shares the thread as a handoff, which the thread tells', () => {
    expect(thread('handoff')).toEqual([
      '[user] Use your getCapital tool to get the capital of India.',
      '[assistant] [dispatching getCapital: {"country":"India"}]',
      '[user] What is the capital of India?',
      '[assistant] The capital of India is New Delhi.',
      "[user] [getCapital finished. The capital of India is New Delhi.] Continue with the user's request.",
    ])
    expect(result('handoff').printed).toBe(
      'The capital of India is New Delhi (returned by the getCapital tool).\n',
    )
  })

  it('runs as a handoff after the other calls of the turn', () => {
    expect(thread('beside')).toEqual([
      '[user] Get the capital of India.',
      '[assistant] tool call: updateStatus({"status":"busy"})',
      '[tool: call_1] updateStatus ran and returned nothing.',
      '[assistant] [dispatching getCapital: {"country":"India"}]',
      '[user] What is the capital of India?',
      `[assistant] ${capital}`,
      `[user] [getCapital finished. ${capital}] Continue with the user's request.`,
    ])
  })

  it('runs as none of two handoffs, and the other tools run', () => {
    const told = thread('twoHandoffs')
    expect(told.filter(each => each.includes('Not run: only one of'))).toHaveLength(2)
    expect(told.at(-1)).toBe('[tool: call_2] updateStatus ran and returned nothing.')
    expect(result('twoHandoffs').requests).toHaveLength(2)
  })
})

describe('ending the turn', () => {
  it('saves the last call, and what the handoff gave is the answer', () => {
    const { requests, value } = result('calendarEnds')
    expect(requests).toHaveLength(2)
    expect(value).toMatchObject({ answer: 'You are free.' })
    expect((value as { thread: { content: string }[] }).thread.map(m => m.content)).toEqual([
      'What is on my calendar?',
      '[dispatching calendarAgent: {"userMessage":"Free?"}]',
      "Answer the user's calendar question.",
      'You are free.',
    ])
  })

  it('is left out where the answer covers not all', () => {
    expect(result('calendarGoesOn').value).toMatchObject({ answer: 'And more.' })
    expect(result('calendarGoesOn').requests).toHaveLength(3)
  })

  it('tells the model what @jsonSchema says', () => {
    const told = result('calendarEnds').requests[1]!.tools.find(t => t.function.name === 'answer')!
    expect(told.function.parameters['properties']).toMatchObject({
      answeredEverything: {
        type: 'boolean',
        description: "true only if your answer covers every part of the user's latest message",
      },
    })
  })

  it('works from an ordinary tool that is the only one called', () => {
    expect(result('order').value).toBe(order)
    expect(result('order').requests).toHaveLength(1)
    expect(result('orderBeside').value).toBe('Both.')
  })

  it('ends the inner call only, or every one around it', () => {
    expect(result('scopeCall').value).toEqual({ answer: 'told again', ran: ['outer'] })
    expect(result('scopeTurn').value).toEqual({ answer: 'deep answer', ran: ['outer'] })
  })
})

describe('handing back', () => {
  it('says what handBack says', () => {
    expect(thread('handBack').at(-1)).toBe(
      '[user] [calendarAgent could not help: no calendar is connected.] Tell the user how to connect one.',
    )
  })

  it('takes the system messages of the body from the thread', () => {
    const { requests } = result('system')
    expect(drawn(requests[1]!.messages)).toContain('[system] You know capitals.')
    expect(thread('system').some(each => each.startsWith('[system]'))).toBe(false)
  })
})
