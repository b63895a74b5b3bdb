// Prism, from peers/: a server that answers as an OpenAPI document says, and refuses what does not fit it.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

const command = join(import.meta.dirname, '../../../../peers/node_modules/@stoplight/prism-cli/dist/index.js')

export const hasPrism = existsSync(command)

export interface Mock {
  readonly url: string
  /** It has ended by itself: documents can do that to it. */
  readonly isGone: boolean
  stop(): void
}

/** Serves the document `file` on this machine; nothing where it does not begin to. */
export async function serve(file: string): Promise<Mock | undefined> {
  const port = await freePort()
  const args = [command, 'mock', file, '-p', String(port), '-h', '127.0.0.1']
  const mock = spawn(process.execPath, args, { stdio: 'pipe' })
  let gone = false
  const up = await new Promise<boolean>(resolve => {
    let said = ''
    const late = setTimeout(() => resolve(false), 60_000)
    const listen = (part: Buffer) => {
      said += part
      if (said.includes('is listening')) resolve(true)
    }
    mock.stdout.on('data', listen)
    mock.stderr.on('data', listen)
    mock.on('exit', () => {
      gone = true
      clearTimeout(late)
      resolve(false)
    })
  })
  const stop = (): void => void mock.kill()
  if (!up) stop()
  return up
    ? {
        url: `http://127.0.0.1:${port}`,
        get isGone() {
          return gone
        },
        stop,
      }
    : undefined
}

function freePort(): Promise<number> {
  return new Promise(resolve => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
