import { type Agent, agent, type Piece, tool } from '@toolwright/core'
import { calls, says, scripted } from '@toolwright/core/test'
import { describe, expect, it } from 'vitest'
import { type FakeTerminal, fakeTerminal } from '../test/terminal.ts'
import { chatCommand } from './chat.ts'
import { type RunOptions, runCommand } from './run.ts'

const plain: RunOptions = { ask: false, json: false, tree: false, quiet: false }
const turns = (...all: Parameters<typeof scripted>[0]) => scripted(all)

const add = tool('add', {
  about: 'Adds.',
  input: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
  readOnly: true,
  run: () => 3,
})
let paid = 0
const pay = tool('pay', { about: 'Pays somebody.', danger: 'ask', run: () => `paid ${++paid}` })
const write = tool('write', { about: 'Writes.', run: () => 'written' })
describe('run', () => {
  it('writes the answer to stdout and the calls to stderr, and gives 0', async () => {
    const terminal = fakeTerminal()
    const adder = agent(turns(calls([['add', '{"a":1}']]), says('It is ❤️ 3.')), '', [add])
    expect(await runCommand(adder, 'What is it?', plain, terminal)).toBe(0)
    expect(terminal.stdout).toBe('It is ❤️ 3.\n')
    expect(terminal.stderr).toMatch(/^✓ add\(\{"a":1\}\) \d+ms\n\d+ms.* in all\n$/)
  })

  it('takes the message that is piped in, or that is typed', async () => {
    const heard: string[] = []
    const parrot = () => {
      const model = turns(says('ok'))
      const listening = {
        name: 'parrot',
        turn: (...[request, each, signal]: Parameters<typeof model.turn>) => {
          heard.push(request.messages.at(-1)?.text ?? '')
          return model.turn(request, each, signal)
        },
      }
      return agent(listening, '', [])
    }
    expect(await runCommand(parrot(), undefined, plain, fakeTerminal({ piped: 'from a pipe\n' }))).toBe(0)
    expect(
      await runCommand(
        parrot(),
        undefined,
        plain,
        fakeTerminal({ person: true, types: [{ text: 'typed' }] }),
      ),
    ).toBe(0)
    expect(heard).toEqual(['from a pipe', 'typed'])
    expect(
      await runCommand(parrot(), undefined, plain, fakeTerminal({ person: true, types: ['interrupt'] })),
    ).toBe(130)
    await expect(
      runCommand(parrot(), undefined, plain, fakeTerminal({ piped: ' \n' })),
    ).rejects.toMatchObject({ code: 2 })
    await expect(
      runCommand(parrot(), undefined, plain, fakeTerminal({ person: true })),
    ).rejects.toMatchObject({ code: 2 })
  })

  it('asks on the terminal, shows the whole input, and does as it is told', async () => {
    const payer = () => agent(turns(calls([['pay', '{}']]), says('Done.')), '', [pay])
    const before = paid
    const yes = fakeTerminal({ person: true, answers: [true] })
    expect(await runCommand(payer(), 'Pay', plain, yes)).toBe(0)
    expect(paid).toBe(before + 1)
    expect(yes.questions).toEqual(['\npay asks to run.\nPays somebody.\nWhy: it asks before each call\n{}\n'])
    const no = fakeTerminal({ person: true, answers: [false] })
    expect(await runCommand(payer(), 'Pay', plain, no)).toBe(0)
    expect(paid).toBe(before + 1)
    expect(no.stderr).toContain('✗ pay({})')
  })

  it('declines what asks where nobody can be asked, and says so, even when it is to be quiet', async () => {
    const payer = agent(turns(calls([['pay', '{}']]), says('Done.')), '', [pay])
    const before = paid
    const terminal = fakeTerminal()
    expect(await runCommand(payer, 'Pay', { ...plain, quiet: true }, terminal)).toBe(0)
    expect(paid).toBe(before)
    expect(terminal.stderr).toBe(
      '! pay was declined: it asks a person, and there is no terminal to ask on.\n',
    )
    expect(terminal.stdout).toBe('Done.\n')
  })

  it('--ask asks before every call that is not read-only, in nested agents too', async () => {
    const inner = agent('writer', {
      model: turns(calls([['write', '{}']]), says('written')),
      instructions: '',
      tools: [write],
      about: 'Writes.',
    })
    const outer = agent(
      turns(
        calls([
          ['add', '{"a":1}'],
          ['writer', '{"message":"go"}'],
        ]),
        says('Done.'),
      ),
      '',
      [add, inner],
    )
    const terminal = fakeTerminal({ person: true, answers: [true, true] })
    expect(await runCommand(outer, 'Go', { ...plain, ask: true }, terminal)).toBe(0)
    expect(terminal.questions.map(question => question.split('\n')[1])).toEqual([
      'writer asks to run.',
      'write asks to run.',
    ])
    expect(terminal.questions[0]).toBe(
      '\nwriter asks to run.\nWrites.\nWhy: each call is asked about\n{\n  "message": "go"\n}\n',
    )
    expect(outer.approve).toBeUndefined()
  })

  it('ctrl-C stops the run, keeps what was written, and gives 130; the second leaves at once', async () => {
    const { waiting, started } = waitingAgent()
    const terminal = fakeTerminal()
    const ended = runCommand(waiting, 'Wait', plain, terminal)
    await started
    terminal.interrupt()
    expect(terminal.left).toBeUndefined()
    terminal.interrupt()
    expect(terminal.left).toBe(130)
    expect(await ended).toBe(130)
    expect(terminal.stdout).toBe('Wait for it.\n')
    expect(terminal.stderr).toContain('stopping; ctrl-C again leaves at once')
  })

  it('ctrl-C at a question declines the call and stops the run', async () => {
    const payer = agent(turns(calls([['pay', '{}']]), says('Done.')), '', [pay])
    const terminal = fakeTerminal({ person: true, answers: ['interrupt'] })
    const before = paid
    expect(await runCommand(payer, 'Pay', plain, terminal)).toBe(130)
    expect(paid).toBe(before)
    expect(terminal.stdout).toBe('')
  })

  it('gives 1 where the run fails, with why and what explains it', async () => {
    const terminal = fakeTerminal()
    expect(await runCommand(agent(turns(), '', []), 'Hi', plain, terminal)).toBe(1)
    expect(terminal.stdout).toBe('')
    expect(terminal.stderr).toMatch(/^error T3\d{3}: .*\n(.*\n)? {2}toolwright explain T3\d{3}\n$/)
  })

  it('--json prints pieces as JSON lines and nothing else', async () => {
    const terminal = fakeTerminal()
    const adder = agent(turns(calls([['add', '{"a":1}']]), says('3\x1b')), '', [add])
    expect(await runCommand(adder, 'Hi', { ...plain, json: true }, terminal)).toBe(0)
    expect(terminal.stderr).toBe('')
    const pieces = terminal.stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as Piece)
    expect(pieces.find(piece => piece.kind === 'call')).toMatchObject({
      step: 'tool 1.1 add',
      call: { tool: 'add' },
    })
    expect(pieces.at(-1)).toMatchObject({ kind: 'done', text: '3\x1b' })
  })

  it('--tree prints the thread at the end', async () => {
    const terminal = fakeTerminal()
    const adder = agent(turns(calls([['add', '{"a":1}']]), says('It is 3.')), '', [add])
    await runCommand(adder, 'Hi', { ...plain, tree: true }, terminal)
    expect(terminal.stdout.replace(/\(\d+ms\)/, '(0ms)')).toBe(
      [
        'It is 3.',
        '',
        '[user] Hi',
        '[assistant] tool call: add({"a":1})',
        '▶ toolCall "add" (0ms)',
        '[tool: add] 3',
        '[assistant] It is 3.',
        '',
      ].join('\n'),
    )
  })
})

describe('chat', () => {
  const typing = (...types: string[]) => types.map(text => ({ text }))
  const talk = (adam: Agent, terminal: FakeTerminal, options = plain) => chatCommand(adam, options, terminal)

  it('keeps the conversation until /exit or the end of the input', async () => {
    const adam = agent(turns(says('One.'), says('Two.'), says('Three.')), '', [])
    const terminal = fakeTerminal({ person: true, types: typing('first', ' ', 'second', '/exit', 'never') })
    expect(await talk(adam, terminal)).toBe(0)
    expect(terminal.stdout).toBe('One.\nTwo.\n')
    expect(adam.history.map(message => message.text)).toEqual(['first', 'One.', 'second', 'Two.'])
    expect(await talk(adam, fakeTerminal({ types: typing('third') }))).toBe(0)
    expect(adam.history.at(-1)?.text).toBe('Three.')
  })

  it('ctrl-C stops the answer only, and at the prompt nothing', async () => {
    const { waiting, started } = waitingAgent(says('Here I am.'))
    const terminal = fakeTerminal({
      person: true,
      types: ['interrupt', { text: 'wait' }, { text: 'still there?' }],
    })
    const ended = talk(waiting, terminal)
    await started
    terminal.interrupt()
    expect(await ended).toBe(0)
    expect(terminal.stdout).toBe('Wait for it.\nHere I am.\n')
  })

  it('goes on after a failure, and gives 1 where nobody saw it', async () => {
    const failing = () => agent(turns(says('One.')), '', [])
    expect(await talk(failing(), fakeTerminal({ types: typing('a', 'b') }))).toBe(1)
    expect(await talk(failing(), fakeTerminal({ person: true, types: typing('a', 'b') }))).toBe(0)
  })

  it('--tree draws the whole conversation at the end', async () => {
    const adam = agent(turns(says('One.'), says('Two.')), '', [])
    const terminal = fakeTerminal({ types: typing('a', 'b') })
    await talk(adam, terminal, { ...plain, tree: true })
    expect(terminal.stdout).toBe('One.\nTwo.\n\n[user] a\n[assistant] One.\n\n[user] b\n[assistant] Two.\n')
  })
})

/** An agent whose tool waits until the run is stopped, and when that has begun. */
function waitingAgent(...then: Parameters<typeof scripted>[0]): { waiting: Agent; started: Promise<void> } {
  const wait = Promise.withResolvers<void>()
  const signalling = tool('wait', {
    about: 'Waits.',
    input: {},
    readOnly: true,
    run: (_, ctx) => {
      wait.resolve()
      return new Promise<string>(done => ctx.signal.addEventListener('abort', () => done('gave up')))
    },
  })
  const first = { ...calls([['wait', '{}']]), text: 'Wait for it.' }
  return { waiting: agent(turns(first, ...then), '', [signalling]), started: wait.promise }
}
