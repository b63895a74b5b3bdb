// `toolwright show LOG`: what happened, from the log of runs.
import type { LogEvent } from '@toolwright/core'
import { escapeLine } from './escape.ts'
import { gathering } from './gather.ts'
import { measures } from './measures.ts'
import { readLog } from './readlog.ts'
import type { RunTree } from './runtree.ts'
import type { Terminal } from './terminal.ts'
import { drawRun } from './tree.ts'
import { CommandError } from './trouble.ts'

export interface ShowOptions {
  /** Only the run of this id. */
  run?: string
  /** One JSON document in place of trees. */
  json: boolean
  /** The warnings of the log too. */
  warnings: boolean
}

/**
 * Shows the runs of the log `path` as trees, each under a heading where there are several, or as JSON.
 * Throws a {@link CommandError}: 2 where there is no such file or run, 1 where the file is no log.
 */
export async function showCommand(path: string, options: ShowOptions, terminal: Terminal): Promise<void> {
  const { run: wanted } = options
  const gatherer = gathering()
  const others = new Set<string>()
  const { halves } = await readLog(path, (event: LogEvent) => {
    if (wanted === undefined || event.run === wanted) gatherer.add(event)
    else others.add(event.run)
  })
  const runs = gatherer.runs()
  if (wanted !== undefined && runs.length === 0) throw new CommandError(2, noSuchRun(wanted, [...others]))
  if (options.json) printJson(runs, terminal)
  else for (const [i, run] of runs.entries()) printTree(run, runs.length > 1, i, options, terminal)
  if (runs.length === 0 && !options.json) note(terminal, `${escapeLine(path, 400)} holds no run.`)
  if (halves.length > 0)
    note(
      terminal,
      `Half-written, and left out: line ${halves.slice(0, 20).join(', ')}${halves.length > 20 ? ' …' : ''}.`,
    )
}

/** Run by run, for all of them in one text may be longer than a text can be. */
function printJson(runs: readonly RunTree[], terminal: Terminal): void {
  terminal.out('{"runs":[')
  for (const [i, run] of runs.entries()) terminal.out(`${i > 0 ? ',' : ''}\n${JSON.stringify(run)}`)
  terminal.out(`${runs.length > 0 ? '\n' : ''}]}\n`)
}

function printTree(run: RunTree, headed: boolean, i: number, options: ShowOptions, terminal: Terminal): void {
  const heading = headed ? `${i > 0 ? '\n' : ''}${headingOf(run)}\n` : ''
  const drawn = drawRun(run, { warnings: options.warnings })
  terminal.out(`${heading}${drawn}${drawn === '' ? '' : '\n'}`)
}

/** `# 1f0c9a2b-1 capitals, 2026-11-30 23:26:07Z (1.9s, 94 tok)`, or `⋯` where it has not ended. */
function headingOf({ run, agent, at, end }: RunTree): string {
  const when = Number.isFinite(new Date(at).getTime()) ? new Date(at).toISOString() : String(at)
  const began = when.replace(/T(.*)\.\d+Z$/, ' $1Z')
  const name = agent === '' ? '' : ` ${escapeLine(agent)},`
  return `# ${escapeLine(run)}${name} ${began}${end ? ` (${measures(end, end.usage)})` : ' ⋯'}`
}

function noSuchRun(wanted: string, others: readonly string[]): string {
  const names = others.slice(0, 20).map(name => escapeLine(name))
  const there =
    names.length === 0 ? 'It holds no run.' : `It holds ${names.join(', ')}${others.length > 20 ? ' …' : ''}.`
  return `There is no run ${escapeLine(wanted)} in it. ${there}`
}

function note(terminal: Terminal, text: string): void {
  terminal.err(`${terminal.style('yellow', '!')} ${text}\n`)
}
