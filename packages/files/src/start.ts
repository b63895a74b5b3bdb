// Starts the child that reads one document, and sees to it that it ends, whatever it does.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Answer, Job } from './child/answer.ts'
import { MEMORY } from './child/watch.ts'
import { Refusal } from './errors.ts'

// From source the child is TypeScript, built it is the bundle beside this one.
const own = new URL(import.meta.url.endsWith('.ts') ? './child.ts' : './child.js', import.meta.url)

/**
 * What a child of its own says of `bytes`. It resolves and rejects only when the child has ended: by itself, or killed
 * because it was late, took too much, said too much, or `signal` aborted. `script` is another child, for tests.
 */
export function inChild(job: Job, bytes: Uint8Array, signal?: AbortSignal, script = own): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  if (signal?.aborted) return Promise.reject(signal.reason)
  const child = spawn(process.execPath, [...flags(job), fileURLToPath(script), JSON.stringify(job)], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // Nothing of this process's environment, in which keys are. Windows starts nothing without SystemRoot.
    env: process.env['SystemRoot'] === undefined ? {} : { SystemRoot: process.env['SystemRoot'] },
    windowsHide: true,
  })
  const parts: Buffer[] = []
  let said = 0
  let complaint = ''
  let why: unknown
  const end = (reason: unknown): void => {
    why ??= reason
    child.kill('SIGKILL')
  }
  // In JSON a unit of text is at most six bytes.
  const most = job.limits.words * 6 + 1_000_000
  const timer = setTimeout(() => end(late(job.limits.time)), job.limits.time)
  const abort = (): void => end(signal?.reason)
  signal?.addEventListener('abort', abort)
  child.stdout.on('data', (part: Buffer) => {
    said += part.length
    if (said > most) end(silent('it said more than a document can hold'))
    else parts.push(part)
  })
  child.stderr.on('data', (part: Buffer) => {
    complaint = (complaint + part.toString('latin1')).slice(-4096)
  })
  // A child that ends early closes the pipe; its end says why.
  child.stdin.on('error', () => {})
  child.stdin.end(bytes)
  child.on('error', error => {
    why ??= silent('it could not be started', error)
  })
  child.on('close', () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
    if (why !== undefined) return reject(why)
    const answer = parsed(Buffer.concat(parts))
    if (answer) return resolve(answer)
    // V8 says the second where the heap is full before the watch saw it.
    const full = complaint.includes(MEMORY) || /heap out of memory|allocation failed/i.test(complaint)
    reject(
      full ? heavy(job.limits.memory) : silent('it ended without an answer', complaint.trim() || undefined),
    )
  })
  return promise
}

function flags(job: Job): string[] {
  return [
    // It may read files, which are its own modules, and have its watch: no writing, no process, no network.
    '--permission',
    '--allow-fs-read=*',
    '--allow-worker',
    `--max-old-space-size=${Math.max(16, Math.ceil(job.limits.memory / 1_048_576))}`,
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=SecurityWarning',
  ]
}

function parsed(said: Buffer): Answer | undefined {
  try {
    const answer = JSON.parse(said.toString('utf8')) as Answer
    return (answer.words ?? answer.refused) ? answer : undefined
  } catch {
    return undefined
  }
}

function late(time: number): Refusal {
  return new Refusal(
    'T9011',
    `was not read within ${time.toLocaleString('en')} ms`,
    'attach the part of it that matters, or raise the limit `time`',
  )
}

function heavy(memory: number): Refusal {
  return new Refusal(
    'T9012',
    `took more than ${Math.round(memory / 1_048_576).toLocaleString('en')} MB to read`,
    'attach the part of it that matters, or raise the limit `memory`',
  )
}

function silent(what: string, cause?: unknown): Refusal {
  return new Refusal(
    'T9014',
    `was not read: ${what}`,
    'see that this program may start Node processes, and that @toolwright/files is not bundled into it',
    cause,
  )
}
