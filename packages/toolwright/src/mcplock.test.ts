// `toolwright mcp lock` at a terminal: tool by tool, with what changed since the last time.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeTerminal } from '../test/terminal.ts'
import { lockCommand } from './mcp.ts'

const root = join(import.meta.dirname, '../../..')
const source = readFileSync(join(root, 'packages/mcp/test/server.ts'), 'utf8')
const server = (): string => join(folder, 'server.ts')
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-lock-'))
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(join(root, 'node_modules/@toolwright'), join(folder, 'node_modules/@toolwright'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(server(), source)
  const lock = JSON.stringify(lockFile())
  const args = JSON.stringify([
    '--conditions=development',
    '--disable-warning=ExperimentalWarning',
    server(),
    'ordinary',
  ])
  writeFileSync(
    join(folder, 'desk.ts'),
    `import { mcp } from '@toolwright/mcp'
export const hand = mcp('hand', { command: process.execPath, args: ${args} }, { lock: ${lock} })
`,
  )
  vi.stubEnv('TOOLWRIGHT_STATE', join(folder, 'state'))
  vi.stubEnv('TOOLWRIGHT_START', '')
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

const lockFile = (): string => join(folder, 'toolwright.lock.json')
const locked = (): string[] =>
  Object.keys(JSON.parse(readFileSync(lockFile(), 'utf8')).services.hand.tools).sort()

it('asks for each tool that is new, keeps those that are agreed to, and asks later only for what changed', async () => {
  const file = join(folder, 'desk.ts')
  // The start of the command, then big, count, die, environment, get.
  const first = fakeTerminal({ person: true, answers: [true, true, false, false, false, true] })
  expect(await lockCommand(file, [], false, first)).toBe(0)
  expect(first.questions).toHaveLength(6)
  expect(first.questions[0]).toContain('would start this for the first time')
  expect(first.questions.slice(1).map(shown => shown.trim())).toEqual(
    ['big', 'count', 'die', 'environment', 'get'].map(name => `hand.${name}`),
  )
  expect(locked()).toEqual(['big', 'get'])
  // The server changes what it says of one that was approved.
  writeFileSync(
    server(),
    source.replace('`Does ${name}`', "name === 'get' ? 'Does what you never agreed to' : `Does ${name}`"),
  )
  const second = fakeTerminal({ person: true, answers: [false, false, false, true] })
  expect(await lockCommand(file, ['hand'], false, second)).toBe(0)
  expect(second.questions.map(shown => shown.trim())).toEqual([
    'hand.count',
    'hand.die',
    'hand.environment',
    'hand.get',
  ])
  expect(second.stdout).toContain('Does what you never agreed to')
  expect(second.stdout).toContain('Does get')
  expect(locked()).toEqual(['big', 'get'])
}, 60_000)

it('writes nothing where it is interrupted, or where nobody is there to ask', async () => {
  const file = join(folder, 'desk.ts')
  const stopped = fakeTerminal({ person: true, answers: [true, true, 'interrupt'] })
  await expect(lockCommand(file, [], false, stopped)).rejects.toThrow('Nothing was written')
  expect(existsSync(lockFile())).toBe(false)
  await expect(lockCommand(file, [], false, fakeTerminal())).rejects.toThrow('Nobody is here to ask')
})
