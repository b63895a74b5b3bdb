// A sealed store does what every store does, and its file tells nothing to whoever only has the file.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { agent, app, tool } from '../../src/index.ts'
import { sealWith, sqlite } from '../../src/sqlite.ts'
import { calls, says } from '../../src/test.ts'
import { text } from '../../src/values.ts'
import { byTurn } from '../app/byturn.ts'
import { conformance } from './conformance.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolwright-sealed-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const seal = sealWith('0f'.repeat(32))

conformance({
  name: 'sealed sqlite',
  make: (name, clock) => sqlite(join(folder, `${name}.db`), { clock, patience: 0, seal }),
})

const word = (n: number): string => `secret${n}word`

test('nothing of inputs, answers, messages, steps, asks, reasons or large values is in its files', async () => {
  const file = join(folder, 'app.db')
  const tell = tool('tell', {
    about: 'Tells',
    input: { x: text() },
    danger: 'ask',
    run: async (_: unknown, ctx) => await ctx.step('large', () => word(1).repeat(30_000)),
  })
  const model = byTurn([
    { ...calls([['tell', { x: word(2) }]]), text: word(3), reasoning: word(4) },
    calls([['tell', { x: word(2) }]]),
    says(word(5)),
  ])
  const helper = agent('helper', { model, instructions: '', tools: [tell], limits: { result: '2 MB' } })
  const made = app({ agents: [helper], store: sqlite(file, { seal }), drain: false })
  const start = { message: word(6), thread: 'main', variables: { v: word(7) } }
  const run = await made.runs.start(helper, start, { person: 'ann' })
  await made.runs.approve(run, 'ask 1.1')
  await expect.poll(async () => (await made.runs.asks(run)).map(ask => ask.step)).toEqual(['ask 2.1'])
  await made.runs.send(run, word(8))
  await made.runs.refuse(run, 'ask 2.1', { why: word(9) })
  expect(await made.runs.answer(run)).toBe(word(5))
  expect(JSON.stringify(await made.runs.steps(run))).toContain(word(1))
  await made.close()
  const bytes = readdirSync(folder)
    .filter(name => name.startsWith('app.db'))
    .map(name => readFileSync(join(folder, name)).toString('latin1'))
    .join()
  expect(bytes).not.toMatch(/secret\dword/)
  expect(bytes).toContain('helper')
})

test('another key, none, or a key that is none are told', async () => {
  const file = join(folder, 'keys.db')
  const first = sqlite(file, { seal })
  const { id } = await first.run({ flow: 'f', input: 1 })
  await first.close()
  for (const [options, code] of [
    [{ seal: sealWith(new Uint8Array(32)) }, 'T6010'],
    [{ seal: { seal: (text: string) => text, open: (text: string) => text } }, 'T6010'],
  ] as const) {
    const other = sqlite(file, options)
    await expect(other.get(id)).rejects.toMatchObject({ code })
    await other.close()
  }
  const plain = sqlite(join(folder, 'plain.db'))
  const run = await plain.run({ flow: 'f', input: { a: 1 } })
  await plain.close()
  const late = sqlite(join(folder, 'plain.db'), { seal })
  await expect(late.get(run.id)).rejects.toMatchObject({ code: 'T6010' })
  await late.close()
  expect(() => sealWith('short')).toThrow('T1001')
})
