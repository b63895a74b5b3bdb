// The commands for .agency files, as somebody types them.
import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'

const main = fileURLToPath(new URL('main.ts', import.meta.url))
let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-agency-'))
  writeFileSync(
    join(folder, 'sum.agency'),
    'def add(a: number, b: number): number { return a + b }\nnode main(n: number) {\n  print("asked")\n  const text = llm("What is ${n} + 1?", tools: [add])\n  return { text, n }\n}\n',
  )
  writeFileSync(
    join(folder, 'turns.json'),
    JSON.stringify([{ calls: [['add', { a: 4, b: 1 }]] }, { says: '5' }]),
  )
  writeFileSync(join(folder, 'wrong.agency'), 'print("ran")\nconst a: string = 1\nprint(b)\n')
  writeFileSync(
    join(folder, 'crash.agency'),
    'def f(x: any): any {\n  return x.a.b\n}\nnode main() { return f(null) }\n',
  )
})

afterAll(() => {
  rmSync(folder, { recursive: true })
})

function toolwright(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const all = ['--conditions=development', '--disable-warning=ExperimentalWarning', main, ...args]
  return new Promise(resolve => {
    execFile(process.execPath, all, { cwd: folder, timeout: 30_000 }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr })
    })
  })
}

it('run gives the result of the node as the last line of stdout', { timeout: 60_000 }, async () => {
  const { code, stdout, stderr } = await toolwright(
    'run',
    'sum.agency',
    '--args',
    '[4]',
    '--scripted',
    'turns.json',
    '--json',
  )
  expect(stderr).toBe('')
  expect(code).toBe(0)
  expect(stdout).toBe('asked\n{"text":"5","n":4}\n')
})

it('faults end it with 1 and nothing runs; check says the same', { timeout: 60_000 }, async () => {
  const ran = await toolwright('run', 'wrong.agency')
  expect([ran.code, ran.stdout]).toEqual([1, ''])
  expect(ran.stderr).toContain('wrong.agency:2:19 - error A3001')
  expect(ran.stderr).toContain('wrong.agency:3:7 - error A2001')
  const checked = await toolwright('check', 'wrong.agency', 'sum.agency')
  expect([checked.code, checked.stdout]).toEqual([1, ''])
  expect(checked.stderr).toContain('wrong.agency:3:7 - error A2001')
})

it('a crash ends it with 1 and tells the line', { timeout: 60_000 }, async () => {
  const { code, stderr } = await toolwright('run', 'crash.agency')
  expect(code).toBe(1)
  expect(stderr).toContain('crash.agency:2')
})

it('compile --types writes what TypeScript is told, and it is what stands beside the example', {
  timeout: 60_000,
}, async () => {
  const examples = fileURLToPath(new URL('../../../examples/', import.meta.url))
  for (const name of ['desk.agency', 'desk.ts']) copyFileSync(join(examples, name), join(folder, name))
  expect((await toolwright('compile', '--types', 'desk.agency')).code).toBe(0)
  expect(readFileSync(join(folder, 'desk.d.agency.ts'), 'utf8').replaceAll('"', '')).toBe(
    readFileSync(join(examples, 'desk.d.agency.ts'), 'utf8').replace(/["']/g, ''),
  )
})

it('compile writes a module, its map and its declarations', { timeout: 60_000 }, async () => {
  const { code } = await toolwright('compile', 'sum.agency', '--out', 'out')
  expect(code).toBe(0)
  expect(readFileSync(join(folder, 'out/sum.js'), 'utf8')).toContain('export { main }')
  expect(readFileSync(join(folder, 'out/sum.d.ts'), 'utf8')).toContain(
    'export declare const main: import("@toolwright/agency/runtime").Node<{ "n": number }, [n: number], ',
  )
  expect(JSON.parse(readFileSync(join(folder, 'out/sum.js.map'), 'utf8'))).toMatchObject({ version: 3 })
})
