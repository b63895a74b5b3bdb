// A model that says what it is told to: for tests and examples that need no network.
import type { Call, Model, Request, Turn, TurnPiece } from '../define/records.ts'
import { ToolwrightError } from '../errors.ts'

/** One turn of a script: the turn, or a function that makes it from what the model was asked. */
export type ScriptedTurn = Turn | ((request: Request) => Turn | Promise<Turn>)

/** What a scripted turn may state beside its text or calls. */
export type TurnExtras = Partial<Omit<Turn, 'calls'>>

/**
 * A model, named 'scripted', that gives `turns` in order, one a request: reasoning, then text, each in pieces of at
 * most 4 UTF-8 bytes and never half a character. A turn asked for after the last rejects with T3011.
 */
export function scripted(turns: readonly ScriptedTurn[]): Model {
  let asked = 0
  return {
    name: 'scripted',
    async turn(request, each, signal) {
      const next = turns[asked++]
      if (next === undefined) throw exhausted(turns.length, asked)
      const turn = typeof next === 'function' ? await next(request) : next
      const inReasoning = await give('reasoning', turn.reasoning, each, signal)
      if (inReasoning !== undefined) return stopped(turn, inReasoning, 0)
      const inText = await give('text', turn.text, each, signal)
      if (inText !== undefined) return stopped(turn, turn.reasoning.length, inText)
      if (signal.aborted) return stopped(turn, turn.reasoning.length, turn.text.length)
      // A copy, so that a script can be told twice whatever a run does with its turns.
      return { ...turn, calls: turn.calls.map(call => ({ ...call })), details: [...turn.details] }
    },
  }
}

/** A scripted turn that says `text`. */
export function says(text: string, extras: TurnExtras = {}): Turn {
  return { text, reasoning: '', calls: [], details: [], tokens: 0, input: 0, window: 0, ...extras }
}

/**
 * A scripted turn that calls tools, each a name and its arguments: a text as the model would write it, or an object,
 * which is made JSON. Ids are call_0, call_1 … anew for each turn.
 */
export function calls(
  named: readonly (readonly [tool: string, arguments_: string | object])[],
  extras: TurnExtras = {},
): Turn {
  const made = named.map(([tool, input], n): Call => {
    return { id: `call_${n}`, tool, arguments: typeof input === 'string' ? input : JSON.stringify(input) }
  })
  return { ...says(''), ...extras, calls: made }
}

/**
 * Gives `text` piece by piece, with a breath after each, so that whoever reads along can stop it as a real one.
 * Where `each` or the signal stops it: how much was given.
 */
async function give(
  kind: 'text' | 'reasoning',
  text: string,
  each: (piece: TurnPiece) => boolean,
  signal: AbortSignal,
): Promise<number | undefined> {
  let from = 0
  while (from < text.length) {
    if (signal.aborted) return from
    const to = pieceEnd(text, from)
    if (!each({ kind, text: text.slice(from, to) })) return to
    await undefined
    from = to
  }
  return undefined
}

/** Where a piece of at most 4 bytes that begins at `from` ends. */
function pieceEnd(text: string, from: number): number {
  let bytes = 0
  let at = from
  while (at < text.length) {
    const unit = text.charCodeAt(at)
    const pair = unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00
    bytes += pair ? 4 : unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3
    if (bytes > 4) return at
    at += pair ? 2 : 1
  }
  return at
}

function stopped(turn: Turn, reasoning: number, text: number): Turn {
  return {
    ...turn,
    reasoning: turn.reasoning.slice(0, reasoning),
    text: turn.text.slice(0, text),
    calls: [],
    details: [],
    cut: 'stopped',
  }
}

function exhausted(had: number, asked: number): ToolwrightError {
  const turns = had === 1 ? '1 turn' : `${had} turns`
  return new ToolwrightError('T3011', `the scripted model has ${turns} and was asked for turn ${asked}`, {
    fix: 'Add a turn to the script, or find out why the run went on.',
  })
}
