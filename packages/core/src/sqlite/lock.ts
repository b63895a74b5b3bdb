// Who owns a store: a second SQLite file that is held exclusively, since Node has no flock. The system lets go of it
// in the moment in which the process dies, however it dies.
import { type FSWatcher, utimesSync, watch } from 'node:fs'
import { ToolwrightError } from '../errors.ts'
import { type Base, makePrivate } from './base.ts'
import { database } from './node.ts'

export interface Lock {
  release(): void
}

const lockOf = (file: string): string => `${file}-lock`

/** Takes the lock, waiting up to `patience` ms for a process that is about to end. `T6001` where it stays taken. */
export async function takeLock(file: string, patience: number): Promise<Lock> {
  const until = performance.now() + patience
  for (;;) {
    const lock = tryLock(file)
    if (lock) return lock
    if (performance.now() >= until)
      throw new ToolwrightError('T6001', `another process owns ${file}`, {
        fix: 'stop it first; answering, sending, stopping and reading need no owner',
      })
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

function tryLock(file: string): Lock | undefined {
  makePrivate(lockOf(file))
  const db = database(lockOf(file), { timeout: 0 })
  try {
    db.exec('pragma journal_mode = memory; pragma locking_mode = exclusive; begin exclusive')
    return { release: () => db.close() }
  } catch (error) {
    db.close()
    if (((error as { errcode?: number }).errcode ?? 0) % 256 !== 5) throw error
    return undefined
  }
}

/** Tells the owner that something was written: touches its lock file, which only others do, so that it hears no echo. */
export function ring(file: string): void {
  try {
    const now = new Date()
    utimesSync(lockOf(file), now, now)
  } catch {
    // Nobody has owned it yet.
  }
}

/**
 * Calls `changed` when another process has written. A ring is heard at once; but not everywhere does the system tell of
 * one, so every `look` ms the number that SQLite counts the commits of others in is read as well, which costs a few µs.
 */
export function watchOthers(base: Base, look: number, changed: () => void): () => void {
  let version = base.version
  const check = (): void => {
    try {
      const now = base.version
      if (now === version) return
      version = now
    } catch {
      return
    }
    changed()
  }
  const timer = setInterval(check, look)
  const unwatch = listen(base.file, check)
  return () => {
    clearInterval(timer)
    unwatch()
  }
}

function listen(file: string, heard: () => void): () => void {
  let watcher: FSWatcher | undefined
  try {
    watcher = watch(lockOf(file), heard)
    watcher.on('error', () => watcher?.close())
  } catch {
    // No watches left: looking has to do.
  }
  return () => watcher?.close()
}
