// The log as a file: one line of JSON an event. Node's own modules are asked for where the platform has them, so that
// this runs everywhere and writes where it can.

import { type Environment, secretsIn, textMask } from '../mask/shapes.ts'
import type { Log } from './log.ts'
import { maskEvent } from './mask.ts'

interface Files {
  appendFileSync(path: string, text: string, options: { mode: number }): void
  statSync(path: string, options: { throwIfNoEntry: false }): { size: number; isFile(): boolean } | undefined
  openSync(path: string, flags: 'r'): number
  readSync(file: number, into: Uint8Array, offset: number, length: number, position: number): number
  closeSync(file: number): void
  readFileSync(path: string, encoding: 'utf8'): string
  writeFileSync(path: string, text: string, options: { mode: number }): void
}

interface Platform {
  process?: { env?: Environment; getBuiltinModule?: (name: string) => Files | undefined }
}

const platform = (globalThis as Platform).process

/** The variable that names a file which the log of every run joins. */
const VARIABLE = 'TOOLWRIGHT_LOG'

/**
 * The log of a run: the one that it was told, and the file that TOOLWRIGHT_LOG names. Nothing where there is neither.
 * The variable is read at each run, so a script may set it too.
 */
export function logged(own: Log | undefined): Log | undefined {
  const path = platform?.env?.[VARIABLE]
  if (path === undefined || path === '') return own
  const file = logTo(path)
  if (own === undefined || own === file) return file
  const both: Log = event => {
    try {
      own(event)
    } finally {
      file(event)
    }
  }
  both.forget = run => {
    own.forget?.(run)
    file.forget?.(run)
  }
  return both
}

const logs = new Map<string, Log>()

/**
 * A log that adds each event to the file `path` as a line of JSON, at once and whole, so that a process that is killed
 * leaves whole lines and several processes may share a file. The file is made with mode 0600. Secrets are masked: see
 * docs/reference/log.md. What cannot be written ends no run; it is told once on stderr.
 */
export function logTo(path: string): Log {
  const known = logs.get(path)
  if (known) return known
  const files = platform?.getBuiltinModule?.('node:fs')
  const mask = freshMask(platform?.env ?? {})
  /** Whether the file is known to end in a whole line. */
  let whole = false
  let told = false
  const log: Log = event => {
    try {
      if (!files) throw new Error('this platform has no files')
      const line = `${JSON.stringify(maskEvent(event, mask()))}\n`
      const torn = !whole && endsTorn(files, path)
      whole = false
      files.appendFileSync(path, torn ? `\n${line}` : line, { mode: 0o600 })
      whole = true
    } catch (error) {
      if (told) return
      told = true
      const why = error instanceof Error ? error.message : String(error)
      console.error(`toolwright: the log ${path} is not whole: ${why}`)
    }
  }
  // The lines of others stay as they are. What another process adds in this very moment may go with them.
  log.forget = run => {
    if (!files?.statSync(path, { throwIfNoEntry: false })?.isFile()) return
    const lines = files.readFileSync(path, 'utf8').split('\n')
    const kept = lines.filter(line => !isOf(line, run))
    if (kept.length < lines.length) files.writeFileSync(path, kept.join('\n'), { mode: 0o600 })
  }
  logs.set(path, log)
  return log
}

/** Whether a line tells of the run; what is no event tells of none. */
function isOf(line: string, run: string): boolean {
  if (!line.includes(JSON.stringify(run))) return false
  try {
    return (JSON.parse(line) as { run?: unknown }).run === run
  } catch {
    return false
  }
}

/** The mask for the environment as it is now: a script may load its keys after its first run. */
function freshMask(env: Environment): () => (text: string) => string {
  let secrets: string | undefined
  let mask: (text: string) => string
  return () => {
    const now = secretsIn(env).join('\n')
    if (now !== secrets) mask = textMask(env)
    secrets = now
    return mask
  }
}

/** True where the file ends in half a line, as a machine leaves it that lost its power or its room. */
function endsTorn(files: Files, path: string): boolean {
  const stat = files.statSync(path, { throwIfNoEntry: false })
  // A pipe has no end to look at, and opening one would wait for whoever writes to it.
  if (!stat?.isFile() || stat.size === 0) return false
  const file = files.openSync(path, 'r')
  try {
    const last = new Uint8Array(1)
    files.readSync(file, last, 0, 1, stat.size - 1)
    return last[0] !== 10
  } finally {
    files.closeSync(file)
  }
}
