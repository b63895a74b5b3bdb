// A desk whose one tool is an action of three requests, on an engine that can die at any write.
import type { Message, Turn } from '@toolwright/core'
import { agent } from '@toolwright/core'
import { calls, says } from '@toolwright/core/test'
import { byTurn } from '../../../core/test/app/byturn.ts'
import { connection, recipe } from '../../src/index.ts'
import { llm, param } from './tools.ts'

export interface Stated {
  url: string
  method: string
  keyed: boolean
}

/** The document of the action: each request needs the answer of the one before. */
export const action = (method: string) => ({
  kind: 'action',
  announce: true,
  announce_text: 'I am booking it.',
  sources: {
    a: { method, url: '/guests', params: [llm('name', { required: true })] },
    b: { method, url: '/bookings/{{a.id}}' },
    c: { method, url: '/mails', params: [param({ from: 'fixed', name: 'booking', value: '{{b.id}}' })] },
  },
  output: { fields: ['sent', 'b.id'] },
})

/** The agent that calls it once. Its model knows its turn from the thread, so it says the same after a restart. */
export function desk({ url, method, keyed }: Stated) {
  const booking = connection('booking', {
    baseUrl: `${url}/api`,
    allowPrivate: true,
    ...(keyed ? { idempotencyHeader: 'Idempotency-Key' } : {}),
  })
  const book = recipe(action(method), { name: 'book', about: 'Books.', connection: booking })
  const results = (messages: readonly Message[]): string =>
    messages.flatMap(({ role, text }) => (role === 'tool' ? [text] : [])).join('\n')
  // Its answer is what it was told, so that the parent sees it.
  const echo = (messages: readonly Message[]): Turn => says(results(messages))
  const model = byTurn([calls([['book', '{"name":"Ada"}']]), echo])
  return agent('desk', { model, instructions: '', tools: [book], trust: ['booking'] })
}
