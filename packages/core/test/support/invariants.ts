// What must be true of every conversation, whatever the model does.
import type { Message, Model, Request } from '../../src/define/records.ts'

/** Says what is wrong with the pairing of calls and results; nothing where each call has exactly its result. */
export function unpaired(messages: readonly Message[]): string | undefined {
  for (let i = 0; i < messages.length; i++) {
    const message = messages[i]!
    if (message.role === 'tool') return `message ${i} is a result without a call`
    const open = message.calls.map(c => c.id)
    if (new Set(open).size !== open.length) return `message ${i} has two calls of one id`
    for (const id of open) {
      const next = messages[++i]
      if (next?.role !== 'tool') return `the call ${id} of message ${i} has no result`
      if (next.call !== id) return `message ${i} answers ${next.call} where ${id} is next`
    }
  }
  return undefined
}

/** A model that checks each request before `model` sees it, and keeps its bytes. */
export function watched(model: Model, requests: string[] = []): Model {
  return {
    name: model.name,
    turn(request, each, signal) {
      const wrong = unpaired(request.messages)
      if (wrong) throw new Error(`invariant broken: ${wrong}`)
      requests.push(bytes(request))
      return model.turn(request, each, signal)
    },
  }
}

/** A request as bytes, to compare two of them. */
export function bytes(request: Request): string {
  return JSON.stringify([request.instructions, request.messages, request.tools, request.answer])
}
