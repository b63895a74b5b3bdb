// Stopping a run: what was written is kept, and the conversation goes on from there.
import { agent, run } from 'toolwright'
import { says, scripted } from 'toolwright/test'

const teller = agent(
  scripted([
    says('Once upon a time there was a teapot, and it was not happy at all.'),
    says('It was too small.'),
  ]),
  'You tell stories.',
)

const controller = new AbortController()
let heard = ''

const { answer, ended } = await run(teller, 'Tell me a story.', {
  signal: controller.signal,
  each(piece) {
    if (piece.kind === 'text') heard += piece.text
    if (heard.includes('teapot')) controller.abort()
  },
}).result

// A run that is stopped is no failure: it answers with what was written.
console.log(`${ended}: ${answer}`)
console.log(await run(teller, 'Why was it not happy?'))
