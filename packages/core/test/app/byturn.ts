// A model that knows its turn from the thread.
import type { Message, Model, Turn } from '../../src/define/records.ts'

/** A model that says the n-th turn where n turns of it stand on the thread, so that it says the same after a restart. */
export function byTurn(turns: (Turn | ((messages: readonly Message[]) => Turn))[], name = 'by turn') {
  const model = {
    name,
    asked: 0,
    told: [] as Message[][],
    async turn(request: { messages: readonly Message[] }) {
      model.asked++
      model.told.push([...request.messages])
      const said = request.messages.filter(m => m.role === 'assistant' && m.origin.from === 'model').length
      const turn = turns[said]
      if (!turn) throw new Error(`there is no turn ${said + 1}`)
      return { ...(typeof turn === 'function' ? turn(request.messages) : turn), tokens: 10, input: 100 }
    },
  }
  return model satisfies Model
}
