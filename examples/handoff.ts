// A handoff works on its caller's thread, so all that it finds out stays there; here it also ends the turn.
import { agent, endTurn, handBack, llm, run, tool } from 'toolwright'
import { calls, says, scripted } from 'toolwright/test'
import { flag, text } from 'toolwright/values'

const desk = scripted([
  calls([['calendar', { request: 'When is the tea tasting?' }]]),
  calls([['answer', { text: 'The tea tasting is on Friday at six.', complete: true }]]),
])

let connected = true

const calendar = tool('calendar', {
  about: 'Answers whatever has to do with dates and appointments.',
  input: { request: text() },
  handoff: true,
  async run({ request }) {
    if (!connected) {
      handBack('[No calendar is connected.] Tell the user how to connect one.')
      return 'no calendar'
    }
    const reply = await llm(`Answer from the calendar: ${request}`, {
      system: 'The calendar says: tea tasting, Friday, 18:00.',
      output: { text: text(), complete: flag('it covers every part of the latest request') },
    })
    // The answer is whole, so the model that handed over need not say it again.
    if (reply.complete) endTurn()
    return reply.text
  },
})

const host = agent('host', { model: desk, instructions: 'You welcome guests.', tools: [calendar] })
const { answer, ended } = await run(host, 'When is the tea tasting?').result
console.log(`${answer} (ended by: ${ended})`)
for (const { role, text } of host.history) console.log(`  [${role}] ${text}`)

connected = false
const other = scripted([
  calls([['calendar', { request: 'And the next?' }]]),
  says('Connect a calendar under Settings.'),
])
console.log(await run(agent(other, 'You welcome guests.', [calendar]), 'And the next?'))
