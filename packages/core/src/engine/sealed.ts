// Values at rest that nobody reads who only has the file: a store around a store, which seals what goes in and opens
// what comes out. Names (of flows, steps, persons, threads), states and times stay as they are: they are looked up.
import type { Json } from '../define/records.ts'
import { ToolwrightError } from '../errors.ts'
import type { Asked, RunRecord, Step } from './engine.ts'
import { fromText } from './journal.ts'
import type { Ask, Decision, Row } from './place.ts'
import { type Claimed, GONE, type Kept, type News, type State, type Store, type Write } from './store.ts'

/** Seals texts and opens them again. `open` throws where the text was sealed with something else, or is damaged. */
export interface Seal {
  seal(text: string): string
  open(sealed: string): string
}

/** `store`, with every value sealed by `seal`. Throws `T6010` where what is kept was sealed otherwise, or not at all. */
export function sealed(store: Store, seal: Seal): Store {
  const close = (value: unknown): string => seal.seal(JSON.stringify(value))
  const open = (value: unknown): Json => {
    try {
      if (typeof value === 'string') return JSON.parse(seal.open(value)) as Json
    } catch (cause) {
      throw notOpened(cause)
    }
    throw notOpened(undefined)
  }

  const run = (of: RunRecord): RunRecord => ({
    ...of,
    input: open(of.input),
    ...(of.output === undefined ? {} : { output: open(of.output) }),
    ...(of.error === undefined
      ? {}
      : { error: open(of.error) as unknown as NonNullable<RunRecord['error']> }),
  })
  const maybe = <T>(of: T | undefined, fn: (of: T) => T): T | undefined =>
    of === undefined ? undefined : fn(of)
  const keep = (record: Kept): Kept =>
    record.value === '' ? record : { ...record, value: JSON.stringify(seal.seal(record.value)) }
  const kept = (record: Kept): Kept => {
    if (record.value === '') return record
    try {
      return { ...record, value: seal.open(JSON.parse(record.value) as string) }
    } catch (cause) {
      throw notOpened(cause)
    }
  }
  // The step stands in the open: decisions find their ask by it.
  const closeAsk = (ask: Ask): Ask => ({ step: ask.step, sealed: close(ask) }) as unknown as Ask
  const openAsk = <A extends Ask>(ask: A): A => {
    const { sealed, ...rest } = ask as A & { sealed?: string }
    return { ...rest, ...(open(sealed) as unknown as Ask) } as A
  }
  const closeDecision = (decision: Decision): Decision => {
    const { approved, ...rest } = decision
    const expired = 'expired' in rest && rest.expired ? { expired: true } : {}
    return { approved, ...expired, sealed: close(rest) } as unknown as Decision
  }
  const openDecision = (decision: Decision): Decision => {
    const { sealed, ...rest } = decision as Decision & { sealed?: string }
    // One that expired was written by the store itself.
    return sealed === undefined ? decision : ({ ...rest, ...(open(sealed) as object) } as Decision)
  }
  const state = (of: State): State => {
    if (!('at' in of)) return of
    return {
      ...of,
      ...(of.output === undefined ? {} : { output: JSON.stringify(seal.seal(of.output)) }),
      ...(of.error === undefined ? {} : { error: JSON.stringify(seal.seal(of.error)) }),
    }
  }
  const write = (of: Write): Write => {
    if (of.what === 'record') return { ...of, record: keep(of.record) }
    if (of.what === 'row') return { ...of, value: JSON.stringify(seal.seal(of.value)) }
    if (of.what === 'ask') return { ...of, ask: closeAsk(of.ask) }
    return { ...of, state: state(of.state) }
  }
  const news = <N extends News>(of: N): N => ({
    ...of,
    decisions: of.decisions.map(({ step, decision }) => ({ step, decision: openDecision(decision) })),
    signals: of.signals.map(signal => ({ ...signal, value: open(signal.value) })),
  })

  return {
    ...store,
    commit: writes => store.commit(writes.map(write)),
    async claim(id) {
      const claimed = await store.claim(id)
      if (!claimed) return undefined
      const opened: Claimed = { ...news(claimed), run: run(claimed.run), records: claimed.records.map(kept) }
      return opened
    },
    async news(id, after) {
      return maybe(await store.news(id, after), news)
    },
    start: async (start, now) => run(await store.start({ ...start, input: close(start.input) }, now)),
    get: async id => maybe(await store.get(id), run),
    list: async filter => (await store.list(filter)).map(run),
    asks: async (id, now) => (await store.asks(id, now)).map(ask => openAsk<Asked>(ask)),
    steps: async id =>
      (await store.steps(id)).map(
        (step): Step => (step.value === undefined ? step : { ...step, value: open(step.value) }),
      ),
    rows: async (thread, from, to) =>
      (await store.rows(thread, from, to)).map(row => (isGone(row) ? row : opened(row as unknown, seal))),
    decide: (id, step, decision, now) => store.decide(id, step, closeDecision(decision), now),
    send: (id, channel, value, decline, now) =>
      store.send(id, channel, close(value), decline && closeDecision(decline), now),
  }
}

function isGone(row: Row): boolean {
  return JSON.stringify(row) === GONE
}

function opened(row: unknown, seal: Seal): Row {
  try {
    return fromText(seal.open(row as string)) as Row
  } catch (cause) {
    throw notOpened(cause)
  }
}

function notOpened(cause: unknown): ToolwrightError {
  return new ToolwrightError('T6010', 'what a store keeps was sealed with something else, or not at all', {
    fix: 'give the seal with which it was written, or begin a new store',
    cause,
  })
}
