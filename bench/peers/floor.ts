// The floor: what a person writes by hand who needs one agent and nothing else. An array of messages, a loop,
// JSON.parse, the function. No schema is checked, nothing is guarded, nothing can be stopped.
import { add, type Heard, type Script, type Subject } from '../work.ts'

interface Call {
  id: string
  tool: string
  arguments: string
}
interface Message {
  role: string
  text: string
  calls: Call[]
  call: string
}
type Piece = { text: string } | { call: Call }

async function* model(script: Script, messages: Message[]): AsyncGenerator<Piece> {
  const turn = script.next(() => JSON.stringify(messages))
  for (const { id, arguments: json } of turn.calls) yield { call: { id, tool: 'add', arguments: json } }
  for (const text of turn.pieces) yield { text }
}

const tools: Record<string, (input: { a: number; b: number }) => unknown> = { add }

async function talk(script: Script): Promise<Heard> {
  const messages: Message[] = [{ role: 'user', text: 'go', calls: [], call: '' }]
  let pieces = 0
  for (;;) {
    let text = ''
    const calls: Call[] = []
    for await (const piece of model(script, messages)) {
      if ('call' in piece) calls.push(piece.call)
      else {
        text += piece.text
        pieces++
      }
    }
    messages.push({ role: 'assistant', text, calls, call: '' })
    if (calls.length === 0) return { text, pieces }
    const results = await Promise.all(calls.map(async call => tools[call.tool]!(JSON.parse(call.arguments))))
    results.forEach((result, i) => {
      messages.push({ role: 'tool', text: JSON.stringify(result), calls: [], call: calls[i]!.id })
    })
  }
}

export const subject: Subject = { name: 'floor', packages: [], imports: [], talk }
