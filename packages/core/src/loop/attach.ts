// Files that come with a message: read before anything is asked, named by tools later, and taken back where a
// model's server refuses them.
import type { Told } from '../define/entries.ts'
import { readFiles } from '../define/files.ts'
import type { Attachment, Message } from '../define/records.ts'
import { definitionOf } from '../define/tool.ts'
import { ToolwrightError } from '../errors.ts'
import { type Conversation, show } from './conversation.ts'
import type { Thread } from './thread.ts'

/** What joins a message with files: its text, and pictures. */
export interface Attached {
  text: string
  images: readonly string[]
}

/** Reads the files of a message and keeps their names with the thread. Nothing is kept where one cannot be read. */
export async function attach(
  thread: Thread,
  prompt: string,
  files: readonly Attachment[],
): Promise<Attached> {
  if (files.length === 0) return { text: prompt, images: [] }
  const { text, images, tool } = await readFiles(files)
  thread.files.push(...files)
  const definition = definitionOf(tool)
  if (definition && !thread.extra.some(told => told.name === definition.name)) {
    const { name, about, line, tries } = definition
    thread.extra.push({ name, about, line, tries, definition } satisfies Told)
  } else if (definition) {
    const at = thread.extra.findIndex(told => told.name === definition.name)
    thread.extra[at] = { ...thread.extra[at]!, definition }
  }
  return { text: text === '' ? prompt : `${prompt}\n\n${text}`, images }
}

/** The attachments of the thread that are meant by `names`. */
export function attachmentsOf(thread: Thread, names: readonly string[]): Attachment[] {
  return names.map(name => {
    const file = thread.files.findLast(each => each.name === name)
    if (file) return file
    const there = thread.files.map(each => JSON.stringify(each.name)).join(', ')
    const which = there === '' ? 'there are none' : `there are ${there}`
    throw new ToolwrightError(
      'T7008',
      `there is no attachment ${JSON.stringify(name)} on this thread: ${which}`,
    )
  })
}

/**
 * A server that refuses a request (400, 413, 415, 422) may do so because of a picture that came since row `from`.
 * It is told as a note from then on, so that the conversation can go on.
 */
export function takeBack(c: Conversation, from: number, error: unknown): void {
  const { status } = error as { status?: unknown }
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
