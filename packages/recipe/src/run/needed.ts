// Which parts of an answer a recipe still needs: the rest is dropped before anything is kept.
import type { Param, Place, Plan, Ref, Source } from '../document/plan.ts'

/** The paths into the answer of source `letter` that anything of the plan reads. */
export function neededOf(plan: Plan, letter: string): (readonly string[])[] {
  const own = (places: readonly Place[]): (readonly string[])[] =>
    places.filter(({ source }) => source === letter).map(({ keys }) => keys)
  return [
    ...own(plan.fields),
    ...own(plan.remember),
    ...plan.sources.flatMap(source => refsOf(source).flatMap(ref => pathsOf(ref, source, letter))),
    // Whatever is read of the entries, how many there are must stay known.
    ...plan.sources.flatMap(({ each }) => (each?.source === letter ? [[...each.keys, '']] : [])),
  ]
}

function refsOf({ refs, params }: Source): Ref[] {
  return [...refs.values(), ...params.flatMap(refsOfParam)]
}

function refsOfParam({ refs, fields }: Param): Ref[] {
  return [...refs.values(), ...(fields?.flatMap(refsOfParam) ?? [])]
}

function pathsOf(ref: Ref, { each }: Source, letter: string): (readonly string[])[] {
  if (ref.of === 'source') return ref.source === letter ? [ref.keys] : []
  if (ref.of === 'item' && each?.source === letter) return [[...each.keys, ...ref.keys]]
  return []
}

/** Where the list is that a loop goes through: the answer itself, or the one list in it; undefined where that is unclear. */
export function listIn(value: unknown): string[] | undefined {
  if (Array.isArray(value)) return []
  if (typeof value !== 'object' || value === null) return undefined
  const lists = Object.entries(value).filter(([, one]) => Array.isArray(one))
  return lists.length === 1 ? [lists[0]![0]] : undefined
}
