// The story of a run: the model speaks, its calls are made at once, their results join the thread, and it speaks
// again, until it answers, a limit ends it, or a person stops it. Everything else is a door to this.
import type { LimitName } from '../define/limits.ts'
import { ANSWER, type Call, type Turn } from '../define/records.ts'
import { ToolwrightError } from '../errors.ts'
import { CUT, cutCall, type Made, nudge, readText, takeAnswers } from './answer.ts'
import { call } from './call.ts'
import { type Conversation, type Ending, listed, log, post } from './conversation.ts'
import { failed } from './outcome.ts'
import { speak } from './speak.ts'
import { fromModel, fromSystem, fromTool } from './thread.ts'

/** Runs the conversation to its end. It rejects where the model cannot be had, or gives no answer. */
export async function loop(c: Conversation): Promise<Ending> {
  const begun = c.session.clock.now()
  c.watch.enter()
  log(c, c.span, c.parent, { kind: 'conversation', agent: c.agent, model: c.model.name })
  let end: Pick<Ending, 'limit'> & { ended: Ending['ended'] | 'error' } = { ended: 'error' }
  try {
    const ending = await rounds(c)
    end = ending
    return ending
  } finally {
    c.watch.leave()
    c.stop.end()
    const { ended, limit } = end
    const ms = c.watch.worked()
    const waited = c.session.clock.now() - begun - ms
    const usage = c.budget.usage()
    log(c, c.span, c.parent, {
      kind: 'end',
      ended,
      ...(limit === undefined ? {} : { limit }),
      ms,
      waited,
      usage,
    })
  }
}

async function rounds(c: Conversation): Promise<Ending> {
  let written = ''
  let nudged = false
  let round = 0
  for (let n = 1; ; n++) {
    const said = await speak(c, n, round)
    if ('over' in said) throw spent(said.over, 'of the run that this is part of')
    const { turn, last } = said
    if (turn.text !== '') written = turn.text
    if (turn.text !== '' || turn.reasoning !== '' || turn.calls.length > 0)
      post(c, fromModel(turn, c.model.name))
    if (turn.cut === 'stopped') return { ended: 'stopped', text: written }

    if (turn.calls.length === 0) {
      const end = conclude(c, turn, last, nudged)
      if (end) return end
      nudged = true
      continue
    }

    round++
    const { plain, answers } = sort(c, n, turn)
    const cut = cutCall(turn)
    await (last ? refuseAll(c, plain, last) : atOnce(c, plain, cut))
    // In the last turn nothing else ran, so nothing else can spoil the answer.
    const given = c.output && takeAnswers(answers, last ? [] : plain, cut, c.output)
    for (const each of answers) show(c, each)
    for (const each of inOrder(plain, answers)) post(c, fromTool(each.call, each.outcome!.text))

    if (given) return ending({ ...text(given.value), output: given.value }, last)
    if (last) {
      if (turn.text !== '' && !c.output) return ending({ text: turn.text }, last)
      throw spent(last, 'and the last turn gave no answer')
    }
  }
}

/** The calls of a turn by what is done with them, each under its number. */
function sort(c: Conversation, n: number, turn: Turn): { plain: Made[]; answers: Made[] } {
  const plain: Made[] = []
  const answers: Made[] = []
  turn.calls.forEach((each, i) => {
    const made = { call: each, at: i + 1, number: `${n}.${i + 1}`, outcome: undefined }
    if (c.output && each.tool === ANSWER) answers.push(made)
    else plain.push(made)
  })
  return { plain, answers }
}

/** Makes the calls at once. What one does never harms another: all have an outcome before anything goes on. */
async function atOnce(c: Conversation, calls: readonly Made[], cut: Call | undefined): Promise<void> {
  const begun = calls.map(each => call(c, each.number, each.call, each.call === cut ? CUT : undefined))
  c.watch.leave()
  const ends = await Promise.allSettled(begun)
  c.watch.enter()
  ends.forEach((end, i) => {
    if (end.status === 'rejected') throw end.reason
    const made = calls[i]!
    made.outcome = end.value
    c.repeats.count(made.call, end.value.text)
  })
}

/** In the last turn no call runs; each is told so. */
function refuseAll(c: Conversation, calls: readonly Made[], limit: LimitName): void {
  for (const each of calls) {
    each.outcome = failed(`Not run: the limit ${limit} is spent, and this is the last turn.`)
    show(c, each)
  }
}

/** Shows a call that the loop itself settled. */
function show(c: Conversation, { call, number, outcome }: Made): void {
  const step = listed(c, `tool ${number} ${call.tool}`)
  c.place.emit({ kind: 'call', text: '', step, attempt: 1, call })
  c.place.emit({ kind: outcome!.failed ? 'failed' : 'result', text: outcome!.text, step, attempt: 1, call })
}

function inOrder(plain: readonly Made[], answers: readonly Made[]): readonly Made[] {
  return answers.length === 0 ? plain : [...plain, ...answers].sort((a, b) => a.at - b.at)
}

/** The end, where a turn without calls is one; nothing where the model is asked once more to call `answer`. */
function conclude(
  c: Conversation,
  turn: Turn,
  last: LimitName | undefined,
  nudged: boolean,
): Ending | undefined {
  if (!c.output) return ending({ text: turn.text }, last)
  const read = readText(c.output, turn.text)
  if (read.ok) return ending({ ...text(read.value), output: read.value }, last)
  if (last) throw spent(last, 'and the last turn gave no answer that reads')
  if (nudged)
    throw new ToolwrightError('T7001', `the model gave no answer that reads:\n${read.faults.join('\n')}`, {
      fix: 'state a simpler output, or use a model that calls functions well',
    })
  post(c, fromSystem(nudge(read.faults)))
  return undefined
}

function ending(answer: { text: string; output?: unknown }, last: LimitName | undefined): Ending {
  return last ? { ended: 'limit', limit: last, ...answer } : { ended: 'answer', ...answer }
}

function text(value: unknown): { text: string } {
  return { text: typeof value === 'string' ? value : JSON.stringify(value) }
}

function spent(limit: LimitName, why: string): ToolwrightError {
  return new ToolwrightError('T7002', `the limit ${limit} is spent, ${why}`, {
    fix: `raise the limit ${limit}, or give the agent less to do`,
  })
}
