// The threads of an app: kept by person, agent and name, written by one run at a time.
import type { GivenFile } from '../define/files.ts'
import { fileReader } from '../define/files.ts'
import type { Json } from '../define/records.ts'
import { decode } from '../engine/codec.ts'
import type { Engine, RunPlace, RunRecord } from '../engine/engine.ts'
import { THREAD } from '../engine/store.ts'
import { type Attached, join } from '../loop/attach.ts'
import type { Session } from '../loop/conversation.ts'
import { Thread } from '../loop/thread.ts'

/** What the run of an agent is started with, as its row keeps it. */
export interface AgentInput {
  message: string
  /** Encoded. */
  files?: Json
  /** The name of the thread; left out: one of its own. */
  thread?: string
  variables?: { [name: string]: Json }
  /** The run before on the thread, which it waits for. */
  after?: string
  /** It goes on from a point of another run: it writes to no thread but its own. */
  fork?: true
}

/** The key of a thread: another person's is another thread, so that it is as if it did not exist. */
export function threadKey(person: string | undefined, agent: string, name: string): string {
  return `${THREAD}${JSON.stringify([person ?? null, agent, name])}`
}

/** The channel on which a run hears that the one before it on its thread has ended. */
export const FREE = 'free'

/** The thread that a run writes to, with all that was said on it before; waits for the run before. */
export async function openThread(place: RunPlace, run: RunRecord, input: AgentInput): Promise<Thread> {
  if ((run.after ?? input.after) !== undefined) await place.wait('thread', FREE, Number.POSITIVE_INFINITY)
  if (input.thread === undefined) return new Thread(place.key)
  const key = threadKey(run.person, run.flow, input.thread)
  const rows = await place.step(
    'history',
    async () => (await place.rows(key, 0, Number.MAX_SAFE_INTEGER)).length,
  )
  const thread = new Thread(input.fork ? place.key : key)
  thread.restore(await place.rows(key, 0, rows))
  thread.settle()
  return thread
}

/** The thread that a run's agent `agent` goes on with under a label of its caller's thread. */
export function remembering(run: RunRecord): NonNullable<Session['remembers']> {
  return async (place, agent, caller, label) => {
    const key = threadKey(run.person, agent.name, `${caller.id}/${label}`)
    const rows = await place.step(
      'history',
      async () => (await place.rows(key, 0, Number.MAX_SAFE_INTEGER)).length,
    )
    const thread = new Thread(key)
    thread.restore(await place.rows(key, 0, rows))
    thread.settle()
    return thread
  }
}

/** Reads the files of a message as a step: after a kill they need not be there any more. */
export async function readFiles(place: RunPlace, thread: Thread, input: AgentInput): Promise<Attached> {
  const given = (input.files === undefined ? [] : decode(input.files)) as readonly GivenFile[]
  const known = [...thread.files]
  if (given.length === 0) {
    if (known.length > 0) join(thread, '', fileReader().again([], known))
    return { text: input.message, images: [] }
  }
  const signal = place.stop.signal
  const { text, images, files } = await place.step('files', async () => {
    const read = await fileReader().read(given, { before: known, signal })
    return { text: read.text, images: read.images, files: read.files }
  })
  for (const file of files) thread.addFile(place, file)
  const { tool } = fileReader().again(files, known)
  return join(thread, input.message, { text, images, files, ...(tool ? { tool } : {}) })
}

/** The run that works on the thread of `person` and `agent` called `name`, or waits for it; the last one. */
export async function lastOn(
  engine: Engine,
  agent: string,
  person: string | undefined,
  name: string,
): Promise<RunRecord | undefined> {
  const active = await engine.list({
    flow: agent,
    status: ['ready', 'running', 'waiting'],
    ...(person === undefined ? {} : { person }),
    limit: 1_000_000,
  })
  return active.find(run => run.person === person && (run.input as unknown as AgentInput).thread === name)
}

/**
 * Lets a run that waits for the one before it on its thread go on when that has ended, is parked or stuck, or is gone:
 * what cannot go on by itself does not hold up those behind it.
 */
export function freeAfter(engine: Engine, run: RunRecord): void {
  const { after } = (run.input ?? {}) as unknown as AgentInput
  if (after === undefined) return
  engine
    .settled(after)
    .catch(() => undefined)
    .then(() => engine.send(run.id, FREE, null))
    .catch(() => undefined)
}
