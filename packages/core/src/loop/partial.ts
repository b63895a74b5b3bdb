// A record as it is being written: what can be read of a JSON text that has not ended yet.
import { ANSWER, type Piece } from '../define/records.ts'
import { WRAP } from '../tell/answer.ts'

/** What is there of `T` so far: every field may be missing, every text and list may be only begun. */
export type Partially<T> = T extends readonly (infer E)[]
  ? Partially<E>[]
  : T extends object
    ? { [K in keyof T]?: Partially<T[K]> }
    : T

/** The value of a JSON text up to where it ends: open texts, lists and records are closed, half a word is left out. */
export function readPartial(text: string): unknown {
  const closing: string[] = []
  let inText = false
  let escaped = false
  /** Where the text may be cut so that what stands before is whole. */
  let safe = 0
  let safeClosing = ''
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!
    if (inText) {
      if (escaped) escaped = false
      else if (char === '\\') escaped = true
      else if (char === '"') inText = false
      continue
    }
    if (char === '"') inText = true
    else if (char === '{' || char === '[') {
      closing.push(char === '{' ? '}' : ']')
      safe = i + 1
      safeClosing = [...closing].reverse().join('')
    } else if (char === '}' || char === ']') closing.pop()
    else if (char === ',') {
      safe = i
      safeClosing = [...closing].reverse().join('')
    }
  }
  const rest = [...closing].reverse().join('')
  const ends = inText
    ? [`${text.replace(/\\(?:u[0-9a-fA-F]{0,3})?$/, '')}"${rest}`, `${text}"${rest}`]
    : [`${text}${rest}`]
  for (const tried of [...ends, `${text.slice(0, safe)}${safeClosing}`]) {
    try {
      return JSON.parse(tried) as unknown
    } catch {
      // The next cut is shorter.
    }
  }
  return undefined
}

/**
 * The record of an `ask`, each time that more of it has come; at the end the whole of it, as it was read. `wrapped`:
 * what is asked for is no record, and comes in one as its only field. `output` does not reject.
 */
export async function* partials(
  pieces: AsyncIterable<Piece>,
  wrapped: boolean,
  output: Promise<unknown>,
): AsyncGenerator<unknown, void, undefined> {
  let step = ''
  let text = ''
  let before = ''
  for await (const piece of pieces) {
    if (piece.step.includes('/') || (piece.kind !== 'text' && piece.kind !== 'input')) continue
    if (piece.kind === 'input' && piece.call.tool !== ANSWER) continue
    const from = `${piece.kind} ${piece.step} ${piece.attempt}`
    if (from !== step) {
      step = from
      text = ''
    }
    text += piece.text
    if (!/^\s*[[{"]/.test(text)) continue
    const come = readPartial(text)
    const value = wrapped ? unwrapped(come) : come
    const now = JSON.stringify(value)
    if (value === undefined || now === before) continue
    before = now
    yield value
  }
  // A model that does not stream its calls, and what was mended and filled in.
  const whole = await output
  if (whole !== undefined && JSON.stringify(whole) !== before) yield whole
}

/** An answer that is no record comes wrapped; nothing of it is there before its field is. */
function unwrapped(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return (value as { [WRAP]?: unknown })[WRAP]
}
