// Names: which ones a tool may be told under, and the one nearest to a name that is not known.
import type { Fault } from '../errors.ts'
import { ANSWER } from './records.ts'

const sequenceForms = ['all', 'fill', 'fail']
const valueWords =
  'text number integer flag date list record choice optional anything first last count keys values sum join split sort unique where pick'.split(
    ' ',
  )
const typeWords = 'string number boolean null any void object Array Record Result'.split(' ')

/** Words that a sequence keeps for itself. */
export const sequenceWords: ReadonlySet<string> = new Set([...sequenceForms, ...valueWords, ...typeWords])

/** How an agent tells its tools, as far as it matters for names. */
export interface Telling {
  list: boolean
  sequence: boolean
  output: boolean
}

/** T1009: why a tool cannot be told under `name` by an agent that tells its tools so; nothing where it can. */
export function reserved(name: string, telling: Telling): string | undefined {
  if ((name === 'call' || name === 'sequence') && (telling.list || telling.sequence))
    return `\`${name}\` is kept where the agent states ${telling.list ? "tell: 'list'" : 'sequence'}`
  if (telling.sequence && sequenceWords.has(name))
    return `\`${name}\` is a word of sequences, and the agent states sequence`
  if (telling.output && name === ANSWER) return `\`${ANSWER}\` is kept where the agent states output`
  return undefined
}

/** What is wrong with `name` as the name of a definition; nothing where it is right. */
export function nameFault(name: unknown): string | undefined {
  if (typeof name !== 'string') return `is ${name === null ? 'null' : typeof name}, not a text`
  if (name.trim() === '') return 'is empty'
  if (name !== name.trim()) return `${JSON.stringify(name)} begins or ends with a space`
  if (name.length > 128) return 'is longer than 128 characters'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are refused
  if (/[\u0000-\u001f\u007f]/.test(name)) return 'holds a control character'
  if (/[\p{Cf}\p{Zl}\p{Zp}]/u.test(name)) return 'holds a character that nobody sees'
  if (/["[\]]/.test(name)) return 'holds a bracket or a quotation mark'
  return undefined
}

/** A fault for each option of `stated` that `known` does not list; `mends` says what to write in place of a foreign word. */
export function unknownOptions(
  stated: object,
  known: readonly string[],
  mends: Readonly<Record<string, string>> = {},
): Fault[] {
  const faults: Fault[] = []
  for (const option of Object.keys(stated)) {
    if (known.includes(option)) continue
    const mend = Object.hasOwn(mends, option) ? mends[option] : undefined
    const near = nearest(option, known, 1)[0]
    const fix = mend ?? (near ? `did you mean ${near}?` : `the options are ${known.join(', ')}`)
    faults.push({ option, problem: 'is no option', fix })
  }
  return faults
}

/** The known names nearest to `name`, the nearest first, at most `most`; none that shares too little with it. */
export function nearest(name: string, known: Iterable<string>, most = 3): string[] {
  const wanted = plain(name)
  if (wanted === '') return []
  const ranked: { name: string; far: number }[] = []
  for (const each of known) {
    const other = plain(each)
    const far = other.includes(wanted) || wanted.includes(other) ? 1 : distance(wanted, other)
    if (far <= Math.max(2, Math.floor(Math.max(wanted.length, other.length) / 2.5)))
      ranked.push({ name: each, far })
  }
  ranked.sort((a, b) => a.far - b.far)
  return ranked.slice(0, most).map(r => r.name)
}

function plain(name: string): string {
  return name
    .slice(0, 64)
    .toLowerCase()
    .replace(/[^a-z0-9\u0080-\uffff]/g, '')
}

/** How many single changes lead from one text to the other (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    row = next
  }
  return row[b.length]!
}
