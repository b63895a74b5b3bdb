// `mcp(service, …)`: an outside server in an agent's tools, which stands for each tool that its lock approves.
import { basename, dirname, resolve } from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import {
  type Danger,
  type Duration,
  type Fault,
  type JsonSchema,
  type Read,
  type Service,
  ToolwrightError,
} from '@toolwright/core'
import {
  type Clock,
  type Definition,
  definition,
  duration,
  type Inner,
  realClock,
  refuse,
  SERVING,
  type Served,
  type Shape,
  shape,
  shapeOf,
  unknownOptions,
} from '@toolwright/core/engine'
import type { Auth } from './client/auth.ts'
import { Connection, instructionsOf } from './client/connection.ts'
import { consent } from './client/consent.ts'
import { readResult } from './client/content.ts'
import { headerFault } from './client/headers.ts'
import type { Listed } from './client/list.ts'
import { seen, seenSchema, toldName, written } from './client/names.ts'
import type { Server } from './client/transport.ts'
import { hashOf } from './lock/canonical.ts'
import { readLock } from './lock/file.ts'
import {
  changes,
  isRecord,
  type LockedService,
  serverDiffers,
  type Whereabouts,
  type WireTool,
} from './lock/lock.ts'

/** Where a server is, as {@link mcp} is told. */
export type ServerStated =
  | {
      command: string
      args?: readonly string[]
      /** Beside what every program gets (PATH, HOME …): nothing else of this process's environment is handed on. */
      env?: Readonly<Record<string, string>>
      cwd?: string
    }
  | { url: string | URL; auth?: Auth; fetch?: typeof fetch }

/** What {@link mcp} takes beside the server. */
export interface McpStated {
  /** The file that says what is approved ['toolwright.lock.json']. */
  lock?: string
  /** When calls of its tools ask a person, trusted or not. */
  danger?: Danger<Record<string, unknown>>
  /** After a kill, an interrupted call is told as unknown in place of being tried again. */
  again?: 'never'
  /** The same for single tools, by the server's own names. */
  tools?: Readonly<Record<string, { danger?: Danger<Record<string, unknown>>; again?: 'never' }>>
  /** How long a call may be silent ['1 minute']; each progress begins it anew. */
  timeout?: Duration
  /** How long a call may take in all ['10 minutes']. */
  total?: Duration
  /** How long a start may take ['2 minutes']. */
  start?: Duration
  /** For tests. */
  clock?: Clock
}

/** The key under which a service carries what the commands of people work with. */
export const INSIDE: unique symbol = Symbol.for('toolwright.mcp') as never

/** What the commands of people work with. */
export interface Inside {
  readonly file: string
  readonly server: Whereabouts
  readonly locked: LockedService | undefined
  /** Why its lock approves nothing, where it does not. */
  readonly fault: ToolwrightError | undefined
  /** Starts the server, where it must, and reads what it offers now. */
  look(): Promise<{ client: Client; listed: Listed; instructions: string | undefined }>
}

/** An outside server: in an agent's tools, in its `trust`, and among the services of an app. */
export interface McpService extends Service, Served {
  readonly [INSIDE]: Inside
  /** Connects, and compares what the server offers with the lock. `T5004` where an approved tool is gone. */
  open(): Promise<void>
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const OPTIONS = 'lock danger again tools timeout total start clock command args env cwd url auth fetch'.split(
  ' ',
)

/** The outside server called `service`. Throws one `T5011` that lists every fault of the statement. */
export function mcp(service: string, stated: ServerStated & McpStated, more: McpStated = {}): McpService {
  const options = { ...stated, ...more }
  const server = checked(service, options)
  const { clock = realClock, lock = 'toolwright.lock.json' } = options
  const file = resolve(lock)
  const where = whereaboutsOf(server)
  const { locked, fault } = approved(service, file, where)
  const now = new Map<string, string[]>()
  let gone: string[] = []
  let notes: string[] = []

  const compare = (listed: Listed, first: boolean): void => {
    now.clear()
    notes = listed.warnings.map(warning => `${service}: ${warning}`)
    for (const [name, { hash, definition: was }] of Object.entries(locked?.tools ?? {})) {
      const why = differs(name, hash, was, listed)
      if (why) now.set(name, why)
      if (why) notes.push(`${service}.${name} is not told: ${written(why.join('; '))}`)
    }
    if (first) gone = Object.keys(locked?.tools ?? {}).filter(name => !listed.tools.has(name))
    last = listed
  }
  let last: Listed | undefined
  const connection = new Connection({
    service,
    server,
    clock,
    start: duration(options.start ?? '2 minutes')!,
    legacy: () => locked !== undefined && locked.protocol < '2026',
    consent: async () => {
      if ('command' in where) await consent(service, dirname(file), where)
    },
    listed: compare,
  })
  const open = async (): Promise<void> => {
    if (fault) throw fault
    await connection.ready()
    if (gone.length > 0)
      throw new ToolwrightError(
        'T5004',
        `${service} has no ${gone.join(', ')} any more, which its lock approves`,
        {
          fix: `see what it offers now: toolwright mcp lock FILE ${service}`,
        },
      )
  }
  const ready = async (warn: (text: string) => void): Promise<void> => {
    try {
      await open()
    } catch (error) {
      // A server that is down is told of by the calls that are made of it: the lock says what it offers.
      if (!(error instanceof ToolwrightError) || !DOWN.includes(error.code)) throw error
      warn(`${error.code}: ${error.problem}`)
    }
    for (const note of notes.splice(0)) warn(note)
  }
  const call = async (tool: WireTool, input: unknown, ctx: Inner): Promise<unknown> => {
    await connection.ready()
    const why = now.get(tool.name)
    if (why) {
      const told = toldName(service, tool.name)
      ctx.warn(`${told}: ${written(why.join('; '))}`)
      throw new ToolwrightError('T5005', `${told} was not run: it is not what was approved any more`, {
        fix: `see what changed, and decide: toolwright mcp lock FILE ${service}`,
      })
    }
    return readResult(
      await connection.call({
        tool,
        input: input as Record<string, unknown>,
        meta: ctx.callKey === '' ? {} : { 'toolwright/callKey': ctx.callKey },
        timeout: duration(options.timeout ?? '1 minute')!,
        total: duration(options.total ?? '10 minutes')!,
        signal: ctx.signal,
        progress: ctx.progress,
      }),
    )
  }
  const definitions: Definition[] = []
  for (const [name, { hash, definition: tool }] of Object.entries(locked?.tools ?? {})) {
    const own = Object.hasOwn(options.tools ?? {}, name) ? options.tools![name] : undefined
    const danger = own?.danger ?? options.danger
    definitions.push(
      definition({
        name: toldName(service, name),
        about: seen(String(tool.description ?? tool['title'] ?? name)).trim() || name,
        input: shapeOfApproved(tool),
        // What a server says of itself (readOnlyHint and the like) is a claim: it is shown, and never trusted.
        sendsOut: true,
        service,
        version: hash,
        danger: danger as Danger | undefined,
        again: own?.again ?? options.again ?? 'unlessDone',
        offered: () => !now.has(name),
        execute: (input, ctx) => call(tool, input, ctx),
      }),
    )
  }
  const close = (): Promise<void> => connection.close()
  return {
    name: service,
    [SERVING]: { name: service, definitions, ready },
    [INSIDE]: {
      file,
      server: where,
      locked,
      fault,
      async look() {
        const client = await connection.ready()
        return { client, listed: last!, instructions: instructionsOf(client) }
      },
    },
    open: async () => {
      try {
        await open()
      } catch (error) {
        if (!(error instanceof ToolwrightError) || !DOWN.includes(error.code)) throw error
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Trouble of a server that may be over later. */
const DOWN = ['T5007', 'T5008', 'T5009', 'T5010']

/** What the lock approves of this very server; or why it approves nothing. */
function approved(
  service: string,
  file: string,
  server: Whereabouts,
): { locked: LockedService | undefined; fault: ToolwrightError | undefined } {
  try {
    const lock = readLock(file)
    const locked = lock && Object.hasOwn(lock.services, service) ? lock.services[service] : undefined
    if (!locked)
      throw new ToolwrightError(
        'T5001',
        `nothing of ${service} is approved: ${lock ? `${file} does not name it` : `there is no ${file}`}`,
        {
          fix: `see what it offers, and approve it: toolwright mcp lock FILE ${service}`,
        },
      )
    const differences = serverDiffers(locked, server)
    if (differences.length > 0)
      throw new ToolwrightError(
        'T5003',
        `the lock of ${service} is of another server: ${differences.join('; ')}`,
        {
          fix: `approve this one: toolwright mcp lock FILE ${service}`,
        },
      )
    return { locked, fault: undefined }
  } catch (error) {
    if (error instanceof ToolwrightError) return { locked: undefined, fault: error }
    throw error
  }
}

/** How a tool differs from what was approved; nothing where it does not. */
function differs(name: string, hash: string, was: WireTool, listed: Listed): string[] | undefined {
  const is = listed.tools.get(name)
  if (!is) return ['the server does not list it any more']
  if (listed.doubled.has(name)) return ['the server lists it twice, and not the same']
  try {
    return hashOf(is) === hash ? undefined : changes(was, is)
  } catch {
    return ['its definition cannot be read']
  }
}

/** Why a tool cannot be told, a sentence for people; nothing where it can. It is never approved then. */
export function untold(tool: WireTool): string | undefined {
  try {
    const fault = headerFault(tool.inputSchema)
    if (fault !== undefined) return fault
    const schema = toldSchema(tool)
    const made = schema === undefined ? undefined : shape(schema)
    if (!made) return 'its input is no record'
    if (made.ok) return undefined
    return `its input has faults: ${made.faults.map(({ option, problem }) => `${option} ${problem}`.trim()).join('; ')}`
  } catch {
    return 'its input cannot be read'
  }
}

function toldSchema({ inputSchema = { type: 'object' } }: WireTool): JsonSchema | undefined {
  if (!isRecord(inputSchema)) return undefined
  return seenSchema('type' in inputSchema ? inputSchema : { type: 'object', ...inputSchema }) as JsonSchema
}

/**
 * The shape of what an approved tool takes. That its schema is right was seen when it was approved; it is looked at again
 * when the tool is first called, because two hundred such looks would be most of a start.
 */
function shapeOfApproved(tool: WireTool): Shape<unknown> {
  const schema = toldSchema(tool) ?? { type: 'object' }
  let known: Shape<unknown> | string | undefined
  const reading = (read: (by: Shape<unknown>) => Read<unknown>): Read<unknown> => {
    known ??= untold(tool) ?? shapeOf(schema)
    return typeof known === 'string' ? { ok: false, faults: [known] } : read(known)
  }
  return {
    schema,
    read: value => reading(by => by.read(value)),
    readText: text => reading(by => by.readText(text)),
  }
}

function whereaboutsOf(server: Server): Whereabouts {
  if ('url' in server) return { url: server.url.href }
  const { command, args, env, cwd } = server
  return { command, args: [...args], env: Object.keys(env).sort(), ...(cwd === undefined ? {} : { cwd }) }
}

function checked(service: string, options: Record<string, unknown>): Server {
  const faults: Fault[] = []
  const add = (option: string, problem: string, fix: string): void =>
    void faults.push({ option, problem, fix, code: 'T5011' })
  if (typeof service !== 'string' || !/^[A-Za-z][A-Za-z0-9_-]{0,47}$/.test(service))
    add('service', `is ${JSON.stringify(service)}`, 'write up to 48 letters, digits, _ and -, a letter first')
  for (const fault of unknownOptions(options, OPTIONS, {
    headers: 'write auth: { headers }',
    transport: 'write url, or command',
  }))
    faults.push({ ...fault, code: 'T5011' })
  const { command, args = [], env = {}, cwd, url, auth } = options
  if ((command === undefined) === (url === undefined))
    add('command', 'and url: one of them is stated', 'write { command, args } or { url }')
  for (const option of ['timeout', 'total', 'start'])
    if (options[option] !== undefined && duration(options[option] as Duration) === undefined)
      add(option, `is ${String(options[option])}`, "write ms above 0, or '1 minute'")
  if (options['again'] !== undefined && options['again'] !== 'never')
    add('again', `is ${String(options['again'])}`, "write 'never', or leave it out")
  if (
    options['danger'] !== undefined &&
    options['danger'] !== 'ask' &&
    typeof options['danger'] !== 'function'
  )
    add('danger', `is ${String(options['danger'])}`, "write 'ask', or a function that says when")
  const address = url === undefined ? undefined : addressOf(url)
  if (url !== undefined && !address)
    add('url', `is ${String(url)}`, 'write an address that begins with https:// or http://')
  if (command !== undefined) {
    if (typeof command !== 'string' || command === '')
      add('command', 'is no text', "write the program: 'npx'")
    if (!Array.isArray(args) || args.some(arg => typeof arg !== 'string'))
      add('args', 'is no list of texts', "write args: ['-y', 'package@1.2.3']")
    else {
      const floating = floatingPackage(String(command), args)
      if (floating)
        add(
          'args',
          `names ${floating} without its exact version`,
          `write ${floating}@1.2.3: another version is another program`,
        )
    }
    if (
      typeof env !== 'object' ||
      env === null ||
      Object.values(env).some(value => typeof value !== 'string')
    )
      add('env', 'is no record of texts', 'write env: { NAME: value }')
  }
  refuse(`mcp ${JSON.stringify(service)}`, faults)
  if (address)
    return {
      url: address,
      ...(auth === undefined ? {} : { auth: auth as Auth }),
      ...(options['fetch'] === undefined ? {} : { fetch: options['fetch'] as typeof fetch }),
    }
  return {
    command: command as string,
    args: args as string[],
    env: env as Record<string, string>,
    ...(cwd === undefined ? {} : { cwd: resolve(String(cwd)) }),
  }
}

function addressOf(url: unknown): URL | undefined {
  try {
    const address = new URL(String(url))
    return ['https:', 'http:'].includes(address.protocol) ? address : undefined
  } catch {
    return undefined
  }
}

const RUNNERS = ['npx', 'bunx', 'pnpx', 'npx.cmd']

/** The package that a runner would fetch at any version. */
function floatingPackage(command: string, args: readonly string[]): string | undefined {
  if (!RUNNERS.includes(basename(command))) return undefined
  const stated = args.findIndex(arg => arg === '-p' || arg === '--package')
  const assigned = args.find(arg => arg.startsWith('--package='))?.slice('--package='.length)
  const name = assigned ?? (stated >= 0 ? args[stated + 1] : args.find(arg => !arg.startsWith('-')))
  if (name === undefined) return 'the package'
  if (/^[./]/.test(name)) return undefined
  return /^(@[^/@]+\/)?[^/@]+@\d+\.\d+\.\d+[^\s]*$/.test(name) ? undefined : name.replace(/(?<=.)@.*$/, '')
}
