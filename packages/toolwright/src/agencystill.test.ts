// Commands that only read .agency files start nothing of them, nor of what they import.
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'

const main = join(import.meta.dirname, 'main.ts')
const folder = mkdtempSync(join(tmpdir(), 'toolwright-still-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const canary = join(folder, 'canary')

const toolwright = (...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> =>
  new Promise(resolve => {
    const flags = ['--conditions=development', '--disable-warning=ExperimentalWarning']
    const child = execFile(
      process.execPath,
      [...flags, main, ...args],
      { cwd: folder },
      (_, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    )
    child.stdin?.end()
  })

it('check, format and schema run neither the file nor what it imports; run does', async () => {
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(
    join(folder, 'evil.ts'),
    `import { appendFileSync } from 'node:fs'
appendFileSync(${JSON.stringify(canary)}, 'evil')
export const harm = (): string => 'done'
`,
  )
  const program = 'import { harm } from "./evil.ts"\nprint(harm())\nnode main() {\nreturn harm()\n}\n'
  writeFileSync(join(folder, 'a.agency'), program)
  expect(await toolwright('check', 'a.agency')).toMatchObject({ code: 0 })
  expect((await toolwright('format', '--check', 'a.agency')).code).toBe(1)
  expect(readFileSync(join(folder, 'a.agency'), 'utf8')).toBe(program)
  expect((await toolwright('format', 'a.agency')).code).toBe(0)
  expect(readFileSync(join(folder, 'a.agency'), 'utf8')).toContain('  return harm()')
  await toolwright('schema', 'evil.ts')
  expect(existsSync(canary)).toBe(false)
  const ran = await toolwright('run', 'a.agency', '--json')
  expect(ran.stdout.trim().split('\n').at(-1)).toBe('"done"')
  expect(existsSync(canary)).toBe(true)
}, 60_000)
