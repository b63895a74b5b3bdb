import { expect, test } from 'vitest'

test('the package can be imported', async () => {
  expect(await import('../src/index.ts')).toBeDefined()
})
