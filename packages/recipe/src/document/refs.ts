// What placeholders and paths mean: parameters, the entry of a loop, the answers of earlier sources.
import { dotted } from './dotted.ts'
import { type Faults, short } from './faults.ts'
import type { Place, Ref } from './plan.ts'

/** What a placeholder may name at one place of a document. */
export interface Scope {
  /** The parameters of this source, as they are written. */
  readonly params: readonly string[]
  /** The letters of the sources before it. */
  readonly earlier: readonly string[]
  /** The source whose entries it loops over. */
  readonly each: string | undefined
}

/** What a placeholder reads, or a fault. */
export function refAt(name: string, pointer: string, scope: Scope, faults: Faults): Ref | undefined {
  // A declared parameter beats a source of the same letter.
  if (scope.params.includes(name)) return { of: 'param', name }
  const keys = name === '' ? undefined : dotted(name)
  const [head, ...rest] = keys ?? []
  if (head === 'item' && scope.each !== undefined) return { of: 'item', keys: rest }
  if (head !== undefined && scope.earlier.includes(head))
    return head === scope.each ? { of: 'item', keys: rest } : { of: 'source', source: head, keys: rest }
  faults.add(pointer, 'T4007', `{{${name}}} leads nowhere`, mendFor(head, scope))
  return undefined
}

function mendFor(head: string | undefined, { params, earlier, each }: Scope): string {
  if (head === 'item') return '{{item}} is the entry of a loop: state for_each_of'
  if (head !== undefined && /^[a-z]$/.test(head) && !earlier.includes(head))
    return `source ${head} is not before this one; only the answers of earlier sources can be read`
  const known = [...params, ...(each === undefined ? [] : ['item']), ...earlier.map(letter => `${letter}.…`)]
  return known.length === 0 ? 'declare a parameter of this name in params' : `there are ${known.join(', ')}`
}

/** The place that an output path or `for_each_of` names: `a.slots` of source a, else in the last source. */
export function placeAt(
  path: unknown,
  pointer: string,
  letters: readonly string[],
  faults: Faults,
): Place | undefined {
  const keys = typeof path === 'string' ? dotted(path) : undefined
  if (keys === undefined) {
    const what = typeof path === 'string' ? short(path) : 'what stands here'
    faults.add(pointer, 'T4010', `${what} is no path`, 'write keys with a dot between them: "results.id"')
    return undefined
  }
  const [head = '', ...rest] = keys
  if (rest.length > 0 && letters.includes(head)) return { source: head, keys: rest }
  return { source: letters.at(-1) ?? 'a', keys }
}
