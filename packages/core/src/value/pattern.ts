// `pattern`, bounded in time. The engine's own regular expressions go back and try again, which some patterns turn
// into years. How many ways a pattern can take over a text of some length is computed first: where they are few,
// the engine's own is used; where they are many, an automaton that never goes back; and where there is no
// automaton (look-around, back-references), the text is refused as too long to be tested.

import type { Automaton } from './automaton.ts'
import { openAutomaton } from './automaton.ts'
import { quoted } from './faults.ts'
import type { Part } from './regex.ts'
import { parseRegex } from './regex.ts'

export interface Pattern {
  /** Whether the pattern is found in the text; 'costly' where that cannot be found out in bounded time. */
  test(text: string): boolean | 'costly'
}

/** The longest pattern that is read, in UTF-16 units. */
const MAX_PATTERN = 4000
/** How many ways the engine's own regular expression may have to try. */
const MAX_WAYS = 2_000_000

const opened = new Map<string, Pattern | string>()

/** A pattern, or why it is none. The last few are kept. */
export function openPattern(source: string): Pattern | string {
  const known = opened.get(source)
  if (known !== undefined) return known
  const made = make(source)
  if (opened.size >= 500) opened.clear()
  opened.set(source, made)
  return made
}

function make(source: string): Pattern | string {
  if (source.length > MAX_PATTERN) return `is longer than ${MAX_PATTERN} characters`
  const own = ownRegex(source)
  if (own === undefined) return `${quoted(source)} is no regular expression`
  const part = parseRegex(source, own.unicode)
  if (part === undefined) return `${quoted(source)} has a part that cannot be bounded in time`
  let automaton: Automaton | undefined
  return {
    test(text) {
      if (waysOf(part, text.length) * (startsAnchored(part) ? 1 : text.length + 1) <= MAX_WAYS)
        return own.test(text)
      automaton ??= openAutomaton(part, own.unicode)
      return automaton.test(text)
    },
  }
}

// JSON Schema's patterns are Unicode ones; many that are in use are only valid without that flag.
function ownRegex(source: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags)
    } catch {}
  }
  return undefined
}

/** At most so many ways lead through a part on a text of `n` units. */
function waysOf(part: Part, n: number): number {
  switch (part.kind) {
    case 'sequence':
      return part.parts.reduce((ways, one) => ways * waysOf(one, n), 1)
    case 'choice':
      return part.parts.reduce((ways, one) => ways + waysOf(one, n), 0)
    case 'repeat': {
      const inner = waysOf(part.inner, n)
      const most = Math.min(part.max, n + 1)
      if (inner === 1) return Math.max(1, most - part.min + 1)
      return 2 * inner ** most
    }
    case 'look':
      return waysOf(part.inner, n)
    default:
      return 1
  }
}

function startsAnchored(part: Part): boolean {
  if (part.kind === 'edge') return part.at === '^'
  if (part.kind === 'choice') return part.parts.every(startsAnchored)
  return part.kind === 'sequence' && part.parts.length > 0 && startsAnchored(part.parts[0]!)
}
