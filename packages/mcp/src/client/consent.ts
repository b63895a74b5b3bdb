// The first start of a command in a folder asks a person: a folder that was cloned is a stranger.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { ToolwrightError } from '@toolwright/core'
import type { Whereabouts } from '../lock/lock.ts'
import { written } from './names.ts'

/** What is asked about: the command as it would run, and where. */
export interface Starting {
  service: string
  folder: string
  command: string
  args: readonly string[]
}

/** Asks a person whether a command may be started; nothing where nobody is there to ask. */
export type MayStart = (starting: Starting) => Promise<boolean | undefined>

let asker: MayStart = atTerminal

/** Has the first start of commands asked by `ask`, in place of a question on the terminal. */
export function askBeforeStart(ask: MayStart): void {
  asker = ask
}

// At once, two services would write over one another's questions.
let queue: Promise<unknown> = Promise.resolve()

/** Waits for the consent of a person, asked for once for each command in each folder. Throws `T5006` without it. */
export function consent(
  service: string,
  folder: string,
  server: Extract<Whereabouts, { command: string }>,
): Promise<void> {
  const asked = queue.then(() => consented(service, folder, server))
  queue = asked.catch(() => {})
  return asked
}

async function consented(
  service: string,
  folder: string,
  server: Extract<Whereabouts, { command: string }>,
): Promise<void> {
  const { command, args } = server
  const real = realpathSync(folder)
  const key = keyOf(real, server)
  if (process.env['TOOLWRIGHT_START'] === '1' || Object.hasOwn(known(), key)) return
  const said = await asker({ service, folder: real, command, args })
  if (said === true) return remember(key, real, [command, ...args])
  const why = said === undefined ? 'nobody is there to ask' : 'the person said no'
  throw new ToolwrightError(
    'T5006',
    `the command of ${service} was not started: it is the first time in ${real}, and ${why}`,
    { fix: 'start it once on a terminal, or set TOOLWRIGHT_START=1 where you know the code' },
  )
}

/** Keeps that a person agreed, as `toolwright mcp lock` does after its own question. */
export function agreeToStart(folder: string, server: Extract<Whereabouts, { command: string }>): void {
  const real = realpathSync(folder)
  remember(keyOf(real, server), real, [server.command, ...server.args])
}

function keyOf(
  folder: string,
  { command, args, cwd, env }: Extract<Whereabouts, { command: string }>,
): string {
  const what = JSON.stringify([folder, command, args, cwd ?? '', env])
  return createHash('sha256').update(what).digest('hex')
}

function fileOf(): string {
  const state =
    process.env['TOOLWRIGHT_STATE'] ??
    join(process.env['XDG_STATE_HOME'] ?? join(homedir(), '.local', 'state'), 'toolwright')
  mkdirSync(state, { recursive: true, mode: 0o700 })
  return join(state, 'started.json')
}

function known(): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(readFileSync(fileOf(), 'utf8'))
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {}
  } catch {
    // Whoever cannot read what was agreed to asks again.
    return {}
  }
}

function remember(key: string, folder: string, command: readonly string[]): void {
  const file = fileOf()
  const draft = `${file}.${process.pid}.draft`
  const all = { ...known(), [key]: { folder, command } }
  writeFileSync(draft, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 })
  renameSync(draft, file)
}

async function atTerminal({ service, folder, command, args }: Starting): Promise<boolean | undefined> {
  const { stdin, stderr } = process
  if (stdin.isTTY !== true || stderr.isTTY !== true) return undefined
  const lines = createInterface({ input: stdin, output: stderr })
  try {
    const shown = [command, ...args].map(each => written(JSON.stringify(each))).join(' ')
    stderr.write(
      `The server ${service} would start this command for the first time in ${written(folder)}:\n  ${shown}\n`,
    )
    return /^y(es)?$/i.test((await lines.question('Start it? [y/N] ')).trim())
  } finally {
    lines.close()
  }
}
