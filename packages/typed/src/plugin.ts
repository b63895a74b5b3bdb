// The door of bundlers: one plugin for Vite (and Vitest), Rollup, Rolldown, esbuild, webpack, Rspack and Bun.
import { readFileSync } from 'node:fs'
import { createUnplugin, type UnpluginFactory, type UnpluginInstance } from 'unplugin'
import { mayHaveCalls } from './expand/calls.ts'
import { examine, expansionOf } from './expand/expand.ts'
import { faultText } from './faults.ts'
import type { Module } from './read/module.ts'
import { reader } from './read/reader.ts'

const FILES = /\.[cm]?tsx?(?:\?.*)?$/
const PACKAGES = /[\\/]node_modules[\\/]/

/** What bundlers are given: a factory as unplugin has it. */
export const types: UnpluginFactory<undefined, false> = () => {
  // Files change while a bundler watches: types are read anew, what did not change is not parsed again.
  const parsed = new Map<string, Module>()
  return {
    name: 'toolwright',
    // Before the bundler leaves the types out.
    enforce: 'pre',
    transform: {
      filter: { id: { include: FILES, exclude: PACKAGES } },
      handler(source, id) {
        const path = id.replace(/[?#].*$/, '')
        if (!FILES.test(path) || PACKAGES.test(path) || !mayHaveCalls(source)) return null
        const examined = examine(source, path, reader(undefined, parsed))
        for (const file of examined.files) this.addWatchFile(file)
        const { code, warnings } = expansionOf(source, examined)
        for (const each of warnings) this.warn(faultText(each))
        // No line and no earlier column moved, so that the map of the source is the source itself.
        return code === source ? null : { code, map: null }
      },
    },
  }
}

const plugin: UnpluginInstance<undefined, false> = createUnplugin(types)

export const { vite, rollup, rolldown, esbuild, webpack, rspack } = plugin

/** Of Bun, what this plugin asks for. */
interface BunBuild {
  /** Absent where Bun runs a program (`Bun.plugin`), in place of bundling it. */
  config?: unknown
  onLoad(
    of: { filter: RegExp },
    load: (args: { path: string }) => { contents: string; loader: 'ts' | 'tsx' | 'js' } | undefined,
  ): void
}

/** For `Bun.build({ plugins })`, and for a file that Bun preloads: `Bun.plugin(toolwright())`. */
export function bun(): { name: string; setup(build: BunBuild): void } {
  const parsed = new Map<string, Module>()
  return {
    name: 'toolwright',
    setup(build) {
      build.onLoad({ filter: FILES }, ({ path }) => {
        const source = readFileSync(path, 'utf8')
        const skipped = PACKAGES.test(path) || !mayHaveCalls(source)
        // A bundler may ask the next plugin; a running program wants each file from the one it asked.
        if (skipped && build.config) return undefined
        const loader = path.endsWith('x') ? 'tsx' : 'ts'
        if (skipped) return { contents: source, loader }
        const { code, warnings } = expansionOf(source, examine(source, path, reader(undefined, parsed)))
        for (const each of warnings) console.warn(faultText(each))
        return { contents: code, loader }
      })
    },
  }
}
