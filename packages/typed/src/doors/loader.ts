// The door of Node: each TypeScript file is expanded as it is loaded. Node leaves the types out afterwards, so that
// lines and columns stay what they are.
import { readFileSync } from 'node:fs'
import { type LoadFnOutput, type LoadHookContext, registerHooks } from 'node:module'
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
      const loaded = loadedBy(nextLoad, url, context)
      const address = url.replace(/[?#].*$/, '')
      if (!address.startsWith('file:') || !TYPESCRIPT.test(address) || address.includes('/node_modules/'))
        return loaded
      const given = textOf(loaded.source)
      if (given === undefined || !mayHaveCalls(given)) return loaded
      const path = fileURLToPath(address)
      const untyped = isStripped(loaded.format, given)
      // Another loader took the types away first: then Node does it, once they were read.
      const source = untyped ? readFileSync(path, 'utf8') : given
      const format = untyped ? `${loaded.format}-typescript` : loaded.format
      const examined = examinedOrBroken(source, path, shared)
      // Where the file is no TypeScript, Node tells it as it tells all syntax errors.
      if (!examined) return loaded
      const { code, warnings } = expansionOf(source, examined)
      for (const each of warnings) process.emitWarning(faultText(each), 'ToolwrightWarning')
      return code === source ? loaded : { ...loaded, format, source: code }
    },
  })
}

type NextLoad = (url: string, context: LoadHookContext) => LoadFnOutput

// Where another loader works in a thread of its own (tsx does, on Node before 26), Node itself refuses, for any hook
// like this one, what CommonJS is required by a module: it has no source for it then.
function loadedBy(nextLoad: NextLoad, url: string, context: LoadHookContext): LoadFnOutput {
  try {
    return nextLoad(url, context)
  } catch (error) {
    const { code } = error as { code?: string }
    if (code !== 'ERR_INVALID_RETURN_PROPERTY_VALUE' || context.format !== 'commonjs') throw error
    return { format: 'commonjs', source: readFileSync(new URL(url)), shortCircuit: true }
  }
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
function isStripped(format: string | null | undefined, source: string): boolean {
  if (format !== 'module' && format !== 'commonjs') return false
  return /\/\/# sourceMappingURL=data:/.test(source.slice(-100_000))
}

function textOf(source: unknown): string | undefined {
  if (typeof source === 'string') return source
  if (source instanceof Uint8Array) return new TextDecoder().decode(source)
  return source instanceof ArrayBuffer ? new TextDecoder().decode(source) : undefined
}
