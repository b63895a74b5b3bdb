// A process that dies between what was meant and what came of it, on the engine over SQLite: no POST without a key is
// ever sent twice, and the model is told what is known.
import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agent, app, run } from '@toolwright/core'
import { keeper, type Store, type Write } from '@toolwright/core/engine'
import { calls, says, scripted } from '@toolwright/core/test'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { sqliteStore } from '../../core/src/sqlite/store.ts'
import { type Answer, type Recorder, recorder } from '../../core/test/support/server.ts'
import { action, desk as booking, type Stated } from './support/booking.ts'
import { desk } from './support/tools.ts'

const full = process.env['TOOLWRIGHT_FULL'] === '1'
const folder = mkdtempSync(join(tmpdir(), 'toolwright-recipe-kills-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let server: Recorder | undefined
afterEach(() => server?.close())

let files = 0
const fresh = () => join(folder, `${++files}.db`)
const answers: Answer = ({ url }) => ({ id: url.length, sent: true, PRIVATE: 'x' })
const WELL = { b: { id: 16 }, c: { sent: true } }

/** What arrived, and what the model was told in the end. */
interface Seen {
  /** How often each address was asked for. */
  counts: Record<string, number>
  keys: string[]
  told: { error?: { source: string; kind: string; message: string }; done?: string[] }
}

function seen(told: string): Seen {
  const counts: Record<string, number> = {}
  for (const { url } of server!.arrived) counts[url] = (counts[url] ?? 0) + 1
  const keys = server!.arrived.map(({ url, headers }) => `${url} ${headers['idempotency-key']}`)
  return { counts, keys, told: JSON.parse(told) }
}

/** A moment: before or after the record of this key is durable. */
interface Death {
  key: string
  when: 'before' | 'after'
}

const deaths: Death[] = ['a', 'b', 'c'].flatMap(letter =>
  [`step ${letter} begins`, `step ${letter}`].flatMap(key =>
    (['before', 'after'] as const).map(when => ({ key: `/1.1/${key}`, when })),
  ),
)
/** It is durable that the request is about to be sent, and not what came of it. */
const open = ({ key, when }: Death) => key.endsWith('begins') === (when === 'after')

/** Works until it dies, and then in a second life on the bytes of the first, to the end. */
async function lives(stated: Omit<Stated, 'url'>, death: Death): Promise<Seen> {
  server = await recorder(answers)
  const made = booking({ ...stated, url: server.url })
  const file = fresh()
  let die = (): void => {}
  const died = new Promise<void>(resolve => {
    die = resolve
  })
  const never = (): Promise<never> => (die(), new Promise(() => {}))
  const store = sqliteStore(file, { patience: 0, look: 1_000 })
  let dead = false
  const here = (write: Write) =>
    write.what === 'record' && write.record.kind !== 'begin' && write.record.key === death.key
  const dying: Store = {
    ...store,
    commit(writes) {
      if (dead) return never()
      dead = writes.some(here)
      if (!dead || death.when === 'after') store.commit(writes)
      return dead ? never() : undefined
    },
  }
  const first = app({ agents: [made], store: keeper(dying, { warn: () => {} }), drain: false })
  const { id } = await first.runs.start(made, 'Book.')
  const ended = await Promise.race([died, first.runs.answer(id).then(() => 'it did not die')])
  expect(ended).toBeUndefined()
  const later = fresh()
  for (const end of ['', '-wal']) if (existsSync(file + end)) copyFileSync(file + end, later + end)
  await using second = app({
    agents: [booking({ ...stated, url: server.url })],
    store: keeper(sqliteStore(later, { patience: 0, look: 1_000 }), { warn: () => {} }),
    drain: false,
  })
  const told = await second.runs.answer<string>(id)
  const lines: string[] = []
  for await (const { kind, text } of second.runs.pieces(id)) if (kind === 'line') lines.push(text)
  // It is said once: again only where nothing of the call was durable.
  const again = death.key === '/1.1/step a begins' && death.when === 'before'
  expect(lines).toEqual(again ? ['I am booking it.'] : [])
  const steps = await second.runs.steps(id)
  expect(JSON.stringify(steps)).not.toContain('PRIVATE')
  for (const letter of ['a', 'b', 'c'])
    if (JSON.parse(told).error === undefined)
      expect(steps.map(({ name }) => name)).toContain(`tool 1.1 book/step ${letter}`)
  await store.close()
  return seen(told)
}

describe('an action of three requests that dies', () => {
  it.each(deaths)('$when "$key" is kept sends no POST twice, and tells what is known', async death => {
    const { told, counts } = await lives({ method: 'POST', keyed: false }, death)
    expect(Object.values(counts).filter(n => n > 1)).toEqual([])
    const letter = /step (\w)/.exec(death.key)![1]!
    if (!open(death)) return expect(told).toEqual(WELL)
    expect(told.error).toMatchObject({ source: letter, kind: 'unknown' })
    expect(told.error!.message).toContain(`It is unknown whether ${letter} was carried out`)
    expect(told.done).toEqual(['a', 'b', 'c'].slice(0, 'abc'.indexOf(letter)))
  })

  it.each(deaths)('$when "$key" is kept sends again with the same key, and ends well', async death => {
    const { told, keys, counts } = await lives({ method: 'POST', keyed: true }, death)
    expect(told).toEqual(WELL)
    expect(new Set(keys).size).toBe(3)
    expect(keys.join()).not.toContain('undefined')
    // What is finished is never sent again, not even with a key.
    const twice = death.key.endsWith('begins') || death.when === 'after' ? 0 : 1
    expect(Object.values(counts).filter(n => n > 1).length).toBe(twice)
  })

  it.each(['PUT', 'DELETE'])('sends a %s again, and ends well', async method => {
    for (const death of deaths.filter(open)) {
      const { told } = await lives({ method, keyed: false }, death)
      expect(told).toEqual(WELL)
      await server!.close()
    }
  })

  it('does not send a PATCH again', async () => {
    const { told, counts } = await lives(
      { method: 'PATCH', keyed: false },
      { key: '/1.1/step b', when: 'before' },
    )
    expect(counts['/api/bookings/11']).toBe(1)
    expect(told.error).toMatchObject({ source: 'b', kind: 'unknown' })
  })
})

/** The same in processes of their own, which are killed while a request is at the server. */
async function killed(stated: Omit<Stated, 'url'>, at: number, answered: boolean): Promise<Seen> {
  let living: ReturnType<typeof start> | undefined
  server = await recorder((request, response, n) => {
    if (n !== at) return answers(request, response, n)
    const kill = () => void living!.process.kill('SIGKILL')
    // The answer is on its way, or there is none.
    if (answered) response.on('finish', kill)
    else kill()
    return answered ? answers(request, response, n) : undefined
  })
  const file = fresh()
  living = start(file, { ...stated, url: server.url })
  expect(await living.ended).toEqual({ signal: 'SIGKILL', said: expect.any(String) })
  const second = start(file, { ...stated, url: server.url })
  const { signal, said } = await second.ended
  expect(signal).toBeNull()
  return seen(said)
}

function start(file: string, stated: Stated) {
  const child = join(import.meta.dirname, 'support/killed.ts')
  const args = ['--conditions=development', '--disable-warning=ExperimentalWarning', child, file]
  const living = spawn(process.execPath, [...args, JSON.stringify(stated)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  living.stdout.on('data', part => {
    said += String(part)
  })
  const ended = new Promise<{ signal: string | null; said: string }>(resolve =>
    living.on('close', (_, signal) => resolve({ signal, said })),
  )
  return { process: living, ended }
}

describe('a process that is killed while request', () => {
  const moments = [1, 2, 3].map(at => ({ at, letter: 'abc'[at - 1]! }))
  it.each(moments)('$letter is at the server sends no POST twice', async ({ at, letter }) => {
    const { told, counts } = await killed({ method: 'POST', keyed: false }, at, false)
    expect(Object.values(counts)).toEqual(Array.from({ length: at }, () => 1))
    expect(told.error).toMatchObject({ source: letter, kind: 'unknown' })
    expect(told.done).toEqual(['a', 'b', 'c'].slice(0, at - 1))
  })

  it.skipIf(!full).each(moments)(
    '$letter is answered sends no POST twice (full run only)',
    async ({ at, letter }) => {
      for (let n = 0; n < 10; n++) {
        const { told, counts } = await killed({ method: 'POST', keyed: false }, at, true)
        expect(Object.values(counts).filter(count => count > 1)).toEqual([])
        // Whether the outcome was kept in time, and even the next intent, is up to the machine.
        if (told.error) {
          const { source, kind } = told.error
          expect([letter, 'abc'[at]]).toContain(source)
          expect([kind, told.done]).toEqual(['unknown', ['a', 'b', 'c'].slice(0, 'abc'.indexOf(source))])
        } else expect(told).toEqual(WELL)
        await server!.close()
      }
    },
  )

  it.skipIf(!full).each(moments)(
    '$letter is at the server sends it again with its key (full run only)',
    async ({ at }) => {
      const { told, keys } = await killed({ method: 'POST', keyed: true }, at, false)
      expect(told).toEqual(WELL)
      expect([new Set(keys).size, keys.length]).toEqual([3, 4])
    },
  )
})

describe('a call that is tried again', () => {
  /** The results of one call under `tries: 3`, where the request to `failing` fails once. */
  async function trying(document: object, fails: Answer) {
    const one = await desk(fails, { timeout: 300 })
    server = one.server
    const model = scripted([calls([['it', '{"name":"Ada"}']]), says('Done.')])
    const asked = agent('asked', {
      model,
      instructions: '',
      tools: [{ tool: one.make(document), tries: 3 }],
      trust: ['booking'],
    })
    const clock = {
      now: () => Date.now(),
      after: (_: number, fn: () => void) => (setImmediate(fn), () => {}),
    }
    await run(asked, 'go', { clock })
    return asked.history.find(({ role }) => role === 'tool')!.text
  }
  const failing = (url: string, how: 'broken' | 400): Answer => {
    let failed = false
    return (request, response) => {
      if (request.url !== url || failed) return { id: 1, sent: true }
      failed = true
      if (how === 'broken') response.socket!.destroy()
      else response.writeHead(400).end('{"why":"no"}')
      return undefined
    }
  }

  it('does not send again what was carried out, or may have been', async () => {
    for (const how of ['broken', 400] as const) {
      const told = await trying(action('POST'), failing('/api/mails', how))
      expect(told).toContain(
        how === 400 ? 'c was not carried out. a, b were carried out before' : 'unknown whether c',
      )
      expect(server!.arrived.map(({ url }) => url)).toEqual(['/api/guests', '/api/bookings/1', '/api/mails'])
      await server!.close()
    }
  })

  it('sends again where surely nothing was carried out', async () => {
    const told = await trying(action('POST'), failing('/api/guests', 400))
    expect(JSON.parse(told)).toEqual({ b: { id: 1 }, c: { sent: true } })
    expect(server!.arrived.length).toBe(4)
  })
})
