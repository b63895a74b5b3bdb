import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadAgent } from './load.ts'

// Agents of another copy of the package, as far as a file can show one.
const stub = (name: string) => `{ [Symbol.for('toolwright.agent')]: {}, name: '${name}' }`

describe('loadAgent', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'toolwright-load-'))
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  let count = 0
  const file = (text: string, ending = 'mjs') => {
    const path = join(folder, `f${count++}.${ending}`)
    writeFileSync(path, text)
    return path
  }
  const failing = (path: string, name?: string) =>
    loadAgent(path, name).then(
      () => ({ code: 0, message: '' }),
      (error: { code: number; message: string }) => error,
    )

  it('takes the default export, or else the only agent', async () => {
    expect((await loadAgent(file(`export default ${stub('a')}; export const b = ${stub('b')}`))).name).toBe(
      'a',
    )
    expect((await loadAgent(file(`export const x = 1; export const b = ${stub('b')}`))).name).toBe('b')
    expect((await loadAgent(file(`export const a = ${stub('a')}; export { a as same }`))).name).toBe('a')
  })

  it('takes the agent that --agent names, by its export or by its own name', async () => {
    const path = file(`export default ${stub('main')}; export const b = ${stub('helper')}`)
    expect((await loadAgent(path, 'b')).name).toBe('helper')
    expect((await loadAgent(path, 'helper')).name).toBe('helper')
    expect(await failing(path, 'c')).toMatchObject({
      code: 2,
      message: expect.stringMatching(/exports no agent c\. It exports main, b\.$/),
    })
  })

  it('says when there is no agent, or several, or no file', async () => {
    expect(await failing(file('export const x = 1'))).toMatchObject({
      code: 2,
      message: expect.stringContaining("exports no agent. Write `export default agent('name', { … })`."),
    })
    expect(await failing(file(`export const a = ${stub('a')}, b = ${stub('b')}`))).toMatchObject({
      code: 2,
      message: expect.stringContaining('exports 2 agents: a, b. Choose one with --agent NAME'),
    })
    expect(await failing(join(folder, 'none.ts'))).toMatchObject({
      code: 2,
      message: expect.stringContaining('no file'),
    })
    expect(await failing(folder)).toMatchObject({ code: 2, message: expect.stringContaining('is no file') })
  })

  it('says where a file failed that threw', async () => {
    const { code, message } = await failing(file("const x = 1\n\nthrow new Error('no key\\x1b[2J set')"))
    expect(code).toBe(1)
    expect(message).toMatch(/failed to load\.\n {2}.*f\d+\.mjs:3:7\n {2}no key\\x1b\[2J set$/)
  })

  it('names the package that is missing', async () => {
    const { message } = await failing(file("import 'not-a-package-of-anyone'"))
    expect(message).toContain('Run `npm install not-a-package-of-anyone`.')
  })
})
