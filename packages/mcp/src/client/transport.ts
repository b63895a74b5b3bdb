// How a server is reached: a command over its standard input and output, or an address over Streamable HTTP.
import { StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { type Auth, type SignIn, signInOf } from './auth.ts'
import { seen } from './names.ts'

/** A server as the code states it. */
export type Server =
  | { command: string; args: readonly string[]; env: Readonly<Record<string, string>>; cwd?: string }
  | { url: URL; auth?: Auth; fetch?: typeof fetch }

/** The largest message of a server. */
const LARGEST = 64_000_000
/** What is kept of the end of stderr. */
const TAIL = 2_000

/** A way to a server, for one connection. */
export interface Way {
  transport: Transport
  /** The end of what it wrote to stderr. */
  stderr(): string
  /** Ends a person's sign-in with the address that the browser came back to. */
  finish?(came: URL): Promise<void>
}

/** What makes the ways to one server: a sign-in outlives a connection. */
export function waysTo(server: Server, hide: (secret: string) => void): { open(): Way; signIn?: SignIn } {
  if ('command' in server) {
    for (const value of Object.values(server.env)) hide(value)
    return { open: () => byCommand(server) }
  }
  const { url, auth, fetch: plain = fetch } = server
  if (auth && 'oauth' in auth) {
    const signIn = signInOf(auth.oauth, hide, plain)
    return { signIn, open: () => byAddress(url, { authProvider: signIn.provider, fetch: signIn.fetch }) }
  }
  if (auth && 'bearer' in auth) {
    const token = async (): Promise<string> => {
      const { bearer } = auth
      const value = typeof bearer === 'string' ? bearer : await bearer()
      hide(value)
      return value
    }
    return { open: () => byAddress(url, { authProvider: { token }, fetch: plain }) }
  }
  const headers = auth?.headers ?? {}
  for (const value of Object.values(headers)) hide(value)
  return { open: () => byAddress(url, { requestInit: { headers: { ...headers } }, fetch: plain }) }
}

type HttpOptions = NonNullable<ConstructorParameters<typeof StreamableHTTPClientTransport>[1]>

function byAddress(url: URL, options: HttpOptions): Way {
  const transport = new StreamableHTTPClientTransport(url, options)
  return {
    transport: transport as Transport,
    stderr: () => '',
    finish: came => transport.finishAuth(came.searchParams),
  }
}

function byCommand({ command, args, env, cwd }: Extract<Server, { command: string }>): Way {
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    env: { ...getDefaultEnvironment(), ...env },
    stderr: 'pipe',
    maxBufferSize: LARGEST,
    ...(cwd === undefined ? {} : { cwd }),
  })
  let tail = ''
  transport.stderr?.on('data', (chunk: Buffer) => {
    tail = (tail + chunk.toString()).slice(-TAIL)
  })
  return { transport, stderr: () => seen(tail).trim().slice(-600) }
}
