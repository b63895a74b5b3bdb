// Two tools out of JSON documents (in recipes/): one finds rooms with three requests and remembers the first of them,
// the other books what was remembered, and asks before it does.
import { createServer } from 'node:http'
import { join } from 'node:path'
import { type Ask, agent, connection, recipes, run } from 'toolwright'
import { calls, says, scripted } from 'toolwright/test'

// A hotel's server, here on this machine.
const server = createServer((request, response) => {
  console.log(`  hotel: ${request.method} ${request.url}`)
  const room = request.url?.split('/')[2]
  const answer =
    request.method === 'POST'
      ? { number: 'B-17', card: 'kept by the hotel' }
      : request.url === '/hotels/7'
        ? { id: 7, name: 'Seaview', currency: 'EUR' }
        : request.url?.startsWith('/hotels/7/rooms')
          ? { page: 1, rooms: [{ id: 'r1' }, { id: 'r2' }] }
          : { room, price: room === 'r1' ? 90 : 120, margin: 40 }
  response.end(JSON.stringify(answer))
})
await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
const address = server.address()
const baseUrl = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`

const hotel = connection('hotel', { baseUrl, allowPrivate: true })
const tools = await recipes(join(import.meta.dirname, 'recipes'), { connection: hotel })
const model = scripted([
  calls([['find_rooms', { night: '2026-12-01' }]]),
  calls([['book_room', { guest: { name: 'Ada Lovelace' } }]]),
  says('Room r1 at the Seaview is booked for Ada Lovelace, number B-17.'),
])
const desk = agent('desk', { model, instructions: 'You book rooms.', tools })

function approver({ call, resolved }: Ask) {
  // What would be sent, with what stands in no argument.
  const { requests } = resolved as { requests: { method: string; body: string }[] }
  for (const { method, body } of requests) console.log(`${call.tool} asks to ${method} ${body}. Yes.`)
  return true
}

const answer = await run(desk, 'A room for Ada Lovelace on 1 December, please.', {
  // Which hotel it is stands in no message: the recipe takes it from here.
  variables: { hotel_id: 7 },
  approver,
  each: piece => {
    if (piece.kind === 'line') console.log(piece.text)
    if (piece.kind === 'result') console.log(`the model sees ${piece.text}`)
  },
})
console.log(answer)
server.close()
