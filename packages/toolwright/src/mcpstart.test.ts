import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mcp } from '@toolwright/mcp'
import { approve, look } from '@toolwright/mcp/people'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeTerminal } from '../test/terminal.ts'
import { askByTerminal } from './mcp.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-start-'))
  vi.stubEnv('TOOLWRIGHT_STATE', join(folder, 'state'))
  vi.stubEnv('TOOLWRIGHT_START', '')
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

it('the first start asks at the terminal with the whole command, escaped; a no starts nothing, and a yes is kept', async () => {
  const program = join(folder, 'server.mjs')
  const canary = join(folder, 'canary')
  writeFileSync(
    program,
    `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(canary)}, 'x'); process.exit(1)`,
  )
  const lock = join(folder, 'lock.json')
  const start = async (): Promise<string> => {
    const service = mcp('hand', { command: process.execPath, args: [program, '\u202eevil'], lock })
    return await look(service)
      .then(
        news => (approve(news, []), 'started'),
        error => error.code as string,
      )
      .finally(() => service.close())
  }
  const no = fakeTerminal({ person: true, answers: [false] })
  await askByTerminal(no)
  expect(await start()).toBe('T5006')
  expect(no.questions[0]).toContain('The server hand would start this for the first time in')
  expect(no.questions[0]).toContain('\\u202eevil')
  expect(existsSync(canary)).toBe(false)
  const yes = fakeTerminal({ person: true, answers: [true] })
  await askByTerminal(yes)
  // It starts now, and dies at once: that is another matter.
  expect(await start()).not.toBe('T5006')
  expect(existsSync(canary)).toBe(true)
  const nobody = fakeTerminal()
  await askByTerminal(nobody)
  expect(await start()).not.toBe('T5006')
  expect(nobody.questions).toEqual([])
}, 30_000)
