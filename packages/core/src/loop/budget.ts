// What a run has used and may use. Budgets form a tree: what a child uses charges all above it.
import type { LimitName, Limits } from '../define/limits.ts'
import type { Usage } from '../define/records.ts'
import type { Watch } from './watch.ts'

type Allowed = Pick<Limits, 'tokensOut' | 'calls' | 'cost' | 'time' | 'toolCalls'>

/** Counts what a conversation, or a single call in it, uses. Without `allowed` it only counts. */
export class Budget implements Usage {
  calls = 0
  tokens = 0
  input = 0
  cached?: number
  reasoned?: number
  cost?: number
  toolCalls = 0
  asks?: number
  private readonly above: Budget | undefined
  private readonly allowed: Allowed | undefined
  private readonly watch: Watch | undefined

  constructor(above?: Budget, allowed?: Allowed, watch?: Watch) {
    this.above = above
    this.allowed = allowed
    this.watch = watch
  }

  /** Adds what was used, here and above. */
  charge(used: { [K in keyof Usage]?: Usage[K] | undefined }): void {
    for (let b: Budget | undefined = this; b; b = b.above) {
      if (used.calls) b.calls += used.calls
      if (used.tokens) b.tokens += used.tokens
      if (used.input) b.input += used.input
      if (used.toolCalls) b.toolCalls += used.toolCalls
      if (used.cached !== undefined) b.cached = (b.cached ?? 0) + used.cached
      if (used.reasoned !== undefined) b.reasoned = (b.reasoned ?? 0) + used.reasoned
      if (used.cost !== undefined) b.cost = (b.cost ?? 0) + used.cost
      if (used.asks !== undefined) b.asks = (b.asks ?? 0) + used.asks
    }
  }

  /** The limit of this very budget that is spent. `turn`: the turns of a model count too. */
  spent(turn: boolean): LimitName | undefined {
    const a = this.allowed
    if (!a) return undefined
    if (turn && this.calls >= a.calls) return 'calls'
    if (this.tokens >= a.tokensOut) return 'tokensOut'
    if (this.cost !== undefined && this.cost >= a.cost) return 'cost'
    if (a.time !== Number.POSITIVE_INFINITY && this.watch && this.watch.worked() >= a.time) return 'time'
    if (turn && this.toolCalls >= a.toolCalls) return 'toolCalls'
    return undefined
  }

  /** The limit of a budget above this one that is spent. */
  spentAbove(turn: boolean): LimitName | undefined {
    for (let b = this.above; b; b = b.above) {
      const limit = b.spent(turn)
      if (limit) return limit
    }
    return undefined
  }

  /** Why no tool call may begin any more, here or above; nothing where one may. */
  refusesCall(): LimitName | undefined {
    for (let b: Budget | undefined = this; b; b = b.above) {
      const limit =
        b.spent(false) ?? (b.allowed && b.toolCalls >= b.allowed.toolCalls ? 'toolCalls' : undefined)
      if (limit) return limit
    }
    return undefined
  }

  /** How often a person was asked in the whole run. */
  get asked(): number {
    let top: Budget = this
    while (top.above) top = top.above
    return top.asks ?? 0
  }

  /** What was used so far, as a record of its own. */
  usage(): Usage {
    const { calls, tokens, input, toolCalls, cached, reasoned, cost, asks } = this
    const usage: Usage = { calls, tokens, input, toolCalls }
    if (cached !== undefined) usage.cached = cached
    if (reasoned !== undefined) usage.reasoned = reasoned
    if (cost !== undefined) usage.cost = cost
    if (asks !== undefined) usage.asks = asks
    return usage
  }
}
