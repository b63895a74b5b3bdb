// The command as it is typed: each test starts it as a process of its own.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const main = fileURLToPath(new URL('./main.ts', import.meta.url))
const source = (name: string) => JSON.stringify(new URL(name, import.meta.url).href)
const head = `import { agent, tool } from ${source('./index.ts')}
import { calls, says, scripted } from ${source('./test.ts')}
const slow = (run: unknown) => tool('slow', { about: 'Is slow.', input: {}, readOnly: true, run: run as never })
const slowly = (run: unknown) =>
  agent(scripted([{ ...calls([['slow', '{}']]), text: 'Begun.' }, says('Done.')]), '', [slow(run)])
`

interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

function start(args: string[], input = ''): { process: ChildProcess; ended: Promise<Ended> } {
  const flags = ['--conditions=development', '--disable-warning=ExperimentalWarning']
  const env = { ...process.env, MY_API_KEY: 'a-key-of-mine', TOOLWRIGHT_LOG: '' }
  const child = spawn(process.execPath, [...flags, main, ...args], { cwd: folder, env, stdio: 'pipe' })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', part => (stdout += part))
  child.stderr.on('data', part => (stderr += part))
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  return {
    process: child,
    ended: new Promise(done => child.on('close', code => done({ code, stdout, stderr }))),
  }
}
const toolwright = (args: string[], input?: string) => start(args, input).ended

let folder: string
function file(name: string, text: string): string {
  writeFileSync(join(folder, name), head + text)
  return name
}
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-main-'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('toolwright', () => {
  it('says how it is used', async () => {
    const help = await toolwright(['--help'])
    expect(help.code).toBe(0)
    for (const word of ['run', 'chat', 'show', 'explain', 'TOOLWRIGHT_LOG', 'Exit codes'])
      expect(help.stdout).toContain(word)
    const more = await toolwright(['run', '--help'])
    for (const word of ['--agent', '--ask', '--json', '--tree', '--log', '--quiet', 'Examples'])
      expect(more.stdout).toContain(word)
    expect((await toolwright(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+/)
  })

  it('gives 2 where the usage is wrong', async () => {
    const a = file('usage.ts', "export default agent(scripted([]), '')")
    const wrong = [
      [],
      ['walk'],
      ['run'],
      ['run', a, '--strange', 'x'],
      ['run', a, '--json', '--tree', 'x'],
      ['run', 'no.ts', 'x'],
    ]
    for (const args of [...wrong, ['run', a], ['explain', 'T0000'], ['show'], ['show', 'no.jsonl']]) {
      const { code, stdout, stderr } = await toolwright(args)
      expect([args, code, stdout]).toEqual([args, 2, ''])
      expect(stderr).not.toBe('')
    }
  })

  it('runs an agent of a TypeScript file, its message from the arguments or a pipe', async () => {
    const a = file('hello.ts', "export default agent(scripted([says('Hello ❤️.')]), '')")
    expect(await toolwright(['run', a, 'Say', 'hello'])).toEqual({
      code: 0,
      stdout: 'Hello ❤️.\n',
      stderr: '',
    })
    expect(await toolwright(['run', a], 'Say hello\n')).toEqual({ code: 0, stdout: 'Hello ❤️.\n', stderr: '' })
    const { stdout, stderr } = await toolwright(['run', a, '--json', 'Hi'])
    expect(stderr).toBe('')
    expect(
      stdout
        .trim()
        .split('\n')
        .map(line => JSON.parse(line).kind)
        .at(-1),
    ).toBe('done')
  })

  it('is done when the answer is, whatever the file keeps open, and loses nothing of a long one', async () => {
    const a = file(
      'open.ts',
      "setInterval(() => {}, 1000)\nexport default agent(scripted([{ ...says(''), text: 'x'.repeat(300_000) }]), '')",
    )
    const { code, stdout } = await toolwright(['run', a, 'Hi'])
    expect(code).toBe(0)
    expect(stdout.length).toBe(300_001)
  })

  it('chats with what is piped in', async () => {
    const a = file('chat.ts', "export default agent(scripted([says('One.'), says('Two.')]), '')")
    expect(await toolwright(['chat', a], 'a\nb\n')).toEqual({ code: 0, stdout: 'One.\nTwo.\n', stderr: '' })
  })

  it('says where a file is wrong that fails to load', async () => {
    const lines = head.split('\n').length
    file('syntax.ts', 'const a: number = 1\nconst b = = 2\n')
    const syntax = await toolwright(['run', 'syntax.ts', 'Hi'])
    expect(syntax).toMatchObject({ code: 1, stdout: '' })
    expect(syntax.stderr).toContain(`\n  syntax.ts:${lines + 1}\n`)
    expect(syntax.stderr).toContain('\n  const b = = 2\n            ^\n')
    writeFileSync(join(folder, 'plain.mjs'), 'const x = 1\nexport default x x\n')
    const plain = await toolwright(['run', 'plain.mjs', 'Hi'])
    expect(plain.stderr).toContain('\n  plain.mjs:2\n  export default x x\n                   ^\n  ')
    file('enum.ts', 'export enum A { x }')
    expect((await toolwright(['run', 'enum.ts', 'Hi'])).stderr).toContain('Types are left out, not compiled')
    file('throws.ts', "\n\nexport default agent('a', { instructions: 1 } as never)")
    const throws = await toolwright(['run', 'throws.ts', 'Hi'])
    expect(throws.code).toBe(1)
    expect(throws.stderr).toContain(`throws.ts:${lines + 2}:`)
    expect(throws.stderr).toContain('T1001')
  })

  it('ctrl-C stops the run and keeps what was written, with 130', async () => {
    const a = file(
      'stops.ts',
      `export default slowly((_: unknown, ctx: any) => new Promise(done => ctx.signal.addEventListener('abort', () => done('')))) `,
    )
    const { process, ended } = start(['run', a, 'Hi'])
    await said(process.stdout)
    process.kill('SIGINT')
    expect(await ended).toMatchObject({ code: 130, stdout: 'Begun.\n' })
  })

  it('ctrl-C twice leaves at once, whatever a tool does', async () => {
    const a = file('never.ts', 'export default slowly(() => new Promise(() => setInterval(() => {}, 1000)))')
    const { process, ended } = start(['run', a, 'Hi'])
    await said(process.stdout)
    process.kill('SIGINT')
    await said(process.stderr)
    process.kill('SIGINT')
    expect(await ended).toMatchObject({ code: 130 })
  })

  it('ends quietly where nobody reads on', async () => {
    const a = file(
      'head.ts',
      `let told = 0
      export default slowly(async () => { while (told++ < 100) await new Promise(done => setTimeout(done, 5)); return '' })`,
    )
    const { process, ended } = start(['run', a, '--json', 'Hi'])
    process.stdout?.once('data', () => process.stdout?.destroy())
    const { code, stderr } = await ended
    expect([code, stderr]).toEqual([0, ''])
  })

  it('logs runs to a file with --log, those that the file begins itself too, and shows them', async () => {
    const a = file(
      'logs.ts',
      `import { run } from ${source('./index.ts')}
      await run(agent(scripted([says('First.')]), ''), 'one')
      export default agent(scripted([says('key is ' + process.env.MY_API_KEY)]), '')`,
    )
    expect(await toolwright(['run', a, '--log', 'runs.jsonl', 'two'])).toMatchObject({ code: 0 })
    const { code, stdout, stderr } = await toolwright(['show', 'runs.jsonl'])
    expect([code, stderr]).toEqual([0, ''])
    const lines = stdout.split('\n').filter(line => !line.startsWith('# '))
    expect(lines).toEqual([
      '[user] one',
      '[assistant] First.',
      '',
      '[user] two',
      '[assistant] key is [secret]',
      '',
    ])
    const json = await toolwright(['show', 'runs.jsonl', '--json'])
    expect(JSON.parse(json.stdout).runs.length).toBe(2)
    expect((await toolwright(['show', a])).code).toBe(1)
  })

  it('logs every run of a script that knows nothing of it, where TOOLWRIGHT_LOG says so', async () => {
    const script = file(
      'script.ts',
      `import { run } from ${source('./index.ts')}\nawait run(agent(scripted([says('Done.')]), ''), 'go')`,
    )
    const flags = ['--conditions=development', '--disable-warning=ExperimentalWarning']
    const env = { ...process.env, TOOLWRIGHT_LOG: 'script.jsonl' }
    const { status, stderr } = spawnSync(process.execPath, [...flags, script], {
      cwd: folder,
      env,
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([0, ''])
    expect((await toolwright(['show', 'script.jsonl'])).stdout).toBe('[user] go\n[assistant] Done.\n')
  })

  it('explains codes', async () => {
    const list = await toolwright(['explain'])
    expect(list.stdout).toMatch(/^([TA]\d{4}: .+\n)+$/)
    const code = list.stdout.slice(0, 5)
    const page = await toolwright(['explain', code.toLowerCase()])
    expect(page).toMatchObject({ code: 0, stderr: '' })
    expect(page.stdout).toMatch(new RegExp(`^# ${code}: [\\s\\S]+## The mend`))
  })
})

/** When the process has written something, or can no more. */
function said(stream: Readable | null): Promise<unknown> {
  return new Promise(done => stream?.once('data', done).once('close', done))
}
