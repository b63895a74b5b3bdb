// A recipe as people write it, byte for byte (so no formatter may touch it), used by a scripted agent against a
// booking server.
import { readFileSync } from 'node:fs'
import { agent, type Piece, run } from '@toolwright/core'
import { calls, says, scripted } from '@toolwright/core/test'
import { afterEach, describe, expect, it } from 'vitest'
import { type Recorder, recorder } from '../../core/test/support/server.ts'
import { parseDocument } from '../src/folder.ts'
import { connection, recipe } from '../src/index.ts'
import { single } from './support/tools.ts'

let server: Recorder | undefined
afterEach(() => server?.close())

describe('a recipe as it stands', () => {
  it('is a tool that an agent uses', async () => {
    const example = readFileSync(new URL('./free_slots.txt', import.meta.url), 'utf8')
    const slots = Array.from({ length: 7 }, (_, i) => ({ time: `1${i}:00`, doctor: 'not to be seen?' }))
    server = await recorder(() => ({ slots, internal: 'PRIVATE' }))
    const booking = connection('booking', { baseUrl: `${server.url}/api`, allowPrivate: true })
    const free = recipe(parseDocument(example), {
      name: 'free_slots',
      about: 'Lists free slots.',
      connection: booking,
    })
    const model = scripted([calls([['free_slots', '{"date":"2026-12-01"}']]), says('Um 10 Uhr.')])
    const desk = agent('desk', { model, instructions: '', tools: [free] })

    const pieces: Piece[] = []
    const answer = await run(desk, 'Wann geht es?', { each: piece => void pieces.push(piece) })

    expect(answer).toBe('Um 10 Uhr.')
    expect(server.arrived).toMatchObject([{ method: 'GET', url: '/api/slots?date=2026-12-01', body: '' }])
    expect(pieces.filter(({ kind }) => kind === 'line').map(({ text }) => text)).toEqual([
      'Einen Moment, ich schaue nach freien Terminen.',
    ])
    const result = desk.history.find(({ role }) => role === 'tool')!.text
    expect(JSON.parse(result)).toEqual({ slots: slots.slice(0, 5), shown: 5, total: 7 })
    expect(JSON.stringify([pieces, desk.history])).not.toContain('PRIVATE')
    expect(free.readOnly).toBe(true)
    expect(free.parameters).toEqual({
      type: 'object',
      properties: { date: { type: 'string', description: 'Wunschtag des Anrufers im Format YYYY-MM-DD' } },
      required: ['date'],
      additionalProperties: false,
    })
  })
})

describe('what the agent says meanwhile', () => {
  it.each([
    [{ announce: true, announce_text: 'One moment.' }, ['One moment.']],
    [{ announce: true }, ['']],
    [{ announce: false, announce_text: 'One moment.' }, []],
    [{}, []],
  ])('%j is told as %j', async (announced, told) => {
    server = await recorder(() => ({ x: 1 }))
    const booking = connection('booking', { baseUrl: server.url, allowPrivate: true })
    const document = { ...single({ method: 'GET', url: '/x' }, {}, announced), about: 'Looks.' }
    const model = scripted([calls([['look', '{}']]), says('Done.')])
    const tools = [recipe(document, { name: 'look', connection: booking })]
    const lines: string[] = []
    await run(agent('desk', { model, instructions: '', tools }), 'Look.', {
      each: ({ kind, text }) => void (kind === 'line' && lines.push(text)),
    })
    expect(lines).toEqual(told)
  })
})
