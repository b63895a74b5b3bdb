// A turn in the making, of the parts that an AI SDK model streams.
import type { Call, Json, Turn, TurnPiece } from '../../define/records.ts'
import { freeId } from '../calls.ts'
import type { Failure } from '../failure.ts'
import { count, type Fields, fields, list, parsed } from '../json.ts'
import { Making } from '../making.ts'
import type { WireNames } from '../names.ts'
import { toBase64 } from '../picture.ts'
import { costIn } from '../usage.ts'
import { type Kept, keptEntry } from './kept.ts'
import type { ProviderFields } from './spec.ts'

/** What the stream says went wrong may be an error that still has to be looked into. */
type Trouble = Failure | { error: unknown }

export interface Gather
  extends Readonly<Pick<Making<Trouble>, 'finished' | 'shown' | 'stopped' | 'failure'>> {
  part(value: unknown): void
  turn(stopped: boolean): Turn
}

export interface GatherOptions {
  names: WireNames
  window: number
  by: string
  each: (piece: TurnPiece) => boolean
  warn: (text: string) => void
}

/** A block of text or reasoning as it streams in. */
interface Block {
  kind: 'text' | 'reasoning'
  /** Where it begins in all that was said. */
  from: number
  own: string
  options?: ProviderFields
}

/** A call as it streams in. */
interface Open {
  id: string
  name: string
  arguments: string
  /** The whole call came. */
  whole: boolean
  /** It is written as something else than JSON: not shown before it is whole. */
  raw: boolean
  theirs: boolean
  kept?: Kept
  metadata?: ProviderFields
}

export function gather({ names, window, by, each, warn }: GatherOptions): Gather {
  const said = { text: '', reasoning: '' }
  const kept: (Kept | Block)[] = []
  const blocks = new Map<string, Block>()
  const calls: Open[] = []
  let closed = true
  const making = new Making<Trouble>(each, window)
  const { used } = making

  /** A block begins, goes on or ends: the texts of a kind are one, and a block is a part of it. */
  function block(kind: 'text' | 'reasoning', part: Fields, begins: boolean): void {
    const key = `${kind} ${part['id']}`
    let open = begins ? undefined : blocks.get(key)
    if (!open) {
      open = { kind, from: 0, own: '' }
      blocks.set(key, open)
      kept.push(open)
    }
    const metadata = metadataOf(part)
    if (metadata) open.options = metadata
    const delta = part['delta']
    if (typeof delta !== 'string' || delta === '') return
    if (kind === 'text' && delta.trim() !== '') closed = true
    // Thoughts of their own stand apart; a text in several blocks is one text.
    const apart = kind === 'reasoning' && open.own === '' && said.reasoning !== '' ? '\n\n' : ''
    if (open.own === '') open.from = said[kind].length + apart.length
    open.own += delta
    said[kind] += apart + delta
    making.show({ kind, text: apart + delta })
  }

  /** A block as it is kept; undefined where it says nothing at all. A signature alone is enough to keep it. */
  function keptBlock({ kind, from, own, options }: Block): Kept | undefined {
    if (own === '' && !options) return undefined
    const to = from + own.length
    const stands = said[kind].slice(from, to) === own
    const block: Kept = stands ? { type: kind, from, to } : { type: kind, text: own }
    return options ? { ...block, options } : block
  }

  function inputStart(part: Fields): void {
    const theirs = part['providerExecuted'] === true
    const raw = part['inputEncoding'] === 'text'
    open(word(part['id']), word(part['toolName']), theirs, raw)
  }

  function open(id: string, name: string, theirs: boolean, raw: boolean): Open {
    const call: Open = { id, name, arguments: '', whole: false, raw, theirs }
    calls.push(call)
    closed = false
    return call
  }

  function input(call: Open, text: string): void {
    if (call.theirs || call.raw) return
    const index = calls.filter(each => !each.theirs).indexOf(call)
    making.show({ kind: 'input', text, index, tool: names.real(call.name) })
  }

  function inputDelta(part: Fields): void {
    const call = calls.findLast(each => each.id === part['id'] && !each.whole)
    const delta = word(part['delta'])
    if (!call || delta === '') return
    call.arguments += delta
    input(call, delta)
  }

  function wholeCall(part: Fields): void {
    const id = word(part['toolCallId'])
    const name = word(part['toolName'])
    const theirs = part['providerExecuted'] === true
    const call = calls.find(each => each.id === id && !each.whole) ?? open(id, name, theirs, false)
    const given = part['input']
    const text = typeof given === 'string' ? given : given === undefined ? '' : JSON.stringify(given)
    call.raw = false
    if (call.arguments === '') input(call, text)
    Object.assign(call, { name, theirs, arguments: text, whole: true })
    const metadata = metadataOf(part)
    if (theirs) {
      const options = metadata ? { options: metadata } : {}
      kept.push({ type: 'theirs', id, tool: name, input: parsed(text) ?? text, ...options })
      return
    }
    if (metadata) call.metadata = metadata
    call.kept = { type: 'call', id }
    kept.push(call.kept)
  }

  function toolResult(part: Fields): void {
    if (part['preliminary'] === true) return
    const entry: Kept = {
      type: 'result',
      id: word(part['toolCallId']),
      tool: word(part['toolName']),
      value: part['result'] ?? null,
    }
    if (part['isError'] === true) entry.failed = true
    keep(entry, part)
  }

  function file(type: 'file' | 'reasoning-file', part: Fields): void {
    const mediaType = word(part['mediaType'])
    const tagged = fields(part['data'])
    const data: unknown = tagged && 'type' in tagged ? (tagged['data'] ?? tagged['url']) : part['data']
    if (data instanceof URL) keep({ type, mediaType, url: data.href }, part)
    else if (data instanceof Uint8Array) keep({ type, mediaType, base64: toBase64(data) }, part)
    else if (typeof data === 'string') keep({ type, mediaType, base64: data }, part)
  }

  function keep(entry: Kept, part: Fields): void {
    const metadata = metadataOf(part)
    kept.push(metadata ? { ...entry, options: metadata } : entry)
  }

  function finish(part: Fields): void {
    making.finished = true
    usage(fields(part['usage']))
    const router = fields(fields(fields(part['providerMetadata'])?.['openrouter'])?.['usage'])
    const cost = costIn(router ?? fields(fields(part['usage'])?.['raw']) ?? {})
    if (cost !== undefined) used.cost = cost
    const told = part['finishReason']
    const reason = typeof told === 'string' ? told : word(fields(told)?.['unified'])
    const raw = typeof told === 'string' ? undefined : fields(told)?.['raw']
    if (reason === 'length') making.cut = 'length'
    else if (reason === 'content-filter') making.cut = 'filter'
    else if (reason === 'error')
      making.failure ??= { code: 'T3009', words: word(raw) || 'finish reason error', again: true }
    // Earlier versions have no word for a stream that broke off: they say that they do not know how it ended.
    else if (
      reason === 'interrupted' ||
      reason === 'unknown' ||
      (reason === 'other' && typeof told !== 'string' && !raw)
    )
      making.failure ??= { code: 'T3008', words: '', again: true }
  }

  /** Version 2 tells numbers, the later ones records of them. */
  function usage(told: Fields | undefined): void {
    const read = fields(told?.['inputTokens'])
    const wrote = fields(told?.['outputTokens'])
    used.input = count(read ? read['total'] : told?.['inputTokens']) ?? 0
    used.tokens = count(wrote ? wrote['total'] : told?.['outputTokens']) ?? 0
    const cached = count(read ? read['cacheRead'] : told?.['cachedInputTokens'])
    const reasoned = count(wrote ? wrote['reasoning'] : told?.['reasoningTokens'])
    if (cached !== undefined) used.cached = cached
    if (reasoned !== undefined) used.reasoned = reasoned
  }

  function warnings(part: Fields): void {
    for (const item of list(part['warnings'])) {
      const it = fields(item) ?? {}
      const what = [it['feature'] ?? it['setting'], it['details'] ?? it['message']].filter(Boolean).join(': ')
      warn(`${word(it['type']) || 'warning'}: ${what}`)
    }
  }

  /** The calls, each with an id of its own; what is kept of them names the same. */
  function ended(byForce: boolean): Call[] {
    const own = calls.filter(call => !call.theirs)
    const taken = new Set(own.map(call => call.id))
    const seen = new Set<string>()
    return own.map((from, n) => {
      const id = from.id !== '' && !seen.has(from.id) ? from.id : freeId(from.id || 'call', n, taken)
      seen.add(id)
      taken.add(id)
      if (from.kept?.type === 'call') from.kept.id = id
      const text = from.arguments.trim() === '' ? '{}' : from.arguments
      const call: Call = { id, tool: names.real(from.name), arguments: text }
      if (from.metadata) call.extra = { providerMetadata: from.metadata }
      const early = byForce || making.cut !== undefined
      const isLast = from === own.at(-1) && !closed
      if (!from.whole || (early && (isLast || parsed(text) === undefined))) call.cut = true
      return call
    })
  }

  return Object.assign(making, {
    part(value: unknown) {
      const part = fields(value)
      if (!part || making.stopped) return
      const type = part['type']
      if (type === 'text-start' || type === 'text-delta' || type === 'text-end')
        block('text', part, type === 'text-start')
      else if (type === 'reasoning-start' || type === 'reasoning-delta' || type === 'reasoning-end')
        block('reasoning', part, type === 'reasoning-start')
      else if (type === 'tool-input-start') inputStart(part)
      else if (type === 'tool-input-delta') inputDelta(part)
      else if (type === 'tool-call') wholeCall(part)
      else if (type === 'tool-result') toolResult(part)
      else if (type === 'file' || type === 'reasoning-file') file(type, part)
      else if (type === 'custom') keep({ type, kind: word(part['kind']) }, part)
      else if (type === 'stream-start') warnings(part)
      else if (type === 'tool-approval-request') warn('unsupported: an approval that the provider asks for')
      else if (type === 'finish') finish(part)
      else if (type === 'error') making.failure ??= { error: part['error'] }
    },
    turn(byForce: boolean) {
      const { text, reasoning } = said
      const made = ended(byForce || making.stopped)
      const parts = kept
        .map(part => ('own' in part ? keptBlock(part) : part))
        .filter(part => part !== undefined)
      const lengths = { text: text.length, reasoning: reasoning.length }
      const details: Json[] = parts.length > 0 ? [keptEntry(by, parts, lengths)] : []
      return making.made(byForce, { text, reasoning, calls: made, details })
    },
  })
}

/** What the provider sent with a part, as JSON. */
function metadataOf(part: Fields): ProviderFields | undefined {
  const metadata = fields(part['providerMetadata'])
  return metadata && Object.keys(metadata).length > 0
    ? (JSON.parse(JSON.stringify(metadata)) as ProviderFields)
    : undefined
}

function word(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
