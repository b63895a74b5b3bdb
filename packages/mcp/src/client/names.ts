// What a server's tool is told as, and what of its text a model is told.
import { createHash } from 'node:crypto'

const PLAIN = /^[\p{L}\p{N}_./-]+$/u
/** How a changed name ends. A name that ends so by itself is changed too: so no unchanged name equals a changed one. */
const MARK = /_[0-9a-f]{10}$/
const LONGEST = 128

/**
 * The name under which `tool` of `service` is told: `<service>.<tool>`. What of the tool's name is neither a letter nor a
 * digit nor one of _ . / - is told as _, and what is too long is cut; then a hash of the whole stands behind, so that two
 * names never become one.
 */
export function toldName(service: string, tool: string): string {
  const room = LONGEST - service.length - 1
  if (PLAIN.test(tool) && !MARK.test(tool) && tool.length <= room) return `${service}.${tool}`
  const safe = tool.replace(/[^\p{L}\p{N}_./-]/gu, '_')
  const mark = createHash('sha256').update(tool).digest('hex').slice(0, 10)
  const kept = safe.slice(0, room - mark.length - 1).replace(/[\ud800-\udbff]$/, '')
  return `${service}.${kept}_${mark}`
}

// Everything that Unicode shows nothing for, but what joins letters and emoji in ordinary writing.
const UNSEEN =
  /(?!\u200c|\u200d|\ufe0f|\n|\t)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** A server's text without what nobody sees: a model would read what the person who approved it could not. */
export function seen(text: string): string {
  return text.replace(UNSEEN, '')
}

/** The text with everything that is unseen written out, for a person who decides on it. */
export function written(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, char =>
    char === '\n' ? char : `\\u{${char.codePointAt(0)!.toString(16)}}`,
  )
}

/** A server's schema, told without what nobody sees in its titles and descriptions. */
export function seenSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(seenSchema)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      (key === 'description' || key === 'title' || key === '$comment') && typeof value === 'string'
        ? seen(value)
        : seenSchema(value),
    ]),
  )
}
