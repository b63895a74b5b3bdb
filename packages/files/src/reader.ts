// The seam to the core, which knows this package only by the shape of what `attachments()` gives.
import type { Tool } from '@toolwright/core'
import type { GuardedFetch } from '@toolwright/core/fetch'
import { anyInPart, shown } from './frame.ts'
import type { Given } from './given.ts'
import { type FileLimits, readLimits } from './limits.ts'
import { type ReadFile, readFiles } from './read.ts'
import { fileTool, type ReadInput } from './tool.ts'

/** What attached files add to a conversation. */
export interface Attached {
  /** Joins the person's prompt, after an empty line; '' where there are no files. */
  text: string
  /** The pictures of the message, as data URLs. */
  images: string[]
  /** `read_file`, where a document of this conversation is longer than what a message shows of it. */
  tool?: Tool<ReadInput, string>
  /** The files of this message as they were read: JSON, to be kept with the conversation. */
  files: ReadFile[]
}

/** Reads attachments for conversations. It keeps nothing: what a conversation has is handed in as `before`. */
export interface AttachmentReader {
  /** Reads files that a person attaches. Rejects with one error that names each file that cannot be read. */
  read(
    files: readonly Given[],
    options?: { before?: readonly ReadFile[]; signal?: AbortSignal },
  ): Promise<Attached>
  /** The same of files that were read before: handed to another conversation, or after a restart. */
  again(files: readonly ReadFile[], before?: readonly ReadFile[]): Attached
}

/** What {@link attachments} takes. */
export interface AttachmentOptions {
  limits?: Partial<FileLimits>
  /** Fetches files that are given by an https address [one that reaches public addresses only]; false: they are refused. */
  fetch?: GuardedFetch | false
}

/** A reader of attachments, with the limits that are stated. Throws a T1001 where they have faults. */
export function attachments(options: AttachmentOptions = {}): AttachmentReader {
  const limits = readLimits(options.limits)
  const { fetch } = options
  const again = (files: readonly ReadFile[], before: readonly ReadFile[] = []): Attached => {
    const all = [...before, ...files]
    const { text, images } = shown(files, limits)
    // What was once shown in part stays readable in every later message.
    const tool = anyInPart(all, limits) ? { tool: fileTool(all, { limits }) } : {}
    return { text, images, files: [...files], ...tool }
  }
  return {
    again,
    async read(files, { before = [], signal } = {}) {
      const read = await readFiles(files, {
        limits,
        before,
        ...(fetch === undefined ? {} : { fetch }),
        ...(signal ? { signal } : {}),
      })
      return again(read, before)
    },
  }
}
