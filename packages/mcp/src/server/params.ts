// `x-mcp-header` on our side: a value that a tool's definition sends as a header too must be the same in both places
// (specification 2026-07-28, Streamable HTTP, custom headers).
import type { Exposed } from './exposed.ts'

const KEY = 'x-mcp-header'
const MISMATCH = -32020

/** The refusal of a call whose headers and body disagree; nothing where they agree, or nothing asks for headers. */
export async function headerMismatch(
  request: Request,
  exposed: readonly Exposed[],
): Promise<Response | undefined> {
  const modern = (request.headers.get('mcp-protocol-version') ?? '') >= '2026'
  if (request.method !== 'POST' || !modern || !exposed.some(each => headersOf(each).length > 0))
    return undefined
  let message: {
    id?: unknown
    method?: unknown
    params?: { name?: unknown; arguments?: Record<string, unknown> }
  }
  try {
    message = (await request.clone().json()) as typeof message
  } catch {
    return undefined
  }
  if (message?.method !== 'tools/call') return undefined
  const one = exposed.find(each => each.name === message.params?.name)
  for (const { field, header } of one ? headersOf(one) : []) {
    const sent = request.headers.get(`mcp-param-${header}`)
    const value = message.params?.arguments?.[field]
    const wanted = value === undefined || value === null ? null : String(value)
    if (wanted === (sent === null ? null : decoded(sent))) continue
    const error = {
      code: MISMATCH,
      message: `the header Mcp-Param-${header} does not say what ${field} says`,
    }
    return Response.json({ jsonrpc: '2.0', id: message.id ?? null, error }, { status: 400 })
  }
  return undefined
}

function headersOf({ definition: { input } }: Exposed): { field: string; header: string }[] {
  const { schema } = input
  const properties = typeof schema === 'object' ? schema['properties'] : undefined
  if (typeof properties !== 'object' || properties === null) return []
  return Object.entries(properties as Record<string, unknown>).flatMap(([field, its]) => {
    const header = typeof its === 'object' && its !== null ? (its as Record<string, unknown>)[KEY] : undefined
    return typeof header === 'string' ? [{ field, header }] : []
  })
}

/** What a header says: itself, or what it holds in Base64; nothing where that is none. */
function decoded(sent: string): string | undefined {
  const wrapped = /^=\?base64\?(.*)\?=$/s.exec(sent)?.[1]
  if (wrapped === undefined) return sent
  if (wrapped.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(wrapped)) return undefined
  const bytes = Uint8Array.from(atob(wrapped), char => char.charCodeAt(0))
  return new TextDecoder().decode(bytes)
}
