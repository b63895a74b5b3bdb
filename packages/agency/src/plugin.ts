// The door of bundlers: `.agency` files are modules. It is part of `toolwright/plugin`.
import { fileURLToPath } from 'node:url'
import type { UnpluginFactory, UnpluginOptions } from 'unplugin'
import type { Emitted } from './emit/emit.ts'
import { compileFile } from './load/compile.ts'
import { program } from './load/host.ts'

const FILES = /\.agency(?:\?.*)?$/

/** A file compiled, and the Agency files that it was read with. Throws where there are faults. */
function compiled(id: string): Emitted & { files: string[] } {
  const files = program()
  const runtime = fileURLToPath(import.meta.resolve('@toolwright/agency/runtime')).replaceAll('\\', '/')
  const path = id.replace(/[?#].*$/, '')
  return { ...compileFile(path, { runtime }, files), files: [...files.files.keys()] }
}

/** What bundlers are given: a factory as unplugin has it. */
export const agency: UnpluginFactory<undefined, false> = (): UnpluginOptions => ({
  name: 'toolwright agency',
  load: {
    filter: { id: FILES },
    handler(id) {
      if (!FILES.test(id)) return null
      const { code, map, files } = compiled(id)
      for (const file of files) this.addWatchFile(file)
      return { code, map: JSON.parse(map) }
    },
  },
  esbuild: { loader: 'js' },
})

/** The same for Bun. */
export const agencyOfBun = {
  filter: /\.agency$/,
  load: ({ path }: { path: string }): { contents: string; loader: 'js' } => ({
    contents: compiled(path).code,
    loader: 'js',
  }),
}
