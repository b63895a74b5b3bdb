// `npm run demo`: an order desk with three tools, one of which asks a person first. It needs no key and no network;
// with AI_URL or AI_API_KEY set (and AI_MODEL naming a model) the same agent runs on the real endpoint.
import { setTimeout as pause } from 'node:timers/promises'
import { styleText } from 'node:util'
import { type Ask, agent, endpoint, type LogEvent, type Model, type Piece, run, tool, tree } from 'toolwright'
import { calls, says, scripted } from 'toolwright/test'
import { integer, number, text } from 'toolwright/values'

const QUESTION = 'The teapot of order 1042 came broken. Can I have my money back?'
/** What the demo agrees to in a person's place, in euros. */
const AGREES_UP_TO = 50

const findOrder = tool('findOrder', {
  about: 'Finds an order: what was bought, for how much, and when it came.',
  input: { order: integer('the number of the order') },
  readOnly: true,
  async run({ order }) {
    await pause(120)
    return { order, what: 'teapot', euros: 24.5, on: '2026-03-02' }
  },
})

const findRule = tool('findRule', {
  about: 'Finds what the shop says about a subject, such as returns or damage.',
  input: { subject: text() },
  readOnly: true,
  async run({ subject }) {
    await pause(60)
    return `${subject}: for 30 days the whole price is paid back.`
  },
})

const refund = tool('refund', {
  about: 'Pays money back for an order.',
  input: { order: integer('the number of the order'), euros: number('how much', { min: 0.01 }) },
  danger: 'ask',
  async run({ order, euros }) {
    await pause(180)
    return `${euros.toFixed(2)} euros were paid back for order ${order}.`
  },
})

const TOOLS = [findOrder, findRule, refund]
const INSTRUCTIONS =
  'You work at the order desk of a shop. Look things up before you act. Answer in two lines.'

/** What a model would do here, written down. */
const script = scripted([
  calls([
    ['findOrder', { order: 1042 }],
    ['findRule', { subject: 'damage' }],
  ]),
  calls([['refund', { order: 1042, euros: 24.5 }]], { text: 'That is within the rules.' }),
  says(
    'I am sorry about your teapot. 24.50 euros are on their way to you.\nYou need not send anything back.',
  ),
])

/** Whether a line is begun and not ended. */
let midLine = false
/** The arguments of the calls that are on their way. */
const made = new Map<string, string>()

try {
  const real = process.env['AI_URL'] || process.env['AI_API_KEY']
  const model = real ? endpoint() : process.stdout.isTTY ? typing(script) : script
  await demo(model, real ? model.name : 'a scripted model: no key, no network')
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function demo(model: Model, which: string): Promise<void> {
  const desk = agent('desk', {
    model,
    instructions: INSTRUCTIONS,
    tools: TOOLS,
    limits: { time: '1 minute' },
  })
  const events: LogEvent[] = []
  heading(`An order desk, on ${which}`)
  console.log(`${styleText('bold', 'you')}    ${QUESTION}\n`)
  const log = (event: LogEvent): void => {
    events.push(event)
    show(event)
  }
  const { usage } = await run(desk, QUESTION, { each, approver, log }).result
  line(`\n${dim(`${usage.calls} turns of the model, ${usage.toolCalls} tool calls`)}`)
  heading('The same as a tree')
  console.log(tree(events))
}

/** What the model says is shown as it comes. */
function each(piece: Piece): void {
  if (piece.kind !== 'text') return
  if (piece.offset === 0) line(styleText('bold', 'agent  '), '')
  process.stdout.write(visible(piece.text).replaceAll('\n', '\n       '))
  midLine = true
}

/** One line for each call, when it has ended. */
function show(event: LogEvent): void {
  if (event.kind === 'call') made.set(event.span, event.arguments)
  if (event.kind !== 'call end') return
  const mark = event.failed ? styleText('red', '✗') : styleText('green', '✓')
  const said = visible(`${event.tool} ${made.get(event.span)}`).slice(0, 58)
  line(`  ${mark} ${said.padEnd(58)} ${dim(`${(event.ms / 1000).toFixed(2)} s`)}`)
}

/** Nobody is asked at a terminal, so that the demo ends by itself: a rule stands in for the person, and is printed. */
function approver(ask: Ask): boolean {
  const { euros } = JSON.parse(ask.call.arguments) as { euros: number }
  const agreed = euros <= AGREES_UP_TO
  line(`  ${styleText('yellow', '?')} ${visible(`${ask.call.tool} ${ask.call.arguments}`)}`)
  const why = `${euros.toFixed(2)} euros are ${agreed ? 'not ' : ''}more than ${AGREES_UP_TO}`
  line(dim(`    ${agreed ? 'approved' : 'declined'} by the demo: ${why}`))
  return agreed
}

function line(shown: string, end = '\n'): void {
  process.stdout.write(`${midLine ? '\n' : ''}${shown}${end}`)
  midLine = false
}

function heading(words: string): void {
  const shown = visible(words)
  line(`\n${styleText('cyan', `── ${shown} ${'─'.repeat(Math.max(0, 75 - shown.length))}`)}\n`)
}

function dim(words: string): string {
  return styleText('dim', words)
}

/** Without what would steer a terminal: what a model writes is somebody else's text. */
function visible(written: string): string {
  return written.replace(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/gu, '')
}

/** A model that writes no faster than one can read: middleware is a function from a model to a model. */
function typing(model: Model): Model {
  return {
    ...model,
    async turn(request, give, signal) {
      const pieces: Parameters<typeof give>[0][] = []
      const turn = await model.turn(request, piece => pieces.push(piece) > 0, signal)
      for (const piece of pieces) {
        await pause(20)
        if (!give(piece)) break
      }
      return turn
    },
  }
}
