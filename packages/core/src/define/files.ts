// The seam to attachments: the core hands files to whoever reads them, and knows nothing of their formats.
import { ToolwrightError } from '../errors.ts'
import type { Attachment } from './records.ts'
import type { Usable } from './tool.ts'

/** What was read of the files of one message. */
export interface FilesRead {
  /** Joins the message, after what the person wrote. */
  text: string
  /** Pictures, as data URLs. */
  images: readonly string[]
  /** The tool that reads on in long documents, where there are any. */
  tool?: Usable
}

/** Reads files. It rejects with the name and the reason where one cannot be read. */
export interface FileReader {
  read(files: readonly Attachment[]): Promise<FilesRead>
}

const READER = Symbol.for('toolwright.files')
type Shared = { [READER]?: FileReader }

/** From here on, files are read so, in every copy of this package. */
export function useFiles(reader: FileReader): void {
  ;(globalThis as Shared)[READER] = reader
}

/** Reads the files of a message; an error that says how to get a reader where there is none. */
export async function readFiles(files: readonly Attachment[]): Promise<FilesRead> {
  const reader = (globalThis as Shared)[READER]
  if (!reader)
    throw new ToolwrightError('T7011', 'files were given, and nothing is there to read them', {
      fix: "import 'toolwright', or write useFiles(attachments()) with attachments from '@toolwright/files'",
    })
  return await reader.read(files)
}
