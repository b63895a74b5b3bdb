import { spawn, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { LogEvent } from './log.ts'
import { logged, logTo } from './logfile.ts'

let folder: string
let files = 0
const fresh = () => join(folder, `${++files}.jsonl`)
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-log-'))
})
afterAll(() => rmSync(folder, { recursive: true }))
beforeEach(() => void vi.stubEnv('TOOLWRIGHT_LOG', undefined))
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const warning = (text: string, run = 'r1'): LogEvent => ({ at: 1, run, span: '', kind: 'warning', text })
const linesOf = (path: string) => readFileSync(path, 'utf8').split('\n')
/** The events in the file, which ends in a whole line. */
const written = (path: string) => {
  const lines = linesOf(path)
  expect(lines.pop()).toBe('')
  return lines.map(line => JSON.parse(line) as LogEvent)
}
const textsIn = (path: string) => written(path).map(event => event.kind === 'warning' && event.text)

describe('a log as a file', () => {
  it('is a line of JSON an event, in a file that only its owner reads', () => {
    const path = fresh()
    const events = [warning('a\nb\u2028c'), warning('\ud800')]
    for (const event of events) logTo(path)(event)
    expect(written(path)).toEqual(events)
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('joins what is there, and leaves the rights of the file as they are', () => {
    const path = fresh()
    writeFileSync(path, `${JSON.stringify(warning('before'))}\n`)
    chmodSync(path, 0o640)
    logTo(path)(warning('after'))
    expect(textsIn(path)).toEqual(['before', 'after'])
    expect(statSync(path).mode & 0o777).toBe(0o640)
  })

  it('begins a new line behind half a line', () => {
    const path = fresh()
    const half = '{"at":1,"run":"r1","sp'
    appendFileSync(path, half)
    logTo(path)(warning('after'))
    logTo(path)(warning('last'))
    const whole = [warning('after'), warning('last')].map(event => JSON.stringify(event))
    expect(linesOf(path)).toEqual([half, ...whole, ''])
  })

  it('ends nothing where it cannot be written, and says so once', () => {
    const told = vi.spyOn(console, 'error').mockImplementation(() => {})
    const log = logTo(join(folder, 'no', 'such', 'folder'))
    log(warning('a'))
    log(warning('b'))
    const words = /^toolwright: the log .*folder is not whole: .*ENOENT/
    expect(told.mock.calls).toEqual([[expect.stringMatching(words)]])
  })

  it('tells the runs of several processes apart, which each count from 1', () => {
    const path = fresh()
    const at = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href)
    const script = `const { agent, run } = await import(${at('../index.ts')})
      const { says, scripted } = await import(${at('../test.ts')})
      const one = agent(scripted([says('a'), says('b')]), '', [])
      await run(one, 'x')
      await run(one, 'y')`
    for (let i = 0; i < 2; i++) {
      const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script]
      const env = { ...process.env, TOOLWRIGHT_LOG: path }
      const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env })
      expect([status, stderr]).toEqual([0, ''])
    }
    const runs = [...new Set(written(path).map(event => event.run))]
    expect(runs.map(id => id.replace(/^[0-9a-f]{8}/, ''))).toEqual(['-1', '-2', '-1', '-2'])
    expect(runs[0]!.slice(0, 8)).toBe(runs[1]!.slice(0, 8))
    expect(runs[0]!.slice(0, 8)).not.toBe(runs[2]!.slice(0, 8))
  })

  it('has whole lines only, however a process is killed', async () => {
    const path = fresh()
    const file = new URL('./logfile.ts', import.meta.url).href
    const script = `const { logTo } = await import(${JSON.stringify(file)})
      const text = 'x'.repeat(100_000)
      for (let i = 0; ; i++) {
        logTo(${JSON.stringify(path)})({ at: i, run: 'r', span: '', kind: 'warning', text })
        if (i === 20) process.stdout.write('.')
      }`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script])
    child.stdout.once('data', () => child.kill('SIGKILL'))
    await new Promise(done => child.on('close', done))
    expect(written(path).map(event => event.at)).toEqual(written(path).map((_, i) => i))
    expect(written(path).length).toBeGreaterThan(20)
  })

  it('masks keys that came into the environment after it began', () => {
    const path = fresh()
    logTo(path)(warning('my-own-secret'))
    vi.stubEnv('MY_OWN_TOKEN', 'my-own-secret')
    logTo(path)(warning('my-own-secret'))
    expect(textsIn(path)).toEqual(['my-own-secret', '[secret]'])
  })
})

describe('the log that TOOLWRIGHT_LOG turns on', () => {
  it('is off by default', () => {
    expect(logged(undefined)).toBeUndefined()
    const own = () => {}
    expect(logged(own)).toBe(own)
    vi.stubEnv('TOOLWRIGHT_LOG', '')
    expect(logged(own)).toBe(own)
  })

  it('stands beside the log that a run is told, also where that throws, and never twice', () => {
    const path = fresh()
    vi.stubEnv('TOOLWRIGHT_LOG', path)
    const own: LogEvent[] = []
    logged(event => own.push(event))?.(warning('a'))
    const failing = logged(() => {
      throw new Error('full')
    })
    expect(() => failing?.(warning('b'))).toThrow('full')
    logged(logTo(path))?.(warning('c'))
    logged(undefined)?.(warning('d'))
    expect(own).toEqual([warning('a')])
    expect(textsIn(path)).toEqual(['a', 'b', 'c', 'd'])
  })
})

// Every field of every event that can hold a foreign text, each told by a function of that text.
const usage = { calls: 0, tokens: 0, input: 0, toolCalls: 0 }
const message = (s: string) => ({
  role: 'assistant' as const,
  text: s,
  reasoning: s,
  calls: [{ id: s, tool: s, arguments: JSON.stringify({ [s]: [s] }), extra: { [s]: { deep: [s] } } }],
  call: s,
  details: [s, { [s]: s }],
  images: [`data:image/png;base64,${s}`],
  origin: { from: 'tool' as const, tool: s },
})
const at = (s: string) => ({ at: 1, run: s, span: s, parent: `${s}/x` })
const everyEvent = (s: string): LogEvent[] => [
  { ...at(s), kind: 'conversation', agent: s, model: s },
  { ...at(s), kind: 'message', thread: s, row: 1, message: message(s) },
  { ...at(s), kind: 'change', thread: s, row: 1, message: message(`a ${s} b`) },
  { ...at(s), kind: 'turn', turn: 1, model: s, ms: 1, tokens: 1, input: 1 },
  { ...at(s), kind: 'call', tool: s, number: s, arguments: s },
  { ...at(s), kind: 'call end', tool: s, number: s, ms: 1, waited: 1, usage, failed: false },
  { ...at(s), kind: 'ask', tool: s, number: s, arguments: s, why: s },
  { ...at(s), kind: 'decision', tool: s, number: s, approved: false, why: s },
  { ...at(s), kind: 'end', ended: 'limit', limit: s, ms: 1, waited: 1, usage },
  { ...at(s), kind: 'warning', text: s },
]

describe('what is written', () => {
  it('shows no secret of the environment in any field, in any spelling', () => {
    const bytes = (text: string) => String.fromCharCode(...new TextEncoder().encode(text))
    const spell: ((secret: string) => string)[] = [
      s => s,
      s => JSON.stringify(s).slice(1, -1),
      s => encodeURIComponent(s),
      s => btoa(bytes(s)),
      s => btoa(bytes(`user:${s}`)),
      s =>
        btoa(bytes(`${s}:x`))
          .replaceAll('+', '-')
          .replaceAll('/', '_'),
    ]
    const secrets = fc
      .string({ minLength: 8, maxLength: 60, unit: 'grapheme' })
      .filter(s => s.trim().length >= 8 && s.trim() === s && !/^[\s:\][secretx"{},\\/]*$/.test(s))
    fc.assert(
      fc.property(secrets, fc.constantFrom(...spell), fc.string(), (secret, how, around) => {
        vi.stubEnv('SOME_API_KEY', secret)
        const path = fresh()
        const told = how(secret)
        const inner = /^[A-Za-z0-9+/_=-]+$/.test(told) ? told.slice(4, -4) : told
        fc.pre(inner.length >= 5 && !around.includes(inner))
        for (const event of everyEvent(`${around} ${told} ${around}`)) logTo(path)(event)
        const shown = readFileSync(path, 'utf8')
        expect(shown).not.toContain(inner)
        expect(shown).not.toContain(JSON.stringify(inner).slice(1, -1))
        expect(written(path).length).toBe(10)
        rmSync(path)
      }),
    )
  })
})
