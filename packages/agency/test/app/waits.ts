// A node as a flow of an app over a file, in a process of its own; gives what came of it as JSON.
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type App, agent, app, type Model, type Turn } from '@toolwright/core'
import { sqlite } from '@toolwright/core/sqlite'
import { calls, says, scripted } from '@toolwright/core/test'
import { type Node, registerAgency, useModel } from '../../src/index.ts'
import { host } from './programs.ts'

export interface Waited {
  asked: [step: string, call: string][]
  answer: unknown
  /** How often the model was asked, by each life of the app. */
  requests: number[]
  effects: string[]
  wrongInput: string
  failed: string
  byName: unknown
  byAgent: string
}

const source = `import { tidy } from "./host.ts"
node main(place: string) {
  """
  Tidies a place.
  """
  const said = llm(\`tidy \${place}\`, tools: [tidy])
  return \`said: \${said}\`
}
node fails(n: number) {
  if (n > 0) { return failure("it broke") }
  return llm("hm?")
}`

const effects: string[] = []
Object.assign(globalThis, { effects })
const root = mkdtempSync(join(tmpdir(), 'agency-waits-'))
symlinkSync(join(import.meta.dirname, '../../../../node_modules'), join(root, 'node_modules'))
writeFileSync(join(root, 'main.agency'), source)
writeFileSync(join(root, 'host.ts'), host)
registerAgency()
const { main, fails } = (await import(pathToFileURL(join(root, 'main.agency')).href)) as {
  main: Node<{ place: string }, [place: string], string>
  fails: Node<{ n: number }, [n: number], string>
}

const requests: number[] = []
/** A model that counts how often this life of the app asks it. */
function counted(...turns: Turn[]): Model {
  const model = scripted(turns)
  const life = requests.push(0) - 1
  return {
    ...model,
    turn(...args) {
      requests[life]!++
      return model.turn(...args)
    },
  }
}

const wait = async <T>(ask: () => Promise<T | undefined>): Promise<T> => {
  for (;;) {
    const found = await ask()
    if (found !== undefined) return found
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}
const open = (): App =>
  app({
    flows: [main, fails],
    store: sqlite(join(root, 'app.db'), { leaveAfter: 1, patience: 0 }),
    drain: false,
  })
const message = (error: unknown): string => (error as Error).message

try {
  useModel(counted(calls([['tidy', { note: '3' }]])))
  let made = open()
  const run = await made.runs.start(main, { place: 'the desk' })
  const asks = await wait(async () => {
    const list = await made.runs.asks(run)
    return list.length > 0 ? list : undefined
  })
  await wait(async () => ((await made.runs.get(run)).status === 'waiting' ? true : undefined))
  await made.close()

  useModel(counted(says('tidied')))
  made = open()
  await made.runs.approve(run, asks[0]!.step)
  const answer = await made.runs.answer(run)
  const asked = requests.slice()
  const wrongInput = await made.runs.start(main, {} as never).then(String, message)
  const failed = await made.runs
    .start(fails, { n: 1 })
    .then(made.runs.answer.bind(made.runs))
    .then(String, message)
  useModel(scripted([says('hm')]))
  const byName = await made.runs.answer(await made.runs.start(fails, { n: 0 }))
  await made.close()

  useModel(undefined)
  const boss = agent('boss', {
    model: scripted([
      calls([['main', { place: 'here' }]]),
      says('nothing to tidy'),
      says('the agent is done'),
    ]),
    instructions: '',
    tools: [main],
  })
  const second = app({ agents: [boss] })
  const byAgent = await second.runs.answer(await second.runs.start(boss, 'go'))
  await second.close()
  const found: Waited = {
    asked: asks.map(ask => [ask.step, ask.call.arguments]),
    answer,
    requests: asked,
    effects: effects.filter(each => each.startsWith('tidy')),
    wrongInput,
    failed,
    byName,
    byAgent: (byAgent as { text?: string }).text ?? String(byAgent),
  }
  writeFileSync(process.argv[2]!, JSON.stringify(found))
} finally {
  rmSync(root, { recursive: true })
}
