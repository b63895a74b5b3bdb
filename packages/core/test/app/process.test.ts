// What an app does as a process: told to end, started over thousands of waiting runs, beside another process.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { app, flow } from '../../src/index.ts'
import { sqlite } from '../../src/sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolwright-process-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const root = join(import.meta.dirname, '../../src')

/** A process that runs `code`; resolves when it has ended, with all that it said. */
function living(code: string) {
  const file = join(folder, `p${Math.random().toString(36).slice(2)}.ts`)
  writeFileSync(file, code)
  const child = spawn(
    process.execPath,
    ['--conditions=development', '--disable-warning=ExperimentalWarning', file],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let said = ''
  const hearing = new Set<() => void>()
  for (const out of [child.stdout, child.stderr])
    out.on('data', data => {
      said += String(data)
      for (const hear of [...hearing]) hear()
    })
  const ended = new Promise<{ code: number | null; signal: string | null; said: string }>(resolve =>
    child.on('exit', (code, signal) => setImmediate(() => resolve({ code, signal, said }))),
  )
  const says = (word: string): Promise<void> =>
    new Promise(resolve => {
      const hear = (): void => {
        if (!said.includes(word)) return
        hearing.delete(hear)
        resolve()
      }
      hearing.add(hear)
      hear()
    })
  return { child, ended, says }
}

const slow = (store: string, ms: number, grace: string): string => `
import { app, flow } from ${JSON.stringify(`${root}/index.ts`)}
import { sqlite } from ${JSON.stringify(`${root}/sqlite.ts`)}
const work = flow('work', {
  run: async ({ step }) => {
    await step('slow', ({ signal }) => {
      console.log('begun')
      signal.addEventListener('abort', () => console.log('aborted'))
      return new Promise(resolve => setTimeout(() => (console.log('ended'), resolve(1)), ${ms}))
    })
    await step('next', () => console.log('next'))
  },
})
const made = app({ flows: [work], store: sqlite(${JSON.stringify(store)}), drain: '${grace}' })
const run = await made.runs.start(work, {}, { key: 'one' })
await made.runs.answer(run)
await made.close()
`

test('told to end, it begins no new step, lets one end that is under way, and goes on the next time', async () => {
  const store = join(folder, 'drain.db')
  const first = living(slow(store, 300, '10 seconds'))
  await first.says('begun')
  first.child.kill('SIGTERM')
  const { signal, said } = await first.ended
  expect([signal, said.match(/begun|ended|next|aborted/g)]).toEqual(['SIGTERM', ['begun', 'ended']])
  const outside = sqlite(store)
  expect(await outside.list()).toMatchObject([{ status: 'ready', deaths: 0 }])
  await outside.close()
  const second = await living(slow(store, 300, '10 seconds')).ended
  expect([second.code, second.said.match(/begun|ended|next/g)]).toEqual([0, ['next']])
}, 30_000)

test('what takes longer than its grace is aborted, and done again the next time', async () => {
  const store = join(folder, 'grace.db')
  const first = living(slow(store, 5000, '100 ms'))
  await first.says('begun')
  first.child.kill('SIGTERM')
  const { said } = await first.ended
  expect(said.match(/begun|ended|next|aborted/g)).toEqual(['begun', 'aborted'])
  const outside = sqlite(store)
  expect(await outside.list()).toMatchObject([{ status: 'ready', deaths: 0 }])
  await outside.close()
}, 30_000)

test('a second app over one store is told who has it', async () => {
  const store = join(folder, 'two.db')
  const work = flow('work', { run: async ({ wait }) => await wait('go') })
  const first = app({ flows: [work], store: sqlite(store, { patience: 0 }), drain: false })
  const run = await first.runs.start(work, {})
  const second = app({ flows: [work], store: sqlite(store, { patience: 0 }), drain: false })
  await expect(second.open()).rejects.toMatchObject({ code: 'T6001' })
  // It may still answer and read, and the owner notices at once.
  await second.runs.signal(run, 'go', 'from outside')
  expect(await first.runs.answer(run)).toBe('from outside')
  await second.close()
  await first.close()
})

const runs = process.env['TOOLWRIGHT_FULL'] === '1' ? 10_000 : 1000

test(`${runs} waiting runs cost an app that starts no timer and no work each`, async () => {
  const store = join(folder, 'many.db')
  let begun = 0
  const nap = flow('nap', {
    run: async ({ sleep }) => {
      begun++
      await sleep('30 days')
    },
  })
  const first = app({ flows: [nap], store: sqlite(store), drain: false })
  for (let n = 0; n < 10; n++)
    await Promise.all(Array.from({ length: runs / 10 }, () => first.runs.start(nap, {})))
  const waiting = (of: typeof first) => of.runs.list({ status: ['waiting'], limit: 20_000 })
  await expect.poll(async () => (await waiting(first)).length, { timeout: 100_000, interval: 50 }).toBe(runs)
  await first.close()
  begun = 0
  let timers = 0
  const clock = { now: () => Date.now(), after: () => (timers++, () => timers--) }
  const second = app({ flows: [nap], store: sqlite(store, { clock }), drain: false, clock })
  await second.open()
  expect((await waiting(second)).length).toBe(runs)
  expect([begun, timers]).toEqual([0, 1])
  await second.close()
}, 120_000)
