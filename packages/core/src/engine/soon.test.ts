import { expect, test } from 'vitest'
import { goOn, lastly } from './soon.ts'

test('what is there goes on at once, what is promised when it comes', async () => {
  expect(goOn(1, n => n + 1)).toBe(2)
  expect(await goOn(Promise.resolve(1), n => n + 1)).toBe(2)
})

test('the last is done once, whether the work gives, throws, resolves or rejects', async () => {
  let done = 0
  const last = (): void => void done++
  expect(lastly(() => 1, last)).toBe(1)
  expect(done).toBe(1)
  expect(() =>
    lastly(() => {
      throw new Error('no')
    }, last),
  ).toThrow('no')
  expect(done).toBe(2)
  expect(await lastly(async () => 1, last)).toBe(1)
  expect(done).toBe(3)
  await expect(lastly(() => Promise.reject(new Error('no')), last)).rejects.toThrow('no')
  expect(done).toBe(4)
})
