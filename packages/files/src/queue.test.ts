import { expect, test } from 'vitest'
import { queue } from './queue.ts'

test('work waits its turn, and a failure gives its place on', async () => {
  const inTurn = queue(2)
  const begun: number[] = []
  const ends = Array.from({ length: 4 }, () => Promise.withResolvers<void>())
  const all = ends.map(({ promise }, i) =>
    inTurn(async () => {
      begun.push(i)
      await promise
    }),
  )
  const settled = Promise.allSettled(all)
  expect(begun).toEqual([0, 1])
  ends[1]!.reject(new Error('failed'))
  await expect(all[1]).rejects.toThrow('failed')
  expect(begun).toEqual([0, 1, 2])
  for (const { resolve } of ends) resolve()
  await settled
  expect(begun).toEqual([0, 1, 2, 3])
})
