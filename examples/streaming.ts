// Watching a run: a run is a promise of the answer, and an iterable of the pieces that it shows as it goes.
import { agent, run, tool } from 'toolwright'
import { calls, says, scripted } from 'toolwright/test'
import { text } from 'toolwright/values'

const look = tool('look', {
  about: 'Looks into a cupboard.',
  input: { cupboard: text() },
  readOnly: true,
  line: ({ cupboard }) => `Looking into the ${cupboard} cupboard …`,
  run: ({ cupboard }, ctx) => {
    ctx.progress('two shelves of three')
    return `The ${cupboard} cupboard is empty.`
  },
})

const cook = agent(
  scripted([
    calls([['look', { cupboard: 'left' }]], { reasoning: 'The left one is nearer.' }),
    says('There is nothing left.'),
  ]),
  'You know the kitchen.',
  [look],
)

const running = run(cook, 'Is there any tea?')
for await (const piece of running) {
  if (piece.kind === 'reasoning' || piece.kind === 'text') process.stdout.write(piece.text)
  else if (piece.kind === 'call') console.log(`\n→ ${piece.call.tool} ${piece.call.arguments}`)
  else if (piece.kind === 'line' || piece.kind === 'step') console.log(`  ${piece.text}`)
  else if (piece.kind === 'result') console.log(`← ${piece.text}`)
  else if (piece.kind === 'done') console.log()
}

const { ended, usage } = await running.result
console.log(`${ended}, ${usage.toolCalls} call`)
