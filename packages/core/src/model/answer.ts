// The body of an answer, as bytes cut anywhere: an event stream, or JSON where the server did not stream, or a page
// that is no answer at all. Told apart by what comes, as content types are often wrong.
import type { Json } from '../define/records.ts'
import { type Failure, wordsOfBody } from './failure.ts'
import type { Gather } from './gather.ts'
import { fields, parsed } from './json.ts'
import { eventStream } from './sse.ts'

/** How much of an answer that is no turn is kept to be told. */
const KEPT = 64_000

export interface AnswerReader {
  push(bytes: Uint8Array): void
  /** The body is over. */
  end(): void
  /** Nothing more has to be read: the turn is whole, was stopped, or failed. */
  readonly over: boolean
  readonly failure: Failure | undefined
}

/** Reads an answer into `turn`. It never throws: what went wrong is its `failure`. */
export function answerReader(turn: Gather): AnswerReader {
  const decoder = new TextDecoder()
  /** What came before it is known what it is; then, of JSON or a page, all of it. */
  let held: string[] = []
  let kind: 'unknown' | 'events' | 'whole' = 'unknown'
  let done = false
  let failure: Failure | undefined
  /** Lines of the stream that are no events: nothing by themselves, but the reason where no turn comes of it. */
  let foreign = ''
  const events = eventStream(data, other)

  function over(): boolean {
    return done || failure !== undefined || turn.stopped
  }

  function data(text: string): void {
    if (over() || text === '') return
    if (text.trim() === '[DONE]') {
      done = true
      // Without anything before it, it ends nothing.
      if (turn.begun) turn.finish()
      return
    }
    const value = first(parsed(text))
    if (!fields(value)) {
      // A server that leaves the empty lines out makes one event of many.
      if (text.includes('\n')) for (const line of text.split('\n')) data(line)
      else failure = { code: 'T3007', words: text.slice(0, KEPT) }
      return
    }
    turn.chunk(value!)
    failure = turn.failure
  }

  function other(line: string): void {
    if (over()) return
    // A proxy that drops the "data:", or an error written straight into the stream.
    if (line.trimStart().startsWith('{') && fields(parsed(line))) data(line)
    else if (foreign.length < KEPT) foreign += `${line}\n`
  }

  function text(part: string): void {
    if (kind === 'events') {
      events.push(part)
      return
    }
    held.push(part)
    if (kind === 'whole') return
    const start = held.join('')
    const sign = start.trimStart().charAt(0)
    if (sign === '') return
    kind = sign === '{' || sign === '[' || sign === '<' ? 'whole' : 'events'
    held = kind === 'whole' ? [start] : []
    if (kind === 'events') events.push(start)
  }

  function whole(body: string): void {
    const answer = first(parsed(body))
    // Chunks one a line, without any "data:".
    const lines = answer === undefined ? body.split(/\r\n|\n|\r/).filter(line => line.trim() !== '') : []
    if (lines.length > 1 && lines.every(line => fields(parsed(line)))) {
      for (const line of lines) data(line)
      return
    }
    if (fields(answer)) turn.chunk(answer!)
    failure = turn.failure
    if (turn.begun || turn.finished) turn.finish()
    else failure ??= { code: 'T3007', words: wordsOfBody(body.slice(0, KEPT)) }
  }

  return {
    push(bytes) {
      if (!over()) text(decoder.decode(bytes, { stream: true }))
    },
    end() {
      if (over()) return
      const wasFinished = turn.finished
      text(decoder.decode())
      if (kind === 'whole') whole(held.join(''))
      else events.end()
      // What is left behind a finished turn, a torn line say, changes nothing.
      if (wasFinished) failure = undefined
      if (over() || turn.finished) return
      if (turn.begun) failure = { code: 'T3008', words: foreign, again: true }
      else if (foreign.trim() !== '') failure = { code: 'T3007', words: foreign }
      else failure = { code: 'T3008', words: '', again: true }
    },
    get over() {
      return over()
    },
    get failure() {
      if (!failure && done && !turn.finished) return { code: 'T3008', words: foreign, again: true }
      return failure
    },
  }
}

/** Gemini's API wraps some answers in a list of one. */
function first(json: Json | undefined): Json | undefined {
  return Array.isArray(json) ? json[0] : json
}
