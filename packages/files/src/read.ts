// Reads attachments: each becomes a picture or words, or all of them are refused before any model is asked.
import { ToolwrightError } from '@toolwright/core'
import { type GuardedFetch, guardedFetch } from '@toolwright/core/fetch'
import type { Told } from './child/answer.ts'
import { Refusal } from './errors.ts'
import { bytesOf, type Given, misstated } from './given.ts'
import { kindOf } from './kind.ts'
import { type FileLimits, readLimits } from './limits.ts'
import { distinct, tidied } from './name.ts'
import { pictureUrl } from './picture.ts'
import { queue } from './queue.ts'
import { inChild } from './start.ts'
import { type Decoded, plain } from './text.ts'

/** A file that was read. It holds JSON only, so that it can be kept with its conversation. */
export type ReadFile = Picture | Words

/** A picture as it is sent to a model. */
export interface Picture {
  /** Its name among the files that were read with it, and those before. */
  name: string
  kind: 'picture'
  /** The media type that its bytes have: image/png, image/jpeg, image/gif or image/webp. */
  type: string
  /** data:image/png;base64,… */
  dataUrl: string
}

/** The words of a document. */
export interface Words {
  name: string
  kind: 'words'
  type: string
  text: string
  /** Of a PDF: where each page begins in the text, in UTF-16 units. */
  pages?: number[]
  /** What was not read, and what was guessed: one sentence each. */
  notes: string[]
}

/** Options of {@link readFiles}. */
export interface ReadOptions {
  limits?: Partial<FileLimits>
  /** Files that the conversation has already: names are made distinct from theirs. */
  before?: readonly ReadFile[]
  /** Fetches files that are given by an https address [one that reaches public addresses only]; false: they are refused. */
  fetch?: GuardedFetch | false
  /** Aborting it ends the reading, and rejects with the signal's reason. */
  signal?: AbortSignal
}

// Of the whole process: many conversations at once must not start as many children.
const inTurn = queue(2)

const guarded = guardedFetch()

/**
 * Reads attachments in their order. Throws one ToolwrightError that names each file that cannot be read and why, with
 * the code of the first (T9001 to T9016); nothing is given then.
 */
export async function readFiles(
  attachments: readonly Given[],
  options: ReadOptions = {},
): Promise<ReadFile[]> {
  const limits = readLimits(options.limits)
  const fetch = options.fetch === false ? undefined : (options.fetch ?? guarded)
  const taken = new Set(options.before?.map(file => file.name))
  const named = attachments.map((given, i) => {
    const fault = misstated(given)
    return { given, fault, name: fault ? `attachment ${i + 1}` : distinct(tidied(given.name), taken) }
  })
  // Settled, so that no child is left when this ends.
  const settled = await Promise.allSettled(
    named.map(async ({ given, fault, name }) => {
      if (fault) throw fault
      return await inTurn(() => read(given, name, limits, fetch, options.signal))
    }),
  )
  const files: ReadFile[] = []
  const refusals: Named[] = []
  for (const [i, one] of settled.entries()) {
    if (one.status === 'fulfilled') files.push(one.value)
    else if (one.reason instanceof Refusal) refusals.push({ name: named[i]!.name, refusal: one.reason })
    else throw one.reason
  }
  if (refusals.length > 0) throw refused(refusals, attachments.length)
  return files
}

async function read(
  given: Given,
  name: string,
  limits: FileLimits,
  fetch: GuardedFetch | undefined,
  signal: AbortSignal | undefined,
): Promise<ReadFile> {
  signal?.throwIfAborted()
  const bytes = await bytesOf(given, { most: limits.size, time: limits.time, fetch, signal })
  const kind = kindOf(bytes, given.name, given.type)
  if (kind.kind === 'picture')
    return { name, kind: 'picture', type: kind.type, dataUrl: pictureUrl(bytes, kind.type) }
  if (kind.kind !== 'text') return words(name, await toldBy(kind.kind, bytes, limits, signal))
  const notes = notesOf(kind.decoded)
  if (kind.type !== 'text/html') return words(name, ofText(kind.type, kind.decoded, notes, limits))
  const page = await toldBy('html', Buffer.from(kind.decoded.text, 'utf8'), limits, signal)
  return words(name, { ...page, notes: [...notes, ...page.notes] })
}

function words(name: string, { type, text, pages, notes }: Told): Words {
  return { name, kind: 'words', type, text, ...(pages ? { pages } : {}), notes }
}

async function toldBy(
  kind: 'pdf' | 'zip' | 'html',
  bytes: Uint8Array,
  limits: FileLimits,
  signal: AbortSignal | undefined,
): Promise<Told> {
  const { memory, time, inflated, words } = limits
  const answer = await inChild({ kind, limits: { memory, time, inflated, words } }, bytes, signal)
  if (answer.words) return answer.words
  const { code, problem, fix } = answer.refused
  throw new Refusal(code, problem, fix)
}

function notesOf({ guessed, encoding, cut }: Decoded): string[] {
  const notes: string[] = []
  if (guessed)
    notes.push(`Its encoding was guessed as ${encoding}: letters that are not plain ASCII may be wrong.`)
  if (cut) notes.push('Its last character is cut off.')
  return notes
}

function ofText(type: string, { text }: Decoded, notes: readonly string[], limits: FileLimits): Told {
  const clean = plain(text)
  if (clean.length <= limits.words)
    return { type, text: clean, notes: clean.trim() === '' ? [...notes, 'It holds no words.'] : [...notes] }
  const most = limits.words.toLocaleString('en')
  // A slice of a long text would keep all of it in memory.
  const kept = Buffer.from(clean.slice(0, limits.words), 'utf16le').toString('utf16le')
  return { type, text: kept, notes: [...notes, `Only its first ${most} characters were read.`] }
}

interface Named {
  name: string
  refusal: Refusal
}

function refused(refusals: readonly Named[], of: number): ToolwrightError {
  const [{ name, refusal }] = refusals as [Named]
  const { code, cause, problem, fix } = refusal
  if (refusals.length === 1)
    return new ToolwrightError(code, `${name} cannot be read: it ${problem}`, { fix, cause })
  const lines = refusals.map(each => {
    const { code, problem, fix } = each.refusal
    return `  ${each.name}: ${problem} (${code}; ${fix})`
  })
  return new ToolwrightError(code, `${refusals.length} of ${of} files cannot be read:\n${lines.join('\n')}`)
}
