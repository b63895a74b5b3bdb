// Files that stand in memory.
import { posix } from 'node:path'
import type { Host } from '../../src/index.ts'

export function memoryHost(files: Record<string, string>): Host {
  return {
    read: path => files[path],
    resolve(specifier, from) {
      const path = posix.join(posix.dirname(from), specifier)
      return specifier.startsWith('.') && path in files ? path : undefined
    },
  }
}
