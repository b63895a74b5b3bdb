// A second worked example: three sources with a loop, what is remembered used by a later tool, an action that asks.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Ask, agent, type LogEvent, type Piece, run, tool } from '@toolwright/core'
import { calls, says, scripted } from '@toolwright/core/test'
import { check } from '@toolwright/core/values'
import { afterEach, describe, expect, it } from 'vitest'
import { type Recorder, recorder } from '../../core/test/support/server.ts'
import { connection, recipes } from '../src/index.ts'

const folder = fileURLToPath(new URL('../../../examples/recipes', import.meta.url))
let server: Recorder | undefined
afterEach(() => server?.close())

async function hotel(approved: boolean, trust: string[] = []) {
  server = await recorder(({ method, url }) => {
    if (method === 'POST') return { number: 'B-17', internal: 'PRIVATE' }
    if (url === '/hotels/7') return { id: 7, name: 'Seaview', currency: 'EUR', owner: 'PRIVATE' }
    if (url.startsWith('/hotels/7/rooms'))
      return { page: 1, rooms: ['r1', 'r2', 'r3', 'r4'].map(id => ({ id, note: 'PRIVATE' })) }
    return { room: url.split('/')[2], price: 90, cost: 'PRIVATE' }
  })
  const booking = connection('hotel', { baseUrl: server.url, allowPrivate: true })
  const kept: Record<string, unknown> = {}
  const look = tool('look', {
    about: 'Looks at what is remembered, and says nothing of it.',
    run: (_, { variables }) => {
      for (const owner of ['hotel', 'other', undefined])
        kept[`${owner}`] = ['number', 'book_room.number'].map(name => variables.get(name, owner))
      return 'looked'
    },
  })
  const tools = [...(await recipes(folder, { connection: booking })), look]
  const model = scripted([
    calls([['find_rooms', '{"night":"2026-12-01"}']]),
    calls([['book_room', '{"guest":{"name":"Ada Lovelace"}}']]),
    calls([['look', '{}']]),
    says('Done.'),
  ])
  const desk = agent('desk', { model, instructions: '', tools, trust })
  const asks: Ask[] = []
  const pieces: Piece[] = []
  const log: LogEvent[] = []
  await run(desk, 'A room, please.', {
    variables: { hotel_id: 7 },
    approver: ask => (asks.push(ask), approved),
    each: piece => void pieces.push(piece),
    log: event => void log.push(event),
  })
  const results = desk.history.filter(({ role }) => role === 'tool').map(({ text }) => text)
  return { tools, asks, pieces, results, kept, everything: JSON.stringify([desk.history, pieces, log]) }
}

describe('a folder of recipes', () => {
  it('finds rooms, remembers one, asks, and books it', async () => {
    const { asks, results, kept, everything, pieces } = await hotel(true)
    const [get, rooms, ...more] = server!.arrived
    expect([get!.url, rooms!.url]).toEqual(['/hotels/7', '/hotels/7/rooms?night=2026-12-01'])
    const post = more.pop()!
    expect(more.map(({ url }) => url).sort()).toEqual(
      [1, 2, 3, 4].map(n => `/rooms/r${n}/price?currency=EUR`),
    )
    expect([post.method, post.url, JSON.parse(post.body)]).toEqual([
      'POST',
      '/bookings',
      { room: 'r1', guest: { name: 'Ada Lovelace', source: 'phone' } },
    ])
    expect(JSON.parse(results[0]!)).toEqual({
      a: { name: 'Seaview' },
      c: [1, 2, 3].map(n => ({ room: `r${n}`, price: 90 })),
      shown: 3,
      total: 4,
    })
    expect(JSON.parse(results[1]!)).toEqual({ number: 'B-17' })
    expect(asks.map(({ call, why }) => [call.tool, call.arguments, why])).toEqual([
      ['book_room', '{"guest":{"name":"Ada Lovelace"}}', 'it sends data out'],
    ])
    // The short name is known to its own connection, the long one to all.
    expect(kept).toEqual({
      hotel: ['B-17', 'B-17'],
      other: [undefined, 'B-17'],
      undefined: [undefined, 'B-17'],
    })
    expect(pieces.filter(({ kind }) => kind === 'line').map(({ text }) => text)).toEqual([
      'One moment, I am looking for free rooms.',
    ])
    // Nothing but the projection reaches the model, the thread, the pieces or the log.
    expect(everything).not.toContain('PRIVATE')
  })

  it('books nothing where the person does not agree, and does not ask for a trusted connection', async () => {
    const declined = await hotel(false)
    expect(server!.arrived.some(({ method }) => method === 'POST')).toBe(false)
    expect(declined.kept['hotel']).toEqual([undefined, undefined])
    await server!.close()
    expect((await hotel(false, ['hotel'])).asks).toEqual([])
    expect(server!.arrived.some(({ method }) => method === 'POST')).toBe(true)
  })

  it('fits the published schema', () => {
    const schema = JSON.parse(readFileSync(new URL('../recipe.schema.json', import.meta.url), 'utf8'))
    for (const name of ['find_rooms', 'book_room'])
      expect(check(schema, JSON.parse(readFileSync(`${folder}/${name}.recipe.json`, 'utf8')))).toMatchObject({
        ok: true,
      })
  })
})
