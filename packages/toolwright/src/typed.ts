// `toolwright expand` and `toolwright schema`: schemas from types, written into a copy of the sources, or printed.
import { resolve } from 'node:path'
import type { TypeFault } from '@toolwright/typed'
import { escapeText } from './escape.ts'
import type { Terminal } from './terminal.ts'
import { CommandError } from './trouble.ts'

/** Writes a copy of the folder `from` into `out`, in which each call has the schema of its types. */
export async function expandCommand(
  from: string,
  out: string,
  check: boolean,
  terminal: Terminal,
): Promise<void> {
  const { expandFolder, faultText } = await import('@toolwright/typed')
  const { expanded, copied, warnings } = await told(() =>
    expandFolder(resolve(from), resolve(out), { check }),
  )
  warn(warnings, faultText, terminal)
  const what = check ? 'would be expanded' : 'expanded'
  terminal.err(`${count(expanded, 'file')} ${what}, ${count(copied, 'file')} copied as they are.\n`)
}

/** Prints the schemas that the calls of `file` get from their types. */
export async function schemaCommand(file: string, json: boolean, terminal: Terminal): Promise<void> {
  const { faultText, schemaOf } = await import('@toolwright/typed')
  const { schemas, warnings } = await told(() => schemaOf(resolve(file)))
  warn(warnings, faultText, terminal)
  if (json) terminal.out(`${JSON.stringify(schemas)}\n`)
  else if (schemas.length === 0) terminal.err('No call of this file takes its schema from types.\n')
  else
    for (const { what, line, expanded } of schemas)
      terminal.out(`${escapeText(what)} (line ${line})\n${escapeText(JSON.stringify(expanded, null, 2))}\n\n`)
}

function warn(
  warnings: readonly TypeFault[],
  text: (fault: TypeFault, root?: string) => string,
  terminal: Terminal,
): void {
  for (const warning of warnings) terminal.err(`${escapeText(text(warning, process.cwd()))}\n`)
}

/** Faults of a source are told as they are: they name file, line and mend. */
async function told<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new CommandError(1, error instanceof Error ? error.message : String(error))
  }
}

function count(of: readonly unknown[] | number, what: string): string {
  const n = typeof of === 'number' ? of : of.length
  return `${n} ${what}${n === 1 ? '' : 's'}`
}
