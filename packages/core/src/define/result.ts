// A result of several kinds: what code gets, and what the model sees.
import type { Json } from './records.ts'

const RESULT: unique symbol = Symbol.for('toolwright.result') as never

/** A part of what the model sees: a text, or a picture as a data URL. */
export type ResultPart = string | { image: string }

/** What a tool may give in place of a plain value. */
export interface ToolResult<T = unknown> {
  readonly [RESULT]: true
  readonly data: T
  readonly model: readonly ResultPart[]
}

/**
 * What a tool gives where code and the model are to get different things: `data` for code (and for the model where
 * `model` is left out), `model` the texts and pictures that the model sees.
 */
export function result<T>(stated: { data: T; model?: string | readonly ResultPart[] }): ToolResult<T> {
  const { data, model } = stated
  const parts =
    model === undefined
      ? [typeof data === 'string' ? data : JSON.stringify(data as Json)]
      : typeof model === 'string'
        ? [model]
        : model
  for (const part of parts)
    if (typeof part !== 'string' && !/^data:image\/[\w.+-]+;base64,/.test(part?.image ?? ''))
      throw new TypeError(
        "result: a part of model is a text, or a picture: { image: 'data:image/png;base64,…' }",
      )
  return { [RESULT]: true, data, model: parts }
}

export function isToolResult(value: unknown): value is ToolResult {
  return typeof value === 'object' && value !== null && RESULT in value
}

/** What code gets of what a tool gave. */
export function dataOf(given: unknown): unknown {
  return isToolResult(given) ? given.data : given
}

/** A value as JSON text; nothing where it is nothing. */
export function jsonOf(value: unknown): string | undefined {
  if (typeof value === 'object' || typeof value === 'bigint') return JSON.stringify(value, asJson)
  return JSON.stringify(value)
}

/** JSON has no place for these; they are told as what they hold. */
function asJson(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return exact(value)
  if (value instanceof Map) return Object.fromEntries(value)
  if (value instanceof Set) return [...value]
  if (value instanceof Error) return { error: value.message }
  return value
}

const raw = (JSON as unknown as { rawJSON?: (text: string) => unknown }).rawJSON

function exact(value: bigint): unknown {
  return raw ? raw(value.toString()) : value.toString()
}
