// The tools of one request, each in the dialect of the provider that is asked. A provider refuses the whole request
// for one schema that it does not take: a tool that cannot be told to it is left out by itself.

import type { FunctionObject } from '../define/records.ts'
import { dialectOf, type Provider } from './dialect.ts'
import { withNotes } from './dialects/notes.ts'
import { quoted } from './faults.ts'

/** A function as it is told to a provider; `strict` stands there only where it is true. */
export interface ToldFunction extends FunctionObject {
  function: FunctionObject['function'] & { strict?: true }
}

/** What can be told of the tools of a request. */
export interface Offer {
  functions: readonly ToldFunction[]
  /** The tools that are left out: to be warned of, by name. `why` is a sentence for people. */
  left: readonly { name: string; why: string }[]
}

const offers = new WeakMap<readonly FunctionObject[], Map<Provider, Offer>>()
const single = new WeakMap<FunctionObject, Map<Provider, ToldFunction | string>>()

/**
 * `functions` as `provider` takes them. Kept by the list and by each function: the same list gives the same offer,
 * and the same function the same object, so that texts made of them can be kept too.
 */
export function toolsFor(functions: readonly FunctionObject[], provider: Provider): Offer {
  return keep(offers, functions, provider, () => {
    const told: ToldFunction[] = []
    const left: { name: string; why: string }[] = []
    for (const one of functions) {
      const made = keep(single, one, provider, () => tellOne(one, provider))
      if (typeof made === 'string') left.push({ name: one.function.name, why: made })
      else told.push(made)
    }
    return { functions: told, left }
  })
}

function tellOne(one: FunctionObject, provider: Provider): ToldFunction | string {
  const { name, description, parameters, ...more } = one.function
  const made = dialectOf(parameters, provider)
  if ('refused' in made)
    return `T2009: the tool ${quoted(name, 128)} is not told to the model: its input ${made.refused}`
  // Of the parameters, providers show a model the fields: what is said of all of them stands with the function.
  const said = made.notes.filter(note => note.place === '').map(note => note.text)
  return {
    ...one,
    function: {
      ...more,
      name,
      description: withNotes(description, said) ?? '',
      parameters: made.schema,
      ...(made.strict && { strict: true as const }),
    },
  }
}

function keep<K extends object, T>(
  known: WeakMap<K, Map<Provider, T>>,
  key: K,
  provider: Provider,
  make: () => T,
): T {
  let all = known.get(key)
  if (all === undefined) {
    all = new Map()
    known.set(key, all)
  }
  let made = all.get(provider)
  if (made === undefined) {
    made = make()
    all.set(provider, made)
  }
  return made
}
