// A first agent: a model, instructions, and one tool.
import { agent, run, tool } from 'toolwright'
import { calls, says, scripted } from 'toolwright/test'
import { text } from 'toolwright/values'

const weather = tool('weather', {
  about: 'Says what the weather in a city is like today.',
  input: { city: text('the name of the city') },
  readOnly: true,
  run: ({ city }) => `14 degrees and rain in ${city}`,
})

const guide = agent('guide', {
  // A model that says what is written here. A real one: model: 'openai/gpt-5'.
  model: scripted([
    calls([['weather', { city: 'Hamburg' }]]),
    says('Take an umbrella: it rains at 14 degrees.'),
  ]),
  instructions: 'You help people to plan their day.',
  tools: [weather],
})

console.log(await run(guide, 'What do I need for a walk through Hamburg?'))
