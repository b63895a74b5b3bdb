// The repairs of one value that are exact: nothing is rounded, cut or guessed. Whether the repaired value fits
// is for the walk to say; a repair of a value that fits as it stands is never asked for.

import { BOOLEAN, FRACTION, INTEGER, kindOf, STRING } from './kinds.ts'
import type { Run } from './walk.ts'

/** The value in a kind that `types` allows, or the value itself where no exact way leads there. */
export function mended(types: number, value: unknown, run: Run): unknown {
  const kind = kindOf(value)
  if (kind === STRING) return fromText(types, value as string)
  if ((types >> STRING) & 1) {
    if (kind === INTEGER || kind === FRACTION) return digitsOf(value as number, run)
    if (kind === BOOLEAN) return String(value)
  }
  return value
}

function fromText(types: number, text: string): unknown {
  if ((types >> BOOLEAN) & 1 && (text === 'true' || text === 'false')) return text === 'true'
  // Only a number's one canonical writing: '007', '1.50', '1e3', ' 5' and '' could each mean something else.
  if (text.length > 25 || !/^-?(0|[1-9]\d*)(\.\d+)?$/.test(text)) return text
  const number = Number(text)
  if (String(number) !== text) return text
  return (types >> (Number.isInteger(number) ? INTEGER : FRACTION)) & 1 ? number : text
}

function digitsOf(number: number, run: Run): string {
  return run.digits?.get(run.holder)?.get(String(run.key)) ?? String(number)
}
