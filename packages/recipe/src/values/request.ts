// One request as data: its address, made of the template and encoded values, and its body.

import type { Source } from '../document/plan.ts'
import type { Template } from '../document/template.ts'
import { isDots } from '../document/url.ts'
import { ABSENT, type Filled, fill, LATER, nested, type Sources } from './fill.ts'

/** A request without what the connection adds: secrets, headers, a key. */
export interface Built {
  readonly method: Source['method']
  readonly url: string
  readonly body: string | undefined
}

/** How long an address and a body may be, in characters: more was never meant. */
const LONGEST_URL = 8_000
const LARGEST_BODY = 1_000_000

/** The request of a source, or what is wrong with its values. Nothing was sent then. */
export function build(
  source: Source,
  baseUrl: string,
  sources: Sources,
): { ok: true; request: Built } | { ok: false; faults: string[] } {
  const faults: string[] = []
  const filled = fill(source.params, sources, faults)
  const path = pathOf(source, filled, sources, faults)
  const query = queryOf(source, filled, sources, faults)
  const body = bodyOf(source, filled, faults)
  if (faults.length > 0) return { ok: false, faults }
  const url = addressOf(baseUrl, path, query, faults)
  if (body !== undefined && body.length > LARGEST_BODY)
    faults.push(`the values make a body of more than ${LARGEST_BODY} characters`)
  return url === undefined || faults.length > 0
    ? { ok: false, faults }
    : { ok: true, request: { method: source.method, url, body } }
}

/** What is wrong with the values that can be known before any request. */
export function missing(source: Source, sources: Sources): string[] {
  const faults: string[] = []
  nested(fill(source.params, sources, faults), faults)
  return faults
}

type Reads = (name: string) => unknown

/** What a placeholder of the url reads: a parameter's value, or a part of an earlier answer. */
function reads(source: Source, filled: readonly Filled[], sources: Sources): Reads {
  return name => {
    const ref = source.refs.get(name)
    if (ref?.of === 'param') return filled.find(one => one.param.name === name)?.value ?? ABSENT
    return ref ? sources.ref(ref) : ABSENT
  }
}

function pathOf(source: Source, filled: readonly Filled[], sources: Sources, faults: string[]): string {
  const value = reads(source, filled, sources)
  // Where the template has a placeholder, its segment must not come out empty: /slots/ is another address than /slots/7.
  const segments: { text: string; filled: boolean }[] = [{ text: '', filled: false }]
  for (const part of source.path) {
    const pieces = typeof part === 'string' ? part.split('/') : [placed(part.name, value(part.name), faults)]
    pieces.forEach((piece, i) => {
      if (i > 0) segments.push({ text: '', filled: false })
      const last = segments.at(-1)!
      last.text += piece
      last.filled ||= typeof part !== 'string'
    })
  }
  for (const { text, filled: hasValue } of segments)
    if (isDots(text) || (hasValue && text === ''))
      faults.push(`the address would have the segment ${JSON.stringify(text)}`)
  return segments.map(({ text }) => text).join('/')
}

/** A value as it stands in a path: one segment, or a part of one, whatever is in it. */
function placed(name: string, value: unknown, faults: string[]): string {
  const text = textOf(value)
  if (text === undefined) {
    // A parameter that is missing was told already.
    if (value === ABSENT && faults.length > 0) return 'x'
    faults.push(
      `${name}: ${value === ABSENT ? 'has no value' : 'is no text, number or boolean'}, and stands in the address`,
    )
    return 'x'
  }
  // Encoded it is one segment; but servers that decode before they route would still walk up.
  if (walksUp(text)) faults.push(`${name}: holds a segment . or .., which an address may not`)
  return encoded(text, name, faults)
}

function walksUp(text: string): boolean {
  let now = text
  for (let i = 0; i < 4; i++) {
    if (now.split(/[/\\]/).some(isDots)) return true
    const next = now.replace(/%(2e|2f|5c|25)/gi, code => decodeURIComponent(code))
    if (next === now) return false
    now = next
  }
  return true
}

function encoded(text: string, name: string, faults: string[]): string {
  if (text.isWellFormed()) return encodeURIComponent(text)
  faults.push(`${name}: holds half a character`)
  return 'x'
}

function textOf(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value)
    default:
      return value === LATER ? '…' : undefined
  }
}

function queryOf(source: Source, filled: readonly Filled[], sources: Sources, faults: string[]): string {
  const value = reads(source, filled, sources)
  const pairs = source.query.flatMap(pair => pairOf(pair, value, faults) ?? [])
  for (const { param, value } of filled) {
    if (param.where !== 'query') continue
    const key = encodeURIComponent(param.name.replaceAll('\\.', '.'))
    for (const one of Array.isArray(value) ? value : [value]) {
      const text = textOf(one)
      if (text === undefined)
        faults.push(`${param.name}: is no text, number or boolean, and goes into the address`)
      else pairs.push(`${key}=${encoded(text, param.name, faults)}`)
    }
  }
  return pairs.join('&')
}

/** A pair that stands in the url; without the value of an optional placeholder it is left out. */
function pairOf(pair: Template, value: Reads, faults: string[]): string | undefined {
  let text = ''
  for (const part of pair) {
    if (typeof part === 'string') {
      text += part
      continue
    }
    const given = value(part.name)
    if (given === ABSENT) return undefined
    const plain = textOf(given)
    if (plain === undefined)
      faults.push(`${part.name}: is no text, number or boolean, and goes into the address`)
    else text += encoded(plain, part.name, faults)
  }
  return text
}

function bodyOf(source: Source, filled: readonly Filled[], faults: string[]): string | undefined {
  if (!source.params.some(param => param.where === 'body')) return undefined
  return json(
    nested(
      filled.filter(({ param }) => param.where === 'body'),
      faults,
    ),
  )
}

const raw = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON

/** JSON with integers of any size as they are. */
export function json(value: unknown): string {
  return JSON.stringify(value, (_key, one) =>
    typeof one === 'bigint' ? raw(one.toString()) : one === LATER ? '…' : one,
  )
}

/** The joined address. That it stays under the base URL is looked at once more, on what a parser makes of it. */
function addressOf(baseUrl: string, path: string, query: string, faults: string[]): string | undefined {
  const base = new URL(baseUrl)
  const folder = base.pathname.replace(/\/$/, '')
  const joined = `${base.origin}${folder}${path}${query === '' ? '' : `?${query}`}`
  if (joined.length > LONGEST_URL) {
    faults.push(`the values make an address of more than ${LONGEST_URL} characters`)
    return undefined
  }
  const url = new URL(joined)
  const inside = url.pathname === folder || url.pathname.startsWith(`${folder}/`)
  if (url.origin === base.origin && inside && url.hash === '') return url.href
  faults.push('the address would leave the base URL of the connection')
  return undefined
}
