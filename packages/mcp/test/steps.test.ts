// A call through MCP is a step like any other: killed in the middle, it is tried again under its key, or told as unknown.
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listen } from './conformance/http.ts'
import { fake, streaming, tool } from './fake.ts'
import { after, folder, lockNow } from './kit.ts'

async function killedInTheMiddle(again: string) {
  const called: { key: unknown }[] = []
  let first!: () => void
  const begun = new Promise<void>(resolve => {
    first = resolve
  })
  const server = fake({
    tools: [tool('add')],
    call: params => {
      called.push({ key: params._meta?.['toolwright/callKey'] })
      if (called.length > 1) return undefined
      first()
      return streaming(() => {})
    },
  })
  const http = await listen(request => server.fetch(request))
  after(http.close)
  const home = folder()
  const lock = join(home, 'lock.json')
  await lockNow('notes', { url: http.url, lock })
  const start = (): ChildProcess =>
    spawn(
      process.execPath,
      [
        '--conditions=development',
        join(import.meta.dirname, 'steps.child.ts'),
        join(home, 'runs.db'),
        http.url,
        lock,
        again,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
  const killed = start()
  await begun
  killed.kill('SIGKILL')
  await new Promise(resolve => killed.on('exit', resolve))
  const child = start()
  let out = ''
  child.stdout!.on('data', chunk => {
    out += String(chunk)
  })
  await new Promise(resolve => child.on('exit', resolve))
  return { called, end: JSON.parse(out) as { answer: string; names: string[]; tool: { text: string } } }
}

test('after a kill, a call that was under way is tried again under its key, which the server is told', async () => {
  const { called, end } = await killedInTheMiddle('')
  expect(end.answer).toBe('done')
  expect(end.names).toEqual(expect.arrayContaining(['model 1', 'tool 1.1 notes.add', 'model 2']))
  expect(called).toHaveLength(2)
  expect(called[0]!.key).toMatch(/./)
  expect(called[1]).toEqual(called[0])
}, 60_000)

test("where again is 'never', it is not made a second time, and the model is told that it is unknown", async () => {
  const { called, end } = await killedInTheMiddle('never')
  expect(end.answer).toBe('done')
  expect(called).toHaveLength(1)
  expect(JSON.stringify(end.tool)).toContain('it is unknown whether it was carried out')
}, 60_000)
