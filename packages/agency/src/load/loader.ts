// The door of Node: `.agency` files are compiled as they are loaded, with a map to their lines.
import { createRequire, registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import type * as Agency from '../index.ts'

let registered = false

/** Has `.agency` files compiled that are imported from now on. */
export function registerAgency(): void {
  if (registered) return
  registered = true
  process.setSourceMapsEnabled(true)
  const runtime = import.meta.resolve('@toolwright/agency/runtime')
  // The compiler is loaded with the first file that needs it: most programs have none.
  const require = createRequire(import.meta.url)
  // Files do not change while a program runs.
  let files: Agency.Program | undefined
  registerHooks({
    load(url, context, nextLoad) {
      const address = url.replace(/[?#].*$/, '')
      if (!address.startsWith('file:') || !address.endsWith('.agency')) return nextLoad(url, context)
      const path = fileURLToPath(address)
      const { compileFile, program } = require('@toolwright/agency') as typeof Agency
      files ??= program()
      const { code, map } = compileFile(path, { runtime }, files)
      const inline = Buffer.from(map).toString('base64')
      const source = `${code}//# sourceMappingURL=data:application/json;base64,${inline}\n`
      return { format: 'module', source, shortCircuit: true }
    },
  })
}
