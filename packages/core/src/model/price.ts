// What a turn cost, where its provider does not say.
import type { Price, Turn } from '../define/records.ts'

/** What `turn` cost at `price`, in US dollars: its tokens, those from the prompt cache at their own price. */
export function costOf(turn: Pick<Turn, 'input' | 'tokens' | 'cached'>, price: Price): number {
  const cached = Math.min(turn.cached ?? 0, turn.input)
  const read = (turn.input - cached) * price.input + cached * (price.cached ?? price.input)
  return (read + turn.tokens * price.output) / 1_000_000
}

/** The turn with its cost: as its provider said, else at `price`. A turn that does not say what it used has none. */
export function priced(turn: Turn, price: Price | undefined): Turn {
  if (!price || turn.cost !== undefined || turn.input + turn.tokens === 0) return turn
  return { ...turn, cost: costOf(turn, price) }
}
