// Waits that a 200 asks for, and keys that no header can hold.
import { expect, test } from 'vitest'
import type { Request } from '../define/records.ts'
import type { Api } from './api.ts'
import { streamed } from './streamed.ts'

const asked: Request = { instructions: '', messages: [], tools: [], answer: false }
const stream = (text: string): Response =>
  new Response(
    `data: {"choices":[{"index":0,"delta":{"content":"${text}"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`,
    {
      headers: { 'content-type': 'text/event-stream' },
    },
  )

function api(answers: Response[], slept: number[], more: Partial<Api> = {}): Api {
  return {
    url: 'http://127.0.0.1:1/v1',
    fetch: (async () => answers.shift()!) as typeof fetch,
    clock: { now: () => 0, sleep: async ms => void slept.push(ms) },
    ...more,
  }
}

test('Retry-After of an error that comes in a 200 is waited for', async () => {
  const slept: number[] = []
  const busy = new Response('{"error":{"code":429,"message":"slow down"}}', {
    headers: { 'content-type': 'application/json', 'retry-after': '7' },
  })
  const turn = await streamed(api([busy, stream('hi')], slept), 'm', 0, asked, () => true)
  expect(turn.text).toBe('hi')
  expect(slept).toEqual([7000])
})

test('a key that no header can hold is an error at once, and is not shown', async () => {
  const slept: number[] = []
  for (const key of ['sk-secret→', 'sk secret1', 'sk-sécret2']) {
    const failing = streamed(api([stream('never')], slept, { key }), 'm', 0, asked, () => true)
    const error = (await failing.catch(e => e)) as Error & { code: string }
    expect(error.code).toBe('T3002')
    expect(error.message).not.toContain('cret')
  }
  expect(slept).toEqual([])
})
