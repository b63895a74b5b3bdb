// Reads a file in a process of its own, which does nothing else, so that what it takes can be measured.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** What came of reading a file, and what the process that asked for it took. */
export interface Alone {
  /** The code of the refusal; absent where it was read. */
  code?: string
  /** How many characters were read. */
  length: number
  /** The most bytes that the process held beside what it held at first. */
  grown: number
  ms: number
}

/** Reads a file of those bytes. */
export async function readAlone(name: string, bytes: Uint8Array): Promise<Alone> {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-files-'))
  try {
    const path = join(folder, name)
    writeFileSync(path, bytes)
    const script = fileURLToPath(new URL('./measure.ts', import.meta.url))
    const flags = ['--conditions=development', '--disable-warning=ExperimentalWarning']
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, script, path])
    return JSON.parse(stdout) as Alone
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
