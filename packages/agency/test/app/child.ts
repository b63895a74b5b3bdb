// Scripts of this folder, each run in a process of its own: what Node loads there is what people load.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Runs a script, and gives what it wrote into the file that it was named. */
export async function ran<T>(script: string): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'agency-app-'))
  const target = join(folder, 'result.json')
  const flags = ['--conditions=development', '--disable-warning=ExperimentalWarning']
  try {
    await promisify(execFile)(process.execPath, [...flags, join(import.meta.dirname, script), target], {
      timeout: 60_000,
    })
    return JSON.parse(readFileSync(target, 'utf8')) as T
  } finally {
    rmSync(folder, { recursive: true })
  }
}
