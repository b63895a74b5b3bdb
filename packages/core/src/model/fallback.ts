// Several models as one: the next is asked where one cannot be had.
import type { Model, TurnPiece } from '../define/records.ts'
import { ToolwrightError } from '../errors.ts'
import { modelOf } from './model.ts'
import { priced } from './price.ts'

/**
 * A model that asks `models` in order, the next one where one fails before its first piece; not after it, and not
 * where the turn was stopped. The turn says which one answered (`model`), and its cost is at that one's price. Where
 * all fail, T3015 lists what each said. Throws T3014 where there is none, or one that is no model.
 */
export function fallback(...models: (Model | string)[]): Model {
  const all = models.map(modelOf)
  if (all.length === 0) {
    throw new ToolwrightError('T3014', 'fallback was given no model', {
      fix: "Name at least two: fallback('openai/gpt-5', endpoint('anthropic/claude-sonnet-5')).",
    })
  }
  return {
    name: all.map(model => model.name).join(', else '),
    // What one of them takes may be sent: those that take no pictures are told of them in words.
    ...(all.every(model => model.images === false) ? { images: false } : {}),
    async window() {
      const windows = await Promise.all(all.map(model => model.window?.() ?? 0))
      const known = windows.filter(window => window > 0)
      return known.length > 0 ? Math.min(...known) : 0
    },
    async turn(request, each, signal) {
      const failures: { name: string; error: unknown }[] = []
      for (const model of all) {
        let shown = false
        const watched = (piece: TurnPiece): boolean => {
          shown = true
          return each(piece)
        }
        try {
          const turn = await model.turn(request, watched, signal)
          return { ...priced(turn, model.price), model: turn.model ?? model.name }
        } catch (error) {
          if (shown || signal.aborted || all.length === 1) throw error
          failures.push({ name: model.name, error })
        }
      }
      throw none(failures)
    },
  }
}

function none(failures: readonly { name: string; error: unknown }[]): ToolwrightError {
  const lines = failures.map(({ name, error }) => `\n  ${name}: ${firstLine(error)}`)
  return new ToolwrightError('T3015', `none of ${failures.length} models could be had:${lines.join('')}`, {
    cause: new AggregateError(failures.map(failure => failure.error)),
  })
}

/** What an error says, without its mend. */
function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.split('\n', 1)[0] ?? ''
}
