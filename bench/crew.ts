// The processes of the subjects, seen from outside.
import { type ChildProcess, fork } from 'node:child_process'
import { environment } from './environment.ts'
import type { Subject } from './work.ts'
import type { Answer, Order } from './worker.ts'

/** What a subject's process says of itself when it is ready. */
export type Introduction = Pick<Subject, 'name' | 'packages' | 'imports'> & { cannot: Record<string, string> }

export interface Member extends Introduction {
  /** The file under peers/, without its ending. */
  file: string
  /** Resolves to milliseconds; rejects with what went wrong. */
  order(order: Order): Promise<number>
  leave(): void
}

const PATIENCE_MS = 90_000
const WORKER = new URL('./worker.ts', import.meta.url)

/** Starts the process of `file` and waits until it has introduced itself. Rejects with why it could not. */
export async function hire(file: string, flags: readonly string[]): Promise<Member> {
  const child = fork(WORKER, [file], {
    env: environment,
    execArgv: ['--expose-gc', ...flags],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let complaint = ''
  child.stderr!.on('data', (text: Buffer) => {
    complaint = (complaint + text).slice(-4000)
  })
  const introduction = (await heard(child, () => complaint)) as Introduction
  return {
    ...introduction,
    file,
    async order(order) {
      const answer = heard(child, () => complaint)
      child.send(order)
      const given = (await answer) as Answer
      if ('error' in given) throw new Error(given.error)
      return given.ms
    },
    leave: () => child.disconnect(),
  }
}

/** The next message of `child`; rejects where it ends instead, or says nothing for so long that it must hang. */
function heard(child: ChildProcess, complaint: () => string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      done()
      child.kill()
      reject(new Error(`nothing came of it in ${PATIENCE_MS / 1000} seconds`))
    }, PATIENCE_MS)
    const done = () => {
      clearTimeout(timer)
      child.off('message', message)
      child.off('exit', exit)
    }
    const message = (given: unknown) => {
      done()
      resolve(given)
    }
    const exit = (code: number | null) => {
      done()
      const why = complaint()
        .match(/^\s*(?:\w*Error.*|.*Error: .*)$/m)?.[0]
        ?.trim()
      reject(new Error(why ?? `its process ended (${code})`))
    }
    child.on('message', message)
    child.on('exit', exit)
  })
}
