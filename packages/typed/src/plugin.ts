// The door of bundlers: one plugin for Vite (and Vitest), Rollup, Rolldown, esbuild, webpack, Rspack and Bun.
import { createUnplugin, type UnpluginInstance } from 'unplugin'
import { mayHaveCalls } from './expand/calls.ts'
import { examine, expansionOf } from './expand/expand.ts'
import { faultText } from './faults.ts'
import type { Module } from './read/module.ts'
import { reader } from './read/reader.ts'

const plugin: UnpluginInstance<undefined, false> = createUnplugin(() => {
  // Files change while a bundler watches: types are read anew, what did not change is not parsed again.
  const parsed = new Map<string, Module>()
  return {
    name: 'toolwright',
    // Before the bundler leaves the types out.
    enforce: 'pre',
    transform: {
      filter: { id: { include: /\.[cm]?tsx?(?:\?.*)?$/, exclude: /[\\/]node_modules[\\/]/ } },
      handler(source, id) {
        const path = id.replace(/[?#].*$/, '')
        if (!/\.[cm]?tsx?$/.test(path) || /[\\/]node_modules[\\/]/.test(path) || !mayHaveCalls(source))
          return null
        const examined = examine(source, path, reader(undefined, parsed))
        for (const file of examined.files) this.addWatchFile(file)
        const { code, warnings } = expansionOf(source, examined)
        for (const each of warnings) this.warn(faultText(each))
        // No line and no earlier column moved, so that the map of the source is the source itself.
        return code === source ? null : { code, map: null }
      },
    },
  }
})

export const { vite, rollup, rolldown, esbuild, webpack, rspack, bun } = plugin
