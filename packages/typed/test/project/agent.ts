import { agent, app, ask, type Context, type FlowContext, flow, memory, run, schema, tool } from 'toolwright'
import { calls, says, scripted } from 'toolwright/test'
import type { Order } from './order.ts'

const order = tool('order', (input: Order) => `${input.count ?? 1} of ${input.thing}`)

/**
 * Adds two numbers.
 * @param a the first
 */
function add(a: number, b = 10, ctx?: Context): number {
  ctx?.progress('adding')
  return a + b
}

const long = tool('long', {
  about: 'Tells how long a text is.',
  run: (input: { text: string }) => input.text.length,
})

const model = scripted([
  calls([
    ['order', { thing: 'tea', count: 2 }],
    ['add', { a: 1 }],
    ['long', { text: 'four' }],
  ]),
  says('Done.'),
])
const clerk = agent(model, 'You take orders.', [order, add, long])
const said: string[] = [await run(clerk, 'Tea, please.')]
for (const message of clerk.history) if (message.role === 'tool') said.push(message.text)

const asked = agent(scripted([calls([['answer', { thing: 'milk' }]])]), 'You answer.', [])
const answer = await ask<Order>(asked, 'What?')
said.push(answer.thing, String(await order({ thing: 'rye' })), String(await tool(add)(2, 3)))
said.push(String(Object.keys(Object(schema<Order>()).properties)))

const note = flow('note', {
  run: async ({ input, step }: FlowContext<Order>) => step('note', () => `noted ${input.thing}`),
})
const place = app({ agents: [], flows: [note], store: memory() })
said.push(String(await place.runs.answer(await place.runs.start(note, { thing: 'nuts' }))))
await place.close()

export function fail(): never {
  throw tool('third', (input: Order) => input) && new Error('on purpose')
}

export const lines = said.join('\n')
