import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const bin = join(root, 'packages/toolwright/src/main.ts')
const server = join(root, 'packages/mcp/test/server.ts')
let folder: string
let canary: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-mcp-'))
  canary = join(folder, 'canary')
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(join(root, 'node_modules/@toolwright'), join(folder, 'node_modules/@toolwright'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const args = ['--conditions=development', server, 'ordinary', canary]
  writeFileSync(
    join(folder, 'desk.ts'),
    `import { mcp } from '@toolwright/mcp'
import { agent, tool } from '@toolwright/core'
import { calls, says, scripted } from '@toolwright/core/test'
export const hand = mcp('hand', { command: process.execPath, args: ${JSON.stringify(args)} })
export const hello = tool('hello', { about: 'Greets.', run: () => 'hello' })
export const wipe = tool('wipe', { about: 'Wipes.', danger: 'ask', run: () => 'wiped' })
export default agent('desk', { model: scripted([calls([['hand.get', '{}']]), says('done')]), instructions: '', tools: [hand], trust: [hand] })
`,
  )
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const env = () => ({ ...process.env, TOOLWRIGHT_STATE: join(folder, 'state'), TOOLWRIGHT_START: '' })

function toolwright(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise(resolve => {
    const child = execFile(
      process.execPath,
      ['--conditions=development', bin, ...args],
      { cwd: folder, env: env() },
      (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
    child.stdin?.end()
  })
}

it('commands that only read start nothing, and the first start is refused without a terminal', async () => {
  expect(await toolwright('mcp', 'check', 'desk.ts')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('T5001'),
  })
  expect((await toolwright('mcp', 'lock', 'desk.ts')).code).toBe(2)
  await toolwright('schema', 'desk.ts')
  expect(existsSync(canary)).toBe(false)
  // Somebody else's lock is there already, as it is in a folder that was cloned.
  expect((await toolwright('mcp', 'lock', 'desk.ts', '--yes')).code).toBe(0)
  rmSync(join(folder, 'state'), { recursive: true })
  rmSync(canary)
  expect(await toolwright('mcp', 'check', 'desk.ts')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('hand (the server was not asked)'),
  })
  const ran = await toolwright('run', 'desk.ts', 'go')
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('T5006') })
  expect(existsSync(canary)).toBe(false)
}, 60_000)

it('lock shows and approves, run uses it, and check names each difference', async () => {
  const locked = await toolwright('mcp', 'lock', 'desk.ts', '--yes')
  expect(locked.stdout).toMatch(/hand\n(?:.*\n)*? {2}\+ get \(new\)\n {6}Does get/)
  expect(locked.stderr).toContain('5 of 5 tools of hand are approved')
  expect(await toolwright('run', 'desk.ts', 'go')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('done'),
  })
  expect((await toolwright('mcp', 'check', 'desk.ts', '--start')).code).toBe(0)
  const lock = join(folder, 'toolwright.lock.json')
  writeFileSync(lock, readFileSync(lock, 'utf8').replace('Does get', 'Does got'))
  expect(await toolwright('mcp', 'check', 'desk.ts')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('T5002'),
  })
}, 60_000)

it('serve offers what a file exports over stdin and stdout, through the guard', async () => {
  const child = spawn(process.execPath, ['--conditions=development', bin, 'mcp', 'serve', 'desk.ts'], {
    cwd: folder,
    env: env(),
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  let out = ''
  child.stdout.on('data', chunk => {
    out += String(chunk)
  })
  const say = (message: object): boolean =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const heard = async (id: number): Promise<string> => {
    for (;;) {
      const line = out.split('\n').find(each => each.includes(`"id":${id}`))
      if (line !== undefined) return line
      await new Promise(resolve => child.stdout.once('data', resolve))
    }
  }
  say({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
  })
  await heard(1)
  say({ method: 'notifications/initialized' })
  say({ id: 2, method: 'tools/call', params: { name: 'hello', arguments: {} } })
  say({ id: 3, method: 'tools/call', params: { name: 'wipe', arguments: {} } })
  expect(await heard(2)).toContain('"text":"hello"')
  expect(await heard(3)).toContain('T7111')
  child.stdin.end()
  expect(await new Promise(resolve => child.on('exit', resolve))).toBe(0)
  expect(existsSync(canary)).toBe(false)
}, 60_000)
