// The page that the language is written after, where it lies beside the repository; its programs are read from it.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../../../shared/requirements', import.meta.url))
const [file] = existsSync(folder) ? globSync('001_*.txt', { cwd: folder }) : []

/** Whether the page is there. */
export const handed = file !== undefined

/** Its text; nothing where it is not there. */
export const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8')
const lines = text.split('\n')

/**
 * The lines from the `nth` that begins with `first` up to the one that begins with `next`, which is left out; blank
 * lines around them too. Throws where there are none.
 */
export function passage(first: string, next: string, nth = 1): string {
  let from = -1
  for (let n = 0; n < nth; n++) from = lines.findIndex((line, i) => i > from && line.startsWith(first))
  const to = lines.findIndex((line, i) => i > from && line.startsWith(next))
  if (from < 0 || to < 0) throw new Error(`the page has no passage from ${first} to ${next}`)
  return lines.slice(from, to).join('\n').trim()
}

/** The line that begins so. */
export function line(first: string): string {
  const found = lines.find(each => each.startsWith(first))
  if (found === undefined) throw new Error(`the page has no line ${first}`)
  return found
}
