// The threads of Agency programs, drawn: the two transcripts of the handoff page to the letter, and threads beside them.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'toolwright-agency-tree-'))
afterAll(() => rmSync(folder, { recursive: true }))

const node = async (script: string, ...args: string[]): Promise<string[]> => {
  const flags = ['--conditions=development', '--disable-warning=ExperimentalWarning']
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, script, ...args], {
    cwd: folder,
    env: { ...process.env, TOOLWRIGHT_LOG: '' },
  })
  return stdout.trimEnd().split('\n')
}
const timed = (source: string, turns: object[]): Promise<string[]> => {
  writeFileSync(join(folder, 'main.agency'), source)
  return node(
    join(import.meta.dirname, '../test/agencytree.ts'),
    join(folder, 'main.agency'),
    JSON.stringify(turns),
  )
}

const capital = (word: string): string => `${word} getCapital(country: string): string {
  const capital = llm("What is the capital of \${country}?")
  return capital
}

node main() {
  const response = llm(
    "Use your getCapital tool to get the capital of India.",
    tools: [getCapital],
  )
  print(response)
}
`
const asks = { calls: [['getCapital', { country: 'India' }]] }
const answers = {
  says: 'The capital of India is New Delhi.',
  ms: 1912,
  tokens: 8,
  input: 86,
  cost: 0.0001,
}

it('a tool that asks a model is drawn with its thread inside of it', async () => {
  const last = 'The capital of India is New Delhi. (Retrieved using the getCapital tool.)'
  expect(await timed(capital('def'), [asks, answers, { says: last }])).toEqual([
    last,
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

it('a handoff is drawn on the thread that it took over', async () => {
  const last = 'The capital of India is New Delhi (returned by the getCapital tool).'
  expect(await timed(capital('handoff def'), [asks, answers, { says: last }])).toEqual([
    last,
    '[user] Use your getCapital tool to get the capital of India.',
    '[assistant] [dispatching getCapital: {"country":"India"}]',
    '[user] What is the capital of India?',
    '[assistant] The capital of India is New Delhi.',
    "[user] [getCapital finished. The capital of India is New Delhi.] Continue with the user's request.",
    '[assistant] The capital of India is New Delhi (returned by the getCapital tool).',
  ])
})

const wide = `import { systemMessage } from "std::thread"

def research(topic: string): string {
  systemMessage("You research.")
  llm("What is \${topic}?")
  const answer = llm("Shorter.")
  thread { llm("And beside it?") }
  return answer
}

handoff def desk(request: string): string {
  systemMessage("You are the desk.")
  return llm("Serve: \${request}")
}

node main() {
  systemMessage("You are kind.")
  llm("Find out.", tools: [research])
  thread {
    llm("Alone.")
    llm("Still alone.")
  }
  subthread { llm("A copy.") }
  return llm("Hand over.", tools: [desk])
}
`
const wideTurns = [
  { calls: [['research', { topic: 'tea' }]] },
  ...['A warm drink.', 'A drink.', 'Nothing.', 'Tea is a drink.', 'Yes.', 'Still.', 'Copied.'].map(says => ({
    says,
  })),
  { calls: [['desk', { request: 'a cup' }]] },
  { says: 'Here it is.' },
  { says: 'Served.' },
]
const wideTree = [
  '[system] You are kind.',
  '[user] Find out.',
  '[assistant] tool call: research({"topic":"tea"})',
  '▼ toolExecution research (0ms)',
  '    · tool 1.1 research',
  '        [system] You research.',
  '        [user] What is tea?',
  '        [assistant] A warm drink.',
  '        [user] Shorter.',
  '        [assistant] A drink.',
  '    · llm 3',
  '        [user] And beside it?',
  '        [assistant] Nothing.',
  '▶ toolCall "research" (0ms)',
  '[tool: research] A drink.',
  '[assistant] Tea is a drink.',
  '▼ thread',
  '    [user] Alone.',
  '    [assistant] Yes.',
  '    [user] Still alone.',
  '    [assistant] Still.',
  '▼ thread',
  '    [user] A copy.',
  '    [assistant] Copied.',
  '[user] Hand over.',
  '[assistant] [dispatching desk: {"request":"a cup"}]',
  '[user] Serve: a cup',
  '[assistant] Here it is.',
  "[user] [desk finished. Here it is.] Continue with the user's request.",
  '[assistant] Served.',
]

it('threads that a program begins stand beside its own, where they began', async () => {
  expect(await timed(wide, wideTurns)).toEqual(wideTree)
})

it('run --tree and show draw the same', async () => {
  writeFileSync(join(folder, 'wide.agency'), wide)
  writeFileSync(join(folder, 'turns.json'), JSON.stringify(wideTurns))
  const quick = join(import.meta.dirname, 'quick.ts')
  const untimed = (lines: string[]) => lines.map(line => line.replace(/ \([\d.]+m?s\)$/, ' (0ms)'))
  const ran = await node(
    quick,
    'run',
    'wide.agency',
    '--scripted',
    'turns.json',
    '--tree',
    '--log',
    'log.jsonl',
    '--json',
  )
  expect(untimed(ran)).toEqual(['', ...wideTree, '"Served."'])
  expect(untimed(await node(quick, 'show', 'log.jsonl'))).toEqual(wideTree)
})
