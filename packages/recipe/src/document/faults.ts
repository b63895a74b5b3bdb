// The faults of a document: all of them, each with its place, a code and the mend.
import { type Code, ToolwrightError } from '@toolwright/core'

/** One fault of a recipe's document. */
export interface RecipeFault {
  /** Where: a JSON pointer (RFC 6901) into the document; '' is all of it. */
  pointer: string
  code: Code
  problem: string
  /** What to do about it. */
  fix: string
}

/** Collects the faults of one document. */
export interface Faults {
  readonly all: readonly RecipeFault[]
  add(pointer: string, code: Code, problem: string, fix: string): void
}

export function faults(): Faults {
  const all: RecipeFault[] = []
  return {
    all,
    add: (pointer, code, problem, fix) => {
      all.push({ pointer, code, problem, fix })
    },
  }
}

/** `pointer` with one more key. */
export function below(pointer: string, key: string | number): string {
  return `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** A fault as one line. */
export function lineOf({ pointer, code, problem, fix }: RecipeFault): string {
  return `${pointer === '' ? 'the document' : pointer}: ${problem} (${code}: ${fix})`
}

/** Throws one error that lists every fault; its code is that of the first. */
export function refuseFaults(what: string, all: readonly RecipeFault[]): void {
  const first = all[0]
  if (!first) return
  const count = all.length === 1 ? 'a fault' : `${all.length} faults`
  throw new ToolwrightError(first.code, `${what} has ${count}:\n${all.map(f => `  ${lineOf(f)}`).join('\n')}`)
}

/** What a value is, in a word or two, for a fault. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'string') return value === '' ? 'an empty text' : `the text ${short(value)}`
  return `${typeof value === 'number' ? 'the number ' : ''}${String(value)}`
}

export function short(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}
