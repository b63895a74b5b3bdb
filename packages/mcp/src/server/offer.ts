// Being a server: tools, agents and what an app exposes, offered to other hosts, each call through the guard.
import {
  createMcpHandler,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type Tool,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { App, Approver, Fault, Log, Piece, Usable } from '@toolwright/core'
import { callOnce, definitionOf, refuse, servingOf, unknownOptions } from '@toolwright/core/engine'
import { toResult } from './content.ts'
import { type Exposed, exposedOf, exposedTools, type Offerable } from './exposed.ts'
import { headerMismatch } from './params.ts'

/** What {@link offer} takes. */
export interface OfferStated {
  /** What the server is called ['toolwright']. */
  name?: string
  version?: string
  /** What it says of itself to a host. */
  instructions?: string
  /** Tools, agents and outside servers: each is offered. */
  tools?: readonly Offerable[]
  /** An app: its agents and flows that state `access` are offered, each call as a run of the app. */
  app?: App
  /** Asks a person whether a call may run; left out: what asks is declined. Inside of runs of an app, its asks wait there. */
  approver?: Approver
  /** What may send data out without asking. */
  trust?: readonly (Usable | string)[]
  /** Who calls, over HTTP; nothing: nobody who is signed in. What it throws is a 401. */
  who?: (request: Request) => string | undefined | Promise<string | undefined>
  /** Names in the Host header that are let in [those of this machine]. */
  hosts?: readonly string[]
  /** Host names of pages (the Origin header) that are let in [those of this machine]. */
  origins?: readonly string[]
  deps?: unknown
  log?: Log
}

/** A server of ours. */
export interface Offered {
  /** Answers a request of Streamable HTTP. */
  fetch(request: Request): Promise<Response>
  /** Serves the host at our standard input and output, until it closes them. */
  stdio(): Promise<void>
  close(): Promise<void>
}

const OPTIONS = 'name version instructions tools app approver trust who hosts origins deps log'.split(' ')

/** Offers tools, agents, and what an app exposes as an MCP server. Throws one `T5012` that lists every fault. */
export function offer(stated: OfferStated): Offered {
  check(stated)
  const { tools = [], app, who } = stated
  const exposed = [...exposedTools(tools), ...(app ? exposedOf(app) : [])]
  const hosts = [...(stated.hosts ?? localhostAllowedHostnames())]
  const origins = [...(stated.origins ?? localhostAllowedOrigins())]
  const handler = createMcpHandler(ctx => serverOf(stated, exposed, personOf(ctx)))
  return {
    async fetch(request) {
      // A page of a stranger that names this machine as its own must get no further (DNS rebinding).
      if (!validateHostHeader(hostOf(request), hosts).ok) return refused(403, 'this host is not let in')
      const origin = request.headers.get('origin')
      if (origin !== null && !validateOriginHeader(origin, origins).ok)
        return refused(403, 'this origin is not let in')
      let person: string | undefined
      try {
        person = await who?.(request)
      } catch {
        return refused(401, 'sign in first')
      }
      const authInfo = { token: '', clientId: person ?? '', scopes: [], extra: { person } }
      return (await headerMismatch(request, exposed)) ?? (await handler.fetch(request, { authInfo }))
    },
    stdio: () =>
      new Promise(resolve => {
        const serving = serveStdio(() => {
          const server = serverOf(stated, exposed, undefined)
          return server
        })
        process.stdin.once('close', () => void serving.close().finally(resolve))
        process.stdin.once('end', () => void serving.close().finally(resolve))
      }),
    close: () => handler.close(),
  }
}

function hostOf(request: Request): string {
  return request.headers.get('host') ?? new URL(request.url).host
}

function personOf({ authInfo }: McpRequestContext): string | undefined {
  const person = authInfo?.extra?.['person']
  return typeof person === 'string' ? person : undefined
}

function refused(status: 401 | 403, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code: -32000, message } }, { status })
}

function serverOf(stated: OfferStated, exposed: readonly Exposed[], person: string | undefined): Server {
  const { name = 'toolwright', version = '1', instructions } = stated
  const server = new Server(
    { name, version },
    { capabilities: { tools: {} }, ...(instructions === undefined ? {} : { instructions }) },
  )
  const listed = exposed.map(told)
  server.setRequestHandler('tools/list', () => ({ tools: listed }))
  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const one = exposed.find(each => each.name === params.name)
    if (!one)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `there is no tool ${JSON.stringify(params.name)}`,
      )
    const key = params._meta?.['toolwright/callKey']
    const outcome = await callOnce(one.usable, JSON.stringify(params.arguments ?? {}), {
      // A caller's own key of the call: the same call, made again after a kill, is the same run.
      ...(typeof key === 'string' && key !== '' ? { id: `${person ?? ''}:${key}` } : {}),
      person,
      deps: stated.deps,
      signal: ctx.mcpReq.signal,
      approver: stated.approver,
      ...(stated.trust ? { trust: stated.trust } : {}),
      each: progressTo(ctx),
      declined: (tool, why) =>
        `T7111: ${tool} was not carried out: the person did not agree.${why ? ` The reason: ${why}` : ''}`,
      log: stated.log,
    })
    return toResult(outcome, structured(one))
  })
  return server
}

/** Tells what happens inside of the call as progress, to a host that wants to know. */
function progressTo({ mcpReq }: ServerContext): (piece: Piece) => void {
  const token = mcpReq._meta?.progressToken
  if (token === undefined) return () => {}
  let progress = 0
  return piece => {
    if (piece.kind !== 'step' && piece.kind !== 'line' && piece.kind !== 'ask') return
    const message = piece.kind === 'ask' ? 'waits for a person' : piece.text
    const params = { progressToken: token, progress: ++progress, message }
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {})
  }
}

/** A definition as the protocol tells it. Effects are told as hints; that they are kept is the guard's matter. */
function told(one: Exposed): Tool {
  const { name, definition } = one
  const { about, input, output, readOnly, danger, sendsOut } = definition
  const { schema } = input
  const record = typeof schema === 'object' ? schema : {}
  return {
    name,
    description: about,
    inputSchema: { ...record, type: 'object' } as Tool['inputSchema'],
    ...(structured(one) ? { outputSchema: output!.schema as Tool['outputSchema'] } : {}),
    annotations: {
      readOnlyHint: readOnly,
      destructiveHint: !readOnly && danger !== undefined,
      openWorldHint: sendsOut,
    },
  }
}

function structured({ definition: { output } }: Exposed): boolean {
  return typeof output?.schema === 'object' && output.schema['type'] === 'object'
}

function check(stated: OfferStated): void {
  const faults: Fault[] = []
  for (const fault of unknownOptions(stated, OPTIONS, { agents: 'write tools: [agent], or app' }))
    faults.push({ ...fault, code: 'T5012' })
  const { tools, app } = stated
  if (tools === undefined && app === undefined)
    faults.push({
      option: 'tools',
      problem: 'and app are both missing',
      fix: 'write tools: […], or app',
      code: 'T5012',
    })
  if (tools !== undefined && !Array.isArray(tools))
    faults.push({ option: 'tools', problem: 'is no list', code: 'T5012' })
  else
    tools?.forEach((each: unknown, i) => {
      if (!definitionOf(each) && !servingOf(each))
        faults.push({
          option: `tools[${i}]`,
          problem: 'is no tool, agent or outside server',
          fix: 'name a tool, an agent, or what mcp() made',
          code: 'T5012',
        })
    })
  if (app !== undefined && typeof app?.runs?.start !== 'function')
    faults.push({ option: 'app', problem: 'is no app', fix: 'write app({ agents, flows })', code: 'T5012' })
  refuse('the server', faults)
}
