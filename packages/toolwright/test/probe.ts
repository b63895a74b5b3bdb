import { agent, llm, run, tool } from 'toolwright'
import { text } from 'toolwright/values'
import { calls, says, scripted } from 'toolwright/test'
for (const handoff of [false, true]) {
  const getCapital = tool('getCapital', { about: 'x', input: { country: text() }, readOnly: true, handoff,
    run: async ({ country }) => await llm(`What is the capital of ${country}?`) })
  const model = scripted([calls([['getCapital', '{"country":"India"}']]), says('The capital of India is New Delhi.', {tokens: 8, input: 86}), says('The capital')])
  const a = agent(model, 'Help.', [getCapital])
  await run(a, 'Use your getCapital tool to get the capital of India.', { log: e => console.log(JSON.stringify(e)) })
  console.log()
}
