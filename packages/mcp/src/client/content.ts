// What a server's tool gave, as code gets it and as a model is told it.
import { type ResultPart, result, type ToolResult } from '@toolwright/core'
import { isRecord } from '../lock/lock.ts'
import { seen } from './names.ts'

/** Pictures that models take; others are told by type and size. */
const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
/** A picture above this is told by type and size. */
const LARGEST = 8_000_000

/** A tool said itself that it failed: its words are the result. */
export class ToolFailed extends Error {
  override readonly name = 'ToolFailed'
}

/**
 * The result of a call: `content` if it holds anything, else `structuredContent` (an empty list is a value), else 'no
 * output'; never both. Code gets the structured form where there is one. Throws {@link ToolFailed} for `isError`.
 */
export function readResult(answer: unknown): ToolResult {
  const { content, structuredContent, isError } = isRecord(answer) ? answer : {}
  const parts = (Array.isArray(content) ? content : []).flatMap(partOf)
  if (parts.length === 0)
    parts.push(structuredContent === undefined ? 'no output' : JSON.stringify(structuredContent))
  const texts = parts.filter(part => typeof part === 'string')
  if (isError === true) throw new ToolFailed(texts.join('\n') || 'it failed without saying why')
  return result({
    data: structuredContent === undefined ? texts.join('\n') : structuredContent,
    model: parts,
  })
}

function partOf(block: unknown): ResultPart[] {
  if (!isRecord(block)) return []
  const { type, text, data, mimeType, resource } = block
  if (type === 'text') return typeof text === 'string' && text !== '' ? [seen(text)] : []
  if (type === 'image') return [picture(data, mimeType)]
  if (type === 'audio') return [note('audio', mimeType, data)]
  if (type === 'resource_link') return [link(block)]
  if (type === 'resource' && isRecord(resource)) return embedded(resource)
  return [`[${line(type)}: of a kind that is not shown]`]
}

function picture(data: unknown, type: unknown): ResultPart {
  const taken = typeof data === 'string' && PICTURES.includes(String(type)) && data.length <= LARGEST
  if (!taken || !/^[A-Za-z0-9+/]+={0,2}$/.test(data)) return note('picture', type, data)
  return { image: `data:${String(type)};base64,${data}` }
}

function note(kind: string, type: unknown, base64: unknown): string {
  const bytes = typeof base64 === 'string' ? Math.floor((base64.replace(/=+$/, '').length * 3) / 4) : 0
  return `[${kind}: ${line(type)}, ${bytes} bytes, not shown]`
}

function link({ uri, name, description }: Record<string, unknown>): string {
  const about = typeof description === 'string' && description !== '' ? ` (${line(description)})` : ''
  return `${line(name ?? 'resource')}: ${line(uri)}${about}`
}

function embedded({ uri, text, blob, mimeType }: Record<string, unknown>): ResultPart[] {
  if (typeof text === 'string') return [`${line(uri)}:\n${seen(text)}`]
  if (PICTURES.includes(String(mimeType))) return [picture(blob, mimeType)]
  return [`${line(uri)}: ${note('file', mimeType, blob)}`]
}

/** One line of a server's text. */
function line(value: unknown): string {
  return seen(String(value ?? 'unknown'))
    .replace(/\s+/g, ' ')
    .slice(0, 500)
}
