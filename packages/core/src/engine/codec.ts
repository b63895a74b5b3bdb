// One codec above the port: what a step gives live is what a replay decodes.
import type { Json } from '../define/records.ts'
import { ToolwrightError } from '../errors.ts'

/** The key that marks a value JSON has no form for. A record of a person's that has it is wrapped too. */
const MARK = '$toolwright'

/**
 * `value` as JSON. undefined, Date, bigint, Map, Set, Error, Uint8Array and numbers such as NaN come back as they were.
 * Anything else that JSON would lose is refused with `T7004` and the name of the step.
 */
export function encode(value: unknown, step: string): Json {
  return encodeAt(value, step, '', new Set())
}

/** What {@link encode} was given. */
export function decode(json: Json): unknown {
  if (typeof json !== 'object' || json === null) return json
  if (Array.isArray(json)) return json.map(decode)
  const mark = json[MARK]
  if (typeof mark === 'string') return restore(mark, json['value'] ?? null)
  return Object.fromEntries(Object.entries(json).map(([k, v]) => [k, decode(v)]))
}

function encodeAt(value: unknown, step: string, path: string, above: Set<object>): Json {
  if (typeof value === 'object' && value !== null) return nested(value, step, path, above)
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : marked('number', Object.is(value, -0) ? '-0' : String(value))
    case 'undefined':
      return marked('undefined', null)
    case 'bigint':
      return marked('bigint', value.toString())
    case 'function':
    case 'symbol':
      throw refused(step, path, `a ${typeof value}`)
  }
  return null
}

function nested(value: object, step: string, path: string, above: Set<object>): Json {
  if (above.has(value)) throw refused(step, path, 'a value that contains itself')
  above.add(value)
  const at = (inner: unknown, key: string): Json =>
    encodeAt(inner, step, path === '' ? key : `${path}.${key}`, above)
  const json = encodeObject(value, step, path, at)
  above.delete(value)
  return json
}

function encodeObject(
  value: object,
  step: string,
  path: string,
  at: (inner: unknown, key: string) => Json,
): Json {
  if (Array.isArray(value)) return value.map((v, i) => at(v, String(i)))
  if (value instanceof Date) return marked('Date', Number.isNaN(value.getTime()) ? null : value.getTime())
  if (value instanceof Map)
    return marked(
      'Map',
      [...value].map(([k, v], i) => [at(k, `${i}`), at(v, `${i}`)]),
    )
  if (value instanceof Set)
    return marked(
      'Set',
      [...value].map((v, i) => at(v, `${i}`)),
    )
  if (value instanceof Uint8Array) return marked('Uint8Array', toBase64(value))
  if (value instanceof Error) return marked('Error', { name: value.name, message: value.message })
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null)
    throw refused(step, path, `a ${prototype.constructor?.name ?? 'class instance'}`)
  const record = Object.fromEntries(Object.entries(value).map(([k, v]) => [k, at(v, k)]))
  return Object.hasOwn(record, MARK) ? marked('record', Object.entries(record)) : record
}

function marked(kind: string, value: Json): Json {
  return { [MARK]: kind, value }
}

function restore(kind: string, value: Json): unknown {
  switch (kind) {
    case 'undefined':
      return undefined
    case 'number':
      return Number(value)
    case 'bigint':
      return BigInt(value as string)
    case 'Date':
      return new Date(value === null ? Number.NaN : (value as number))
    case 'Map':
      return new Map((value as Json[]).map(pair => (pair as Json[]).map(decode) as [unknown, unknown]))
    case 'Set':
      return new Set((value as Json[]).map(decode))
    case 'Uint8Array':
      return fromBase64(value as string)
    case 'record':
      return Object.fromEntries((value as [string, Json][]).map(([k, v]) => [k, decode(v)]))
    case 'Error': {
      const { name, message } = value as { name: string; message: string }
      const error = new Error(message)
      if (error.name !== name) error.name = name
      return error
    }
    default:
      throw new ToolwrightError(
        'T7004',
        `a journal holds a value of the kind ${JSON.stringify(kind)}, which this version does not know`,
        {
          fix: 'use the version that wrote it, or a newer one',
        },
      )
  }
}

function refused(step: string, path: string, what: string): ToolwrightError {
  const where = path === '' ? '' : ` at ${path}`
  return new ToolwrightError(
    'T7004',
    `step ${JSON.stringify(step)} gave ${what}${where}, which a journal cannot keep`,
    {
      fix: 'give plain data: records, lists, texts, numbers, dates, maps, bytes',
    },
  )
}

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192))
  return btoa(text)
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), c => c.charCodeAt(0))
}
