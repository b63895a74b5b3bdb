// The reasoning of a turn. Servers send it under many keys, some under two at once, some a second time as details.
// One reading is shown; what came is kept as it came, to be sent back.
import type { Json } from '../define/records.ts'
import type { Echo } from './echo.ts'
import { type Fields, fields, list, merge } from './json.ts'

/** The keys of a delta that hold reasoning as a text. */
export const REASONING_KEYS = new Set(['reasoning_content', 'reasoning', 'reasoning_text', 'thinking'])
/** The keys of a delta that hold a list of reasoning parts. */
export const DETAIL_KEYS = new Set(['reasoning_details', 'thinking_blocks'])
/** Fields of a delta that only mean something to their sender, who wants them back: signatures and the like. */
export const OPAQUE_KEY = /reason|think|thought|signature|^extra_content$|^provider_specific_fields$/

/** So many characters are not said again by chance. */
const RECAP = 20

/** The reasoning of one turn, as it comes. */
export interface Reasoning {
  /** A delta begins: at most one of its sources is shown. */
  begin(): void
  /** Reasoning text from `source`. Answers what of it is to be shown: '' where it repeats another source. */
  text(source: string, text: string): string
  /** Reasoning parts under `key`. Answers what is to be shown of them. */
  parts(key: string, value: Json): string
  /** A field that its sender wants back. */
  opaque(key: string, value: Json): void
  /** At the end: what was held back as a repetition, and was none. */
  rest(): string
  /** Whether anything came under this key. */
  has(key: string): boolean
  readonly shown: string
  /** The details of the turn, and what of their way here has to be remembered. */
  end(): { details: Json[]; echo: Omit<Echo, 'by'> | undefined }
}

export function reasoningOf(): Reasoning {
  let shown = ''
  /** What this delta showed, and how long the text was before it. */
  let now = ''
  let before = 0
  /** How far each source has come in the text shown. */
  const reached = new Map<string, number>()
  /** Sources that are known to say again what another said; details always do. */
  const repeating = new Set(DETAIL_KEYS)
  let held: { source: string; text: string } | undefined
  /** What each key held, as it came. */
  const keys = new Map<string, string>()
  const lists = new Map<string, Record<string, Json>[]>()
  const opaque: Record<string, Json> = {}

  function text(source: string, part: string): string {
    if (REASONING_KEYS.has(source)) keys.set(source, (keys.get(source) ?? '') + part)
    if (part === '') return ''
    const at = reached.get(source) ?? 0
    const mirrors = now === part && at === before
    if (mirrors || (at < shown.length && shown.startsWith(part, at))) {
      reached.set(source, at + part.length)
      if (!mirrors && now === '' && !repeating.has(source)) hold(source, part)
      return ''
    }
    const waited = freed(source)
    if (now === '') {
      part = waited + part
      now = part
      shown += part
    } else part = ''
    reached.set(source, shown.length)
    return part
  }

  /** A repetition so far, which may yet turn out to be the text going on under another key. */
  function hold(source: string, part: string): void {
    held = { source, text: (held?.source === source ? held.text : '') + part }
    if (held.text.length < RECAP || reached.get(source) !== shown.length) return
    repeating.add(source)
    held = undefined
  }

  /** What was held of `source`, which now goes on with something new; that of another source was a repetition. */
  function freed(source: string): string {
    const waited = held?.source === source ? held.text : ''
    if (held && held.source !== source) repeating.add(held.source)
    held = undefined
    return waited
  }

  return {
    begin() {
      now = ''
      before = shown.length
    },
    text,
    parts(key, value) {
      let words = ''
      const kept = lists.get(key) ?? []
      lists.set(key, kept)
      for (const item of list(value)) {
        const part = fields(item)
        if (!part) continue
        words += wordsOf(part)
        const last = kept.at(-1)
        if (last && continues(last, part)) extend(last, part)
        else kept.push({ ...(part as Record<string, Json>) })
      }
      return text(key, words)
    },
    opaque(key, value) {
      const there = opaque[key]
      if (typeof value === 'string' && typeof there === 'string') {
        if (value !== there) opaque[key] = there + value
      } else merge(opaque, { [key]: value })
    },
    rest() {
      if (!held || reached.get(held.source) === shown.length) return ''
      const { text } = held
      held = undefined
      shown += text
      return text
    },
    has: key => keys.has(key) || lists.has(key),
    get shown() {
      return shown
    },
    end() {
      const details: Json[] = []
      const echo: Omit<Echo, 'by'> = {}
      for (const [key, kept] of lists) {
        if (kept.length === 0) continue
        details.push(...kept)
        echo.lists = { ...echo.lists, [key]: kept.length }
      }
      for (const [key, own] of keys) echo.keys = { ...echo.keys, [key]: own === shown ? true : own }
      if (Object.keys(opaque).length > 0) echo.fields = opaque
      return { details, echo: Object.keys(echo).length > 0 ? echo : undefined }
    },
  }
}

/** The words of a part that a person may read: a text, a summary, a thought; never an encrypted one. */
function wordsOf(part: Fields): string {
  for (const key of ['text', 'summary', 'thinking']) {
    const value = part[key]
    if (typeof value === 'string') return value
  }
  return ''
}

/**
 * Streams send one part in many fragments, and a signature holds for the whole part only, so fragments are joined:
 * neighbours of one type, index and id, of which the first is not signed yet.
 */
function continues(last: Fields, part: Fields): boolean {
  const type = part['type']
  if (type !== last['type'] || type === 'reasoning.encrypted' || type === 'redacted_thinking') return false
  if ((part['index'] ?? null) !== (last['index'] ?? null)) return false
  if (part['id'] && last['id'] && part['id'] !== last['id']) return false
  return !last['signature'] || (wordsOf(part) === '' && !part['signature'])
}

function extend(last: Record<string, Json>, part: Fields): void {
  for (const key of Object.keys(part)) {
    const value = part[key]
    const there = last[key]
    if (key === '__proto__' || value === undefined) continue
    if ((key === 'text' || key === 'summary' || key === 'thinking') && typeof value === 'string') {
      last[key] = typeof there === 'string' ? there + value : value
    } else if (value !== null || there === undefined) last[key] = value
  }
}
