// A server's list of tools, read to its end, and never for ever.
import type { Client } from '@modelcontextprotocol/client'
import { canonical } from '../lock/canonical.ts'
import { isRecord, type WireTool } from '../lock/lock.ts'
import { ANYTHING } from './lenient.ts'

/** Pages that are read, and tools that are taken. */
const PAGES = 200
const TOOLS = 20_000

/** What a server lists. */
export interface Listed {
  tools: Map<string, WireTool>
  /** Names that stand there more than once, with different definitions. */
  doubled: Set<string>
  warnings: string[]
}

/** Reads all pages. A repeated cursor, too many pages and too many tools end it with a warning. */
export async function listTools(
  client: Client,
  options: { signal?: AbortSignal; timeout?: number } = {},
): Promise<Listed> {
  const listed: Listed = { tools: new Map(), doubled: new Set(), warnings: [] }
  if (!client.getServerCapabilities()?.tools) return listed
  const cursors = new Set<string>()
  let cursor: string | undefined
  for (let page = 1; ; page++) {
    const params = cursor === undefined ? {} : { cursor }
    // As it came: the client's own schemas would drop what they do not know.
    const answer: unknown = await client.request({ method: 'tools/list', params }, ANYTHING, options)
    take(listed, answer)
    const next = isRecord(answer) ? answer['nextCursor'] : undefined
    if (typeof next !== 'string') return listed
    const why = cursors.has(next)
      ? 'its list of tools names a page for the second time'
      : page >= PAGES
        ? `its list of tools has more than ${PAGES} pages`
        : listed.tools.size >= TOOLS
          ? `it lists more than ${TOOLS} tools`
          : undefined
    if (why !== undefined) {
      listed.warnings.push(`${why}: the rest is not read`)
      return listed
    }
    cursors.add(next)
    cursor = next
  }
}

function take(listed: Listed, page: unknown): void {
  const tools = isRecord(page) ? page['tools'] : undefined
  if (!Array.isArray(tools)) {
    listed.warnings.push('a page of its list of tools has none')
    return
  }
  for (const tool of tools) {
    if (!isRecord(tool) || typeof tool['name'] !== 'string' || tool['name'] === '') {
      listed.warnings.push('it lists something that is no tool')
      continue
    }
    const { name } = tool
    const before = listed.tools.get(name)
    if (before === undefined) listed.tools.set(name, tool as WireTool)
    else if (!listed.doubled.has(name) && !same(before, tool)) {
      listed.doubled.add(name)
      listed.warnings.push(`it lists ${JSON.stringify(name)} twice, and not the same`)
    }
  }
}

/** A definition that is nested too deeply to be looked at is not the same as any. */
function same(a: unknown, b: unknown): boolean {
  try {
    return canonical(a) === canonical(b)
  } catch {
    return false
  }
}
