// The connection to one server: made when it is needed, made again after a death, its list read anew when it changes.
import {
  type Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { ToolwrightError } from '@toolwright/core'
import { type Clock, type Mask, mask } from '@toolwright/core/engine'
import { hashOf } from '../lock/canonical.ts'
import { CAPABILITIES, type WireTool } from '../lock/lock.ts'
import { lenient } from './lenient.ts'
import { type Listed, listTools } from './list.ts'
import { type Server, type Way, waysTo } from './transport.ts'

/** What a connection is made of. */
export interface ConnectionOf {
  service: string
  server: Server
  clock: Clock
  /** ms that a start may take, its first list included. */
  start: number
  /** The server spoke only the old protocol when it was looked at last: it is not asked again. */
  legacy: () => boolean
  /** Waited for before a command is started. */
  consent: () => Promise<void>
  /** A list was read, at the start or because it changed. */
  listed: (listed: Listed, first: boolean) => void
}

/** One call, as it is sent. */
export interface Sending {
  tool: WireTool
  input: Record<string, unknown>
  meta: Record<string, unknown>
  /** ms without a sign of life, and ms in all. */
  timeout: number
  total: number
  signal: AbortSignal
  progress: (text: string) => void
}

interface Live {
  client: Client
  way: Way
  dead: boolean
}

/** Starts in a row that may fail before it is left alone for a while. */
const TRIES = 5
/** ms that a call waits for the next start; after more it fails at once. */
const PATIENCE = 2_000
const NEVER = 2 ** 31 - 1
/** ms in which changes are one burst. */
const BURST = 20

export class Connection {
  readonly secrets: Mask = mask()
  private readonly of: ConnectionOf
  private readonly ways: ReturnType<typeof waysTo>
  private live: Promise<Live> | undefined
  private failures = 0
  private notBefore = 0
  private closed = false
  private checking: Promise<void> | undefined
  private queued: Promise<void> | undefined
  private signingIn: Promise<void> | undefined

  constructor(of: ConnectionOf) {
    this.of = of
    this.ways = waysTo(of.server, secret => this.secrets.add(secret))
  }

  /** Waits until there is a connection, whose list has been read after all that it said about changes. */
  async ready(): Promise<Client> {
    const { client } = await this.connected()
    await (this.queued ?? this.checking)
    return client
  }

  /** Sends a call and gives the answer as it came. What it throws is for the model. */
  async call(sending: Sending): Promise<unknown> {
    const live = await this.connected()
    try {
      const answer = await this.signed(live, () => this.send(live, sending))
      this.failures = 0
      return answer
    } catch (error) {
      // The server knows nothing of our session any more, so nothing was carried out.
      if (!(error instanceof SdkHttpError && error.status === 404)) throw this.told(error, live)
      await this.drop(live)
      const again = await this.connected()
      return await this.signed(again, () => this.send(again, sending)).catch(failed => {
        throw this.told(failed, again)
      })
    }
  }

  /** Ends the connection; open calls are rejected, and nothing is started again until it is needed. */
  async close(): Promise<void> {
    this.closed = true
    const live = await this.live?.catch(() => undefined)
    if (live) await this.drop(live)
    this.closed = false
  }

  private connected(): Promise<Live> {
    this.live ??= this.connect().catch(error => {
      this.live = undefined
      throw error
    })
    return this.live
  }

  private async connect(): Promise<Live> {
    const { service, clock, consent } = this.of
    if ('command' in this.of.server) await consent()
    const pause = this.notBefore - clock.now()
    if (pause > 0) {
      if (this.failures >= TRIES || pause > PATIENCE)
        throw new ToolwrightError(
          'T5007',
          `${service} failed ${this.failures} times in a row, and is left alone for ${Math.ceil(pause / 1000)} s`,
        )
      await new Promise<void>(resolve => clock.after(pause, resolve))
    }
    for (let signIns = 0; ; signIns++) {
      const way = this.ways.open()
      try {
        return await this.open(way)
      } catch (error) {
        await way.transport.close().catch(() => {})
        if (error instanceof UnauthorizedError && signIns < 2 && (await this.signIn(way))) continue
        this.failed()
        throw this.told(error, { way })
      }
    }
  }

  private async open(way: Way): Promise<Live> {
    const { start, legacy } = this.of
    const client = lenient({
      capabilities: CAPABILITIES,
      // Its default speaks only the old protocol.
      versionNegotiation: { mode: 'auto' },
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => void this.check(live) } },
    })
    const live: Live = { client, way, dead: false }
    client.onclose = () => this.died(live)
    client.onerror = () => {}
    await client.connect(way.transport, {
      timeout: start,
      ...(legacy() ? { prior: { kind: 'legacy' as const } } : {}),
    })
    this.of.listed(await listTools(client, { timeout: start }), true)
    return live
  }

  private died(live: Live): void {
    live.dead = true
    const { live: mine } = this
    void mine?.then(
      now => {
        if (now !== live || this.live !== mine) return
        this.live = undefined
        if (!this.closed) this.failed()
      },
      () => {},
    )
  }

  /** The next start waits: half a second, and twice as long each time. */
  private failed(): void {
    this.failures++
    this.notBefore = this.of.clock.now() + Math.min(500 * 2 ** (this.failures - 1), 30_000)
  }

  private async drop(live: Live): Promise<void> {
    this.live = undefined
    live.dead = true
    await live.client.close().catch(() => {})
  }

  /** Reads the list anew, a moment after the first of a burst of changes: one more after it where more is told meanwhile. */
  private check(live: Live): Promise<void> {
    if (this.queued) return this.queued
    const before = this.checking
    const pause = new Promise<void>(resolve => this.of.clock.after(BURST, resolve))
    const reading = Promise.all([before, pause]).then(async () => {
      this.queued = undefined
      this.checking = reading
      await this.read(live)
      if (this.checking === reading) this.checking = undefined
    })
    this.queued = reading
    return reading
  }

  private async read(live: Live): Promise<void> {
    try {
      if (!live.dead) this.of.listed(await listTools(live.client, { timeout: this.of.start }), false)
    } catch {
      // What cannot be looked at is not as it was approved.
      const warnings = ['its list could not be read again']
      if (!live.dead) this.of.listed({ tools: new Map(), doubled: new Set(), warnings }, false)
    }
  }

  /** Does `work`; where a person must sign in first, once more after that. A 401 or a 403 carried nothing out. */
  private async signed<T>(live: Live, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof UnauthorizedError) || !(await this.signIn(live.way))) throw error
      return await work()
    }
  }

  /** Has a person sign in, one for all that wait; false where nobody can be asked. */
  private async signIn(way: Way): Promise<boolean> {
    const { server } = this.of
    const { signIn } = this.ways
    const ask =
      'url' in server && server.auth && 'oauth' in server.auth ? server.auth.oauth.signIn : undefined
    const address = signIn?.take()
    if (!ask || !way.finish) return false
    if (!address) {
      await this.signingIn
      return this.signingIn !== undefined
    }
    this.signingIn = ask(address).then(async came => await way.finish!(new URL(came)))
    await this.signingIn
    return true
  }

  /** The request itself, within its times; `timeout` begins anew with each progress. */
  private async send({ client }: Live, sending: Sending): Promise<unknown> {
    const { tool, input, meta, timeout, total, signal, progress } = sending
    const { clock } = this.of
    const stop = new AbortController()
    let late: string | undefined
    const end = (why: string) => (): void => {
      late = why
      stop.abort(new Error(why))
    }
    const abort = (): void => stop.abort(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
    const inAll = clock.after(total, end(`within ${seconds(total)} in all`))
    let silent = clock.after(timeout, end(`for ${seconds(timeout)}`))
    try {
      const { outputSchema: _, ...definition } = tool
      return await client.callTool(
        { name: tool.name, arguments: input, _meta: meta },
        {
          signal: stop.signal,
          timeout: NEVER,
          // Of the definition that was approved, which headers it asks for; what it gives is read leniently.
          toolDefinition: definition as never,
          onprogress: told => {
            silent()
            silent = clock.after(timeout, end(`for ${seconds(timeout)}`))
            progress(progressText(told))
          },
        },
      )
    } catch (error) {
      if (late !== undefined)
        throw new ToolwrightError(
          'T5010',
          `${this.of.service} did not answer ${late}: it is unknown whether the call was carried out`,
        )
      throw error
    } finally {
      silent()
      inAll()
      signal.removeEventListener('abort', abort)
    }
  }

  /** An error in words for people and models, without secrets. */
  private told(error: unknown, { way, dead = false }: { way: Way; dead?: boolean }): Error {
    const { service } = this.of
    if (error instanceof ToolwrightError) return error
    if (
      error instanceof UnauthorizedError ||
      (error instanceof SdkHttpError && (error.status === 401 || error.status === 403))
    )
      return new ToolwrightError('T5009', `${service} needs somebody to sign in`, {
        fix: 'give auth: { oauth: { signIn } }, or a token that is good',
      })
    if (error instanceof ProtocolError)
      return new Error(this.secrets.text(`${service} refused the call: ${error.message}`))
    const said = way.stderr()
    const end = said === '' ? '' : `. The end of what it said: ${said}`
    if (dead || (error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed))
      return new ToolwrightError(
        'T5008',
        this.secrets.text(
          `${service} went away in the middle: it is unknown whether the call was carried out${end}`,
        ),
      )
    const message = error instanceof Error ? error.message : String(error)
    return new ToolwrightError(
      'T5007',
      this.secrets.text(`${service} could not be reached: ${message.slice(0, 500)}${end}`),
    )
  }
}

function progressText({
  progress,
  total,
  message,
}: {
  progress: number
  total?: number | undefined
  message?: string | undefined
}): string {
  const count = total === undefined ? String(progress) : `${progress}/${total}`
  return message ? `${message} (${count})` : count
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`
}

/** What `instructions` of a server are pinned by. */
export function instructionsOf(client: Client): string | undefined {
  const said = client.getInstructions()
  return said === undefined || said === '' ? undefined : hashOf(said)
}
