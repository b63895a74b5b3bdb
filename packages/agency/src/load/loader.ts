// The door of Node: `.agency` files are compiled as they are loaded, with a map to their lines.
import * as modules from 'node:module'
import { fileURLToPath } from 'node:url'
import { compileFile } from './compile.ts'
import { type Program, program } from './host.ts'

let registered = false

/**
 * Has `.agency` files compiled that are imported from now on. The compiler is there by then: it could not be loaded
 * while what it shares with the program is being loaded.
 */
export function registerAgency(): void {
  if (registered) return
  registered = true
  process.setSourceMapsEnabled(true)
  const runtime = import.meta.resolve('@toolwright/agency/runtime')
  // Files do not change while a program runs.
  let files: Program | undefined
  modules.registerHooks({
    load(url, context, nextLoad) {
      const address = url.replace(/[?#].*$/, '')
      if (!address.startsWith('file:') || !address.endsWith('.agency')) return nextLoad(url, context)
      const path = fileURLToPath(address)
      files ??= program()
      const { code, map } = compileFile(path, { runtime }, files)
      const inline = Buffer.from(map).toString('base64')
      const source = `${code}//# sourceMappingURL=data:application/json;base64,${inline}\n`
      return { format: 'module', source, shortCircuit: true }
    },
  })
}
