// What a conversation knows by name: stated with its run, or kept by one of its calls for later ones.
import type { Variables } from '../define/context.ts'
import type { Json } from '../define/records.ts'
import { decode, encode } from '../engine/codec.ts'
import type { Outcome } from '../engine/place.ts'
import type { Conversation } from './conversation.ts'

/**
 * The values that the calls of a place kept, by key. Those of a branch join the place around it when the branch ends,
 * out of its outcome, so that live and replayed the same is known.
 */
export class Kept {
  private readonly around: Kept | undefined
  private own: Record<string, Json> | undefined

  constructor(around?: Kept) {
    this.around = around
  }

  /** What was kept here, encoded; nothing where nothing was. */
  get values(): Readonly<Record<string, Json>> | undefined {
    return this.own
  }

  get(key: string): Json | undefined {
    return this.own && key in this.own ? this.own[key] : this.around?.get(key)
  }

  add(values: Readonly<Record<string, Json>>): void {
    this.own = Object.assign(this.own ?? Object.create(null), values)
  }
}

/** The outcome of a branch with the values that were kept in it. */
export function withKept(outcome: Outcome, { values }: Kept): Outcome {
  return values ? { ...outcome, remembered: { ...values } } : outcome
}

/** The key of a value; an owner has a space of its own. */
export function keyOf(name: string, owner?: string): string {
  return JSON.stringify(owner === undefined ? [name] : [name, owner])
}

/** The name in a key. */
export function nameIn(key: string): string {
  return (JSON.parse(key) as [string])[0]
}

/** Values by name as values by key. */
export function stated(values: Readonly<Record<string, unknown>>): Record<string, Json> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [keyOf(name), encode(value, name)]))
}

/** The variables of a call that keeps in `kept`, in the conversation `c`. */
export function variablesOf(c: Conversation, kept: Kept): Variables {
  return {
    get(name, owner) {
      const found = find(c, kept, name, owner)
      return found === undefined ? undefined : (decode(found) as Json)
    },
    set(name, value, owner) {
      kept.add({ [keyOf(name, owner)]: encode(value, `variable ${name}`) })
    },
  }
}

/** What calls of this run kept comes first, then what the run was told, then what the conversation knew before. */
function find(c: Conversation, kept: Kept, name: string, owner: string | undefined): Json | undefined {
  const keys = owner === undefined ? [keyOf(name)] : [keyOf(name, owner), keyOf(name)]
  for (const key of keys) {
    const found = kept.get(key)
    if (found !== undefined) return found
  }
  const told = c.session.variables?.[keyOf(name)]
  if (told !== undefined) return told
  for (let at: Conversation | undefined = c; at; at = at.inside?.conversation)
    for (const key of keys) {
      const found = at.thread.kept.get(key)
      if (found !== undefined) return found
    }
  return undefined
}
