// What an installation weighs: a package and all that it depends on, as it lies on the disk. Bytes of files, added
// up, each package once; packages that only others need are not counted. No registry is asked.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const HERE = dirname(fileURLToPath(import.meta.url))

const INSTALLED = /[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+$/

export interface Weight {
  bytes: number
  packages: number
}

interface Manifest {
  name: string
  version: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

/** The weight of `names` together, installed in a folder of their own. */
export function weigh(names: readonly string[]): Weight {
  const found = new Set<string>()
  for (const name of names) gather(name, HERE, true, found)
  let bytes = 0
  for (const folder of found) bytes += INSTALLED.test(folder) ? bytesUnder(folder) : bytesPacked(folder)
  return { bytes, packages: found.size }
}

/** The installed version of a package. */
export function versionOf(name: string): string {
  const folder = locate(name, HERE)
  return folder === undefined ? '' : manifestOf(folder).version
}

function gather(name: string, from: string, needed: boolean, found: Set<string>): void {
  const folder = locate(name, from)
  if (folder === undefined) {
    if (needed) throw new Error(`${name} is not installed, which ${from} needs`)
    return
  }
  if (found.has(folder)) return
  found.add(folder)
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, ...rest } = manifestOf(folder)
  for (const each of Object.keys(dependencies)) gather(each, folder, !(each in optionalDependencies), found)
  for (const each of Object.keys(optionalDependencies)) gather(each, folder, false, found)
  for (const each of Object.keys(peerDependencies))
    if (!rest.peerDependenciesMeta?.[each]?.optional) gather(each, folder, true, found)
}

/** Where `name` is found by what stands in `from`, as Node looks for it. */
function locate(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name)
    if (existsSync(join(candidate, 'package.json'))) return realpathSync(candidate)
    if (folder === dirname(folder)) return undefined
  }
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}

function bytesUnder(folder: string): number {
  let bytes = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === 'node_modules') continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) bytes += bytesUnder(path)
    else if (entry.isFile()) bytes += statSync(path).size
  }
  return bytes
}

/** Of a package of this workspace: what `npm pack` would put into it. */
function bytesPacked(folder: string): number {
  const packed = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  const told: unknown = JSON.parse(packed.stdout)
  // npm 11 answers a list, older and newer ones an object by name.
  const [one] = Object.values(told as Record<string, { unpackedSize: number }>)
  return one!.unpackedSize
}
