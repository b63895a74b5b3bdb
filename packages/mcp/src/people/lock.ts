// What `toolwright mcp lock` and `check` show: what a server offers now, beside what was approved.
import { ToolwrightError } from '@toolwright/core'
import { written } from '../client/names.ts'
import { hashOf } from '../lock/canonical.ts'
import { readLock, writeLock } from '../lock/file.ts'
import {
  CAPABILITIES,
  changes,
  type Lock,
  type LockedService,
  serverDiffers,
  type Whereabouts,
  type WireTool,
} from '../lock/lock.ts'
import { INSIDE, type Inside, type McpService, untold } from '../service.ts'

export { agreeToStart } from '../client/consent.ts'
export { written } from '../client/names.ts'
export type { Whereabouts } from '../lock/lock.ts'

/** True where `value` is what `mcp()` made. */
export function isMcpService(value: unknown): value is McpService {
  return typeof value === 'object' && value !== null && INSIDE in value
}

/** Where a service is, its lock, and why that approves nothing, where it does not. */
export function insideOf(service: McpService): Pick<Inside, 'file' | 'server' | 'fault'> {
  return service[INSIDE]
}

/** A tool, as it stands beside the lock. Texts are the server's, with everything unseen written out. */
export interface ToolNews {
  name: string
  state: 'new' | 'changed' | 'same' | 'gone'
  /** What a person decides on: what it says it does, what it takes, and what the server claims of it. */
  now?: { description: string; input: string; claims: string }
  was?: { description: string; input: string; claims: string }
  /** A line for each field that changed. */
  changes: string[]
  /** Why it cannot be told even where it is approved. */
  untold?: string
}

/** A server, as it stands beside the lock. */
export interface ServerNews {
  service: string
  file: string
  server: Whereabouts
  /** What differs of the server itself: where it is, how it speaks, what it says of itself. */
  differences: string[]
  warnings: string[]
  tools: ToolNews[]
  /** What the lock would hold of each tool. */
  offered: Map<string, WireTool>
  protocol: string
  instructions: string | undefined
}

/** Starts the server, where it must, and compares. */
export async function look(service: McpService): Promise<ServerNews> {
  const { file, server } = service[INSIDE]
  const { client, listed, instructions } = await service[INSIDE].look()
  const lock = readLock(file)
  const locked = lock && Object.hasOwn(lock.services, service.name) ? lock.services[service.name] : undefined
  const protocol = client.getNegotiatedProtocolVersion() ?? ''
  const differences = locked ? serverDiffers(locked, server) : []
  if (locked && locked.protocol !== protocol)
    differences.push(`it speaks ${protocol}, and spoke ${locked.protocol} when it was locked`)
  if (locked && locked.instructions !== instructions)
    differences.push('what it says of itself is another text')
  const names = new Set([...listed.tools.keys(), ...Object.keys(locked?.tools ?? {})])
  const tools: ToolNews[] = []
  for (const name of [...names].sort()) {
    if (listed.doubled.has(name)) continue
    const is = listed.tools.get(name)
    const was = locked && Object.hasOwn(locked.tools, name) ? locked.tools[name]!.definition : undefined
    const news = newsOf(name, was, is)
    if (news) tools.push(news)
  }
  return {
    service: service.name,
    file,
    server,
    differences: differences.map(written),
    warnings: listed.warnings.map(written),
    tools,
    offered: listed.tools,
    protocol,
    instructions,
  }
}

function newsOf(name: string, was: WireTool | undefined, is: WireTool | undefined): ToolNews | undefined {
  try {
    const why = is && untold(is)
    return {
      name: written(name),
      state: !is ? 'gone' : !was ? 'new' : hashOf(was) === hashOf(is) ? 'same' : 'changed',
      ...(is ? { now: shown(is) } : {}),
      ...(was ? { was: shown(was) } : {}),
      changes: was && is ? changes(was, is).map(written) : [],
      ...(typeof why === 'string' ? { untold: written(why) } : {}),
    }
  } catch {
    // It is nested too deeply to be looked at, so nobody can approve it.
    return undefined
  }
}

function shown({ name: _, description, inputSchema, ...claims }: WireTool): NonNullable<ToolNews['now']> {
  return {
    description: written(String(description ?? '')),
    input: written(JSON.stringify(inputSchema ?? {})),
    claims: Object.keys(claims).length === 0 ? '' : written(JSON.stringify(claims)),
  }
}

/** Writes what was approved of the server into its lock, but what cannot be told; the rest of the lock stays as it is. */
export function approve(news: ServerNews, approved: readonly string[]): LockedService {
  const { service, file, server, protocol, instructions, offered } = news
  const lock: Lock = readLock(file) ?? { version: 1, services: {} }
  const tools = Object.fromEntries(
    approved.flatMap(name => {
      const definition = [...offered.values()].find(each => written(each.name) === name)
      if (!definition) throw new ToolwrightError('T5004', `${service} has no tool ${name}`)
      if (untold(definition) !== undefined) return []
      return [[definition.name, { hash: hashOf(definition), definition }]]
    }),
  )
  const locked: LockedService = {
    server,
    protocol,
    ...(instructions === undefined ? {} : { instructions }),
    capabilities: CAPABILITIES,
    tools,
  }
  writeLock(file, { version: 1, services: { ...lock.services, [service]: locked } })
  return locked
}

/** Whether anything differs from what was approved. A tool that nobody approved is told to nobody: it is no difference. */
export function differsFromLock({ differences, warnings, tools }: ServerNews): boolean {
  return (
    differences.length > 0 ||
    warnings.length > 0 ||
    tools.some(({ state }) => state === 'changed' || state === 'gone')
  )
}
