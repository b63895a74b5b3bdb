// What `expand` writes into a source, read again.
import type { Expanded } from '@toolwright/core'
import { expand } from '../../src/index.ts'
import { memoryHost } from './host.ts'

/** The arguments that were written into the calls of a source, in their order. */
export function saidIn(source: string, files: Record<string, string> = {}): Expanded[] {
  const { code } = expand(source, '/app/tools.ts', memoryHost({ '/app/tools.ts': source, ...files }))
  return [...code.matchAll(/^function __toolwright\d+\(\) \{ return (.*) \}$/gm)].map(match =>
    JSON.parse(match[1]!),
  )
}

/** The fields that the input of each call has. */
export function fieldsIn(source: string, files: Record<string, string> = {}): string[][] {
  return saidIn(source, files).map(each => Object.keys((each.input as never)['properties']))
}
