// The door of plain tsc builds: a folder of sources, expanded into another that tsc then compiles.
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { ToolwrightError } from '@toolwright/core'
import { mayHaveCalls } from '../expand/calls.ts'
import { examine, expansionOf } from '../expand/expand.ts'
import { refusal, type TypeFault } from '../faults.ts'
import { reader } from '../read/reader.ts'

export interface FolderOptions {
  /** Nothing is written: only what is refused and what is warned of counts [false]. */
  check?: boolean
}

export interface FolderResult {
  /** The files that were expanded, as paths inside of the folder; the others were copied as they are. */
  expanded: readonly string[]
  copied: readonly string[]
  warnings: readonly TypeFault[]
}

/**
 * Expands every TypeScript file of the folder `src` into the folder `out`, and copies every other file. Folders called
 * node_modules, and `out` itself, are left out. Throws one error that lists every fault of every file, and writes
 * nothing then.
 */
export function expandFolder(src: string, out: string, options: FolderOptions = {}): FolderResult {
  const from = resolve(src)
  const to = resolve(out)
  if (!existsSync(from) || !statSync(from).isDirectory())
    throw new ToolwrightError('T2105', `there is no folder ${src}`, { fix: 'name the folder of the sources' })
  if (from === to || from.startsWith(`${to}/`) || from.startsWith(`${to}\\`))
    throw new ToolwrightError('T2105', `${out} holds the sources`, { fix: 'name another folder after --out' })
  const shared = reader()
  const faults: TypeFault[] = []
  const warnings: TypeFault[] = []
  const written: { file: string; code: string }[] = []
  const copied: string[] = []
  for (const file of filesIn(from, to)) {
    const path = join(from, file)
    const source = /\.[cm]?tsx?$/.test(file) && !/\.d\.[cm]?ts$/.test(file) ? readFileSync(path, 'utf8') : ''
    if (!mayHaveCalls(source)) {
      copied.push(file)
      continue
    }
    const examined = examine(source, path, shared)
    faults.push(...examined.faults)
    warnings.push(...examined.warnings)
    const code = examined.faults.length > 0 ? source : expansionOf(source, examined).code
    if (code === source) copied.push(file)
    else written.push({ file, code })
  }
  if (faults.length > 0) throw refusal(faults)
  if (!options.check) {
    for (const { file, code } of written) writeFileSync(made(join(to, file)), code)
    for (const file of copied) copyFileSync(join(from, file), made(join(to, file)))
  }
  return { expanded: written.map(each => each.file), copied, warnings }
}

function filesIn(from: string, out: string): string[] {
  const inside = relative(from, out)
  return globSync('**/*', { cwd: from, withFileTypes: true, exclude: entry => entry.name === 'node_modules' })
    .filter(entry => entry.isFile())
    .map(entry => relative(from, join(entry.parentPath, entry.name)))
    .filter(file => inside.startsWith('..') || !file.startsWith(join(inside, '/')))
    .sort()
}

function made(path: string): string {
  mkdirSync(dirname(path), { recursive: true })
  return path
}
