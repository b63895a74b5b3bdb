// The seam to attachments: the core hands files to whoever reads them, and knows nothing of their formats.
import { ToolwrightError } from '../errors.ts'
import type { Attachment } from './records.ts'
import type { Usable } from './tool.ts'

/** A file as it may be given with a message: one on this computer, its bytes (as such or as base64), or a data URL. */
export type GivenFile =
  | Attachment
  | { readonly name: string; readonly type?: string; readonly bytes: Uint8Array | string }
  | { readonly name: string; readonly type?: string; readonly url: string }

/** A file that was read. It is plain JSON; the core only knows its name. */
export interface FileRead {
  readonly name: string
}

/** What was read of the files of one message. */
export interface FilesRead {
  /** Joins the message, after what the person wrote. */
  readonly text: string
  /** Pictures, as data URLs. */
  readonly images: readonly string[]
  /** The tool that reads on in long documents, where there are any. */
  readonly tool?: Usable
  /** The files, under the names by which the model knows them. */
  readonly files: readonly FileRead[]
}

/** Reads files. `before` are those of earlier messages, which the tool still reads on in. */
export interface FileReader {
  /** Rejects with the name and the reason where one cannot be read. */
  read(
    files: readonly GivenFile[],
    options?: { before?: readonly FileRead[]; signal?: AbortSignal },
  ): Promise<FilesRead>
  /** The same of files that were read already, for another conversation. */
  again(files: readonly FileRead[], before?: readonly FileRead[]): FilesRead
}

const READER = Symbol.for('toolwright.files')
type Shared = { [READER]?: FileReader | undefined }

/** From here on, files are read so, in every copy of this package; undefined: no more. */
export function useFiles(reader: FileReader | undefined): void {
  ;(globalThis as Shared)[READER] = reader
}

/** Who reads files; an error that says how to get a reader where there is none. */
export function fileReader(): FileReader {
  const reader = (globalThis as Shared)[READER]
  if (reader) return reader
  throw new ToolwrightError('T7011', 'files were given, and nothing is there to read them', {
    fix: "import 'toolwright', or write useFiles(attachments()) with attachments from '@toolwright/files'",
  })
}
