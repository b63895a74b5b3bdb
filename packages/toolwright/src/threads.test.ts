// Transcripts of real runs: an agent with a scripted model runs, its log is written to a file, and `toolwright show`
// draws it. The first two are those of the requirement, to the letter.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Agent,
  agent,
  endTurn,
  handBack,
  llm,
  type Model,
  type RunOptions,
  run,
  type Tool,
  tool,
} from 'toolwright'
import { calls, type ScriptedTurn, says, scripted } from 'toolwright/test'
import { flag, record, text } from 'toolwright/values'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { fakeTerminal } from '../test/terminal.ts'
import { showCommand } from './show.ts'

let folder: string
let files = 0
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-threads-'))
})
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

/** A clock that only goes where a model says how long it took. */
const clock = { ms: 1_000_000_000_000, now: () => clock.ms, after: () => () => {} }
const takes = (ms: number, turn: ReturnType<typeof says>): ScriptedTurn => {
  return () => {
    clock.ms += ms
    return turn
  }
}
const model = (...turns: ScriptedTurn[]): Model => scripted(turns)

/** What `toolwright show` draws of a run, as lines. */
async function shows(adam: Agent, prompt: string, options: RunOptions & { warnings?: boolean } = {}) {
  const { warnings = false, ...rest } = options
  const path = join(folder, `${++files}.jsonl`)
  vi.stubEnv('TOOLWRIGHT_LOG', path)
  await run(adam, prompt, { clock, ...rest }).result.catch(() => {})
  const terminal = fakeTerminal()
  await showCommand(path, { json: false, warnings }, terminal)
  expect(terminal.stderr).toBe('')
  return terminal.stdout.trimEnd().split('\n')
}

const prompt = 'Use your getCapital tool to get the capital of India.'
const india = '{"country":"India"}'
const getCapital = (handoff: boolean, body = (question: string): Promise<string> => llm(question)) =>
  tool('getCapital', {
    about: 'The capital of a country',
    input: { country: text() },
    readOnly: true,
    handoff,
    run: ({ country }) => body(`What is the capital of ${country}?`),
  })
const asks = calls([['getCapital', india]])
const answers = takes(
  1912,
  says('The capital of India is New Delhi.', { tokens: 8, input: 86, cost: 0.0001 }),
)

describe('the transcripts of the requirement', () => {
  it('of a tool that asks a model', async () => {
    const last = says('The capital of India is New Delhi. (Retrieved using the getCapital tool.)')
    const adam = agent(model(asks, answers, last), 'Help.', [getCapital(false)])
    expect(await shows(adam, prompt)).toEqual([
      '[user] Use your getCapital tool to get the capital of India.',
      '[assistant] tool call: getCapital({"country":"India"})',
      '▼ toolExecution getCapital (1.9s, 94 tok, $0.000)',
      '    [user] What is the capital of India?',
      '    [assistant] The capital of India is New Delhi.',
      '▶ toolCall "getCapital" (1.9s)',
      '[tool: getCapital] The capital of India is New Delhi.',
      '[assistant] The capital of India is New Delhi. (Retrieved using the getCapital tool.)',
    ])
  })

  it('of a handoff', async () => {
    const last = says('The capital of India is New Delhi (returned by the getCapital tool).')
    const adam = agent(model(asks, answers, last), 'Help.', [getCapital(true)])
    expect(await shows(adam, prompt)).toEqual([
      '[user] Use your getCapital tool to get the capital of India.',
      '[assistant] [dispatching getCapital: {"country":"India"}]',
      '[user] What is the capital of India?',
      '[assistant] The capital of India is New Delhi.',
      "[user] [getCapital finished. The capital of India is New Delhi.] Continue with the user's request.",
      '[assistant] The capital of India is New Delhi (returned by the getCapital tool).',
    ])
  })
})

const started = [`[user] ${prompt}`, `[assistant] [dispatching getCapital: ${india}]`]
const question = '[user] What is the capital of India?'
const finished = "[user] [getCapital finished. New Delhi] Continue with the user's request."
const look = tool('look', { about: 'Looks.', input: {}, readOnly: true, run: () => 'seen' })
const deep = tool('deep', { about: 'Asks.', input: {}, readOnly: true, run: () => llm('Deeper?') })

describe('a handoff', () => {
  it('shows the calls of the models inside, in their places', async () => {
    const inner = calls([
      ['look', '{}'],
      ['deep', '{}'],
    ])
    const body = (asked: string) => llm(asked, { tools: [look, deep] })
    const turns = [asks, inner, says('Deepest.'), says('New Delhi.'), says('Done.')]
    const adam = agent(model(...turns), 'Help.', [getCapital(true, body)])
    expect(await shows(adam, prompt)).toEqual([
      ...started,
      question,
      '[assistant] tool call: look({})',
      '[assistant] tool call: deep({})',
      '▶ toolCall "look" (0ms)',
      '[tool: look] seen',
      '▼ toolExecution deep (0ms)',
      '    [user] Deeper?',
      '    [assistant] Deepest.',
      '▶ toolCall "deep" (0ms)',
      '[tool: deep] Deepest.',
      '[assistant] New Delhi.',
      "[user] [getCapital finished. New Delhi.] Continue with the user's request.",
      '[assistant] Done.',
    ])
  })

  it('stands behind the calls beside it, wherever the model wrote it', async () => {
    const both = calls(
      [
        ['getCapital', india],
        ['look', '{}'],
      ],
      { text: 'I look and ask.' },
    )
    const adam = agent(model(both, says('New Delhi'), says('Done.')), 'Help.', [getCapital(true), look])
    expect(await shows(adam, prompt)).toEqual([
      `[user] ${prompt}`,
      '[assistant] I look and ask.',
      '[assistant] tool call: look({})',
      '▶ toolCall "look" (0ms)',
      '[tool: look] seen',
      `[assistant] [dispatching getCapital: ${india}]`,
      question,
      '[assistant] New Delhi',
      finished,
      '[assistant] Done.',
    ])
  })

  it('nests, and the calls of the innermost are on the one thread', async () => {
    const innermost = tool('ask', {
      about: 'Asks.',
      input: {},
      readOnly: true,
      handoff: true,
      run: () => llm('Really?', { tools: [look], system: 'Be sure.' }),
    })
    const body = (asked: string) => llm(asked, { tools: [innermost] })
    const turns = [
      asks,
      calls([['ask', '{}']]),
      calls([['look', '{}']]),
      says('Yes.'),
      says('New Delhi'),
      says('Done.'),
    ]
    const adam = agent(model(...turns), 'Help.', [getCapital(true, body)])
    expect(await shows(adam, prompt)).toEqual([
      ...started,
      question,
      '[assistant] [dispatching ask: {}]',
      '[user] Really?',
      '[assistant] tool call: look({})',
      '▶ toolCall "look" (0ms)',
      '[tool: look] seen',
      '[assistant] Yes.',
      "[user] [ask finished. Yes.] Continue with the user's request.",
      '[assistant] New Delhi',
      finished,
      '[assistant] Done.',
    ])
  })

  it('shows its system messages while they stand, and not after', async () => {
    const during: string[][] = []
    const path = () => join(folder, `${files}.jsonl`)
    const spy: Tool = tool('spy', {
      about: 'Shows.',
      input: {},
      readOnly: true,
      run: async () => {
        const terminal = fakeTerminal()
        await showCommand(path(), { json: false, warnings: false }, terminal)
        during.push(terminal.stdout.trimEnd().split('\n'))
        return 'ok'
      },
    })
    const body = (asked: string) => llm(asked, { system: 'You know capitals.', tools: [spy] })
    const turns = [asks, calls([['spy', '{}']]), says('New Delhi'), says('Done.')]
    const after = await shows(agent(model(...turns), 'Help.', [getCapital(true, body)]), prompt)
    const before = ['[system] You know capitals.', question, '[assistant] tool call: spy({})']
    expect(during).toEqual([[...started, ...before, '▶ toolCall "spy" ⋯']])
    expect(after.join('\n')).not.toContain('[system]')
  })

  it('that was refused is a failed call like any, and one that fails says so on the thread', async () => {
    const refused = tool('getCapital', {
      about: 'x',
      input: { country: text() },
      handoff: true,
      danger: 'ask',
      run: () => llm('never'),
    })
    const no = { approver: () => ({ approved: false as const, why: 'not today' }) }
    expect(await shows(agent(model(asks, says('Well.')), 'Help.', [refused]), prompt, no)).toEqual([
      `[user] ${prompt}`,
      `[assistant] tool call: getCapital(${india})`,
      '▶ toolCall "getCapital" (0ms) refused: not today',
      '[tool: getCapital] The person declined this call.',
      '[assistant] Well.',
    ])
    const broken = getCapital(true, async asked => {
      await llm(asked)
      throw new Error('no map')
    })
    expect(await shows(agent(model(asks, says('Hm.'), says('Sorry.')), 'Help.', [broken]), prompt)).toEqual([
      ...started,
      question,
      '[assistant] Hm.',
      "[user] [getCapital failed. no map] Continue with the user's request.",
      '[assistant] Sorry.',
    ])
  })

  it('two at once do not run, and the others do', async () => {
    const other = tool('other', { about: 'x', input: {}, handoff: true, run: () => 'x' })
    const three = calls([
      ['getCapital', india],
      ['other', '{}'],
      ['look', '{}'],
    ])
    const shown = await shows(agent(model(three, says('Done.')), '', [getCapital(true), other, look]), prompt)
    expect(shown.slice(4)).toEqual([
      '▶ toolCall "look" (0ms)',
      '[tool: look] seen',
      expect.stringMatching(/^\[tool: getCapital\] Not run: only one /),
      expect.stringMatching(/^\[tool: other\] Not run: only one /),
      '[assistant] Done.',
    ])
  })

  it('says what it hands back with', async () => {
    const body = async () => {
      handBack('[getCapital could not help.] Ask again.')
      return 'no map'
    }
    const adam = agent(model(asks, says('Sorry.')), 'Help.', [getCapital(true, body)])
    expect(await shows(adam, prompt)).toEqual([
      ...started,
      '[user] [getCapital could not help.] Ask again.',
      '[assistant] Sorry.',
    ])
  })

  it('of an agent has the messages of that agent', async () => {
    const child = agent('geographer', {
      model: model(calls([['look', '{}']]), says('New Delhi')),
      instructions: 'You know maps.',
      tools: [look],
      about: 'Knows maps.',
      handoff: true,
    })
    const turns = [calls([['geographer', '{"message":"India?"}']]), says('Done.')]
    expect(await shows(agent(model(...turns), 'Help.', [child]), prompt)).toEqual([
      `[user] ${prompt}`,
      '[assistant] [dispatching geographer: {"message":"India?"}]',
      '[user] India?',
      '[assistant] tool call: look({})',
      '▶ toolCall "look" (0ms)',
      '[tool: look] seen',
      '[assistant] New Delhi',
      "[user] [geographer finished. New Delhi] Continue with the user's request.",
      '[assistant] Done.',
    ])
  })
})

describe('the end of a turn from a tool', () => {
  it('puts the answer in place of the record that a handoff ended with', async () => {
    const reply = record({ answer: text(), whole: flag() })
    const body = async (asked: string) => {
      const said = await llm(asked, { output: reply })
      if (said.whole) endTurn()
      return said.answer
    }
    const given = '{"answer":"New Delhi","whole":true}'
    for (const said of [says(given), calls([['answer', given]])])
      expect(await shows(agent(model(asks, said), 'Help.', [getCapital(true, body)]), prompt)).toEqual([
        ...started,
        question,
        '[assistant] New Delhi',
      ])
  })

  it('gives the result of an ordinary tool as the answer, and a mark that does not count is a warning', async () => {
    const ends = tool('ends', {
      about: 'Ends.',
      input: {},
      readOnly: true,
      run: () => {
        endTurn()
        return 'The end.'
      },
    })
    const adam = agent(model(calls([['ends', '{}']])), 'Help.', [ends])
    expect(await shows(adam, 'End.')).toEqual([
      '[user] End.',
      '[assistant] tool call: ends({})',
      '▶ toolCall "ends" (0ms)',
      '[tool: ends] The end.',
      '[assistant] The end.',
    ])
    const beside = calls([
      ['ends', '{}'],
      ['look', '{}'],
    ])
    const both = agent(model(beside, says('Done.')), 'Help.', [ends, look])
    const shown = await shows(both, 'End.', { warnings: true })
    expect(shown.slice(3)).toEqual([
      '▶ toolCall "ends" (0ms)',
      '[tool: ends] The end.',
      '▶ toolCall "look" (0ms)',
      '[tool: look] seen',
      '! endTurn of ends is ignored: it ran beside other calls and never saw their results',
      '[assistant] Done.',
    ])
  })
})

describe('a run', () => {
  it('shows what waits for a person, inside of a handoff too', async () => {
    const pay = tool('pay', { about: 'Pays.', input: { to: text() }, danger: 'ask', run: () => 'paid' })
    const body = (asked: string) => llm(asked, { tools: [pay] })
    const paying = calls([['pay', '{"to":"a\u202eb"}']])
    const adam = agent(model(asks, paying, says('New Delhi'), says('Done.')), 'Help.', [
      getCapital(true, body),
    ])
    let during = ''
    await shows(adam, prompt, {
      approver: async () => {
        const terminal = fakeTerminal()
        await showCommand(join(folder, `${files}.jsonl`), { json: false, warnings: false }, terminal)
        during = terminal.stdout
        return true
      },
    })
    const step = 'tool 1.1 getCapital/llm 1/ask 1.1'
    expect(during.trimEnd().split('\n').slice(-2)).toEqual([
      '▶ toolCall "pay" ⋯',
      `? ${step} waits for a person: pay({"to":"a\\u202eb"}) (it asks before each call)`,
    ])
  })

  it('that fails says so, also where a model inside of a handoff did', async () => {
    expect(await shows(agent(model(), 'Help.', []), 'Hi')).toEqual(['[user] Hi', '■ failed (0ms)'])
    const adam = agent(model(asks), 'Help.', [getCapital(true)])
    const shown = await shows(adam, prompt)
    expect(shown.slice(0, 4)).toEqual([...started, question, '■ getCapital: failed (0ms)'])
    expect(shown.at(-1)).toBe('■ failed (0ms)')
  })
})
