// A tool whose function asks a model: ordinary code in between, and a thread of its own that the agent never sees.
import { agent, llm, run, tool } from 'toolwright'
import { calls, says, scripted } from 'toolwright/test'
import { integer, list, record, text } from 'toolwright/values'

const reviews = ['Came late, but lovely.', 'Broke after a day.', 'Would buy again.']

const small = scripted([
  calls([['answer', { response: [{ review: 1, wish: 'a sturdier handle' }] }]]),
  says('Customers like it, and wish for a sturdier handle.'),
])

const summary = tool('summary', {
  about: 'Sums up what customers say about the teapot.',
  readOnly: true,
  async run(_input, ctx) {
    ctx.progress(`reading ${reviews.length} reviews`)
    // Both calls are on one thread: the second sees the first.
    const wishes = await llm(`What do they wish for?\n${reviews.join('\n')}`, {
      model: small,
      system: 'You read reviews. Be sober.',
      output: list(record({ review: integer(), wish: text() })),
    })
    if (wishes.length === 0) return 'Nobody wishes for anything.'
    return await llm('Now sum up all of it in a sentence.', { model: small })
  },
})

const shop = agent(
  scripted([calls([['summary', {}]]), says('In short: make the handle sturdier.')]),
  'You run a shop.',
  [summary],
)

const { answer, usage, messages } = await run(shop, 'How is the teapot doing?').result
console.log(answer)
console.log(`${usage.calls} turns of models in all; the agent's own thread has ${messages.length} messages`)
