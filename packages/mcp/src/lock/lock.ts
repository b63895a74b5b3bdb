// The lock: what of a server somebody has approved. A broken one approves nothing.
import { type Fault, ToolwrightError } from '@toolwright/core'
import { canonical, hashOf } from './canonical.ts'

/** A tool as it came over the wire: the whole of it, keys that nobody knows too. */
export type WireTool = { name: string; description?: unknown; inputSchema?: unknown } & Record<
  string,
  unknown
>

/** Where a server is: a command with its arguments, or an address. Of the environment only the names are kept. */
export type Whereabouts = { command: string; args: string[]; env: string[]; cwd?: string } | { url: string }

/** What is approved of one service. */
export interface LockedService {
  server: Whereabouts
  protocol: string
  /** The hash of what the server says about itself; absent where it says nothing. */
  instructions?: string
  /** What we said that we can: a server's list may depend on it. */
  capabilities: Record<string, unknown>
  tools: Record<string, LockedTool>
}

export interface LockedTool {
  hash: string
  definition: WireTool
}

/** The file. */
export interface Lock {
  version: 1
  services: Record<string, LockedService>
}

/** What we announce to servers: nothing. No server may ask a model, a person or a folder of us. */
export const CAPABILITIES: Record<string, unknown> = {}

/** The lock that a text holds. Throws `T5002` that lists every fault, where it is no lock or was changed by hand. */
export function parseLock(text: string, file: string): Lock {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    throw broken(file, [{ option: '', problem: `is no JSON: ${(error as Error).message}` }])
  }
  const faults: Fault[] = []
  if (!isRecord(parsed) || parsed['version'] !== 1 || !isRecord(parsed['services']))
    throw broken(file, [{ option: '', problem: 'is no lock of version 1' }])
  for (const [name, service] of Object.entries(parsed['services'])) checkService(name, service, faults)
  if (faults.length > 0) throw broken(file, faults)
  return parsed as unknown as Lock
}

function checkService(name: string, service: unknown, faults: Fault[]): void {
  const add = (problem: string, option = name): void => {
    faults.push({ option, problem })
  }
  if (!isRecord(service)) {
    add('is no record')
    return
  }
  const { server, protocol, capabilities, tools, instructions } = service
  const fits =
    isRecord(server) && (typeof server['url'] === 'string' || typeof server['command'] === 'string')
  if (!fits) add('names neither a command nor a url')
  if (typeof protocol !== 'string') add('names no protocol')
  if (instructions !== undefined && typeof instructions !== 'string') add('has a hash that is no text')
  if (!isRecord(capabilities)) add('names no capabilities')
  if (!isRecord(tools)) {
    add('has no tools')
    return
  }
  for (const [tool, locked] of Object.entries(tools)) {
    const at = `${name}.${tool}`
    if (!isRecord(locked) || !isRecord(locked['definition'])) add('is no record with a definition', at)
    else if (locked['definition']['name'] !== tool) add('stands under another name than its own', at)
    else if (locked['hash'] !== hashOf(locked['definition'])) add('is not what its hash says', at)
  }
}

function broken(file: string, faults: readonly Fault[]): ToolwrightError {
  const lines = faults.map(({ option, problem }) => `  ${option ? `${option}: ` : ''}${problem}`)
  return new ToolwrightError('T5002', `the lock ${file} cannot be used:\n${lines.join('\n')}`, {
    fix: 'take the file back from your version control, or make it anew: toolwright mcp lock FILE',
  })
}

/** How one service stands beside its lock: nothing but differences, each a line for people. */
export function serverDiffers(locked: LockedService, server: Whereabouts): string[] {
  const differences: string[] = []
  const was = canonical(locked.server)
  const is = canonical(server)
  if (was !== is) differences.push(`the lock is of ${was}, and the code names ${is}`)
  if (canonical(locked.capabilities) !== canonical(CAPABILITIES))
    differences.push(
      `we announce ${canonical(CAPABILITIES)}, and the lock was made with ${canonical(locked.capabilities)}`,
    )
  return differences
}

/** What changed from one definition to another, a line for each field, by its path. */
export function changes(was: unknown, is: unknown, path = ''): string[] {
  if (canonical(was) === canonical(is)) return []
  if (isRecord(was) && isRecord(is)) {
    const keys = [...new Set([...Object.keys(was), ...Object.keys(is)])].sort()
    return keys.flatMap(key => changes(was[key], is[key], path === '' ? key : `${path}.${key}`))
  }
  const shown = (value: unknown): string => (value === undefined ? 'nothing' : canonical(value))
  return [`${path}: ${shown(was)} → ${shown(is)}`]
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
