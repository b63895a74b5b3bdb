// The threads of Agency programs, drawn: of tools and handoffs that ask a model, and threads beside them.
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

const priced = (word: string): string => `${word} price(item: string): string {
  return llm("What does \${item} cost?")
}

node main() {
  print(llm("What is the price of tea?", tools: [price]))
}
`
const asks = { calls: [['price', { item: 'tea' }]] }
const costs = { ms: 1912, tokens: 8, input: 86, cost: 0.0001 }
const answers = { says: 'Three for one.', ...costs }

it('a tool that asks a model is drawn with its thread inside of it', async () => {
  expect(await timed(priced('def'), [asks, answers, { says: 'It is three.' }])).toEqual([
    'It is three.',
    '[user] What is the price of tea?',
    '[assistant] tool call: price({"item":"tea"})',
    '▼ toolExecution price (1.9s, 94 tok, $0.000)',
    '    [user] What does tea cost?',
    '    [assistant] Three for one.',
    '▶ toolCall "price" (1.9s)',
    '[tool: price] Three for one.',
    '[assistant] It is three.',
  ])
})

it('a handoff is drawn on the thread that it took over', async () => {
  expect(await timed(priced('handoff def'), [asks, answers, { says: 'It is three.' }])).toEqual([
    'It is three.',
    '[user] What is the price of tea?',
    '[assistant] [dispatching price: {"item":"tea"}]',
    '[user] What does tea cost?',
    '[assistant] Three for one.',
    "[user] [price finished. Three for one.] Continue with the user's request.",
    '[assistant] It is three.',
  ])
})

// The page that the language is written after, where it lies beside the repository.
const requirements = new URL('../../../../shared/requirements/', import.meta.url)
const [page] = existsSync(requirements)
  ? readdirSync(requirements).filter(name => name.startsWith('001_'))
  : []

it.skipIf(!page)('the transcripts of the page are drawn to the letter from its programs', async () => {
  const lines = readFileSync(new URL(page!, requirements), 'utf8').split('\n')
  const passage = (first: string, next: string, nth = 1): string => {
    let from = -1
    for (let n = 0; n < nth; n++) from = lines.findIndex((line, i) => i > from && line.startsWith(first))
    return lines
      .slice(
        from,
        lines.findIndex((line, i) => i > from && line.startsWith(next)),
      )
      .join('\n')
      .trim()
  }
  const tool = passage('def getCapital', "Here's what")
  const handoff = `${passage('handoff def getCapital', 'Now the')}\n${tool.slice(tool.indexOf('node'))}`
  const first = passage('[user] Use your', 'The main thread').split('\n')
  const second = passage('[user] Use your', 'Note that', 2).split('\n')
  expect([first.length, second.length]).toEqual([8, 6])
  const told = (line: string): string => line.replace(/^\s*\[assistant\] /, '')
  for (const [source, transcript, inner] of [
    [tool, first, first[4]!],
    [handoff, second, second[3]!],
  ] as const) {
    const turns = [
      { calls: [['getCapital', { country: 'India' }]] },
      { says: told(inner), ...costs },
      { says: told(transcript.at(-1)!) },
    ]
    expect((await timed(source, turns)).slice(1)).toEqual(transcript)
  }
})

it('what statements before the node ask is drawn too, as a run of its own', async () => {
  const source = 'const first = llm("Early?")\nnode main() { print(first, llm("Late?")) }'
  expect(await timed(source, [{ says: 'yes' }, { says: 'no' }])).toEqual([
    'yes no',
    '[user] Early?',
    '[assistant] yes',
    '',
    '[user] Late?',
    '[assistant] no',
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
