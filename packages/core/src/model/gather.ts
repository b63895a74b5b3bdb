// A turn in the making: takes the chunks of one answer, as parsed JSON, shows what is new in each, and gives the turn.
// One piece a kind and chunk, so what is shown never depends on how the network cut the stream.
import type { Json, Turn, TurnPiece } from '../define/records.ts'
import { setField } from '../value/json.ts'
import { callDeltas } from './calls.ts'
import { type Echo, echoEntry } from './echo.ts'
import { type Failure, failureIn } from './failure.ts'
import { count, type Fields, fields, list } from './json.ts'
import { Making } from './making.ts'
import type { WireNames } from './names.ts'
import { DETAIL_KEYS, OPAQUE_KEY, REASONING_KEYS, reasoningOf } from './reasoning.ts'
import { type Told, thinkTags } from './think.ts'
import { readUsage } from './usage.ts'

export interface Gather
  extends Readonly<Pick<Making<Failure>, 'begun' | 'finished' | 'shown' | 'stopped' | 'failure'>> {
  /** Takes a chunk of a stream, or a whole answer. */
  chunk(value: Json): void
  /** The stream said that it is over ([DONE]), or the answer came whole. */
  finish(): void
  turn(stopped: boolean): Turn
}

export interface GatherOptions {
  names: WireNames
  window: number
  /** Which endpoint and model answers: what it sends to be sent back is marked with it. */
  by: string
  each: (piece: TurnPiece) => boolean
}

export function gather({ names, window, by, each }: GatherOptions): Gather {
  const making = new Making<Failure>(each, window)
  let text = ''
  /** The reasoning came as parts of the content. */
  let asPart = false
  /** Calls came as tool_calls: a function_call beside them is their mirror. */
  let modern = false
  const think = thinkTags()
  const reasoning = reasoningOf()
  const calls = callDeltas(names, (part, index, tool) =>
    making.show({ kind: 'input', text: part, index, tool }),
  )

  function chunk(value: Json): void {
    const whole = fields(value)
    if (!whole) return
    making.failure = failureIn(whole)
    if (making.failure) return
    if (whole['usage'] || whole['x_groq'])
      readUsage(making.used, fields(whole['usage']) ?? fields(fields(whole['x_groq'])?.['usage']))
    for (const item of list(whole['choices'])) {
      const choice = fields(item)
      if (choice && !count(choice['index'])) read(choice)
    }
  }

  function read(choice: Fields): void {
    // Moonshot tells it in the last choice.
    readUsage(making.used, fields(choice['usage']))
    const delta = fields(choice['delta'])
    const message = delta && Object.keys(delta).length > 0 ? undefined : fields(choice['message'])
    if (delta || message) making.begun = true
    if (message) again(message)
    else if (delta) add(delta)
    const reason = choice['finish_reason']
    if (typeof reason === 'string' && reason !== '') end(reason)
  }

  function add(delta: Fields): void {
    let newReasoning = ''
    let newText = ''
    let newCalls: Json | undefined
    let legacy: Json | undefined
    reasoning.begin()
    for (const key in delta) {
      const value = delta[key]
      if (value === null || value === undefined || key === 'role') continue
      if (key === 'content') {
        const told = content(value)
        newReasoning += told.reasoning
        newText += told.text
      } else if (key === 'tool_calls') newCalls = value
      else if (key === 'function_call') legacy = value
      else if (key === 'refusal') newText += typeof value === 'string' ? value : ''
      else if (REASONING_KEYS.has(key) && typeof value === 'string')
        newReasoning += reasoning.text(key, value)
      else if (DETAIL_KEYS.has(key)) newReasoning += reasoning.parts(key, value)
      else if (OPAQUE_KEY.test(key)) reasoning.opaque(key, value)
    }
    if (newCalls !== undefined && list(newCalls).length > 0) modern = true
    else if (!modern) newCalls = legacy
    const hasCalls = newCalls !== undefined && list(newCalls).length > 0
    if (hasCalls && !think.over) {
      const told = think.flush()
      newReasoning += reasoning.text('think', told.reasoning)
      newText += told.text
    }
    if (newReasoning !== '') making.show({ kind: 'reasoning', text: newReasoning })
    say(newText)
    if (hasCalls) calls.read(newCalls as Json)
  }

  function say(part: string): void {
    if (part === '') return
    if (calls.size > 0 && part.trim() !== '') calls.close()
    text += part
    making.show({ kind: 'text', text: part })
  }

  function content(value: Json): Told {
    if (typeof value === 'string') return tagged(value)
    let told: Told = { reasoning: '', text: '' }
    for (const item of list(value)) {
      const part = typeof item === 'string' ? { type: 'text', text: item } : fields(item)
      if (!part) continue
      if (part['type'] === 'thinking' || part['type'] === 'reasoning') {
        asPart = true
        told.reasoning += reasoning.text('part', partWords(part))
      } else if (typeof part['text'] === 'string') {
        const more = tagged(part['text'])
        told = { reasoning: told.reasoning + more.reasoning, text: told.text + more.text }
      } else if (typeof part['refusal'] === 'string') told.text += part['refusal']
    }
    return told
  }

  function tagged(part: string): Told {
    if (think.over) return { reasoning: '', text: part }
    const told = think.write(part)
    return { reasoning: reasoning.text('think', told.reasoning), text: told.text }
  }

  /** A whole message: the answer to a stream request that was not streamed, or a last chunk that repeats all of it. */
  function again(message: Fields): void {
    const rest: Record<string, Json> = {}
    for (const key of Object.keys(message)) {
      const value = message[key]
      if (value === undefined || reasoning.has(key) || (text !== '' && key === 'refusal')) continue
      setField(rest, key, value)
    }
    const said = message['content']
    if (text !== '')
      rest['content'] = typeof said === 'string' && said.startsWith(text) ? said.slice(text.length) : ''
    add(rest)
  }

  function end(reason: string): void {
    making.finished = true
    const word = reason.toLowerCase()
    if (/length|max_tokens|max_output/.test(word)) making.cut ??= 'length'
    else if (/content_?filter|safety|prohibited|blocklist|recitation|^sensitive$/.test(word))
      making.cut ??= 'filter'
    else if (/^(?:error|abort|network_error|insufficient_system_resource)$/.test(word)) {
      making.failure = { code: 'T3009', words: `finish_reason '${reason}'`, again: true }
    }
  }

  return Object.assign(making, {
    chunk,
    finish() {
      making.finished = true
    },
    turn(byForce: boolean) {
      if (!byForce && !making.stopped) {
        const told = think.flush()
        reasoning.begin()
        const rest = reasoning.text('think', told.reasoning) + reasoning.rest()
        if (rest !== '') making.show({ kind: 'reasoning', text: rest })
        say(told.text)
      }
      const made = calls.end(byForce || making.stopped || making.cut !== undefined)
      const { details, echo } = reasoning.end()
      const kept: Omit<Echo, 'by'> = { ...echo }
      if (think.tags) kept.think = think.tags
      if (asPart) kept.part = true
      if (Object.keys(kept).length > 0 || made.some(call => call.extra))
        details.push(echoEntry({ by, ...kept }))
      return making.made(byForce, { text, reasoning: reasoning.shown, calls: made, details })
    },
  })
}

function partWords(part: Fields): string {
  const words = part['thinking'] ?? part['text'] ?? part['summary']
  if (typeof words === 'string') return words
  return list(words)
    .map(item => fields(item)?.['text'])
    .filter(word => typeof word === 'string')
    .join('')
}
