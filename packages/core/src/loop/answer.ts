// The tool `answer`: how a model gives the record that it was asked for.

import { ANSWER, type Call } from '../define/records.ts'
import { isRecord, WRAP } from '../tell/answer.ts'
import type { Read, Shape } from '../value/shape.ts'
import type { Conversation } from './conversation.ts'
import { type Made, nameOf, type Round } from './made.ts'
import { failed } from './outcome.ts'
import { showCall } from './round.ts'

/** What the model is told that answered with a text which does not read. */
export function nudge(faults: readonly string[], byFormat: boolean): string {
  const how = byFormat ? `as the JSON text that was asked for` : `by calling \`${ANSWER}\``
  return `Give the answer ${how}. The text does not read as it:\n${faults.join('\n')}`
}

/** Reads a text of the model, which may be the record itself, bare or wrapped: as one `wraps` that was asked for so. */
export function readText(output: Shape, text: string, wraps: boolean): Read<unknown> {
  const asked = wraps ? unwrapped(text) : undefined
  if (asked) {
    const read = output.read(asked.value)
    if (read.ok) return read
  }
  const bare = output.readText(text)
  if (bare.ok || text.trim() === '') return text.trim() === '' ? { ok: false, faults: ['it is empty'] } : bare
  const inner = unwrapped(text)
  if (inner === undefined) return bare
  const read = output.read(inner.value)
  return read.ok || !isRecord(output.schema) ? read : bare
}

/**
 * Takes the answers of a round: the first that reads counts, but only where no other call failed. In the last turn
 * nothing else ran, so nothing else can spoil it.
 */
export function takeAnswers(c: Conversation, round: Round, last: boolean): { value: unknown } | undefined {
  const { answers, plain, handoffs } = round
  if (!c.output || answers.length === 0) return undefined
  const spoiled = last ? undefined : [...plain, ...handoffs].find(other => other.outcome?.failed)
  let taken: { value: unknown } | undefined
  for (const answer of answers) {
    answer.outcome = spoiled
      ? failed(spoiledBy(spoiled))
      : taken
        ? failed(ANOTHER)
        : (answer.cut && failed(answer.cut)) || undefined
    if (!answer.outcome) {
      const read = readCall(c.output, answer.call)
      if (read.ok) taken = { value: read.value }
      answer.outcome = read.ok ? { text: TAKEN } : failed(read.faults.join('\n'))
    }
    showCall(c, answer)
  }
  return taken
}

const TAKEN = 'The answer was taken.'
const ANOTHER = 'Not taken: another answer of the same turn was.'

function spoiledBy(other: Made): string {
  return `Not taken, because ${nameOf(other)} failed. Call \`${ANSWER}\` again when that is settled.`
}

function readCall(output: Shape, call: Call): Read<unknown> {
  const inner = unwrapped(call.arguments)
  if (inner === undefined) return output.readText(call.arguments)
  if (!isRecord(output.schema)) return output.read(inner.value)
  const bare = output.readText(call.arguments)
  const read = bare.ok ? bare : output.read(inner.value)
  return read.ok ? read : bare
}

function unwrapped(text: string): { value: unknown } | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null && Object.hasOwn(parsed, WRAP))
      return { value: (parsed as Record<string, unknown>)[WRAP] }
  } catch {
    return undefined
  }
  return undefined
}
