// The commands on a store: what runs there are, what they ask, and what they are told.
import type { Asked, Engine, RunRecord } from '@toolwright/core'
import { logTo } from '@toolwright/core'
import type { Command } from 'commander'
import { escapeLine } from './escape.ts'
import { gather } from './gather.ts'
import { jsonLine } from './json.ts'
import { askDetails } from './lines.ts'
import { duration, when } from './measures.ts'
import { stepsText } from './steps.ts'
import { findRun, openStore } from './store.ts'
import { eventsOf } from './storelog.ts'
import type { Terminal } from './terminal.ts'
import { drawRun } from './tree.ts'
import { CommandError } from './trouble.ts'

/** What every command on a store takes. */
export interface StoreStated {
  store?: string
  json?: boolean
}

const STATES = ['ready', 'running', 'waiting', 'done', 'failed', 'stopped', 'parked', 'stuck'] as const
type State = (typeof STATES)[number]

/** Adds the commands to `program`; `exit` is told what the process exits with. */
export function addRunCommands(program: Command, terminal: Terminal, exit: (code: number) => void): void {
  const command = (usage: string, summary: string): Command =>
    program
      .command(usage)
      .summary(summary)
      .option('--store <store>', 'the file of a SQLite store, or the url of a PostgreSQL one')
      .option('--json', 'print one JSON document for programs')

  command('runs', 'list the runs of a store')
    .option('--status <status...>', `only those that are ${STATES.join(', ')}`)
    .option('--person <person>', 'only those that this person started')
    .option('--limit <count>', 'at most so many, the newest first', '50')
    .action((stated: StoreStated & { status?: string[]; person?: string; limit: string }) =>
      on(stated, async store => {
        const wrong = stated.status?.find(each => !STATES.includes(each as State))
        if (wrong) throw new CommandError(2, `There is no status ${escapeLine(wrong)}: ${STATES.join(', ')}.`)
        const runs = await store.list({
          limit: Number(stated.limit) || 50,
          ...(stated.status ? { status: stated.status as State[] } : {}),
          ...(stated.person === undefined ? {} : { person: stated.person }),
        })
        terminal.out(stated.json ? `${jsonLine({ runs })}\n` : tableOf(runs, terminal))
      }),
    )

  command('asks', 'list what waits for a person')
    .argument('[run]', 'only of this run: its id, or the beginning of it')
    .action((wanted: string | undefined, stated: StoreStated) =>
      on(stated, async store => {
        const run = wanted === undefined ? undefined : (await findRun(store, wanted)).id
        const asks = await store.asks(run)
        if (stated.json) terminal.out(`${jsonLine({ asks })}\n`)
        else if (asks.length === 0) terminal.out('Nothing waits for a person.\n')
        else terminal.out(asks.map(ask => askText(ask, terminal)).join('\n'))
      }),
    )

  const answer = (approved: boolean) => (wanted: string, step: string | undefined, stated: AnswerStated) =>
    on(stated, async store => {
      const { id } = await findRun(store, wanted)
      const asks = await store.asks(id)
      const ask = step ?? onlyOf(asks, id)
      if (!/(^|\/)ask [^/]+$/.test(ask))
        throw new CommandError(
          2,
          `${escapeLine(ask)} is no ask: they are called 'ask 1.1'. \`toolwright asks\` lists them.`,
        )
      const { why, forRun } = stated
      const waiting = asks.find(each => each.step === ask)
      const said = await store.decide(
        id,
        ask,
        approved
          ? { approved: true }
          : {
              approved: false,
              ...(why === undefined ? {} : { why }),
              ...(forRun && waiting ? { forRun: waiting.definition ?? waiting.call.tool } : {}),
            },
      )
      const taken = said === 'taken'
      if (stated.json)
        terminal.out(`${jsonLine({ run: id, ask, answer: taken ? 'taken' : 'no longer waiting' })}\n`)
      else if (taken)
        terminal.out(
          `${approved ? 'Approved' : 'Refused'}: ${escapeLine(ask)} of ${short(id)}${waiting ? '' : ', which does not ask it yet: the answer is kept until it does'}.\n`,
        )
      else
        throw new CommandError(1, `${escapeLine(ask)} of ${short(id)} is no longer waiting; nothing changed.`)
      if (!taken) exit(1)
    })

  command('approve', 'let a call be made that waits for a person')
    .argument('<run>', 'the id of the run, or the beginning of it')
    .argument('[ask]', "what it asks: 'ask 1.1'; left out where it asks one thing")
    .action(answer(true))
  command('refuse', 'tell the model T7111 in place of a call that waits for a person')
    .argument('<run>', 'the id of the run, or the beginning of it')
    .argument('[ask]', "what it asks: 'ask 1.1'; left out where it asks one thing")
    .option('--why <reason>', 'what the model is told as the reason')
    .option('--for-run', 'the tool is not asked about again in this run')
    .action(answer(false))

  const does = (
    usage: string,
    summary: string,
    done: string,
    work: (store: Engine, id: string) => Promise<boolean>,
    mend = '',
  ) =>
    command(usage, summary)
      .argument('<run>', 'the id of the run, or the beginning of it')
      .action((wanted: string, stated: StoreStated) =>
        on(stated, async store => {
          const run = await findRun(store, wanted)
          const did = await work(store, run.id)
          if (stated.json) terminal.out(`${jsonLine({ run: run.id, done: did })}\n`)
          else if (did) terminal.out(`${done} ${short(run.id)}.\n`)
          else throw new CommandError(1, `${short(run.id)} is ${run.status}; nothing changed.${mend}`)
          if (!did) exit(1)
        }),
      )
  does('stop', 'ask a run to stop', 'Asked to stop:', (store, id) => store.stop(id))
  does('resume', 'let a parked or stuck run try again', 'Tries again:', (store, id) => store.resume(id))
  does(
    'delete',
    'delete a run that has ended, with all that it wrote',
    'Deleted:',
    (store, id) => deleted(store, id),
    ' Stop it first: toolwright stop RUN.',
  )

  command('send', 'say something to a run while it works')
    .argument('<run>', 'the id of the run, or the beginning of it')
    .argument('<message...>', 'what is said; several words are joined')
    .action((wanted: string, words: string[], stated: StoreStated) =>
      on(stated, async store => {
        const { id, status } = await findRun(store, wanted)
        const why = 'the person wrote something else instead'
        const decline = status === 'waiting' ? { decline: { approved: false as const, why } } : {}
        const sent = (await store.send(id, 'mail', words.join(' '), decline)) === 'taken'
        if (stated.json) terminal.out(`${jsonLine({ run: id, sent })}\n`)
        else if (sent) terminal.out(`Sent to ${short(id)}.\n`)
        else throw new CommandError(1, `${short(id)} has ended, and hears nothing any more.`)
        if (!sent) exit(1)
      }),
    )
}

/** Deletes a run, its lines of the log that TOOLWRIGHT_LOG names along with it. */
async function deleted(store: Engine, id: string): Promise<boolean> {
  const gone = await store.delete(id)
  const log = process.env['TOOLWRIGHT_LOG']
  if (gone && log) logTo(log).forget?.(id)
  return gone
}

interface AnswerStated extends StoreStated {
  why?: string
  forRun?: boolean
}

/** Works on the store that is stated, and lets go of it. */
async function on(stated: StoreStated, work: (store: Engine) => Promise<void>): Promise<void> {
  const store = await openStore(stated.store)
  try {
    await work(store)
  } finally {
    await store.close()
  }
}

/** Shows one run of a store: where it stands, its thread as a tree, its steps, and what it waits for. */
export async function showRun(wanted: string, stated: StoreStated, terminal: Terminal): Promise<void> {
  await on(stated, async store => {
    const run = await findRun(store, wanted)
    const [tree] = gather(await eventsOf(store, run))
    const steps = await store.steps(run.id)
    const asks = await store.asks(run.id)
    if (stated.json) {
      terminal.out(`${jsonLine({ run, tree, steps, asks })}\n`)
      return
    }
    const parts = [headOf(run, terminal)]
    if (tree && tree.items.length > 0) parts.push(`${drawRun(tree)}\n`)
    if (steps.length > 0) parts.push(stepsText(steps, run, asks, terminal))
    parts.push(...asks.map(ask => askText(ask, terminal)))
    terminal.out(parts.join('\n'))
  })
}

const short = (id: string): string => escapeLine(id, 80)

function onlyOf(asks: readonly Asked[], run: string): string {
  const [ask] = asks
  if (ask && asks.length === 1) return ask.step
  throw new CommandError(
    2,
    ask
      ? `${short(run)} asks ${asks.length} things; name one: ${asks.map(each => `'${escapeLine(each.step)}'`).join(', ')}.`
      : `${short(run)} asks nothing.`,
  )
}

/** `1f0c9a2b  waiting  helper  ann  2026-11-30 23:26:07Z  until 2026-12-07 …`, in columns. */
function tableOf(runs: readonly RunRecord[], terminal: Terminal): string {
  if (runs.length === 0) return 'There are no runs.\n'
  const unique = shortest(runs.map(run => run.id))
  const lines = runs.map(run => [
    escapeLine(run.id).slice(0, unique),
    run.unworked ? `${run.status}, no worker` : run.status,
    escapeLine(run.flow, 20),
    escapeLine(run.person ?? '-', 16),
    when(run.started),
  ])
  const head = ['run', 'status', 'of', 'by', 'started']
  const wide = head.map((title, i) => Math.max(title.length, ...lines.map(line => line[i]!.length)))
  const row = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => cell.padEnd(wide[i]!))
      .join('  ')
      .trimEnd()
  return `${terminal.style('dim', row(head))}\n${lines.map(line => `${row(line)}\n`).join('')}`
}

/** How much of the ids tells them apart, 8 at least. */
function shortest(ids: readonly string[]): number {
  for (let n = 8; n < 36; n++) if (new Set(ids.map(id => id.slice(0, n))).size === new Set(ids).size) return n
  return 36
}

function headOf(run: RunRecord, terminal: Terminal): string {
  const ended =
    run.ended === undefined ? '' : `, ended ${when(run.ended)} (${duration(run.ended - run.started)})`
  const due = run.status === 'waiting' && run.due !== undefined ? `, until ${when(run.due)} at most` : ''
  const by = run.person === undefined ? '' : ` by ${escapeLine(run.person)}`
  const lines = [
    terminal.style('bold', `${escapeLine(run.flow)} ${short(run.id)}`),
    `${run.status}${due}; started ${when(run.started)}${by}${ended}`,
    ...(run.error ? [terminal.style('red', escapeLine(run.error.message, 400))] : []),
  ]
  return `${lines.join('\n')}\n`
}

function askText(ask: Asked, terminal: Terminal): string {
  const head = `${terminal.style('yellow', '?')} ${escapeLine(ask.step)} of ${short(ask.run)}, until ${when(ask.until)}`
  return `${head}${askDetails(ask, terminal)}`
}
