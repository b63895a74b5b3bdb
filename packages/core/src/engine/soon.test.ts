import { expect, test } from 'vitest'
import { goOn } from './soon.ts'

test('what is there goes on at once, what is promised when it comes', async () => {
  const add = (a: number, b: number): number => a + b
  expect(goOn(1, add, 2)).toBe(3)
  expect(await goOn(Promise.resolve(1), add, 2)).toBe(3)
})
