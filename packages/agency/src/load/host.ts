// The files of a program: read, parsed and checked, each once. Nothing of them is executed.
import { existsSync, readFileSync, statSync } from 'node:fs'
import * as modules from 'node:module'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { disk } from '@toolwright/typed/read'
import { check } from '../check/check.ts'
import type { Checked, CheckHost, Exported, ModuleFace } from '../check/checker.ts'
import { colours } from '../check/colour.ts'
import { parse } from '../parse/parse.ts'
import { foreignFaces } from './foreign.ts'

/** A path, and not the name of a package. */
export const RELATIVE = /^\.{0,2}\//

/** A checked file. */
export interface Source {
  path: string
  source: string
  checked: Checked
}

/** Where sources come from: an editor has some that are not saved. */
export type ReadSource = (path: string) => string | undefined

export interface Program {
  /** The file, checked; nothing where it cannot be read. */
  file(path: string): Source | undefined
  /** All files that were read so far. */
  readonly files: ReadonlyMap<string, Source>
}

/** The files that belong together. */
export function program(read: ReadSource = fromDisk): Program {
  const files = new Map<string, Source>()
  const open = new Set<string>()
  const foreign = foreignFaces()
  const file = (path: string): Source | undefined => {
    const known = files.get(path)
    if (known) return known
    const source = read(path)
    if (source === undefined) return undefined
    open.add(path)
    const parsed = parse(source)
    const checked = check(parsed.program, hostOf(path, faceOf, foreign), parsed.faults)
    open.delete(path)
    const made = { path, source, checked }
    files.set(path, made)
    return made
  }
  const faceOf = (path: string): ModuleFace | undefined => {
    // Two files that import each other: what the one that is being read gives is not known yet.
    if (open.has(path)) return { names: undefined, agency: true }
    const read = file(path)
    return read && withColours(read.checked)
  }
  return { file, files }
}

function fromDisk(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

const faces = new WeakMap<Checked, ModuleFace>()

/** What a file gives, with what has to be waited for. */
function withColours(checked: Checked): ModuleFace {
  let face = faces.get(checked)
  if (!face) {
    const of = colours(checked)
    const names = new Map<string, Exported>()
    for (const [name, each] of checked.face.names ?? []) {
      const { sym } = each
      const waits = sym?.def && sym.kind !== 'import' ? of.waits(sym.def) : (sym?.waits ?? each.waits ?? true)
      names.set(name, { ...each, waits })
    }
    face = { names, agency: true }
    faces.set(checked, face)
  }
  return face
}

function hostOf(
  path: string,
  faceOf: (path: string) => ModuleFace | undefined,
  foreign: ReturnType<typeof foreignFaces>,
): CheckHost {
  return {
    module: specifier =>
      RELATIVE.test(specifier) && specifier.endsWith('.agency')
        ? faceOf(resolve(dirname(path), specifier))
        : foreignModule(specifier, path, foreign),
  }
}

/** What a module gives that is not written in Agency; nothing where there is none. */
export function foreignModule(
  specifier: string,
  path: string,
  foreign: ReturnType<typeof foreignFaces>,
): ModuleFace | undefined {
  const stated = disk.resolve(specifier, path)
  if (/^\.{0,2}\//.test(specifier)) {
    const target = resolve(dirname(path), specifier)
    const file = [target, target.replace(/\.js$/, '.ts'), target.replace(/\.mjs$/, '.mts')].find(isFile)
    return file === undefined ? undefined : { names: foreign(stated ?? file), agency: false }
  }
  if (!isInstalled(specifier, path)) return undefined
  // Declarations of packages are written in ways that are not followed: what is not found may be there.
  return { names: stated === undefined ? undefined : foreign(stated), loose: true, agency: false }
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile()
}

function isInstalled(specifier: string, path: string): boolean {
  if (modules.isBuiltin(specifier)) return true
  try {
    modules.createRequire(path).resolve(specifier)
    return true
  } catch {
    try {
      // Not on every runtime.
      return modules.findPackageJSON?.(specifier, pathToFileURL(path)) !== undefined
    } catch {
      return false
    }
  }
}
