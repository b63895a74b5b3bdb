// The files of a program: read, parsed and checked, each once. Nothing of them is executed.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createRequire, findPackageJSON, isBuiltin } from 'node:module'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { check } from '../check/check.ts'
import type { Checked, CheckHost, Exported, ModuleFace } from '../check/checker.ts'
import { colours } from '../check/colour.ts'
import { parse } from '../parse/parse.ts'

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
  const file = (path: string): Source | undefined => {
    const known = files.get(path)
    if (known) return known
    const source = read(path)
    if (source === undefined) return undefined
    open.add(path)
    const parsed = parse(source)
    const checked = check(parsed.program, hostOf(path, faceOf), parsed.faults)
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

function hostOf(path: string, faceOf: (path: string) => ModuleFace | undefined): CheckHost {
  return {
    module(specifier) {
      if (/^\.{0,2}\//.test(specifier)) {
        const target = resolve(dirname(path), specifier)
        if (specifier.endsWith('.agency')) return faceOf(target)
        const file = [target, target.replace(/\.js$/, '.ts'), target.replace(/\.mjs$/, '.mts')].find(isFile)
        return file === undefined ? undefined : { names: exportsOf(file), agency: false }
      }
      return isInstalled(specifier, path) ? { names: undefined, agency: false } : undefined
    },
  }
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile()
}

function isInstalled(specifier: string, path: string): boolean {
  if (isBuiltin(specifier)) return true
  try {
    createRequire(path).resolve(specifier)
    return true
  } catch {
    try {
      return findPackageJSON(specifier, pathToFileURL(path)) !== undefined
    } catch {
      return false
    }
  }
}

/** The names that a JavaScript or TypeScript file exports; nothing where they are not plain to see. */
function exportsOf(path: string): ModuleFace['names'] {
  const source = fromDisk(path) ?? ''
  const code = source.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/[^\n]*/g, '$1')
  if (/\bexport\s*(?:\*|(?:const|let|var)\s*[{[])|\bmodule\.exports\b|\bexports\./.test(code))
    return undefined
  const names = new Map<string, Exported>()
  const any = (): Exported => ({ type: () => ({ kind: 'any' }), waits: true })
  for (const [, name] of code.matchAll(
    /\bexport\s+(?:declare\s+)?(?:async\s+)?(?:abstract\s+)?(?:function\s*\*?|const|let|var|class|enum|type|interface)\s+([\p{L}_$][\p{L}\p{N}_$]*)/gu,
  ))
    names.set(name!, any())
  if (/\bexport\s+default\b/.test(code)) names.set('default', any())
  for (const [, list] of code.matchAll(/\bexport\s+(?:type\s+)?\{([^}]*)\}/g))
    for (const each of list!.split(',')) {
      const name = each
        .trim()
        .replace(/^type\s+/, '')
        .split(/\s+as\s+/)
        .at(-1)
        ?.trim()
      if (name) names.set(name, any())
    }
  return names
}
