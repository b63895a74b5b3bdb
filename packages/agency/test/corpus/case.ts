// What a program of the corpus is, and what it is compared with.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BatchProgram } from '../run.ts'

export interface Case extends Pick<BatchProgram, 'args' | 'turns' | 'node'> {
  what: string
  /** The body of main, or a whole file where it declares one; all files by their names. */
  source: string | { readonly [file: string]: string }
  gives: unknown
  /** What it writes on stdout. */
  printed?: string
  /** The same in TypeScript: given the arguments, in a call whose `llm` asks a model with the same turns. */
  same?: (...args: never[]) => unknown
}

/** A small program. */
export function c(what: string, source: string, gives: unknown, same?: Case['same']): Case {
  return { what, source, gives, ...(same ? { same } : {}) }
}

const folder = join(import.meta.dirname, 'programs')

/** A program of the folder `programs`: NAME.agency, or all files of the folder NAME, where main.agency is. */
export function program(name: string, more: Omit<Case, 'what' | 'source'>): Case {
  const inside = join(folder, name)
  if (!existsSync(inside))
    return { what: name, source: readFileSync(join(folder, `${name}.agency`), 'utf8'), ...more }
  const files = globSync('**/*.*', { cwd: inside }).sort()
  const source = Object.fromEntries(files.map(file => [file, readFileSync(join(inside, file), 'utf8')]))
  return { what: name, source, ...more }
}
