// An action asks a person: what is shown is what would be sent, and what is sent is what was shown.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Agent, agent, app, type Json, memory, type Turn } from '@toolwright/core'
import { definitionOf, type Inner } from '@toolwright/core/engine'
import { sqlite } from '@toolwright/core/sqlite'
import { calls, says } from '@toolwright/core/test'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { byTurn } from '../../core/test/app/byturn.ts'
import { type Recorder, recorder } from '../../core/test/support/server.ts'
import { connection, recipe, secret, variables } from '../src/index.ts'
import { llm, param, single } from './support/tools.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolwright-recipe-asks-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let server: Recorder | undefined
afterEach(async () => {
  await server?.close()
  delete process.env['RECIPE_ASKS']
})

const TOKEN = 'a-token-of-mine'
const cancelDocument = (path = '/bookings/{{id}}') => ({
  kind: 'action',
  announce: true,
  announce_text: 'I am cancelling it.',
  sources: {
    a: {
      method: 'POST',
      url: path,
      params: [
        param({ from: 'variable', name: 'id', value: 'booking.id', type: 'integer', required: true }),
        llm('why'),
      ],
    },
  },
  output: { fields: ['ok'] },
})

/** An agent with the recipe, another that changes what it depends on, and what tells that apart. */
async function made(turns: Turn[], { document = cancelDocument() as object } = {}) {
  process.env['RECIPE_ASKS'] = TOKEN
  server ??= await recorder(() => ({}))
  const booking = connection('booking', {
    baseUrl: `${server.url}/v1`,
    allowPrivate: true,
    auth: { bearer: secret('RECIPE_ASKS') },
  })
  const cancel = recipe(document, { name: 'cancel', about: 'Cancels a booking.', connection: booking })
  const find = recipe(single({ method: 'GET', url: '/find' }, { remember: ['booking.id'] }), {
    name: 'find',
    about: 'Finds the booking.',
    connection: booking,
  })
  const model = byTurn([
    ...turns,
    (messages): Turn => says(messages.flatMap(m => (m.role === 'tool' ? [m.text] : [])).join('|')),
  ])
  return agent('desk', { model, instructions: '', tools: [cancel, find] })
}

const cancelling = calls([['cancel', { why: 'ill' }]])
const start = { message: 'Cancel it.', variables: { 'booking.id': 70 } as Record<string, Json> }

function asked(over: ReturnType<typeof app>, run: { id: string }, step: string) {
  return vi.waitFor(
    async () => {
      const found = (await over.runs.asks(run)).find(ask => ask.step === step)
      if (!found) throw new Error(`nothing asks ${step}`)
      return found
    },
    { interval: 2, timeout: 5_000 },
  )
}

const stores = { memory: () => memory(), sqlite: () => sqlite(join(folder, `${Math.random()}.db`)) }

describe.each(Object.entries(stores))('an action over %s', (_, store) => {
  const opened = (desk: Agent) => app({ agents: [desk], store: store(), drain: false })

  it('shows each request as it would be sent, its secrets hidden, and sends exactly that', async () => {
    server = await recorder(() => ({ ok: true }))
    await using over = opened(await made([cancelling]))
    const run = await over.runs.start('desk', start)
    const { resolved, why, call } = await asked(over, run, 'ask 1.1')
    expect(resolved).toEqual({
      requests: [
        {
          source: 'a',
          method: 'POST',
          url: `${server.url}/v1/bookings/70`,
          headers: { authorization: 'Bearer [secret]', 'content-type': 'application/json' },
          body: '{"why":"ill"}',
        },
      ],
    })
    expect([why, call.arguments, server.arrived]).toEqual(['it sends data out', '{"why":"ill"}', []])
    await over.runs.approve(run, 'ask 1.1')
    expect(await over.runs.answer(run)).toBe('{"ok":true}')
    expect(server.arrived).toMatchObject([{ url: '/v1/bookings/70', body: '{"why":"ill"}' }])
    const lines = []
    for await (const { kind, text } of over.runs.pieces(run)) if (kind === 'line') lines.push(text)
    expect(lines).toEqual(['I am cancelling it.'])
  })

  it('sends nothing where the person does not agree, and the model is told', async () => {
    server = await recorder(() => ({ ok: true }))
    await using over = opened(await made([cancelling]))
    const run = await over.runs.start('desk', start)
    await asked(over, run, 'ask 1.1')
    await over.runs.refuse(run, 'ask 1.1', { why: 'not this one' })
    expect(await over.runs.answer(run)).toBe(
      'T7111: cancel was not carried out: the person did not agree. The reason: not this one',
    )
    expect(server.arrived).toEqual([])
  })

  it('asks anew where what it depends on has changed since it was shown', async () => {
    let found = (): void => {}
    server = await recorder(({ url }) =>
      url === '/v1/find'
        ? new Promise<object>(resolve => (found = () => resolve({ booking: { id: 71 } })))
        : { ok: true },
    )
    await using over = opened(
      await made([
        calls([
          ['cancel', {}],
          ['find', {}],
        ]),
      ]),
    )
    const run = await over.runs.start('desk', start)
    expect(JSON.stringify((await asked(over, run, 'ask 1.1')).resolved)).toContain('/v1/bookings/70')
    await vi.waitFor(() => expect(server!.arrived.length).toBe(1))
    found()
    await vi.waitFor(async () => {
      expect((await over.runs.steps(run)).some(({ key, kind }) => kind === 'branch' && key === '/1.2')).toBe(
        true,
      )
    })
    await over.runs.approve(run, 'ask 1.1')
    expect(JSON.stringify((await asked(over, run, 'ask 1.1 again 1')).resolved)).toContain('/v1/bookings/71')
    expect(server.arrived.length).toBe(1)
    await over.runs.approve(run, 'ask 1.1 again 1')
    await over.runs.answer(run)
    expect(server.arrived.map(({ url }) => url)).toEqual(['/v1/find', '/v1/bookings/71'])
  })

  it('shows what is wrong with the values in place of requests, and sends nothing', async () => {
    server = await recorder(() => ({ ok: true }))
    await using over = opened(await made([cancelling]))
    const run = await over.runs.start('desk', 'Cancel it.')
    const { resolved } = await asked(over, run, 'ask 1.1')
    expect(resolved).toEqual({
      faults: ['a: id: the variable "booking.id" has no value: expected integer'],
    })
    await over.runs.approve(run, 'ask 1.1')
    expect(await over.runs.answer(run)).toContain('the variable "booking.id" has no value')
    expect(server.arrived).toEqual([])
  })
})

it.each([
  ['address', cancelDocument('/v2/bookings/{{id}}'), '/v1/v2/bookings/70'],
  ['answer', { ...cancelDocument(), output: { fields: ['ok', 'more'] } }, '/v1/bookings/70'],
])('another version of the recipe, by its %s, asks anew after a restart', async (_, document, url) => {
  server = await recorder(() => ({ ok: true }))
  const store = join(folder, `${Math.random()}.db`)
  const first = app({ agents: [await made([cancelling])], store: sqlite(store), drain: false })
  const run = await first.runs.start('desk', start)
  await asked(first, run, 'ask 1.1')
  await first.close()
  const other = await made([cancelling], { document })
  await using second = app({ agents: [other], store: sqlite(store), drain: false })
  await second.open()
  await second.runs.approve(run, 'ask 1.1')
  const { resolved } = await asked(second, run, 'ask 1.1 again 1')
  expect(JSON.stringify(resolved)).toContain(url)
  expect(server.arrived).toEqual([])
  await second.runs.approve(run, 'ask 1.1 again 1')
  await second.runs.answer(run)
  expect(server.arrived.map(({ url }) => url)).toEqual([url])
})

it('what was shown last is what is sent, though a variable changes before the call begins', async () => {
  server = await recorder(() => ({ ok: true }))
  const booking = connection('booking', { baseUrl: server.url, allowPrivate: true })
  const cancel = recipe(cancelDocument(), { name: 'cancel', about: 'Cancels.', connection: booking })
  const store = variables({ 'booking.id': 70 })
  const ctx = {
    callKey: 'a call',
    variables: store,
    signal: new AbortController().signal,
    step: async (_name: string, fn: () => unknown) => await fn(),
  } as unknown as Inner
  const { resolve, execute } = definitionOf(cancel)!
  expect(JSON.stringify(await resolve!({}, ctx))).toContain('/bookings/70')
  store.set('booking.id', 71)
  await execute({}, ctx)
  expect(server.arrived.map(({ url }) => url)).toEqual(['/bookings/70'])
})

it('a fetch asks nobody', async () => {
  server = await recorder(() => ({ booking: { id: 1 } }))
  await using over = app({ agents: [await made([calls([['find', {}]])])], drain: false })
  await over.runs.answer(await over.runs.start('desk', 'Find it.'))
  expect(server.arrived.length).toBe(1)
})

it('neither a secret nor what is not shown of an answer stands in the store, the pieces or the log', async () => {
  server = await recorder(({ headers }) => ({
    ok: `it was ${headers['authorization']}`,
    echo: Buffer.from(TOKEN).toString('base64'),
    hidden: 'PRIVATE',
  }))
  const file = join(folder, 'bytes.db')
  const log: unknown[] = []
  const over = app({
    agents: [await made([cancelling])],
    store: sqlite(file),
    drain: false,
    log: event => void log.push(event),
  })
  const run = await over.runs.start('desk', start)
  await asked(over, run, 'ask 1.1')
  await over.runs.approve(run, 'ask 1.1')
  expect(await over.runs.answer(run)).toBe('{"ok":"it was Bearer [secret]"}')
  const pieces: unknown[] = []
  for await (const piece of over.runs.pieces(run)) pieces.push(piece)
  const seen = [JSON.stringify([log, pieces])]
  await over.close()
  for (const end of ['', '-wal']) if (existsSync(file + end)) seen.push(readFileSync(file + end, 'latin1'))
  expect(seen.join()).toContain('it was Bearer [secret]')
  expect(log.length).toBeGreaterThan(4)
  for (const secret of [TOKEN, Buffer.from(TOKEN).toString('base64'), 'PRIVATE'])
    expect(seen.join()).not.toContain(secret)
})
