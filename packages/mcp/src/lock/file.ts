// The lock on disk.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { ToolwrightError } from '@toolwright/core'
import { canonical } from './canonical.ts'
import { type Lock, parseLock } from './lock.ts'

/** The lock in `file`; nothing where there is no such file. Throws `T5002` where it is broken or cannot be read. */
export function readLock(file: string): Lock | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new ToolwrightError('T5002', `the lock ${file} cannot be read: ${(error as Error).message}`)
  }
  return parseLock(text.replace(/^\ufeff/, ''), file)
}

/** Writes the lock, whole or not at all; the same lock gives the same bytes. */
export function writeLock(file: string, lock: Lock): void {
  const draft = `${file}.${process.pid}.draft`
  writeFileSync(draft, `${JSON.stringify(JSON.parse(canonical(lock)), null, 2)}\n`)
  renameSync(draft, file)
}
