// What a program does with the core, without a word of any platform: it is run on Node, under workerd and under Bun,
// and tells the same.
import {
  agent,
  app,
  ask,
  endpoint,
  endTurn,
  flow,
  handBack,
  llm,
  type Piece,
  type Run,
  run,
  type Tool,
  type ToolwrightError,
  title,
  tool,
  wrapTool,
} from '../../src/index.ts'
import { calls, says, scripted } from '../../src/test.ts'
import { choice, date, integer, number, record, text } from '../../src/values.ts'

/** What each part of the scenario saw. */
export type Seen = Record<string, unknown>

const order = tool('order', {
  about: 'Orders.',
  input: {
    count: integer({ min: 1 }),
    id: text({ pattern: '^[A-Z]-\\d$' }),
    when: date({ default: '2026-01-02' }),
  },
  danger: 'ask',
  async run({ count, id, when }, ctx) {
    ctx.progress('thinking')
    const kind = await ctx.llm('Which kind?')
    return { ordered: `${count} of ${kind} as ${id} on ${when}` }
  },
})

const add = tool('add', {
  about: 'Adds.',
  input: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { $ref: '#/$defs/n' } },
    required: ['a', 'b'],
    $defs: { n: { type: 'number', maximum: 100 } },
  },
  readOnly: true,
  run: input => Number(input['a']) + Number(input['b']),
}) as Tool<Record<string, unknown>, number>

const capital = tool('capital', {
  about: 'Finds a capital.',
  input: { country: text() },
  handoff: true,
  run: ({ country }, ctx) => ctx.llm(`What is the capital of ${country}?`),
})

/** Everything that the core does without a module of its platform, against the server at `url`. */
export async function scenario(url: string): Promise<Seen> {
  const model = endpoint('m', { url, key: 'secret' })
  const seen: Seen = {}

  const pieces: Piece[] = []
  const shop = agent('shop', { model, instructions: 'You run a shop.', tools: [order, add, capital] })
  const ordered = run(shop, 'Order three.', { approver: () => true })
  for await (const piece of ordered) pieces.push(piece)
  const { answer, ended, usage } = await ordered.result
  seen['a run with tools'] = {
    answer,
    ended,
    usage,
    history: shop.history.map(({ role, text }) => [role, text]),
  }
  seen['its pieces'] = pieces.map(({ kind, text }) => `${kind} ${text}`)

  const guide = agent('guide', { model, instructions: 'You know.', tools: [capital] })
  await run(guide, 'Find it out.')
  seen['a handoff'] = guide.history.map(({ text }) => text)

  const output = record({ degrees: number(), sky: choice('clear', 'cloudy') })
  seen['a record'] = await ask(agent('meteo', { model, instructions: '', tools: [] }), 'How warm is it?', {
    output,
  })

  const helper = agent('helper', { model, instructions: '', about: 'Helps.', tools: [] })
  const boss = agent('boss', { model, instructions: '', tools: [helper] })
  seen['an agent in an agent'] = await run(boss, 'Ask the sub-agent.')

  seen['a title'] = await title(model, 'Order three.').catch(String)
  seen['a tool called by code'] = await add({ a: 1, b: 2 })
  seen['faults'] = await add({ a: 1, b: 200 }).catch((error: ToolwrightError) => error.message)
  seen['middleware'] = await wrapTool(add, async (input, _, next) => (await next(input)) * 2)({ a: 1, b: 2 })

  const slow = tool('slow', {
    about: 'Never ends.',
    timeout: 20,
    run: (_, ctx) =>
      new Promise((_, reject) => ctx.signal.addEventListener('abort', () => reject('aborted'))),
  })
  const late = agent('late', {
    model: scripted([calls([['slow', {}]]), says('late')]),
    instructions: '',
    tools: [slow],
  })
  await run(late, 'x')
  seen['a time limit'] = late.history[2]?.text

  const endless = agent('endless', {
    model: scripted([says('word '.repeat(100))]),
    instructions: '',
    tools: [],
  })
  const stopped: Run<string> = run(endless, 'x', piece => piece.kind === 'text' && stopped.stop())
  seen['a stop'] = (await stopped.result).ended

  const refused = agent('a', {
    model: endpoint('m', { url: `${url}/nowhere/../..`, tries: 1 }),
    instructions: '',
    tools: [],
  })
  seen['another address'] = await run(refused, 'x').then(
    text => text,
    (error: ToolwrightError) => error.code,
  )

  const double = flow('double', {
    input: { n: integer() },
    output: integer(),
    run: async f => await f.step('twice', () => f.input.n * 2),
  })
  const office = app({ flows: [double] })
  seen['a flow in an app'] = await office.runs.answer(await office.runs.start(double, { n: 21 }))
  await office.close()
  return seen
}

/** The functions that find their call without being handed it: only where the platform keeps track of it. */
export async function ambient(): Promise<string> {
  const deep = tool('deep', { about: 'x', run: async () => await llm('anything') })
  const model = scripted([calls([['deep', {}]]), says('found'), says('end')])
  const one = agent('one', { model, instructions: '', tools: [deep] })
  await run(one, 'x')
  return one.history[2]!.text
}

/** The marks of a tool that find their call by themselves: set, or refused, but never silently nothing. */
export async function marks(): Promise<string[]> {
  const told: string[] = []
  const marking = tool('marking', {
    about: 'x',
    run: () => {
      for (const mark of [endTurn, () => handBack('x')])
        try {
          mark()
          told.push('set')
        } catch (error) {
          told.push((error as Error).message)
        }
      return 'the answer'
    },
  })
  const one = agent('one', {
    model: scripted([calls([['marking', {}]]), says('end')]),
    instructions: '',
    tools: [marking],
  })
  return [await run(one, 'x'), ...told]
}
