// The commands on a store, as they are typed, while the app that owns it works in a process of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { agent, app, flow, sqlite, tool } from './index.ts'
import { calls, says, scripted } from './test.ts'
import { text } from './values.ts'

const main = fileURLToPath(new URL('./main.ts', import.meta.url))
const flags = ['--conditions=development', '--disable-warning=ExperimentalWarning']
const folder = mkdtempSync(join(tmpdir(), 'toolwright-runs-'))
const store = join(folder, 'notes.db')
const children: ChildProcess[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

function start(
  args: readonly string[],
  env: Record<string, string> = {},
): { child: ChildProcess; ended: Promise<Ended> } {
  const own = { ...process.env, NO_COLOR: '1', TOOLWRIGHT_STORE: '', TOOLWRIGHT_LOG: '', ...env }
  const child = spawn(process.execPath, [...flags, ...args], {
    cwd: folder,
    env: own,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  let stdout = ''
  let stderr = ''
  child.stdout!.on('data', part => (stdout += part))
  child.stderr!.on('data', part => (stderr += part))
  return {
    child,
    ended: new Promise(resolve => child.on('close', code => resolve({ code, stdout, stderr }))),
  }
}

const toolwright = (...args: string[]): Promise<Ended> => start([main, ...args]).ended

const tidy = flow('tidy', {
  about: 'Marks a note done',
  as: 'starter',
  input: { note: text() },
  output: text(),
  danger: 'ask',
  run: async ({ step }) => await step('close', () => 'closed'),
})
const count = tool('count', { about: 'Counts', readOnly: true, run: () => 3 })
const helper = () =>
  agent('helper', {
    model: scripted([
      calls([
        ['count', '{}'],
        ['tidy', '{"note":"3\u202e"}'],
      ]),
      says('All is tidy.'),
    ]),
    instructions: '',
    tools: [count, tidy],
  })

/** A run that waits, in a store that nobody owns. */
async function waiting(person: string): Promise<string> {
  const notes = app({ agents: [helper()], store: sqlite(store), drain: false })
  const run = await notes.runs.start('helper', 'Tidy note 3', { person })
  await vi.waitFor(async () => expect(await notes.runs.asks(run)).toHaveLength(1), { interval: 5 })
  await notes.close()
  return run.id
}

describe('a store', () => {
  let first = ''
  let second = ''
  beforeAll(async () => {
    first = await waiting('ann')
    second = await waiting('bob')
  }, 30_000)

  it('lists its runs and what they ask, for people and for programs', async () => {
    const runs = await toolwright('runs')
    expect(runs).toMatchObject({ code: 0, stderr: '' })
    const lines = runs.stdout.trimEnd().split('\n')
    expect(lines[0]).toMatch(/^run +status +of +by +started$/)
    expect(lines.slice(1).map(line => line.split(/ +/).slice(0, 4))).toEqual([
      [second.slice(0, 8), 'waiting', 'helper', 'bob'],
      [first.slice(0, 8), 'waiting', 'helper', 'ann'],
    ])
    expect(lines.filter(line => line.length > 80)).toEqual([])
    const json = JSON.parse(
      (await toolwright('runs', '--json', '--person', 'ann', '--status', 'waiting')).stdout,
    )
    expect(json.runs.map((run: { id: string }) => run.id)).toEqual([first])
    const asks = await toolwright('asks', first.slice(0, 8))
    expect(asks.stdout).toContain(`? ask 1.2 of ${first}, until `)
    expect(asks.stdout).toContain('tidy asks to run.\nMarks a note done\nWhy: it asks before each call\n')
    // What hides is shown.
    expect(asks.stdout).toContain('"note": "3\\u202e"')
    expect(JSON.parse((await toolwright('asks', '--json')).stdout).asks).toHaveLength(2)
  }, 30_000)

  it('shows a run: where it stands, its thread, its steps, and what it waits for', async () => {
    const { code, stdout } = await toolwright('show', first.slice(0, 10))
    expect(code).toBe(0)
    expect(stdout).toMatch(/^helper .*\nwaiting, until .* at most; started .* by ann\n/)
    expect(stdout).toContain('[user] Tidy note 3\n[assistant] tool call: count({})\n')
    expect(stdout).toContain('▶ toolCall "tidy" ⋯\n')
    expect(stdout).toContain('steps\n✓ model 1 calls count, tidy\n')
    expect(stdout).toContain('⋯ tool 1.2 tidy\n  ? ask 1.2\n')
    expect(stdout).toContain('\ntidy asks to run.\n')
    const shown = JSON.parse((await toolwright('show', first, '--json')).stdout)
    expect(Object.keys(shown)).toEqual(['run', 'tree', 'steps', 'asks'])
  }, 30_000)

  it('shows the steps of a flow with what each gave, and nothing that a run keeps for itself', async () => {
    const due = Date.now() + 86_400_000
    const work = flow('work', {
      run: async ({ step, wait }) => {
        await step('when', () => new Date(0))
        await step('nothing', () => undefined)
        await step('record', () => ({ size: 4n, names: new Set(['a']), bytes: new Uint8Array(3) }))
        await wait('paid', { until: new Date(due) })
      },
    })
    const file = join(folder, 'flow.sqlite')
    const made = app({ flows: [work], store: sqlite(file), drain: false })
    const run = await made.runs.start(work, {})
    await vi.waitFor(async () => expect((await made.runs.get(run)).status).toBe('waiting'), { interval: 5 })
    await made.close()
    const { stdout } = await toolwright('show', run.id, '--store', file)
    const until = new Date(due).toISOString().replace(/T(.*)\.\d+Z$/, ' $1Z')
    expect(stdout.slice(stdout.indexOf('steps\n'))).toBe(
      `steps\n✓ when 1970-01-01T00:00:00.000Z\n✓ nothing\n✓ record {"size":"4","names":["a"],"bytes":"3 bytes"}\n⋯ paid until ${until}\n`,
    )
    expect((await toolwright('show', first)).stdout).not.toMatch(/^\W*(history|rule)/m)
    const gone = await toolwright('delete', run.id, '--store', file)
    expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining('Stop it first')])
  }, 30_000)

  it('keeps an answer that comes before its ask and says so, and takes no name that is no ask', async () => {
    const file = join(folder, 'early.sqlite')
    const made = app({ agents: [helper()], store: sqlite(file), drain: false })
    const run = await made.runs.start('helper', 'Tidy note 3')
    await vi.waitFor(async () => expect(await made.runs.asks(run)).toHaveLength(1), { interval: 5 })
    await made.close()
    const wrong = await toolwright('approve', run.id, 'tidy', '--store', file)
    expect([wrong.code, wrong.stdout]).toEqual([2, ''])
    expect(wrong.stderr).toContain('tidy is no ask')
    const early = await toolwright('approve', run.id, 'ask 2.1', '--store', file)
    expect(early.stdout).toBe(
      `Approved: ask 2.1 of ${run.id}, which does not ask it yet: the answer is kept until it does.\n`,
    )
    expect((await toolwright('approve', run.id, 'ask 2.1', '--store', file)).code).toBe(1)
  }, 30_000)

  it('is told by one process what another waits for, which notices at once', async () => {
    const file = join(folder, 'app.ts')
    const index = JSON.stringify(new URL('./index.ts', import.meta.url).href)
    writeFileSync(
      file,
      `import { agent, app, sqlite, tool, flow } from ${index}
import { calls, says, scripted } from ${JSON.stringify(new URL('./test.ts', import.meta.url).href)}
import { text } from ${JSON.stringify(new URL('./values.ts', import.meta.url).href)}
const tidy = flow('tidy', { about: 'Marks a note done', as: 'starter', input: { note: text() }, output: text(),
  danger: 'ask', run: async ({ step }) => await step('close', () => 'closed') })
const count = tool('count', { about: 'Counts', readOnly: true, run: () => 3 })
const helper = agent('helper', { model: scripted([says('All is tidy.'), says('All is tidy.')]), instructions: '', tools: [count, tidy] })
const notes = app({ agents: [helper], store: sqlite('notes.db') })
await notes.open()
for (const run of await notes.runs.list()) notes.runs.answer(run).then(answer => console.log(run.person, answer), error => console.log(run.person, error.code))
setInterval(() => {}, 1000)`,
    )
    const owner = start([file])
    const heard = (words: string): Promise<void> =>
      new Promise(resolve => {
        const listen = (part: unknown): void => {
          if (!String(part).includes(words)) return
          owner.child.stdout!.off('data', listen)
          resolve()
        }
        owner.child.stdout!.on('data', listen)
      })
    const annHears = heard('ann All is tidy.')
    expect(await toolwright('approve', first.slice(0, 8), 'ask 1.2')).toMatchObject({
      code: 0,
      stdout: `Approved: ask 1.2 of ${first}.\n`,
    })
    await annHears
    const late = await toolwright('refuse', first, 'ask 1.2')
    expect(late).toMatchObject({ code: 1, stdout: '' })
    expect(late.stderr).toContain('is no longer waiting; nothing changed.')
    const bobHears = heard('bob All is tidy.')
    expect(await toolwright('refuse', second, '--why', 'not today', '--for-run', '--json')).toMatchObject({
      code: 0,
      stdout: `{"run":"${second}","ask":"ask 1.2","answer":"taken"}\n`,
    })
    await bobHears
    expect((await toolwright('show', second)).stdout).toContain('The reason: not today')
    expect((await toolwright('send', second, 'more')).code).toBe(1)
    expect((await toolwright('stop', second)).code).toBe(1)
    owner.child.kill('SIGTERM')
    await owner.ended
    expect(await toolwright('delete', second)).toMatchObject({ code: 0, stdout: `Deleted: ${second}.\n` })
    expect((await toolwright('runs', '--person', 'bob')).stdout).toBe('There are no runs.\n')
  }, 60_000)

  it('says what is wrong: no store, several, no such run, nothing to answer', async () => {
    const wrong: [string[], RegExp][] = [
      [['runs', '--store', 'no.db'], /There is no store no\.db/],
      [['runs', '--status', 'lost'], /There is no status lost/],
      [['show', 'ffff'], /There is no run ffff in the store/],
      [['approve', first], /asks nothing/],
      [['show', 'no.jsonl'], /There is no file no\.jsonl/],
    ]
    for (const [args, said] of wrong) {
      const { code, stdout, stderr } = await toolwright(...args)
      expect([args, code, stdout]).toEqual([args, 2, ''])
      expect(stderr).toMatch(said)
    }
    // What is no store of ours does not count, and is left alone where it is named.
    const foreign = new DatabaseSync(join(folder, 'foreign.db'))
    foreign.exec('create table customers (name text)')
    foreign.close()
    expect((await toolwright('runs')).code).toBe(0)
    expect((await toolwright('runs', '--store', 'foreign.db')).stderr).toMatch(/T6011: foreign\.db/)
    expect(existsSync(join(folder, 'foreign.db-wal'))).toBe(false)
    await sqlite(join(folder, 'other.db')).list({})
    expect((await toolwright('runs')).stderr).toMatch(/several stores in this folder: notes\.db, other\.db/)
    expect((await start([main, 'runs'], { TOOLWRIGHT_STORE: 'notes.db' }).ended).code).toBe(0)
  }, 60_000)
})
