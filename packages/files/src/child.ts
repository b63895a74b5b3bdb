// The process that reads one document and ends: bytes on its standard input, one JSON answer on its standard output.
// It may read the disk (its own modules) and nothing else: it is started with Node's permission model on.
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import type { Answer, Job } from './child/answer.ts'
import { watch } from './child/watch.ts'
import { Refusal } from './errors.ts'

if (isMainThread) await main()
else watch(workerData)

async function main(): Promise<void> {
  // What libraries print must not get between the bytes of the answer.
  for (const name of ['log', 'info', 'debug', 'warn', 'error'] as const) console[name] = () => {}
  const job = JSON.parse(process.argv[2] ?? '') as Job
  const most = process.memoryUsage.rss() + job.limits.memory
  new Worker(new URL(import.meta.url), { workerData: { most, time: job.limits.time } }).unref()
  const answer = await answered(job)
  await new Promise<void>(done => process.stdout.write(JSON.stringify(answer), () => done()))
  process.exit(0)
}

async function answered(job: Job): Promise<Answer> {
  try {
    const parts: Buffer[] = []
    for await (const part of process.stdin) parts.push(part as Buffer)
    return { words: await read(job, Buffer.concat(parts)) }
  } catch (error) {
    const { code, problem, fix } = error instanceof Refusal ? error : damaged(error)
    return { refused: { code, problem, fix } }
  }
}

// A library is loaded only where its format is read.
async function read(job: Job, bytes: Buffer): Promise<NonNullable<Answer['words']>> {
  if (job.kind === 'pdf') return await (await import('./child/pdf.ts')).pdf(bytes, job)
  if (job.kind === 'zip') return (await import('./child/office.ts')).office(bytes, job)
  return (await import('./child/html.ts')).html(bytes.toString('utf8'), job)
}

/** What a reader throws over bytes that it did not expect. */
function damaged(error: unknown): Refusal {
  const why = error instanceof Error ? error.message : String(error)
  return new Refusal(
    'T9010',
    `is damaged (${why.slice(0, 200)})`,
    'open it, save it anew, and attach that',
    error,
  )
}
