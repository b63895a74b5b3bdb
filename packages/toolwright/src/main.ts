// The command `toolwright`: reads the arguments and hands over. What each command does is in a file of its name.
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Agent } from '@toolwright/core'
import { servingOf } from '@toolwright/core/engine'
import { Command, CommanderError } from 'commander'
import {
  type AgencyRunOptions,
  checkAgencyCommand,
  compileAgencyCommand,
  formatAgencyCommand,
  lspCommand,
  runAgencyCommand,
} from './agency.ts'
import { chatCommand } from './chat.ts'
import { escapeLine } from './escape.ts'
import { explain, listCodes } from './explain.ts'
import { keepStdoutPure } from './json.ts'
import { loadAgent } from './load.ts'
import { addMcpCommands, askByTerminal } from './mcp.ts'
import { moveCommand } from './move.ts'
import { addRecipeCommands } from './recipe.ts'
import { type RunOptions, runCommand } from './run.ts'
import { addRunCommands, showRun } from './runs.ts'
import { type ShowOptions, showCommand } from './show.ts'
import { openTerminal } from './terminal.ts'
import { CommandError, errorText } from './trouble.ts'
import { expandCommand, schemaCommand } from './typed.ts'

interface AgentOptions extends Partial<RunOptions> {
  agent?: string
  log?: string
}

const terminal = openTerminal()

/** Runs the command that `argv` (without node and script) states; gives the exit code. */
async function main(argv: readonly string[]): Promise<number> {
  let code = 0
  const program = new Command('toolwright')
    .description('Runs agents from the terminal.')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this')
    .helpCommand(false)
    .showHelpAfterError('(toolwright --help shows how it is used)')
    .exitOverride()
    .addHelpText('after', `\n${exitCodes}\n`)

  withAgentOptions(program.command('run'))
    .summary('answer one message, or run a node of an .agency file')
    .description(
      'Answers one message: the text of the answer on stdout as it is written, a line for each tool call on stderr.\n' +
        'Without a message it is read from what is piped in, or asked for.',
    )
    .argument('<file>', 'a .ts or .js file that exports an agent, or an .agency file')
    .option('--node <name>', 'of an .agency file: the node to run [main]')
    .option('--args <json>', 'of an .agency file: what the node is given, a list or a record')
    .option('--scripted <file>', 'of an .agency file: a JSON list of turns in place of a model')
    .argument('[message...]', 'the message; several words are joined')
    .addHelpText('after', runExamples)
    .action(async (file: string, words: string[], options: AgentOptions & AgencyRunOptions) => {
      if (file.endsWith('.agency')) {
        if (words.length > 0)
          throw new CommandError(
            2,
            'An .agency file takes no message. Give its node arguments: --args \'["…"]\'',
          )
        code = await runAgencyCommand(file, options, terminal)
        return
      }
      const agent = await askedFor(await loadAgent(file, options.agent))
      code = await runCommand(agent, words.length > 0 ? words.join(' ') : undefined, read(options), terminal)
    })

  program
    .command('check')
    .summary('say what is wrong with .agency files')
    .description('Says all that is wrong with .agency files and what they import. Nothing of them is run.')
    .argument('<files...>', '.agency files')
    .action(async (files: string[]) => {
      code = await checkAgencyCommand(files, terminal)
    })

  program
    .command('compile')
    .summary('write .agency files as JavaScript')
    .description('Writes ES modules with source maps and declarations: beside the files, or into a folder.')
    .argument('<files...>', '.agency files')
    .option('--out <folder>', 'where they are written')
    .option('--types', 'only what TypeScript is told of the files: NAME.d.agency.ts')
    .action(async (files: string[], options: { out?: string; types?: boolean }) => {
      code = await compileAgencyCommand(files, options, terminal)
    })

  program
    .command('format')
    .summary('lay .agency files out')
    .description('Lays .agency files out in one way; comments stay. Nothing of them is run.')
    .argument('<files...>', '.agency files')
    .option('--check', 'write nothing, and fail where a file is not laid out')
    .action(async (files: string[], { check = false }: { check?: boolean }) => {
      code = await formatAgencyCommand(files, check, terminal)
    })

  program
    .command('lsp')
    .summary('the language server for .agency files, over stdin and stdout')
    .option('--stdio', 'what editors add; it is always so')
    .action(lspCommand)

  withAgentOptions(program.command('chat'))
    .summary('talk with an agent')
    .description(
      'Keeps a conversation going until ctrl-D or /exit. Ctrl-C stops the answer that is being written.',
    )
    .argument('<file>', 'a .ts or .js file that exports an agent')
    .action(async (file: string, options: AgentOptions) => {
      code = await chatCommand(await askedFor(await loadAgent(file, options.agent)), read(options), terminal)
    })

  program
    .command('show')
    .summary('show what happened in a run of a store, or in the runs of a log')
    .description(
      'Draws the thread of every run in a log as a tree, with what happened inside of each call; of a run in a store,\n' +
        'where it stands, its steps and what it waits for too.',
    )
    .argument('<what>', 'a file that --log or TOOLWRIGHT_LOG wrote, or the id of a run, or its beginning')
    .option('--run <id>', 'of a log: only this run')
    .option('--store <store>', 'the file of a SQLite store, or the url of a PostgreSQL one')
    .option('--json', 'print one JSON document for programs')
    .option('--warnings', 'of a log: show the warnings too')
    .action(async (what: string, stated: Partial<ShowOptions> & { store?: string }) => {
      const { run, json = false, warnings = false, store } = stated
      // What looks like a file is one: it is said that it is not there, and not that a store has no such run.
      if (store === undefined && (existsSync(what) || /[./\\]/.test(what)))
        await showCommand(what, { json, warnings, ...(run === undefined ? {} : { run }) }, terminal)
      else await showRun(what, { json, ...(store === undefined ? {} : { store }) }, terminal)
    })

  addRunCommands(program, terminal, ended => {
    code = ended
  })

  program
    .command('expand')
    .summary('write the schemas of types into a copy of the sources')
    .description(
      'Writes a copy of a folder, in which each call has the schema of its types: for builds by plain tsc.',
    )
    .argument('<from>', 'the folder of the sources')
    .requiredOption('--out <folder>', 'where the copy is written')
    .option('--check', 'write nothing, and fail where a type is refused')
    .action((from: string, { out, check = false }: { out: string; check?: boolean }) =>
      expandCommand(from, out, check, terminal),
    )

  program
    .command('schema')
    .summary('print the schemas that a file gets from its types')
    .argument('<file>', 'a .ts file')
    .option('--json', 'print one JSON document for programs')
    .action((file: string, { json = false }: { json?: boolean }) => schemaCommand(file, json, terminal))

  addRecipeCommands(program, terminal, ended => {
    code = ended
  })

  addMcpCommands(program, terminal, ended => {
    code = ended
  })

  program
    .command('move')
    .summary('move the runs and threads of a SQLite store into PostgreSQL')
    .description(
      'Moves all runs and threads into the database, in one transaction. The file is called FILE.moved from then on.',
    )
    .argument('<file>', 'the file of the SQLite store; no process may work on it')
    .argument('<url>', 'the database: postgres://user:password@host:port/name')
    .option('--json', 'print one JSON document for programs')
    .action((file: string, url: string, { json = false }: { json?: boolean }) =>
      moveCommand(file, url, json, terminal),
    )

  program
    .command('explain')
    .summary('say what an error code means')
    .description(
      'Prints the page of an error code: what happened, why, the mend and an example. Without one, the list.',
    )
    .argument('[code]', 'T1009, say')
    .action((wanted?: string) => terminal.out(wanted === undefined ? listCodes() : explain(wanted)))

  try {
    await program.parseAsync(argv, { from: 'user' })
    return code
  } catch (error) {
    // Commander has told it already: 0 for --help and --version, else the usage was wrong.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    const expected = error instanceof CommandError
    terminal.err(`${terminal.style('red', 'error')} ${expected ? error.message : errorText(error)}\n`)
    return expected ? error.code : 1
  }
}

/** An agent whose outside servers ask at this terminal before their first start. */
async function askedFor(agent: Agent): Promise<Agent> {
  if (agent.tools.some(each => servingOf(each) !== undefined)) await askByTerminal(terminal)
  return agent
}

function withAgentOptions(command: Command): Command {
  return command
    .option('--agent <name>', 'which agent, where the file exports several')
    .option('--ask', 'ask before every call that is not read-only')
    .option('--json', 'print pieces as JSON lines on stdout, and nothing else')
    .option('--tree', 'print the thread as a tree at the end')
    .option('--log <file>', 'add the log of every run to a file, in place of the one TOOLWRIGHT_LOG names')
    .option('-q, --quiet', 'print the answer, questions and errors only')
    .hook('preAction', (_, action) => {
      const { json, tree, log } = action.opts<AgentOptions>()
      if (json) keepStdoutPure()
      if (json && tree) action.error("error: option '--json' cannot be used with option '--tree'")
      // The variable, so that runs which the file itself begins are logged too. It is read at each run.
      if (log !== undefined) process.env['TOOLWRIGHT_LOG'] = resolve(log)
    })
}

function read({ ask = false, json = false, tree = false, quiet = false }: AgentOptions): RunOptions {
  return { ask, json, tree, quiet }
}

function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return escapeLine((JSON.parse(text) as { version: string }).version)
}

const exitCodes = `Exit codes: 0 answered or shown · 1 the run or the file failed · 2 wrong usage · 130 stopped by ctrl-C
TOOLWRIGHT_LOG=FILE adds the log of every run, of any script, to a file that \`toolwright show\` draws.
TOOLWRIGHT_STORE=FILE names the store of runs, asks, approve and the like, where there are several in the folder.`
const runExamples = `
Examples:
  toolwright run agent.ts 'What is the capital of India?'
  cat report.txt | toolwright run agent.ts --quiet > summary.txt
  toolwright run agent.ts --json 'Hello' | jq -r 'select(.kind == "call") | .call.tool'
  toolwright run sum.agency --args '[4, 5]' --scripted turns.json --tree
`

const code = await main(process.argv.slice(2))
// A module of the agent may keep a connection open; the command is done. What is on its way out goes out first.
process.stdout.write('', () => process.exit(code))
