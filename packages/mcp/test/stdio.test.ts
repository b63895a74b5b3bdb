import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { askBeforeStart, type McpStated } from '../src/index.ts'
import { folder, lockNow, resultsOf, service, using } from './kit.ts'

const file = join(import.meta.dirname, 'server.ts')
const command = (
  how: string,
  lock: string,
  more: McpStated & { env?: Record<string, string> } = {},
  canary = '',
) => ({
  command: process.execPath,
  args: ['--conditions=development', file, how, ...(canary === '' ? [] : [canary])],
  lock,
  ...more,
})

beforeEach(() => {
  vi.stubEnv('TOOLWRIGHT_STATE', folder())
  vi.stubEnv('TOOLWRIGHT_START', '1')
  return () => {
    vi.unstubAllEnvs()
    askBeforeStart(async () => undefined)
  }
})

test('a server that dies in the middle fails its open calls at once with the end of its stderr, and is started again', async () => {
  const lock = join(folder(), 'lock.json')
  const canary = join(folder(), 'canary')
  const stated = command('ordinary', lock, { env: { SECRET: 'open-sesame' } }, canary)
  await lockNow('hand', stated)
  const before = readFileSync(canary, 'utf8').split('started').length
  const used = service('hand', stated)
  const seen = await using(used, [
    ['hand.die', '{}'],
    ['hand.get', '{}'],
  ])
  expect(resultsOf(seen)[0]).toMatch(
    /^T5008: hand went away in the middle: it is unknown .* the disk is full, and so is \[secret\]/,
  )
  const again = await using(used, [['hand.get', '{}']])
  expect(resultsOf(again)[0]).toMatch(/^get ran/)
  const log = readFileSync(canary, 'utf8')
  expect(log.split('started').length - before).toBe(2)
  // No call was repeated by itself.
  expect(log.split('called die').length).toBe(2)
}, 20_000)

test('a server that dies at its start fails the call and not the run, and is left alone after a while', async () => {
  const lock = join(folder(), 'lock.json')
  await lockNow('hand', command('ordinary', lock))
  const text = readFileSync(lock, 'utf8').replace('"ordinary"', '"dies at once"')
  writeFileSync(lock, text)
  const used = service('hand', command('dies at once', lock))
  const seen = await using(used, [['hand.get', '{}']])
  expect(resultsOf(seen)[0]).toMatch(/^T5007|^T5008/)
  expect(seen.answer).toBe('done')
  const later = await using(used, [
    ['hand.get', '{}'],
    ['hand.get', '{}'],
  ])
  expect(resultsOf(later).at(-1)).toMatch(/failed \d times in a row, and is left alone for/)
}, 20_000)

test('a result of 10 MB comes through a pipe, and is cut', async () => {
  const lock = join(folder(), 'lock.json')
  await lockNow('hand', command('ordinary', lock))
  const seen = await using(service('hand', command('ordinary', lock)), [['hand.big', '{}']])
  expect(resultsOf(seen)[0]).toContain('of 10000000 bytes')
}, 20_000)

test('a server is handed nothing of our environment but what every program gets', async () => {
  vi.stubEnv('AI_API_KEY', 'key-1234')
  const lock = join(folder(), 'lock.json')
  const stated = command('ordinary', lock, { env: { OWN: 'x' } })
  await lockNow('hand', stated)
  const seen = await using(service('hand', stated), [['hand.environment', '{}']])
  expect(resultsOf(seen)[0]).toContain('OWN')
  expect(resultsOf(seen)[0]).not.toContain('AI_API_KEY')
}, 20_000)

test('the first start in a folder asks, once; a no, and nobody to ask, start nothing', async () => {
  const lock = join(folder(), 'lock.json')
  const canary = join(folder(), 'canary')
  const stated = command('ordinary', lock, {}, canary)
  await lockNow('hand', stated)
  const starts = (): number =>
    existsSync(canary) ? readFileSync(canary, 'utf8').split('started').length - 1 : 0
  const before = starts()
  vi.stubEnv('TOOLWRIGHT_START', '')
  askBeforeStart(async () => undefined)
  await expect(using(service('hand', stated), [])).rejects.toMatchObject({
    code: 'T5006',
    message: expect.stringContaining('nobody is there'),
  })
  askBeforeStart(async () => false)
  await expect(using(service('hand', stated), [])).rejects.toMatchObject({
    code: 'T5006',
    message: expect.stringContaining('said no'),
  })
  expect(starts()).toBe(before)
  let asked = 0
  askBeforeStart(async ({ service, args }) => {
    expect(service).toBe('hand')
    expect(args).toContain('ordinary')
    asked++
    return true
  })
  expect(resultsOf(await using(service('hand', stated), [['hand.get', '{}']]))[0]).toMatch(/^get ran/)
  expect(resultsOf(await using(service('hand', stated), [['hand.get', '{}']]))[0]).toMatch(/^get ran/)
  expect(asked).toBe(1)
  // Another command in the same folder is another question.
  askBeforeStart(async () => false)
  const other = { ...stated, args: [...stated.args, 'more'] }
  await expect(lockNow('hand', other)).rejects.toMatchObject({ code: 'T5006' })
}, 20_000)

test('a server that never says anything fails the start in its time', async () => {
  const lock = join(folder(), 'lock.json')
  await expect(lockNow('hand', command('silent', lock, { start: 300 }))).rejects.toMatchObject({
    code: 'T5007',
  })
}, 20_000)

test('our own shutdown starts nothing again', async () => {
  const lock = join(folder(), 'lock.json')
  const canary = join(folder(), 'canary')
  const stated = command('ordinary', lock, {}, canary)
  await lockNow('hand', stated)
  const used = service('hand', stated)
  await used.open()
  const before = readFileSync(canary, 'utf8')
  await used.close()
  await new Promise(resolve => setImmediate(resolve))
  expect(readFileSync(canary, 'utf8')).toBe(before)
}, 20_000)
