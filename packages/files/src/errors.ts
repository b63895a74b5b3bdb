// Why a file is not read. Each code has a page in docs/errors; a code is chosen once and never reused.
// The child imports this file too, so it imports nothing.

/** Every code that this package throws, with one line on what happened. */
export const codes = {
  T9001: 'an attachment is not stated as one',
  T9002: 'the file of an attachment cannot be opened',
  T9003: 'an attachment is an address of a kind that is not fetched',
  T9004: 'the data URL or the base64 text of an attachment does not decode',
  T9005: 'an attached file is empty',
  T9006: 'an attached file is too large',
  T9007: 'an attached picture is of a kind that models do not take',
  T9008: 'an attached file is of a kind that is not read',
  T9009: 'an attached file is encrypted',
  T9010: 'an attached file is damaged',
  T9011: 'reading an attached file took too long',
  T9012: 'reading an attached file took too much memory',
  T9013: 'an attached file unpacks to too much',
  T9014: 'the process that reads files did not answer',
  T9015: 'read_file was asked for what is not there',
  T9016: 'the address of an attachment gave no file',
} as const

/** A key of {@link codes}. */
export type FileCode = keyof typeof codes

/** Why one file is not read. It crosses from the child to its parent as the JSON of its three fields. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: FileCode
  /** What is wrong, to be read after the file's name: 'is empty'. */
  readonly problem: string
  /** What to do about it. */
  readonly fix: string

  constructor(code: FileCode, problem: string, fix: string, cause?: unknown) {
    super(problem, cause === undefined ? undefined : { cause })
    this.code = code
    this.problem = problem
    this.fix = fix
  }
}

/** The refusal of `size` bytes (undefined: nobody counted on) where `most` are read. */
export function tooLarge(size: number | undefined, most: number): Refusal {
  return new Refusal(
    'T9006',
    `has ${size === undefined ? 'too many' : size.toLocaleString('en')} bytes, and at most ${most.toLocaleString('en')} are read`,
    'attach a smaller file, or raise the limit `size`',
  )
}
