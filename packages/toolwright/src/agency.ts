// `toolwright run FILE.agency`, `check` and `compile`: the commands for files of the Agency language.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import type { LogEvent } from '@toolwright/core'
import { escapeText } from './escape.ts'
import type { Terminal } from './terminal.ts'
import { CommandError, errorText } from './trouble.ts'

export interface AgencyRunOptions {
  node?: string
  args?: string
  scripted?: string
  json?: boolean
  /** Prints the thread as a tree at the end. */
  tree?: boolean
  /** The file that the log joins. */
  log?: string
}

/** Runs a node of the file; with `json`, what it gives is the last line on stdout. Gives the exit code. */
export async function runAgencyCommand(
  file: string,
  options: AgencyRunOptions,
  terminal: Terminal,
): Promise<number> {
  const path = existing(file)
  const { runFile, scriptedModel } = await import('@toolwright/agency')
  const args =
    options.args === undefined ? [] : list(json(options.args, '--args', `Write a list: --args '["Ada", 3]'`))
  const model =
    options.scripted === undefined
      ? undefined
      : usable(() => scriptedModel(json(textOf(options.scripted!), options.scripted!)))
  if (options.log !== undefined) process.env['TOOLWRIGHT_LOG'] = resolve(options.log)
  const events: LogEvent[] = []
  const ended = endsLine()
  const drawn = async (): Promise<void> => {
    if (options.tree && events.length > 0) terminal.out(`\n${(await import('./tree.ts')).tree(events)}\n`)
  }
  try {
    const value = await runFile(path, {
      args: args as readonly unknown[],
      ...(options.node === undefined ? {} : { node: options.node }),
      ...(model === undefined ? {} : { model }),
      ...(options.tree ? { log: event => events.push(event) } : {}),
    })
    await drawn()
    if (options.json) {
      const { json: written } = await import('@toolwright/agency')
      terminal.out(`${ended() ? '' : '\n'}${oneLine(written(value ?? null))}\n`)
    }
    return 0
  } catch (error) {
    await drawn()
    terminal.err(`${terminal.style('red', 'error')} ${escapeText(crash(error))}\n`)
    return 1
  }
}

/** Whether what the program wrote to stdout so far ends its last line: a host's function may leave it open. */
function endsLine(): () => boolean {
  const { write } = process.stdout
  let last = '\n'
  process.stdout.write = ((part: string | Uint8Array, ...rest: never[]) => {
    if (part.length > 0) last = typeof part === 'string' ? part.at(-1)! : String.fromCharCode(part.at(-1)!)
    return write.call(process.stdout, part, ...rest)
  }) as typeof write
  return () => {
    process.stdout.write = write
    return last === '\n'
  }
}

/** JSON without what some take for the end of a line. */
function oneLine(written: string): string {
  return written.replace(
    /[\u0085\u2028\u2029]/g,
    sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** What the command was given cannot be used: it exits with 2. */
function usable<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof CommandError ? error : new CommandError(2, errorText(error))
  }
}

/** Says what is wrong with the files; executes nothing. Gives the exit code. */
export async function checkAgencyCommand(files: readonly string[], terminal: Terminal): Promise<number> {
  const { faultsText, program } = await import('@toolwright/agency')
  const read = program()
  for (const file of files) read.file(existing(file))
  const faulty = [...read.files.values()].filter(each => each.checked.faults.length > 0)
  for (const each of faulty) terminal.err(`${escapeText(faultsText(each))}\n\n`)
  const count = faulty.reduce((sum, each) => sum + each.checked.faults.length, 0)
  const many = read.files.size === 1 ? '1 file' : `${read.files.size} files`
  terminal.err(count === 0 ? `${many}, no faults.\n` : `${many}, ${count} fault${count === 1 ? '' : 's'}.\n`)
  return count === 0 ? 0 : 1
}

/**
 * Writes what the files compile to: beside them, or into `out`. What they import is compiled with them. `types`: only
 * what TypeScript is told of an import of the file itself, `NAME.d.agency.ts`.
 */
export async function compileAgencyCommand(
  files: readonly string[],
  { out, types = false }: { out?: string; types?: boolean },
  terminal: Terminal,
): Promise<number> {
  const { emit, program, refuseFaulty } = await import('@toolwright/agency')
  const read = program()
  for (const file of files) read.file(existing(file))
  try {
    refuseFaulty(read)
  } catch (error) {
    terminal.err(`${terminal.style('red', 'error')} ${escapeText(crash(error))}\n`)
    return 1
  }
  const root = dirname(resolve(files[0] ?? '.'))
  for (const { path, source, checked } of read.files.values()) {
    const target = (out === undefined ? path : resolve(out, relative(root, path))).replace(/\.agency$/, '')
    const folder = dirname(target)
    const name = basename(target)
    const from = relative(folder, path).replaceAll('\\', '/')
    const { code, map, declarations } = emit(checked, source, from, { compiled: !types })
    mkdirSync(folder, { recursive: true })
    if (types) {
      writeFileSync(join(folder, `${name}.d.agency.ts`), declarations)
      terminal.err(`${escapeText(join(folder, `${name}.d.agency.ts`))}\n`)
      continue
    }
    writeFileSync(join(folder, `${name}.js`), `${code}//# sourceMappingURL=${name}.js.map\n`)
    writeFileSync(join(folder, `${name}.js.map`), map)
    writeFileSync(join(folder, `${name}.d.ts`), declarations)
    terminal.err(`${escapeText(join(folder, `${name}.js`))}\n`)
  }
  return 0
}

/** Lays the files out; with `check` it writes nothing and fails where one is not laid out. Gives the exit code. */
export async function formatAgencyCommand(
  files: readonly string[],
  check: boolean,
  terminal: Terminal,
): Promise<number> {
  const { faultText, format } = await import('@toolwright/agency')
  let code = 0
  for (const file of files) {
    const path = existing(file)
    const source = readFileSync(path, 'utf8')
    const laid = format(source)
    if ('faults' in laid) {
      code = 1
      for (const fault of laid.faults) terminal.err(`${escapeText(faultText(fault, source, file))}\n\n`)
    } else if (laid.text !== source) {
      if (check) code = 1
      else writeFileSync(path, laid.text)
      terminal.err(`${escapeText(file)}${check ? ' is not laid out' : ''}\n`)
    }
  }
  return code
}

/** The language server, over stdin and stdout, until the editor ends it. */
export async function lspCommand(): Promise<never> {
  const { serve } = await import('@toolwright/agency/lsp')
  serve(process.stdin, process.stdout)
  return await new Promise<never>(() => {})
}

function existing(file: string): string {
  const path = resolve(file)
  if (!existsSync(path)) throw new CommandError(2, `There is no file ${escapeText(file)}.`)
  if (!statSync(path).isFile()) throw new CommandError(2, `${escapeText(file)} is no file.`)
  return path
}

function textOf(file: string): string {
  return readFileSync(existing(file), 'utf8')
}

function json(text: string, what: string, mend = ''): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new CommandError(
      2,
      `${escapeText(what)} is no JSON: ${(error as Error).message}${mend && `\n  ${mend}`}`,
    )
  }
}

function list(value: unknown): readonly unknown[] | Record<string, unknown> {
  if (typeof value === 'object' && value !== null)
    return value as readonly unknown[] | Record<string, unknown>
  return [value]
}

/** What ended the program: its faults as they are told, or the error with the lines of `.agency` files it came through. */
function crash(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ('count' in error) return error.message
  const lines = (error.stack ?? '').split('\n').filter(each => each.includes('.agency:'))
  return [error.message, ...lines].join('\n')
}
