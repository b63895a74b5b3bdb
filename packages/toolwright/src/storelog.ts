// A run that a store keeps, told as its log would tell it, so that it is drawn as every run is.
import type { Engine, LogEvent, Message, RunRecord, Step, Usage } from '@toolwright/core'
import { decode, type Outcome, type Row, THREAD } from '@toolwright/core/engine'

type Told<E> = E extends LogEvent ? Omit<E, 'run'> : never

/** The key of the place that `key` is in. */
const placeOf = (key: string): string => key.slice(0, key.lastIndexOf('/'))

/** What happened in `run`, as events of a log. Times are of when a step was kept, so a call's begin with its turn. */
export async function eventsOf(store: Engine, run: RunRecord): Promise<LogEvent[]> {
  const steps = await store.steps(run.id)
  const events: LogEvent[] = []
  const teller = new Teller(store, run, steps, event => events.push({ ...event, run: run.id } as LogEvent))
  await teller.conversation('', '', undefined)
  return events
}

class Teller {
  private readonly store: Engine
  private readonly run: RunRecord
  private readonly steps: readonly Step[]
  private readonly tell: (event: Told<LogEvent>) => void

  constructor(store: Engine, run: RunRecord, steps: readonly Step[], tell: (event: Told<LogEvent>) => void) {
    this.store = store
    this.run = run
    this.steps = steps
    this.tell = tell
  }

  /** The conversation in the place `key`, listed as `path`, inside of `call`. */
  async conversation(key: string, path: string, call: Step | undefined): Promise<void> {
    const turns = this.steps.filter(step => placeOf(step.key) === key && /^model \d+$/.test(last(step.key)))
    const span = path === '' ? '' : `${path}/`
    const where = path === '' ? { span: '' } : { span, parent: path }
    const at = turns[0]?.at ?? this.run.started
    const agent = call ? last(path).split(' ').slice(2).join(' ') : this.run.flow
    this.tell({ at, ...where, kind: 'conversation', agent, model: '' })
    let turn = 0
    for (const { row, thread, message } of await this.messages(key)) {
      const begun = turns[turn]?.at ?? at
      this.tell({ at: begun, ...where, kind: 'message', thread, row, message })
      if (message.role !== 'assistant' || message.origin.from !== 'model') continue
      turn++
      for (let n = 1; n <= message.calls.length; n++) await this.call(key, `${turn}.${n}`, span, begun)
    }
    // What hands off leaves the thread, and a flow has none: its calls stand behind.
    for (const step of this.steps)
      if (placeOf(step.key) === key && step.kind === 'branch') await this.call(key, last(step.key), span, at)
    const { status, ended } = this.run
    if (path === '' && ended !== undefined && status !== 'parked' && status !== 'stuck')
      this.tell({ at: ended, ...where, kind: 'end', ended: endOf(this.run), ...spentBy(this.run) })
  }

  private readonly told = new Set<string>()

  private async call(key: string, number: string, span: string, begun: number): Promise<void> {
    const own = `${key}/${number}`
    const step = this.steps.find(each => each.key === own)
    if (!step || this.told.has(own)) return
    this.told.add(own)
    const tool = last(step.name).split(' ').slice(2).join(' ')
    const ask = this.steps.find(each => each.key === `${own}/ask`)
    const asked = ask && (decode(ask.value ?? null) as { ask: { call: { arguments: string }; why: string } })
    const where = { span: step.name, parent: span }
    const args = asked?.ask.call.arguments ?? ''
    this.tell({ at: begun, ...where, kind: 'call', tool, number, arguments: args })
    if (ask && asked)
      this.tell({ at: ask.at, ...where, kind: 'ask', tool, number, arguments: args, why: asked.ask.why })
    const outcome = step.status === 'done' ? (decode(step.value ?? null) as Outcome) : undefined
    if (ask && outcome)
      this.tell({
        at: step.at,
        ...where,
        kind: 'decision',
        tool,
        number,
        approved: !/^T7111/.test(outcome.text),
      })
    if (this.steps.some(each => placeOf(each.key) === own && /^model \d+$/.test(last(each.key))))
      await this.conversation(own, step.name, step)
    if (outcome)
      this.tell({
        at: step.at,
        ...where,
        kind: 'call end',
        tool,
        number,
        ms: step.at - begun,
        waited: 0,
        usage: outcome.usage ?? nothing,
        failed: outcome.failed === true,
      })
  }

  /** What stands on the thread of the conversation, of this run. */
  private async messages(key: string): Promise<{ thread: string; row: number; message: Message }[]> {
    const { input, person, flow, id } = this.run
    const { thread: name, fork } = (input ?? {}) as { thread?: unknown; fork?: unknown }
    const named = key === '' && typeof name === 'string' && !fork
    const thread = named ? `${THREAD}${JSON.stringify([person ?? null, flow, name])}` : `${id}${key}`
    const shown = new Map<number, Message>()
    const rows: readonly Row[] = await this.store.rows(thread)
    rows.forEach((row, n) => {
      if (row.kind === 'add') shown.set(n, row.message)
      else if (row.kind === 'show' && row.message) shown.set(row.row, row.message)
      else if (row.kind === 'show') shown.delete(row.row)
    })
    return [...shown].sort(([a], [b]) => a - b).map(([row, message]) => ({ thread, row, message }))
  }
}

const nothing: Usage = { calls: 0, tokens: 0, input: 0, toolCalls: 0 }

function last(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function endOf({ status, output }: RunRecord): Extract<LogEvent, { kind: 'end' }>['ended'] {
  if (status === 'failed') return 'error'
  if (status === 'stopped') return 'stopped'
  const ended = (output as { ended?: unknown } | null | undefined)?.ended
  return ended === 'turn' || ended === 'limit' ? ended : 'answer'
}

function spentBy({ started, ended = started, output }: RunRecord): {
  ms: number
  waited: number
  usage: Usage
} {
  const usage = (output as { usage?: Usage } | null | undefined)?.usage ?? nothing
  return { ms: ended - started, waited: 0, usage }
}
