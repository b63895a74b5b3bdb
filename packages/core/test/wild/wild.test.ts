import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FunctionObject, Request, Turn, TurnPiece } from '../../src/define/records.ts'
import { answerReader } from '../../src/model/answer.ts'
import { endpointMark } from '../../src/model/body.ts'
import { gather } from '../../src/model/gather.ts'
import { wireNames } from '../../src/model/names.ts'
import { streamed } from '../../src/model/streamed.ts'
import { BY, type Fixture, fixtures } from './fixtures.ts'

const bodyOf = (fixture: Fixture) => new Uint8Array(readFileSync(new URL(fixture.file, import.meta.url)))

const toolsOf = (fixture: Fixture): FunctionObject[] =>
  (fixture.tools ?? ['get_weather', 'add', 'list_notes', 'send_mail']).map(name => ({
    type: 'function',
    function: { name, description: '', parameters: { type: 'object' } },
  }))

/** Reads a body that comes in these parts. */
function read(fixture: Fixture, parts: Uint8Array[]) {
  const pieces: TurnPiece[] = []
  const each = (piece: TurnPiece) => pieces.push(piece) > 0
  const turn = gather({ names: wireNames(toolsOf(fixture)), window: 0, by: BY, each })
  const reader = answerReader(turn)
  for (const part of parts) reader.push(part)
  reader.end()
  const failure = reader.failure
  return failure ? { pieces, failure } : { pieces, turn: turn.turn(false) }
}

function expected(fixture: Fixture): Turn {
  const empty = { text: '', reasoning: '', calls: [], details: [], tokens: 0, input: 0, window: 0 }
  return { ...empty, ...fixture.turn }
}

function check(fixture: Fixture, parts: Uint8Array[]) {
  const { pieces, turn, failure } = read(fixture, parts)
  expect(pieces).toEqual(fixture.pieces)
  if (fixture.fails) {
    expect(failure).toMatchObject({ code: fixture.fails.code })
    expect(failure?.words).toContain(fixture.fails.words)
    expect(failure?.again === true).toBe(fixture.fails.again === true)
  } else {
    expect(failure).toBeUndefined()
    expect(turn).toEqual(expected(fixture))
  }
}

describe.each(
  fixtures.map(fixture => [`${fixture.file} (${fixture.server}: ${fixture.shows})`, fixture] as const),
)('%s', (_, fixture) => {
  const body = bodyOf(fixture)

  test('gives its turn and pieces, read at once and byte by byte', () => {
    check(fixture, [body])
    check(
      fixture,
      [...body].map((_, n) => body.subarray(n, n + 1)),
    )
  })

  test('gives the same wherever it is cut in two', () => {
    const whole = JSON.stringify(read(fixture, [body]))
    for (let n = 0; n <= body.length; n++) {
      const cut = JSON.stringify(read(fixture, [body.subarray(0, n), body.subarray(n)]))
      if (cut !== whole) expect.fail(`cut at byte ${n}: ${cut}`)
    }
  })

  test('gives the same in any parts, with any line ends, and behind a byte order mark', () => {
    const sse = fixture.file.endsWith('.sse')
    const plain = new TextDecoder().decode(body).replaceAll('\r\n', '\n')
    const forms = sse ? ['\n', '\r\n', '\r'].map(end => plain.replaceAll('\n', end)) : [plain]
    forms.push(`\ufeff${plain}`)
    if (sse) forms.push(plain.replaceAll('data: ', 'data:'))
    const cuts = fc.array(fc.nat(Math.max(body.length, 1)), { maxLength: 12 })
    const property = fc.property(fc.constantFrom(...forms), cuts, (form, at) => {
      const bytes = new TextEncoder().encode(form)
      const ends = [...at.filter(n => n < bytes.length).sort((a, b) => a - b), bytes.length]
      check(
        fixture,
        ends.map((end, n) => bytes.subarray(ends[n - 1] ?? 0, end)),
      )
    })
    fc.assert(property, { numRuns: 40 })
  })
})

describe('over HTTP', () => {
  let server: Server
  let url: string
  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const name = request.url?.split('/')[1]
      const fixture = fixtures.find(f => f.file === name)
      if (!fixture) return response.writeHead(404).end()
      const type = fixture.file.endsWith('.sse') ? 'text/event-stream' : 'application/json'
      response.writeHead(200, { 'content-type': type })
      const body = bodyOf(fixture)
      // Each part is a write of its own, in a later turn of the event loop than the one before.
      for (let n = 0; n < body.length; n += 97) {
        response.write(body.subarray(n, n + 97))
        await new Promise(setImmediate)
      }
      response.end()
    })
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  test.each(fixtures.map(fixture => [fixture.file, fixture] as const))('%s', async (_, fixture) => {
    const pieces: TurnPiece[] = []
    const api = { url: `${url}/${fixture.file}`, tries: 1 }
    const request: Request = { instructions: '', messages: [], tools: toolsOf(fixture), answer: false }
    const asked = streamed(api, 'm', 0, request, piece => pieces.push(piece) > 0)
    if (fixture.fails) {
      await expect(asked).rejects.toMatchObject({ code: fixture.fails.code })
      await expect(asked).rejects.toThrow(fixture.fails.words)
    } else {
      const by = endpointMark(new URL(`${api.url}/chat/completions`), 'm')
      expect(JSON.parse(JSON.stringify(await asked).replaceAll(by, BY))).toEqual(expected(fixture))
    }
    expect(pieces).toEqual(fixture.pieces)
  })
})
