// Files that come with a message: read before anything is asked, named by tools later, and taken back where a
// model's server refuses them.
import { type FileRead, type FilesRead, fileReader, type GivenFile } from '../define/files.ts'
import type { Message } from '../define/records.ts'
import { definitionOf } from '../define/tool.ts'
import { ToolwrightError } from '../errors.ts'
import { type Conversation, show } from './conversation.ts'
import type { Thread } from './thread.ts'

/** What joins a message with files: its text, and pictures. */
export interface Attached {
  text: string
  images: readonly string[]
}

/** Reads the files of a message. They stay with the thread; nothing does where one cannot be read. */
export async function attach(
  thread: Thread,
  prompt: string,
  files: readonly GivenFile[],
  signal?: AbortSignal,
): Promise<Attached> {
  const before = thread.files
  return join(thread, prompt, await fileReader().read(files, signal ? { before, signal } : { before }))
}

/** Hands files of the caller's thread on to an agent, by the names under which its model knows them. */
export function handOn(from: Thread, names: readonly string[], thread: Thread, prompt: string): Attached {
  if (names.length === 0) return { text: prompt, images: [] }
  const files = names.map(name => named(from, name))
  return join(thread, prompt, fileReader().again(files, thread.files))
}

export function join(thread: Thread, prompt: string, read: FilesRead): Attached {
  for (const file of read.files) if (!thread.files.includes(file)) thread.files.push(file)
  const definition = definitionOf(read.tool)
  if (definition) {
    const { name, about, line, tries } = definition
    const at = thread.extra.findIndex(told => told.name === name)
    thread.extra.splice(at < 0 ? thread.extra.length : at, 1, { name, about, line, tries, definition })
  }
  const { text, images } = read
  return { text: text === '' ? prompt : `${prompt}\n\n${text}`, images }
}

function named(thread: Thread, name: string): FileRead {
  const file = thread.files.findLast(each => each.name === name)
  if (file) return file
  const there = thread.files.map(each => JSON.stringify(each.name)).join(', ')
  const which = there === '' ? 'there are none' : `there are ${there}`
  throw new ToolwrightError(
    'T7008',
    `there is no attachment ${JSON.stringify(name)} on this thread: ${which}`,
  )
}

/** The status with which a server refused a request, where an error tells it. */
export function statusOf(error: unknown): number | undefined {
  const status = (error as { status?: unknown } | null | undefined)?.status
  return typeof status === 'number' ? status : undefined
}

/**
 * A server that refuses a request (400, 413, 415, 422) may do so because of a picture that came since row `from`.
 * It is told as a note from then on, so that the conversation can go on.
 */
export function takeBack(c: Conversation, from: number, status: number | null | undefined): void {
  if (status !== 400 && status !== 413 && status !== 415 && status !== 422) return
  for (const [row, message] of c.thread.since(from))
    if (message.images) show(c, row, withoutPictures(message))
}

function withoutPictures(message: Message): Message {
  const { images, ...rest } = message
  const types = images!.map(image => /^data:([^;,]+)/.exec(image)?.[1] ?? 'a picture').join(', ')
  return {
    ...rest,
    text: `${message.text}\n\n[Left out, because the model's server refused the request: ${types}]`,
  }
}
