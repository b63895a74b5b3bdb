// Gathers the flat log of one or several runs into conversations, their rounds, and the calls of each round.
import type { LogEvent, Message, Usage } from '@toolwright/core'

type Of<Kind extends LogEvent['kind']> = Extract<LogEvent, { kind: Kind }>

/** A conversation: what a model and someone said, in the order in which it came. */
export interface Conversation {
  /** Its span: '' for the run's own, else the path of its place. */
  span: string
  agent: string
  items: Item[]
}

export type Item =
  | { kind: 'message'; message: Message }
  | { kind: 'round'; round: Round }
  | { kind: 'warning'; text: string }
  | { kind: 'end'; end: Of<'end'> }

/** A turn that called tools, and what came of it. */
export interface Round {
  message?: Message
  /** In the order in which the model made them; those that were never begun are not here. */
  calls: CallNode[]
  /** The "tool" messages that no call of {@link calls} has as its own: of a call that was unreadable, say. */
  results: Message[]
}

export interface CallNode {
  tool: string
  number: string
  arguments: string
  /** When it began, ms since 1970. */
  at: number
  /** What it ended with; absent while it runs. */
  end?: { ms: number; waited: number; usage: Usage; failed: boolean }
  /** The question that nobody has answered yet. */
  ask?: Of<'ask'>
  /** What a person decided, where one was asked. */
  decision?: Of<'decision'>
  result?: Message
  /** The conversations that happened inside it, in the order in which they began. */
  inside: Conversation[]
}

/** The conversations of `events` that are in no call: one for each run, in the order in which they began. */
export function gather(events: readonly LogEvent[]): Conversation[] {
  const roots: Conversation[] = []
  const conversations = new Map<string, Conversation>()
  const calls = new Map<string, CallNode>()
  const at = (event: LogEvent, span: string) => `${event.run}\n${span}`

  const conversationOf = (event: LogEvent, span: string, parent?: string): Conversation => {
    const known = conversations.get(at(event, span))
    if (known) return known
    const made: Conversation = { span, agent: '', items: [] }
    conversations.set(at(event, span), made)
    // A log may begin in the middle: what hangs on nothing stands at the root.
    const around = parent === undefined ? undefined : calls.get(at(event, parent))
    const list = around ? around.inside : roots
    list.push(made)
    return made
  }

  for (const event of events) {
    const { span, parent } = event
    const call = calls.get(at(event, span))
    switch (event.kind) {
      case 'conversation':
        conversationOf(event, span, parent).agent = event.agent
        break
      case 'message':
        addMessage(conversationOf(event, span, parent), event.message)
        break
      case 'warning':
        if (call === undefined)
          conversationOf(event, span, parent).items.push({ kind: 'warning', text: event.text })
        else conversationOf(event, parent ?? '').items.push({ kind: 'warning', text: event.text })
        break
      case 'end':
        conversationOf(event, span, parent).items.push({ kind: 'end', end: event })
        break
      case 'call': {
        const begun = {
          tool: event.tool,
          number: event.number,
          arguments: event.arguments,
          at: event.at,
          inside: [],
        }
        // Begun again after it was broken off: only the last attempt is shown.
        if (call) Object.assign(call, begun, { end: undefined, ask: undefined, decision: undefined })
        else {
          calls.set(at(event, span), begun)
          lastRound(conversationOf(event, parent ?? '')).calls.push(begun)
        }
        break
      }
      case 'ask':
        if (call) call.ask = event
        break
      case 'decision':
        if (!call) break
        call.decision = event
        delete call.ask
        break
      case 'call end':
        if (!call) break
        call.end = event
        delete call.ask
        break
    }
  }
  for (const conversation of conversations.values())
    for (const item of conversation.items) if (item.kind === 'round') settle(item.round)
  return roots
}

function addMessage(conversation: Conversation, message: Message): void {
  if (message.calls.length > 0) {
    conversation.items.push({ kind: 'round', round: { message, calls: [], results: [] } })
    return
  }
  const last = conversation.items.findLast(item => item.kind === 'round' || item.kind === 'message')
  if (message.role === 'tool' && last?.kind === 'round') last.round.results.push(message)
  else conversation.items.push({ kind: 'message', message })
}

function lastRound(conversation: Conversation): Round {
  const last = conversation.items.findLast(item => item.kind === 'round')
  if (last?.kind === 'round') return last.round
  const round: Round = { calls: [], results: [] }
  conversation.items.push({ kind: 'round', round })
  return round
}

/** Puts the calls of a round in order and gives each its result. */
function settle(round: Round): void {
  round.calls.sort(byNumber)
  const made = round.message?.calls ?? []
  // A provider's ids can be empty or repeated: of several that fit, the first that is still free.
  const free = new Set(round.calls)
  const left: Message[] = []
  for (const result of round.results) {
    const own = round.calls.find(call => free.has(call) && made[indexInTurn(call)]?.id === result.call)
    if (own) {
      own.result = result
      free.delete(own)
    } else left.push(result)
  }
  round.results = left
}

/** Where in its turn a call stands, from 0: `2.3` is the third call of the second turn. -1: in no turn. */
function indexInTurn(call: CallNode): number {
  const [, index, ...deeper] = call.number.split('.')
  return deeper.length > 0 ? -1 : Number(index) - 1
}

/** 1.2 before 1.10, and before 1.2.1, which a program that the call 1.2 ran has made. */
function byNumber(a: CallNode, b: CallNode): number {
  const left = a.number.split('.').map(Number)
  const right = b.number.split('.').map(Number)
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const order = (left[i] ?? 0) - (right[i] ?? 0)
    if (order) return order
  }
  return left.length - right.length
}
