// The tool `read_file`: a long document in parts. It reads what was attached and nothing else; it opens no path.
import { READ_FILE, type Tool, ToolwrightError, tool } from '@toolwright/core'
import { integer, optional, text } from '@toolwright/core/values'
import type { FileCode } from './errors.ts'
import { framed } from './frame.ts'
import { type FileLimits, readLimits } from './limits.ts'
import { endOfPart } from './part.ts'
import type { ReadFile, Words } from './read.ts'

/** What the model hands to `read_file`. */
export interface ReadInput {
  name: string
  from?: number
  pages?: string
}

/**
 * The tool `read_file` over the files of one conversation. Its description and its input are the same for any files,
 * so that prompt caches stay warm as files join. A name, a place or a page that is not there fails with T9015.
 */
export function fileTool(
  files: readonly ReadFile[],
  options: { limits?: Partial<FileLimits> } = {},
): Tool<ReadInput, string> {
  const { part } = readLimits(options.limits)
  return tool(READ_FILE, {
    about:
      'Reads a file that was attached to this conversation, in parts. Say where to begin, or which pages; without either it begins at the start.',
    input: {
      name: text('The name of the file, as the message shows it'),
      from: optional(integer('The character to begin at; the first is 1', { min: 1 })),
      pages: optional(text('Pages of a PDF: 3, or 3-7')),
    },
    readOnly: true,
    line: ({ name }) => `Reading ${name}`,
    run: input => partOf(documentOf(files, input.name), input, part),
  })
}

function partOf(file: Words, { from, pages }: ReadInput, most: number): string {
  if (from !== undefined && pages !== undefined) throw absent('say `from` or `pages`, not both')
  const [start, stop] = pages === undefined ? [(from ?? 1) - 1, file.text.length] : pageSpan(file, pages)
  if (start > 0 && start >= file.text.length)
    throw absent(`${file.name} has ${file.text.length} characters, and none at ${start + 1}`)
  return framed(file, start, Math.min(stop, endOfPart(file.text, start, most)))
}

function pageSpan(file: Words, stated: string): [from: number, to: number] {
  const starts = file.pages
  if (!starts) throw absent(`${file.name} has no pages: say \`from\``)
  const [, first, last = first] = /^\s*(\d{1,9})\s*(?:[-–]\s*(\d{1,9})\s*)?$/.exec(stated) ?? []
  const [a, b] = [Number(first), Number(last)]
  const start = starts[a - 1]
  if (start === undefined || !(a <= b))
    throw absent(`${file.name} has the pages 1 to ${starts.length}; write 3, or 3-7`)
  return [start, starts[b] ?? file.text.length]
}

function documentOf(files: readonly ReadFile[], name: string): Words {
  const wanted = name.trim()
  const found = files.find(file => file.name === wanted)
  if (found?.kind === 'words') return found
  if (found) throw absent(`${found.name} is a picture: it is in the message itself`)
  const names = files.filter(file => file.kind === 'words').map(file => file.name)
  throw absent(`no file ${JSON.stringify(wanted)} is attached; there is ${names.join(', ') || 'none'}`)
}

function absent(what: string): ToolwrightError {
  const code: FileCode = 'T9015'
  return new ToolwrightError(code, what)
}
