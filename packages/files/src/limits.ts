// What reading files may cost. Sizes are in bytes, times in ms, lengths of text in UTF-16 units.
import { ToolwrightError } from '@toolwright/core'

/** What reading files may cost. */
export interface FileLimits {
  /** Bytes of one file, as it is given [32 MB]. */
  size: number
  /** Bytes that the process which reads a document may take beside what it takes by itself [256 MB]. */
  memory: number
  /** How long one document may be read, in ms [10,000]. */
  time: number
  /** Bytes that one document may unpack to, all its parts together [50 MB]. */
  inflated: number
  /** Characters that are kept of one document, for the message and `read_file` together [5,000,000]. */
  words: number
  /** Characters of one document that join the message, and of one part that `read_file` gives [20,000]. */
  part: number
  /** Characters of all documents that join one message [100,000]. */
  message: number
}

/** The limits where none are stated. */
export const defaultLimits: Readonly<FileLimits> = Object.freeze({
  size: 32 * 1024 * 1024,
  memory: 256 * 1024 * 1024,
  time: 10_000,
  inflated: 50 * 1024 * 1024,
  words: 5_000_000,
  part: 20_000,
  message: 100_000,
})

/** The limits that `stated` gives, the rest by default. Throws a T1001 that lists every fault. */
export function readLimits(stated: Partial<FileLimits> = {}): FileLimits {
  const faults: string[] = []
  for (const [name, value] of Object.entries(stated))
    if (!Object.hasOwn(defaultLimits, name))
      faults.push(`${name}: is no limit (the limits are ${Object.keys(defaultLimits).join(', ')})`)
    else if (!Number.isSafeInteger(value) || value < 1)
      faults.push(`${name}: is ${String(value)} (write a whole number above 0)`)
  if (faults.length > 0)
    throw new ToolwrightError('T1001', `the limits of files have faults:\n  ${faults.join('\n  ')}`)
  return { ...defaultLimits, ...stated }
}
