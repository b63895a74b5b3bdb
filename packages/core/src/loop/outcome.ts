// What a call leaves behind, and what the model is told of it.
import type { Told } from '../define/entries.ts'
import { isToolResult, jsonOf, type ToolResult } from '../define/result.ts'
import type { Outcome } from '../engine/place.ts'
import { ToolwrightError } from '../errors.ts'

/** A call that failed, or was not made: the model is told why. */
export function failed(text: string): Outcome {
  return { text, failed: true }
}

/** A call whose function threw. One that says `again: 'never'` may have been carried out in part. */
export function thrown(error: unknown): Outcome {
  const never =
    typeof error === 'object' && error !== null && (error as { again?: unknown }).again === 'never'
  return never ? { ...failed(reason(error)), unknown: true } : failed(reason(error))
}

/** What a tool gave, as the model is told it: a text as it is, anything else as its JSON. */
export function answered(told: Told, given: unknown, limit: number): Outcome {
  if (isToolResult(given)) return severalKinds(told, given, limit)
  return plainly(told, given, limit)
}

/** What the model sees is told apart from what code gets: texts in the result, pictures after all results of the turn. */
function severalKinds(told: Told, { data, model }: ToolResult, limit: number): Outcome {
  const checked = plainly(told, data, limit)
  if (checked.failed) return checked
  const images = model.flatMap(part => (typeof part === 'string' ? [] : [part.image]))
  const texts = model.filter(part => typeof part === 'string')
  const text = cut(texts.length > 0 ? texts.join('\n') : `${told.name} gave a picture, shown below.`, limit)
  return { text, value: data, ...(images.length > 0 ? { images } : {}) }
}

function plainly(told: Told, value: unknown, limit: number): Outcome {
  const { output } = told.definition
  if (output) {
    const read = output.read(value)
    if (!read.ok) return failed(`${told.name} gave what its output does not allow: ${read.faults.join('; ')}`)
  }
  if (typeof value === 'string') return whole(value, limit)
  try {
    const text = jsonOf(value)
    if (text === undefined) return { text: `${told.name} ran and returned nothing.`, nothing: true }
    return { text: cut(text, limit), value }
  } catch (error) {
    return failed(`${told.name} gave what JSON cannot hold: ${reason(error)}`)
  }
}

/** A text as it is; where it had to be cut, the whole of it is kept beside what is told. */
function whole(text: string, limit: number): Outcome {
  const told = cut(text, limit)
  return told === text ? { text } : { text: told, value: text }
}

/** What a thrown value says, for the model: never a stack. It never throws, whatever was thrown. */
export function reason(error: unknown): string {
  try {
    // The mend is for the author of the code: the model is told what happened.
    if (error instanceof ToolwrightError) return `${error.code}: ${error.problem}`
    const said = error instanceof Error ? error.message : error
    const text =
      typeof said === 'string' ? said : typeof said === 'object' ? JSON.stringify(said) : String(said)
    return text === undefined || text.trim() === '' || text === 'null' ? SILENT : text
  } catch {
    return SILENT
  }
}

const SILENT = 'it failed without saying why'

const encoder = new TextEncoder()

/** At most `limit` bytes of `text`, cut between characters, with what was left out and how to read on. */
export function cut(text: string, limit: number): string {
  if (text.length * 3 <= limit) return text
  const total = byteLength(text)
  if (total <= limit) return text
  const room = new Uint8Array(Math.floor(limit))
  const { read, written } = encoder.encodeInto(text.slice(0, room.length), room)
  return `${text.slice(0, read)}\n[Cut: this is the beginning, ${written} of ${total} bytes. To read on, call the tool for a smaller part.]`
}

function byteLength(text: string): number {
  let total = 0
  const part = 65_536
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + part, text.length)
    const code = text.charCodeAt(end - 1)
    if (end < text.length && code >= 0xd800 && code < 0xdc00) end++
    total += encoder.encode(text.slice(at, end)).length
    at = end
  }
  return total
}
