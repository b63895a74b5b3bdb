// The door of Node: each TypeScript file is expanded as it is loaded. Node leaves the types out afterwards, so that
// lines and columns stay what they are.
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { ToolwrightError } from '@toolwright/core'
import { mayHaveCalls } from '../expand/calls.ts'
import { type Examined, examine, expansionOf } from '../expand/expand.ts'
import { faultText } from '../faults.ts'
import { type Reader, reader } from '../read/reader.ts'

const TYPESCRIPT = /\.[cm]?tsx?$/

/** Has every TypeScript file expanded that is loaded from now on. Files of packages are left as they are. */
export function registerLoader(): void {
  // Files do not change while a program runs, so that what was read once serves all.
  const shared = reader()
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      const address = url.replace(/[?#].*$/, '')
      if (!address.startsWith('file:') || !TYPESCRIPT.test(address) || address.includes('/node_modules/'))
        return loaded
      const source = textOf(loaded.source)
      if (source === undefined || !mayHaveCalls(source)) return loaded
      const path = fileURLToPath(address)
      if (loaded.format && !/typescript$/.test(loaded.format) && isStripped(source)) {
        process.emitWarning(
          `The types of ${path} were gone before they could be read: put --import toolwright/register first.`,
          { code: 'T2108' },
        )
        return loaded
      }
      const examined = examinedOrBroken(source, path, shared)
      // Where the file is no TypeScript, Node tells it as it tells all syntax errors.
      if (!examined) return loaded
      const { code, warnings } = expansionOf(source, examined)
      for (const each of warnings) process.emitWarning(faultText(each), 'ToolwrightWarning')
      return code === source ? loaded : { ...loaded, source: code }
    },
  })
}

function examinedOrBroken(source: string, path: string, shared: Reader): Examined | undefined {
  try {
    return examine(source, path, shared)
  } catch (error) {
    if (error instanceof ToolwrightError && error.code === 'T2109') return undefined
    throw error
  }
}

// What another hook compiled says so by its source map, which it puts at the end.
function isStripped(source: string): boolean {
  return /\/\/# sourceMappingURL=data:/.test(source.slice(-100_000))
}

function textOf(source: unknown): string | undefined {
  if (typeof source === 'string') return source
  if (source instanceof Uint8Array) return new TextDecoder().decode(source)
  return source instanceof ArrayBuffer ? new TextDecoder().decode(source) : undefined
}
