import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { agent, run } from '@toolwright/core'
import { calls, says, scripted } from '@toolwright/core/test'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { fakeTerminal } from '../test/terminal.ts'
import type { RunTree } from './runtree.ts'
import { type ShowOptions, showCommand } from './show.ts'

let folder: string
let files = 0
const fresh = () => join(folder, `${++files}.jsonl`)
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-show-'))
})
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => void vi.unstubAllEnvs())

async function show(path: string, options: Partial<ShowOptions> = {}) {
  const terminal = fakeTerminal()
  await showCommand(path, { json: false, warnings: false, ...options }, terminal)
  return terminal
}

/** A log of two runs in memory. */
async function twoRuns(): Promise<string> {
  const path = fresh()
  vi.stubEnv('TOOLWRIGHT_LOG', path)
  const clock = { now: () => Date.UTC(2026, 0, 2, 3, 4, 5), after: () => () => {} }
  const adam = agent(scripted([says('One.', { tokens: 2, input: 3 }), says('Two.')]), '', [])
  await run(adam, 'a', { clock })
  await run(adam, 'b', { clock })
  return path
}
const runsOf = async (path: string) => {
  const { stdout } = await show(path, { json: true })
  return (JSON.parse(stdout) as { runs: RunTree[] }).runs
}

describe('show', () => {
  it('draws every run under a heading, or the one that is asked for', async () => {
    const path = await twoRuns()
    const [one, two] = (await runsOf(path)).map(run => run.run)
    expect((await show(path)).stdout).toBe(
      [
        `# ${one} agent, 2026-01-02 03:04:05Z (0ms, 5 tok)`,
        '[user] a',
        '[assistant] One.',
        '',
        `# ${two} agent, 2026-01-02 03:04:05Z (0ms)`,
        '[user] b',
        '[assistant] Two.',
        '',
      ].join('\n'),
    )
    expect((await show(path, { run: two ?? '' })).stdout).toBe('[user] b\n[assistant] Two.\n')
    await expect(show(path, { run: 'no\x1b' })).rejects.toMatchObject({
      code: 2,
      message: `There is no run no\\x1b in it. It holds ${one}, ${two}.`,
    })
  })

  it('gives programs one document with all that was gathered', async () => {
    const path = await twoRuns()
    const [first] = await runsOf(path)
    expect(first).toMatchObject({
      run: expect.stringMatching(/^[0-9a-f]{8}-\d+$/),
      at: Date.UTC(2026, 0, 2, 3, 4, 5),
      span: '',
      agent: 'agent',
      model: 'scripted',
      items: [
        { kind: 'message', message: { role: 'user', text: 'a', origin: { from: 'person' } } },
        { kind: 'message', message: { role: 'assistant', text: 'One.' } },
      ],
      end: { ended: 'answer', ms: 0, waited: 0, usage: { calls: 1, tokens: 2, input: 3, toolCalls: 0 } },
      waiting: [],
    })
  })

  it('gives programs what waits for a person, and calls with what happened inside', async () => {
    const path = fresh()
    const at = { at: 5, run: 'r' }
    const call = { ...at, span: 'tool 1.1 pay', parent: '', tool: 'pay', number: '1.1', arguments: '{}' }
    const lines = [
      { ...at, span: '', kind: 'conversation', agent: 'a', model: 'm' },
      { ...call, kind: 'call' },
      { ...call, kind: 'ask', why: 'it asks before each call' },
      { ...at, span: 'tool 1.1 pay/llm 1', parent: call.span, kind: 'conversation', agent: 'b', model: 'm' },
      { ...at, span: '', kind: 'of a later version' },
    ]
    writeFileSync(path, lines.map(line => `${JSON.stringify(line)}\n`).join(''))
    const waiting = { step: 'ask 1.1', tool: 'pay', arguments: '{}', why: 'it asks before each call', at: 5 }
    const inside = [{ span: 'tool 1.1 pay/llm 1', agent: 'b', model: 'm', items: [] }]
    expect(await runsOf(path)).toEqual([
      {
        run: 'r',
        at: 5,
        span: '',
        agent: 'a',
        model: 'm',
        items: [
          {
            kind: 'call',
            span: call.span,
            tool: 'pay',
            number: '1.1',
            arguments: '{}',
            at: 5,
            waiting,
            inside,
          },
        ],
        waiting: [waiting],
      },
    ])
  })

  it('passes over half-written lines, at the end and where a later process went on, and says so', async () => {
    const path = await twoRuns()
    const whole = (await show(path)).stdout
    appendFileSync(path, '{"at":17961')
    const torn = await show(path)
    expect(torn.stdout).toBe(whole)
    expect(torn.stderr).toMatch(/^! Half-written, and left out: line \d+\.\n$/)
    appendFileSync(path, '\n{"at":1,"run":"later","span":"","kind":"warning","text":"w"}\n{"a')
    const more = await show(path)
    expect(more.stdout.startsWith(whole.trimEnd())).toBe(true)
    expect(more.stdout).toContain('\n# later')
    expect(more.stderr).toMatch(/: line \d+, \d+\.\n$/)
  })

  it.each([
    ['a text', 'hello\n', 1],
    ['another JSON', '{"at":1,"run":"r","span":"","kind":"warning","text":"w"}\n{"name":"x"}\n', 2],
    [
      'an event without what it says',
      '{"at":1,"run":"r","span":"","kind":"message","thread":"m","row":0}\n',
      1,
    ],
    [
      'a message without its text',
      '{"at":1,"run":"r","span":"","kind":"message","thread":"m","row":0,"message":{"role":"user"}}\n',
      1,
    ],
    ['bytes', '\x00\x01\n', 1],
  ])('says where a file is no log: %s', async (_, content, line) => {
    const path = fresh()
    writeFileSync(path, content)
    await expect(show(path)).rejects.toMatchObject({
      code: 1,
      message: expect.stringContaining(` is no log: line ${line} is no event: `),
    })
  })

  it('says where there is no file, or nothing in it', async () => {
    await expect(show(join(folder, 'none'))).rejects.toMatchObject({ code: 2 })
    await expect(show(folder)).rejects.toMatchObject({ code: 2 })
    const path = fresh()
    writeFileSync(path, '')
    const { stdout, stderr } = await show(path)
    expect([stdout, stderr]).toEqual(['', `! ${path} holds no run.\n`])
    expect((await show(path, { json: true })).stdout).toBe('{"runs":[]}\n')
  })

  it('reads texts with every line end that Unicode has, in any part of the file', async () => {
    const path = fresh()
    vi.stubEnv('TOOLWRIGHT_LOG', path)
    const text = `a\u2028b\u2029c\u0085d ${'é❤️'.repeat(100_000)}`
    await run(agent(scripted([says(text)]), '', []), 'x')
    const [only] = await runsOf(path)
    expect(only?.items.at(-1)).toMatchObject({ message: { text } })
  })

  it('reads a long log in room that stands in proportion to it', () => {
    const path = fresh()
    const message = (row: number, text: string) => ({
      at: 1,
      run: `r${row % 7}`,
      span: '',
      kind: 'message',
      thread: 'main',
      row,
      message: {
        role: 'user',
        text,
        reasoning: '',
        calls: [],
        call: '',
        details: [],
        origin: { from: 'person' },
      },
    })
    const lines = Array.from(
      { length: 500 },
      (_, i) => `${JSON.stringify(message(i, 'x'.repeat(1000)))}\n`,
    ).join('')
    for (let i = 0; i < 50; i++) appendFileSync(path, lines.replaceAll('"row":', `"row":${i + 1}000`))
    const main = fileURLToPath(new URL('./main.ts', import.meta.url))
    const flags = [
      '--conditions=development',
      '--disable-warning=ExperimentalWarning',
      '--max-old-space-size=150',
    ]
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [...flags, main, 'show', path, '--run', 'r3'],
      {
        encoding: 'utf8',
        maxBuffer: 1e8,
      },
    )
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout.split('\n').length).toBeGreaterThan(3000)
  })
})

describe('the events of a run', () => {
  it('are in the file line by line as they happen', async () => {
    const path = fresh()
    vi.stubEnv('TOOLWRIGHT_LOG', path)
    const seen: number[] = []
    const adam = agent(
      scripted([
        async () => {
          seen.push((await runsOf(path))[0]?.items.length ?? 0)
          return calls([['none', '{}']])
        },
        async () => {
          seen.push((await runsOf(path))[0]?.items.length ?? 0)
          return says('Done.')
        },
      ]),
      '',
      [],
    )
    await run(adam, 'x')
    expect(seen).toEqual([1, 4])
  })
})
