import { expect, test } from 'vitest'
import { gather } from './gather.ts'
import { wireNames } from './names.ts'

test('a __proto__ in a whole message is no message', () => {
  const made = gather({ names: wireNames([]), window: 0, by: 'x', each: () => true })
  made.chunk(
    JSON.parse(
      '{"choices":[{"message":{"role":"assistant","__proto__":{"content":"not said"}},"finish_reason":"stop"}]}',
    ),
  )
  expect(made.turn(false).text).toBe('')
})
