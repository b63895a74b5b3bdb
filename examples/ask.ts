// Asking for a record in place of a text: it is read, checked and typed.
import { agent, ask } from 'toolwright'
import { calls, scripted } from 'toolwright/test'
import { choice, date, integer, list, optional, record, text } from 'toolwright/values'

const invoice = {
  number: text('as printed'),
  due: date('the day by which it is to be paid'),
  currency: choice('EUR', 'USD', 'GBP'),
  lines: list(record({ what: text(), cents: integer('the price', { min: 0 }) })),
  note: optional(text()),
}

const letter = `Invoice 2026-114, due on the 1st of May 2026.
Two chairs, 180.00 EUR. Delivery, 12.50 EUR.`

const lines = [{ what: 'Two chairs', cents: 18000 }]
const reader = agent(
  scripted([
    // The first answer does not read: the model is told each fault in a line, and answers again.
    calls([['answer', { number: '2026-114', due: '1st of May', currency: 'EUR', lines }]]),
    calls([
      [
        'answer',
        {
          number: '2026-114',
          due: '2026-05-01',
          currency: 'EUR',
          lines: [...lines, { what: 'Delivery', cents: '1250' }],
        },
      ],
    ]),
  ]),
  'You read invoices.',
)

const read = await ask(reader, letter, {
  output: invoice,
  each: piece => piece.kind === 'failed' && console.log(`not taken: ${piece.text}`),
})

const cents = read.lines.reduce((sum, line) => sum + line.cents, 0)
console.log(`invoice ${read.number}: ${(cents / 100).toFixed(2)} ${read.currency}, due ${read.due}`)
