// Who is asked before a call runs: by a rule of the tool, because data leaves the house, or because the script says so.
import { type Ask, agent, run, tool } from 'toolwright'
import { calls, says, scripted } from 'toolwright/test'
import { number, text } from 'toolwright/values'

const pay = tool('pay', {
  about: 'Pays an invoice.',
  input: { to: text(), euros: number({ min: 0.01 }) },
  // Small sums go through; the rule sees the input as it would run.
  danger: ({ euros }) => euros > 100,
  run: ({ to, euros }) => `paid ${euros} to ${to}`,
})

const mail = tool('mail', {
  about: 'Sends a mail.',
  input: { to: text(), body: text() },
  // It asks, unless the agent's `trust` names it.
  sendsOut: true,
  run: ({ to }) => `sent to ${to}`,
})

const clerk = agent('clerk', {
  model: scripted([
    calls([
      ['pay', { to: 'Print shop', euros: 40 }],
      ['pay', { to: 'Landlord', euros: 1200 }],
      ['mail', { to: 'all@example.com', body: 'Paid!' }],
    ]),
    says('The print shop and the landlord are paid. The mail was not sent.'),
  ]),
  instructions: 'You pay the bills.',
  tools: [pay, mail],
})

// A person would be asked here: at a terminal, in a chat, on a web page. It may take as long as `limits.ask`.
async function approver(ask: Ask): Promise<boolean> {
  const agreed = ask.call.tool === 'pay'
  console.log(`${ask.call.tool} ${ask.call.arguments}: ${ask.why}. ${agreed ? 'Yes.' : 'No.'}`)
  return agreed
}

console.log(await run(clerk, 'Pay the bills and tell everyone.', { approver }))

for (const message of clerk.history)
  if (message.role === 'tool') console.log(`  told to the model: ${message.text}`)
