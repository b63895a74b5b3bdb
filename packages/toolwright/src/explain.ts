// The page of an error code. A checkout has them in docs/errors; the packed package has a copy beside dist.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { escapeLine } from './escape.ts'
import { CommandError } from './trouble.ts'

const folders = [new URL('../errors/', import.meta.url), new URL('../../../docs/errors/', import.meta.url)]

/** The page of `code` (`t1009` will do). Throws a {@link CommandError} that names the codes near it where there is none. */
export function explain(code: string): string {
  const all = codesWithPages()
  const wanted = code.trim().toUpperCase()
  if (all.includes(wanted)) return readFileSync(new URL(`${wanted}.md`, folder()), 'utf8')
  const near = all.filter(each => each.slice(0, 2) === wanted.slice(0, 2))
  const names = (near.length > 0 ? near : all).join(', ')
  throw new CommandError(2, `There is no error code ${escapeLine(code, 40)}. There are: ${names}.`)
}

/** Every code with the title of its page, a line each. */
export function listCodes(): string {
  const title = (code: string) =>
    /^# (.*)$/m.exec(readFileSync(new URL(`${code}.md`, folder()), 'utf8'))?.[1] ?? code
  return `${codesWithPages().map(title).join('\n')}\n`
}

function codesWithPages(): string[] {
  return readdirSync(folder())
    .filter(name => /^[AT]\d{4}\.md$/.test(name))
    .map(name => name.slice(0, -3))
    .sort()
}

function folder(): URL {
  const found = folders.find(each => existsSync(each))
  if (!found)
    throw new CommandError(1, 'The pages of the error codes are not there: the package is not whole.')
  return found
}
