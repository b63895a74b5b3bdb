// Where files come from: the disk, unless a door has them in its own hands.
import { readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve as absolute, dirname } from 'node:path'
import type { NapiResolveOptions } from 'oxc-resolver'

/** How the reader comes by files. */
export interface Host {
  /** The text of a file; nothing where it cannot be read. */
  read(path: string): string | undefined
  /** The file that `specifier` means in `from`: TypeScript, or a declaration; nothing where there is none. */
  resolve(specifier: string, from: string): string | undefined
}

/** The disk. */
export const disk: Host = {
  read(path) {
    try {
      return readFileSync(path, 'utf8')
    } catch {
      return undefined
    }
  },
  resolve(specifier, from) {
    const near = /^\.{0,2}\//.test(specifier) ? besides(absolute(dirname(from), specifier)) : undefined
    return near ?? throughPackages(specifier, from)
  },
}

// What stands in a TypeScript import in place of the file itself. The order is TypeScript's own.
function besides(path: string): string | undefined {
  if (/\.[cm]?tsx?$/.test(path)) return isFile(path) ? path : undefined
  const [, stem = path, kind] = /^(.*)\.([cm]?)jsx?$/.exec(path) ?? []
  const stems = kind === undefined ? [path, `${path}/index`] : [stem]
  const ends = kind ? [`.${kind}ts`, `.d.${kind}ts`] : ['.ts', '.tsx', '.d.ts']
  for (const each of stems) for (const end of ends) if (isFile(each + end)) return each + end
  return undefined
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

/** Declarations of packages, and files by the `paths` of a tsconfig: the first that finds anything counts. */
let resolvers: readonly ((from: string, specifier: string) => string | undefined)[] | undefined

// They are loaded when the first such import is followed: most files have none.
function throughPackages(specifier: string, from: string): string | undefined {
  if (specifier.startsWith('node:')) return undefined
  resolvers ??= makeResolvers()
  for (const resolver of resolvers) {
    const found = resolver(from, specifier)
    // What `exports` names need not be there.
    if (found && /\.[cm]?tsx?$/.test(found) && isFile(found)) return found
  }
  return undefined
}

function makeResolvers(): NonNullable<typeof resolvers> {
  const { ResolverFactory } = createRequire(import.meta.url)('oxc-resolver') as typeof import('oxc-resolver')
  const common: NapiResolveOptions = {
    extensions: ['.ts', '.tsx', '.mts', '.cts', '.d.ts'],
    tsconfig: 'auto',
  }
  const declarations = new ResolverFactory({
    ...common,
    conditionNames: ['types', 'import', 'node', 'default'],
  })
  // The other reads no `paths`. A package of the same repository may have sources only, under a condition.
  const files = new ResolverFactory({
    ...common,
    conditionNames: ['types', 'development', 'source', 'import', 'node', 'default'],
    extensionAlias: {
      '.js': ['.ts', '.tsx', '.d.ts'],
      '.mjs': ['.mts', '.d.mts'],
      '.cjs': ['.cts', '.d.cts'],
    },
  })
  return [
    (from, specifier) => declarations.resolveDtsSync(from, specifier).path,
    (from, specifier) => files.resolveFileSync(from, specifier).path,
  ]
}
