// What a call left behind, as the protocol tells it.

import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server'
import { type Json, result, type ToolResult } from '@toolwright/core'
import type { Outcome } from '@toolwright/core/engine'

const BLOCKS = 'toolwright/content'

/**
 * What a tool gives that is offered as a server and has more to say than texts and pictures: sound, embedded resources,
 * links. A model of ours is told `told`.
 */
export function blocks(content: readonly ContentBlock[], told = 'see the attached content'): ToolResult {
  return result({ data: { [BLOCKS]: content as unknown as Json }, model: told })
}

/** The outcome of a call as a result of the protocol. */
export function toResult({ text, value, failed, images = [] }: Outcome, structured: boolean): CallToolResult {
  const own = blocksOf(value)
  if (own && !failed) return { content: own }
  const content: ContentBlock[] = [{ type: 'text', text }, ...images.flatMap(picture)]
  if (failed) return { content, isError: true }
  const record = structured && typeof value === 'object' && value !== null && !Array.isArray(value)
  return { content, ...(record ? { structuredContent: value as Record<string, unknown> } : {}) }
}

function blocksOf(value: unknown): ContentBlock[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const own = (value as Record<string, unknown>)[BLOCKS]
  return Array.isArray(own) ? (own as ContentBlock[]) : undefined
}

function picture(image: string): ContentBlock[] {
  const [, mimeType, data] = /^data:([^;]+);base64,(.*)$/s.exec(image) ?? []
  return mimeType === undefined || data === undefined ? [] : [{ type: 'image', mimeType, data }]
}
