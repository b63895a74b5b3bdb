// One guarded call outside of any conversation: for doors whose callers name a tool, and that keep no runs.
import type { Told } from '../define/entries.ts'
import { defaults } from '../define/limits.ts'
import type { Model, Piece } from '../define/records.ts'
import { type Definition, definitionOf, type Usable } from '../define/tool.ts'
import { type Clock, realClock } from '../engine/clock.ts'
import { memory } from '../engine/memory.ts'
import type { Outcome } from '../engine/place.ts'
import { Stop } from '../engine/stop.ts'
import { modelOf } from '../model/model.ts'
import { beginCall } from './begin.ts'
import type { Log } from './log.ts'
import type { Approver } from './run.ts'
import { Thread } from './thread.ts'

/** What {@link callOnce} may be told. */
export interface CallOptions {
  /** Names the call for ever, where it has a name already. */
  id?: string
  /** What `llm` asks in it, where it names no model; left out: nothing. */
  model?: Model | string
  person?: string | undefined
  deps?: unknown
  signal?: AbortSignal | undefined
  /** Asks a person; left out: what asks is declined. */
  approver?: Approver | undefined
  /** What may send data out without asking. */
  trust?: readonly (Usable | string)[]
  each?: (piece: Piece) => void
  declined: (tool: string, why: string | undefined) => string
  log?: Log | undefined
  clock?: Clock
}

/** Makes one call of `tool` on the text of its arguments; guarded, limited and shown like every call. */
export async function callOnce(tool: Usable, argumentsText: string, options: CallOptions): Promise<Outcome> {
  const definition = definitionOf(tool)!
  const { name, about, line, tries } = definition
  const told: Told = { name, about, line, tries, definition }
  const {
    clock = realClock,
    approver,
    signal,
    declined,
    trust = [],
    id = globalThis.crypto.randomUUID(),
  } = options
  const stop = new Stop()
  const stopIt = (): void => stop.stop()
  if (signal?.aborted) stopIt()
  else signal?.addEventListener('abort', stopIt)
  const place = memory({
    id,
    clock,
    stop,
    emit: piece => options.each?.(piece),
    ...(approver ? { asks: approver } : {}),
  })
  const trusted = trust.flatMap((each): (Definition | string)[] => {
    if (typeof each === 'string') return [each]
    const one = definitionOf(each)
    return one ? [one] : []
  })
  try {
    const model = options.model === undefined ? undefined : modelOf(options.model)
    const beginning = {
      id,
      place,
      thread: new Thread(id),
      clock,
      output: undefined,
      limits: defaults,
      deps: options.deps,
      person: options.person,
      log: options.log,
      asksEach: false,
      declined: (named: string, decision: { why?: string | undefined }) => declined(named, decision.why),
    }
    return await beginCall(told, argumentsText, trusted, beginning, model)
  } finally {
    signal?.removeEventListener('abort', stopIt)
  }
}
