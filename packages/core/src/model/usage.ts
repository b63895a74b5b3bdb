// What a turn used, as servers tell it. They agree on little: the same number stands under several names, and what
// came from a cache is sometimes part of what was read and sometimes beside it.
import { count, type Fields, fields } from './json.ts'

/** What was told so far, each the largest: usage on every chunk of a stream is cumulative. */
export interface Used {
  /** Tokens read, those from a cache included. */
  input: number
  /** Tokens written, those of reasoning included. */
  tokens: number
  cached?: number
  reasoned?: number
  /** US dollars. */
  cost?: number
}

/** Adds what `told`, the `usage` of an answer or a chunk, says to `used`. */
export function readUsage(used: Used, told: Fields | undefined): void {
  if (!told) return
  const read = fields(told['prompt_tokens_details']) ?? fields(told['input_tokens_details'])
  const wrote = fields(told['completion_tokens_details']) ?? fields(told['output_tokens_details'])
  const fromCache = count(told['cache_read_input_tokens'])
  const cached =
    count(read?.['cached_tokens']) ?? // OpenAI and most others
    count(told['prompt_cache_hit_tokens']) ?? // DeepSeek
    fromCache ?? // Anthropic, LiteLLM
    count(told['cached_tokens']) // Moonshot
  // Anthropic counts what it read from its cache and wrote to it beside the input; who translates it, within the prompt.
  const beside = (fromCache ?? 0) + (count(told['cache_creation_input_tokens']) ?? 0)
  const input = count(told['input_tokens'])
  const prompt = count(told['prompt_tokens']) ?? (input === undefined ? 0 : input + (read ? 0 : beside))
  const completion = count(told['completion_tokens']) ?? count(told['output_tokens']) ?? 0
  // Some leave reasoning out of the completion, but never out of the total.
  const total = count(told['total_tokens']) ?? 0
  used.input = Math.max(used.input, prompt)
  used.tokens = Math.max(used.tokens, completion, prompt > 0 ? total - prompt : 0)
  if (cached !== undefined) used.cached = Math.max(used.cached ?? 0, Math.min(cached, used.input))
  const reasoned = count(wrote?.['reasoning_tokens']) ?? count(told['reasoning_tokens'])
  if (reasoned !== undefined) used.reasoned = Math.max(used.reasoned ?? 0, Math.min(reasoned, used.tokens))
  const cost = costIn(told)
  if (cost !== undefined) used.cost = cost
}

/** What the provider says that it cost: OpenRouter as a number, Perplexity as a record. */
export function costIn(told: Fields): number | undefined {
  const cost = count(told['cost']) ?? count(fields(told['cost'])?.['total_cost'])
  // With a key of one's own at OpenRouter, `cost` is only its fee: what the provider charges stands beside it.
  const upstream = count(fields(told['cost_details'])?.['upstream_inference_cost'])
  return told['is_byok'] === true && upstream !== undefined ? (cost ?? 0) + upstream : cost
}
