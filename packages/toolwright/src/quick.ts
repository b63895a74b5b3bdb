// `toolwright run FILE.agency`, and nothing else: it starts without what the other commands need.
import { parseArgs } from 'node:util'
import { type AgencyRunOptions, runAgencyCommand } from './agency.ts'
import { openTerminal } from './terminal.ts'
import { CommandError } from './trouble.ts'

/** The options, where the line has none but these; the whole command reads every other line. */
function read(argv: readonly string[]): { file: string; options: AgencyRunOptions } | undefined {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        node: { type: 'string' },
        args: { type: 'string' },
        scripted: { type: 'string' },
        json: { type: 'boolean' },
        tree: { type: 'boolean' },
        log: { type: 'string' },
      },
    })
    const [command, file, ...more] = positionals
    return command === 'run' && file && more.length === 0 ? { file, options: values } : undefined
  } catch {
    return undefined
  }
}

const stated = read(process.argv.slice(2))
if (!stated) await import('./main.ts')
else {
  const terminal = openTerminal()
  let code = 1
  try {
    code = await runAgencyCommand(stated.file, stated.options, terminal)
  } catch (error) {
    terminal.err(`${terminal.style('red', 'error')} ${(error as Error).message}\n`)
    code = error instanceof CommandError ? error.code : 1
  }
  process.stdout.write('', () => process.exit(code))
}
