// Makes a conversation fit the model's window before it is asked: shortens old results, then, where the agent says
// so, has the model sum up what lies further back.
import type { Message, Model } from '../define/records.ts'
import { priced } from '../model/price.ts'
import { type Conversation, log } from './conversation.ts'
import { fromSystem } from './thread.ts'
import { type Measure, SHORT } from './window.ts'

/** How the conversation is summed up where it grew too long. */
export interface Compact {
  /** The words that ask for the summary. */
  prompt: string
  /** How many of the last messages are told as they are. */
  keep: number
}

/** Tokens a character, before a turn told it: rather too many than too few. */
const GUESS = 0.33

/** What the last turn of each model told, for threads that it has not seen yet. */
const measures = new WeakMap<Model, Measure>()

/** Makes the thread fit before turn `n`. */
export async function fit(c: Conversation, n: number): Promise<void> {
  const { told } = c.thread
  if (!told.knows) told.expect(await expected(c))
  if (told.excess(c.tools.size) === 0) return
  const changed = told.fit(c.tools.size)
  if (changed > 0) warn(c, `the conversation filled the window: ${changed} old messages are told shortened`)
  if (c.compact && told.excess(c.tools.size) > 0) await compact(c, c.compact, n)
  const said = told.fitWords(c.tools.size)
  if (said > 0) warn(c, `the conversation filled the window: what ${said} old messages say is told shortened`)
}

/** A long thread that no turn was asked for yet, because it was kept or written elsewhere: a step, so that a replay knows the same. */
function expected({ place, model }: Conversation): Promise<Measure> {
  return place.step('window', async () => {
    const seen = measures.get(model)
    return seen ? { ...seen } : { rate: GUESS, window: (await model.window?.()) ?? 0 }
  })
}

/** Learns from a turn, which sent `size` characters, how many tokens they were. */
export function learn(c: Conversation, size: number, input: number, window: number): void {
  if (window === 0) return
  const { rate } = c.thread.told.learn(size, input, window)
  const seen = measures.get(c.model)
  // Of little text it says little. And what is expected changes seldom, so that each run on a thread begins alike.
  if (size < SHORT) {
    if (seen?.window !== window) measures.set(c.model, { rate: GUESS, window })
  } else if (seen?.window !== window || Math.abs(rate / seen.rate - 1) > 0.2)
    measures.set(c.model, { rate, window })
}

/** Sums up what lies far back; in parts, where it does not fit the window itself. */
async function compact(c: Conversation, { prompt, keep }: Compact, n: number): Promise<void> {
  const { told } = c.thread
  for (let part = 1; told.excess(c.tools.size) > 0; part++) {
    const upTo = told.cutPoint(keep)
    const before = told.messages.slice(0, upTo).filter(({ role }) => role !== 'system')
    // A summary alone is not summed up.
    if (before.length < 2) return
    const name = part === 1 ? `compact ${n}` : `compact ${n} part ${part}`
    const text = await summary(c, name, prompt, before)
    if (text.trim() === '') return
    c.thread.sumUp(c.place, upTo, fromSystem(`What was said before, summed up:\n${text}`))
    warn(c, `the conversation filled the window: its first ${upTo} messages are told as a summary`)
  }
}

async function summary(
  c: Conversation,
  name: string,
  prompt: string,
  before: readonly Message[],
): Promise<string> {
  const { text, used } = await c.place.step(name, async () => {
    const request = {
      instructions: prompt,
      messages: [fromSystem(transcript(before))],
      tools: [],
      answer: true,
    }
    const asked = await c.model.turn(request, () => !c.stop.stopped, c.stop.signal)
    const { text, tokens, input, cached, reasoned, cost } = priced(asked, c.model.price)
    const used = { calls: 1, tokens, input, cached, reasoned, cost }
    // What a stop left of a summary is none.
    return { text: c.stop.stopped || asked.cut === 'stopped' ? '' : text, used }
  })
  c.budget.charge(used)
  return text
}

function transcript(messages: readonly Message[]): string {
  return messages
    .map(
      ({ role, text, calls }) =>
        `${role}: ${[text, ...calls.map(call => `${call.tool}(${call.arguments})`)].filter(Boolean).join('\n')}`,
    )
    .join('\n\n')
}

function warn(c: Conversation, text: string): void {
  log(c, c.span, c.parent, { kind: 'warning', text })
}
