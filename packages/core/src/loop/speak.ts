// One turn of the model: asked for as a step, shown as it comes, stopped when a person says so.
import type { LimitName } from '../define/limits.ts'
import type { Call, Request, Settings, Turn, TurnPiece } from '../define/records.ts'
import type { StepContext } from '../engine/place.ts'
import { Stop } from '../engine/stop.ts'
import { ToolwrightError } from '../errors.ts'
import { priced } from '../model/price.ts'
import { type Conversation, hear, listed, log, stopped } from './conversation.ts'
import { fit, learn } from './fit.ts'
import { reason } from './outcome.ts'

/** What the step of a turn keeps: the turn, and the limit that made it the last; or the limit above that forbade it. */
export type Said = { turn: Turn; last?: LimitName; worked?: number } | { over: LimitName }

/** How long a model that was told to stop has to say what it used. */
const GRACE = 1000

/** Asks the model for turn `n`. */
export async function speak(c: Conversation, n: number, rounds: number): Promise<Said> {
  const { thread } = c
  if (c.hears) await hear(c, `before ${n}`)
  const { told } = thread
  if (told.mayNotFit(n === 1, c.tools.size)) await fit(c, n)
  const { size } = told
  let live = false
  const said = await c.place.step(`model ${n}`, s => {
    live = true
    return turnOf(c, n, rounds, s)
  })
  if ('over' in said) return said
  const { turn } = said
  const { tokens, input, cached, reasoned, cost } = turn
  c.budget.charge({ calls: live ? 0 : 1, tokens, input, cached, reasoned, cost })
  c.turn = turn
  if (!live && said.worked !== undefined) c.watch.atLeast(said.worked)
  learn(c, size + c.tools.size, turn.input, turn.window)
  return said
}

async function turnOf(c: Conversation, n: number, rounds: number, s: StepContext): Promise<Said> {
  const over = c.budget.spentAbove(true)
  if (over) return { over }
  const last = rounds >= c.limits.steps ? 'steps' : c.budget.spent(true)
  if (stopped(c)) return { turn: stoppedTurn('', '') }
  c.budget.charge({ calls: 1 })
  const { tools } = c
  if (tools.ready) await tools.ready(text => log(c, c.span, c.parent, { kind: 'warning', text }))
  const { instructions, functions } = tools.offered?.() ?? tools
  const begun = c.session.clock.now()
  const request: Request = {
    instructions,
    messages: c.thread.told.messages,
    tools: last ? tools.last : functions,
    answer: last !== undefined,
  }
  if (c.settings) request.settings = settingsOf(c.settings, rounds, last !== undefined)
  if (c.format) request.format = c.format
  const ask = (again: StepContext): Promise<Turn> => stream(c, `model ${n}`, again, request)
  const turn = await (c.session.patient ? patiently(c, s, ask) : ask(s))
  if (c.session.log) {
    const used = {
      tokens: turn.tokens,
      input: turn.input,
      ...(turn.cost === undefined ? {} : { cost: turn.cost }),
    }
    log(c, c.span, c.parent, {
      kind: 'turn',
      turn: n,
      model: turn.model ?? c.model.name,
      ms: c.session.clock.now() - begun,
      ...used,
    })
  }
  // Where time is limited, what was worked before a restart counts after it.
  const worked = c.limits.time === Number.POSITIVE_INFINITY ? {} : { worked: c.watch.worked() }
  return last ? { turn, last, ...worked } : { turn, ...worked }
}

/** Trouble of a provider that may be over later. */
const OUTAGE = ['T3004', 'T3006', 'T3008', 'T3010', 'T3015']

/** In an app, a model that cannot be had is asked again, with longer and longer pauses, for `limits.outage`. */
async function patiently(
  c: Conversation,
  s: StepContext,
  ask: (s: StepContext) => Promise<Turn>,
): Promise<Turn> {
  const { session, limits } = c
  const until = session.clock.now() + limits.outage
  for (let n = 0; ; n++)
    try {
      return await ask(n === 0 ? s : { attempt: s.attempt + n, key: s.key })
    } catch (error) {
      const pause = Math.min(1000 * 2 ** n, 60_000)
      const down = error instanceof ToolwrightError && OUTAGE.includes(error.code)
      if (!down || c.stop.stopped || session.clock.now() + pause > until) throw error
      log(c, c.span, c.parent, {
        kind: 'warning',
        text: `the model is asked again in ${pause} ms: ${reason(error)}`,
      })
      c.watch.leave()
      await rest(c, pause)
      c.watch.enter()
    }
}

/** Waits, at most until the run is stopped. */
function rest(c: Conversation, ms: number): Promise<void> {
  return new Promise(resolve => {
    const end = (): void => {
      callOff()
      unlisten()
      resolve()
    }
    const callOff = c.session.clock.after(ms, end)
    const unlisten = c.stop.listen(end)
  })
}

/** The settings of the agent; a choice that forces a call counts for the first turn only, so that the model can answer. */
function settingsOf(settings: Settings, rounds: number, last: boolean): Settings {
  const { toolChoice, forced, ...rest } = settings
  if (toolChoice === undefined) return settings
  const forces = toolChoice !== 'auto' && toolChoice !== 'none'
  return last || (forces && rounds > 0 && forced !== 'always') ? rest : settings
}

/** Streams one turn into pieces. Late pieces of a turn that was stopped are not shown. */
async function stream(c: Conversation, name: string, s: StepContext, request: Request): Promise<Turn> {
  const step = listed(c, name)
  const { place } = c
  const { attempt } = s
  let text = ''
  let reasoning = ''
  let open = true
  if (attempt > 1) place.emit({ kind: 'restart', text: '', step, attempt })
  const each = (piece: TurnPiece): boolean => {
    if (!open) return false
    if (piece.kind === 'text') {
      if (piece.text === '') return !stopped(c)
      place.emit({ kind: 'text', text: piece.text, step, attempt, offset: text.length })
      text += piece.text
    } else if (piece.kind === 'reasoning') {
      if (piece.text === '') return !stopped(c)
      place.emit({ kind: 'reasoning', text: piece.text, step, attempt, offset: reasoning.length })
      reasoning += piece.text
    } else {
      const call: Call = { id: '', tool: piece.tool, arguments: piece.text }
      place.emit({ kind: 'input', text: piece.text, step, attempt, call })
    }
    return !stopped(c)
  }
  try {
    const end = await inTime(c, signal => Promise.resolve(c.model.turn(request, each, signal)))
    if (c.stop.stopped) return stoppedTurn(text, reasoning, end?.turn)
    const given = priced(whole(c.model.name, end?.turn, text, reasoning, c.thread.rows), c.model.price)
    if (text === '') each({ kind: 'text', text: given.text })
    return c.stop.stopped ? stoppedTurn(text, reasoning, given) : given
  } catch (error) {
    if (c.stop.stopped) return stoppedTurn(text, reasoning)
    throw error
  } finally {
    open = false
  }
}

/** Waits for the turn, but no longer than the settings allow. */
function inTime(
  c: Conversation,
  ask: (signal: AbortSignal) => Promise<Turn>,
): Promise<{ turn: Turn } | undefined> {
  const ms = c.settings?.timeout as number | undefined
  if (ms === undefined) return untilStopped(c, ask(c.stop.signal))
  return within(c, ms, ask)
}

/** Waits so long and no longer: the model is told to stop, and the turn fails. */
async function within(
  c: Conversation,
  ms: number,
  ask: (signal: AbortSignal) => Promise<Turn>,
): Promise<{ turn: Turn } | undefined> {
  const stop = new Stop(c.stop)
  let callOff = (): void => {}
  const late = new Promise<never>((_, reject) => {
    callOff = c.session.clock.after(ms, () => {
      reject(
        new ToolwrightError('T3016', `model '${c.model.name}' did not answer in ${ms} ms`, {
          fix: 'give it more time: `timeout` in its settings',
        }),
      )
      stop.stop()
    })
  })
  try {
    return await Promise.race([untilStopped(c, ask(stop.signal)), late])
  } finally {
    callOff()
    stop.end()
  }
}

/** Waits for the turn; after a stop only for a moment, because a model may ignore it. */
function untilStopped(c: Conversation, turn: Promise<Turn>): Promise<{ turn: Turn } | undefined> {
  return new Promise((resolve, reject) => {
    let callOff = (): void => {}
    const unlisten = c.stop.listen(() => {
      callOff = c.session.clock.after(GRACE, () => resolve(undefined))
    })
    const end = (): void => {
      unlisten()
      callOff()
    }
    turn.then(
      given => {
        end()
        resolve({ turn: given })
      },
      error => {
        end()
        reject(error)
      },
    )
  })
}

/** A turn that was stopped: what was written of it. Its calls were not made, so they are not kept. */
function stoppedTurn(text: string, reasoning: string, turn?: Turn): Turn {
  const { tokens = 0, input = 0, window = 0 } = turn ?? {}
  const said: Turn = { text, reasoning, calls: [], details: [], tokens, input, window, cut: 'stopped' }
  for (const key of ['cached', 'reasoned', 'cost', 'model'] as const)
    if (turn?.[key] !== undefined) Object.assign(said, { [key]: turn[key] })
  return said
}

/** The turn, with what a model written by hand may have left out, and with an id for each call that is its own. */
function whole(name: string, turn: unknown, streamed: string, thought: string, row: number): Turn {
  if (typeof turn !== 'object' || turn === null) throw noTurn(name, 'it', turn)
  const {
    text = streamed,
    reasoning = thought,
    calls = [],
    details = [],
    tokens = 0,
    input = 0,
    window = 0,
  } = turn as Partial<Turn>
  if (typeof text !== 'string') throw noTurn(name, 'text', text)
  if (typeof reasoning !== 'string') throw noTurn(name, 'reasoning', reasoning)
  if (!Array.isArray(calls)) throw noTurn(name, 'calls', calls)
  if (!Array.isArray(details)) throw noTurn(name, 'details', details)
  if (typeof tokens !== 'number') throw noTurn(name, 'tokens', tokens)
  if (typeof input !== 'number') throw noTurn(name, 'input', input)
  if (typeof window !== 'number') throw noTurn(name, 'window', window)
  for (const call of calls)
    if (typeof call?.tool !== 'string') throw noTurn(name, 'the tool of a call', call?.tool)
  return { ...(turn as Turn), text, reasoning, calls: numbered(calls, row), details, tokens, input, window }
}

function noTurn(model: string, what: string, value: unknown): ToolwrightError {
  const is = value === null ? 'null' : typeof value
  return new ToolwrightError('T7014', `the model ${model} gave what is no turn: ${what} is ${is}`, {
    fix: "give { text, calls: [{ id, tool, arguments }] } from the model's turn",
  })
}

/** Providers leave ids empty and repeat them; within a turn each call needs its own. `row` tells turns apart. */
function numbered(calls: Call[], row: number): Call[] {
  if (calls.length === 0 || (calls.length === 1 && isNumbered(calls[0]!))) return calls
  // What the provider gave stays with the first call that has it, whichever comes before.
  const taken = new Set(calls.map(call => call.id))
  const seen = new Set<string>()
  let changed = false
  const own = calls.map((call, i) => {
    let id = call.id ?? ''
    if (id === '' || seen.has(id)) {
      const base = id === '' ? `call_${row}_${i}` : `${id}_${i}`
      id = base
      for (let k = 1; taken.has(id); k++) id = `${base}_${k}`
    }
    taken.add(id)
    seen.add(id)
    if (id === call.id && typeof call.arguments === 'string') return call
    changed = true
    return { ...call, id, arguments: asText(call.arguments) }
  })
  return changed ? own : calls
}

/** A single call that is as it should be needs no look at others. */
function isNumbered({ id, arguments: text }: Call): boolean {
  return typeof id === 'string' && id !== '' && typeof text === 'string'
}

function asText(given: unknown): string {
  if (typeof given === 'string') return given
  return given === undefined || given === null ? '' : JSON.stringify(given)
}
