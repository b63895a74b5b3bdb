// What goes into the child and what comes out of it.
import type { Refusal } from '../errors.ts'
import type { FileLimits } from '../limits.ts'

/** What a child is to do with the bytes on its standard input. */
export interface Job {
  kind: 'pdf' | 'zip' | 'html'
  limits: Pick<FileLimits, 'memory' | 'time' | 'inflated' | 'words'>
}

/** The words of a document. */
export interface Told {
  /** Its media type, as its bytes have it. */
  type: string
  text: string
  /** Where each page begins in the text. */
  pages?: number[]
  /** What was not read, and what was guessed: one sentence each. */
  notes: string[]
}

/** What a child writes to its standard output. */
export type Answer =
  | { words: Told; refused?: undefined }
  | { refused: Pick<Refusal, 'code' | 'problem' | 'fix'>; words?: undefined }
