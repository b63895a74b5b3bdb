// What every engine does, written against the port alone. An engine's test calls this with a factory.
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Clock } from '../../src/engine/clock.ts'
import type { Answer, Engine, Flow, RunPlace, RunRecord } from '../../src/engine/engine.ts'
import type { Ask, Decision, Outcome } from '../../src/engine/place.ts'

export interface Subject {
  name: string
  /** An engine over the store of that name; the same name gives the same rows. */
  make: (store: string, clock: Clock) => Engine
}

const day = 86_400_000

/** Waits up to so long come to their end by themselves. */
const MOMENT = 100

/** A clock that only a test moves. */
export function handClock(): Clock & { move(ms: number): void } {
  let now = Date.UTC(2026, 0, 1)
  const timers = new Set<{ due: number; fn: () => void }>()
  return {
    now: () => now,
    after(ms, fn) {
      const timer = { due: now + ms, fn }
      timers.add(timer)
      // What spreads wakes over a moment is no time that a test moves.
      const soon = ms <= MOMENT ? setTimeout(() => timers.delete(timer) && fn(), 1) : undefined
      return () => {
        clearTimeout(soon)
        timers.delete(timer)
      }
    },
    move(ms) {
      now += ms
      for (const timer of [...timers].sort((a, b) => a.due - b.due))
        if (timer.due <= now && timers.delete(timer)) timer.fn()
    },
  }
}

export const ask = (step: string): Ask => ({
  step,
  call: { id: '', tool: 'pay', arguments: '{}' },
  why: 'it asks',
  about: 'pays',
  readOnly: false,
})

const asks = async (place: RunPlace, until: number): Promise<Decision> =>
  await place.decide('ask', ask(place.path === '' ? 'ask' : `${place.path}/ask`), until)

const outcome = (text: string): Outcome => ({ text })

export function conformance({ name, make }: Subject): void {
  describe(name, () => {
    const open: Engine[] = []
    let stores = 0
    afterEach(async () => {
      for (const engine of open.splice(0)) await engine.close({ grace: 0 })
    })

    /** A store of its own; `begin` opens an engine over it, after the one before has closed. */
    const fresh = () => {
      const store = `store${stores++}`
      const clock = handClock()
      const engine = (): Engine => {
        const made = make(store, clock)
        open.push(made)
        return made
      }
      const begin = async (flow: Flow): Promise<Engine> => {
        const made = engine()
        await made.open({ flow })
        return made
      }
      const start = (e: Engine): Promise<RunRecord> => e.run({ flow: 'flow', input: {} })
      return { clock, engine, begin, start }
    }

    const status = (e: Engine, run: string, wanted: string) =>
      vi.waitFor(async () => expect((await e.get(run))?.status).toBe(wanted), {
        interval: 2,
        timeout: 20_000,
      })
    const asked = (e: Engine, run: string, n = 1) =>
      vi.waitFor(async () => expect(await e.asks(run)).toHaveLength(n), { interval: 2, timeout: 20_000 })
    /** Waits until the run has left memory. */
    const left = async (clock: ReturnType<typeof handClock>, e: Engine, run: string) => {
      await status(e, run, 'waiting')
      clock.move(2000)
      await new Promise(resolve => setTimeout(resolve, 5))
    }

    test('a step gives live what it gives replayed, and runs once over wakes', async () => {
      const { clock, begin, start } = fresh()
      const seen: unknown[] = []
      let ran = 0
      const e = await begin(async place => {
        const value = await place.step('load', async ({ attempt, key }) => {
          ran++
          return { at: new Date(5), big: 7n, none: undefined, map: new Map([[1, 'x']]), attempt, key }
        })
        seen.push(value)
        await place.sleep('nap', day)
        return 'slept'
      })
      const { id } = await start(e)
      await left(clock, e, id)
      clock.move(day)
      expect(await e.settled(id)).toMatchObject({ status: 'done', output: 'slept' })
      expect([ran, seen.length]).toEqual([1, 2])
      expect(seen[1]).toEqual(seen[0])
      expect(seen[0]).toMatchObject({ at: new Date(5), big: 7n, attempt: 1, key: `${id}/load` })
    })

    test('the same key starts one run', async () => {
      const { begin } = fresh()
      let ran = 0
      const e = await begin(async () => ++ran)
      const runs = await Promise.all([1, 2, 3].map(() => e.run({ flow: 'flow', input: {}, key: 'k' })))
      expect(new Set(runs.map(r => r.id)).size).toBe(1)
      await e.settled(runs[0]!.id)
      expect(ran).toBe(1)
    })

    test('three parallel asks are answered 3, 1, 2 with a restart between each', async () => {
      const { begin, start } = fresh()
      const did: string[] = []
      const flow: Flow = async place => {
        const outcomes = await Promise.all(
          [1, 2, 3].map(n =>
            place.branch(`1.${n}`, 'pay', async inner => {
              const decision = await asks(inner, Date.UTC(2027, 0))
              return outcome(
                await inner.step('pay', async () => {
                  did.push(`${n}`)
                  return `${n} ${decision.approved}`
                }),
              )
            }),
          ),
        )
        return outcomes.map(o => o.text)
      }
      let e = await begin(flow)
      const { id } = await start(e)
      await asked(e, id, 3)
      for (const [i, n] of [3, 1, 2].entries()) {
        expect(await e.decide(id, `tool 1.${n} pay/ask`, { approved: n !== 1 })).toBe('taken')
        await vi.waitFor(() => expect(did).toHaveLength(i + 1), { interval: 2, timeout: 20_000 })
        if (i === 2) break
        await e.close()
        e = await begin(flow)
        await asked(e, id, 2 - i)
      }
      expect((await e.settled(id)).output).toEqual(['1 false', '2 true', '3 true'])
      expect(did).toEqual(['3', '1', '2'])
    })

    test('the first decision wins; late, repeated and foreign ones change nothing; an early one waits', async () => {
      const { begin, start } = fresh()
      const e = await begin(async place => {
        await place.wait('go', 'go', Date.UTC(2027, 0))
        return { ...(await asks(place, Date.UTC(2027, 0))) }
      })
      const { id } = await start(e)
      const all = await Promise.all<Answer>([
        e.decide(id, 'ask', { approved: false, why: 'first' }),
        e.decide(id, 'ask', { approved: true }),
        e.decide('nobody', 'ask', { approved: true }),
      ])
      expect(all).toEqual(['taken', 'already', 'unknown'])
      await e.send(id, 'go', 1)
      expect((await e.settled(id)).output).toEqual({ approved: false, why: 'first' })
      expect(await e.decide(id, 'ask', { approved: true })).toBe('already')
      expect(await e.decide(id, 'ask 2', { approved: true })).toBe('unknown')
    })

    test('an ask that nobody answers expires, also while nothing runs', async () => {
      const { clock, begin, start } = fresh()
      const flow: Flow = async place => ({ ...(await asks(place, Date.UTC(2026, 0, 8))) })
      const e = await begin(flow)
      const { id } = await start(e)
      await asked(e, id)
      await e.close()
      clock.move(30 * day)
      const later = await begin(flow)
      expect((await later.settled(id)).output).toEqual({ approved: false, expired: true })
      expect(await later.decide(id, 'ask', { approved: true })).toBe('already')
    })

    test('a sleep of 30 days lasts 30 days, over restarts and a clock that is set back', async () => {
      const { clock, begin, start } = fresh()
      let after = 0
      const flow: Flow = async place => {
        await place.sleep('long', 30 * day)
        await place.step('after', async () => ++after)
        await place.wait('end', 'end', Number.POSITIVE_INFINITY)
        return 'ok'
      }
      const e = await begin(flow)
      const { id } = await start(e)
      await left(clock, e, id)
      clock.move(29 * day)
      await new Promise(resolve => setTimeout(resolve, 10))
      expect(after).toBe(0)
      clock.move(day)
      await vi.waitFor(() => expect(after).toBe(1), { timeout: 20_000 })
      await status(e, id, 'waiting')
      await e.close()
      clock.move(-3_600_000 * 30)
      const later = await begin(flow)
      await later.send(id, 'end', 1)
      expect((await later.settled(id)).output).toBe('ok')
      expect(after).toBe(1)
    })

    test('sent values are taken once, in order, the same at each replay', async () => {
      const { clock, begin, start } = fresh()
      const seen: string[] = []
      const e = await begin(async place => {
        const first = await place.receive('before', 'mail')
        await place.step('model 1', async () => 1)
        const one = await place.wait('one', 'mail', Number.POSITIVE_INFINITY)
        const rest = await place.receive('rest', 'mail')
        seen.push(JSON.stringify([first, one, rest]))
        await place.sleep('nap', day)
        return [...first, '|', one ?? null, '|', ...rest]
      })
      const { id } = await start(e)
      await status(e, id, 'waiting')
      await e.send(id, 'mail', 'a')
      await e.send(id, 'mail', 'b').then(() => e.send(id, 'other', 'c'))
      await vi.waitFor(async () => expect((await e.steps(id)).map(s => s.name)).toContain('nap'), {
        interval: 2,
        timeout: 20_000,
      })
      await left(clock, e, id)
      await e.send(id, 'mail', 'd')
      clock.move(day)
      const run = await e.settled(id)
      expect(run.output).toEqual(
        JSON.parse(`[${seen[0] === '[[],"a",[]]' ? '"|","a","|"' : '"|","a","|","b"'}]`),
      )
      expect(new Set(seen).size).toBe(1)
    })

    test('a message answers open asks as not agreed, in one commit', async () => {
      const { begin, start } = fresh()
      const e = await begin(async place => {
        const decision = await asks(place, Date.UTC(2027, 0))
        return [decision.approved, ...(await place.receive('mail', 'mail'))]
      })
      const { id } = await start(e)
      await asked(e, id)
      await e.send(id, 'mail', 'forget it', { decline: { approved: false, why: 'a message came' } })
      expect(await e.decide(id, 'ask', { approved: true })).toBe('already')
      expect((await e.settled(id)).output).toEqual([false, 'forget it'])
    })

    test('what stays on the stack is not begun twice: a run that waits inside of a body stays', async () => {
      const { clock, begin, start } = fresh()
      let bodies = 0
      let children = 0
      const e = await begin(async place => {
        const inner = (p: RunPlace): Promise<Outcome> =>
          p.branch('1', '', async deep => outcome(String((await asks(deep, Date.UTC(2027, 0))).approved)))
        const [a, b] = await Promise.all([
          place.branch('1.1', 'plain', async p => {
            bodies++
            return await inner(p)
          }),
          place.branch('1.2', 'child', async p => (children++, await inner(p)), { flow: 'x', input: {} }),
        ])
        return [a.text, b.text]
      })
      const { id } = await start(e)
      await asked(e, id, 2)
      await left(clock, e, id)
      await e.decide(id, 'tool 1.2 child/1/ask', { approved: true })
      await left(clock, e, id)
      await e.decide(id, 'tool 1.1 plain/1/ask', { approved: true })
      expect((await e.settled(id)).output).toEqual(['true', 'true'])
      expect([bodies, children]).toEqual([1, 1])
    })

    test('a stop ends what waits and what works', async () => {
      const { begin, start } = fresh()
      const e = await begin(async place => {
        await place.step('work', async () => 1)
        await asks(place, Date.UTC(2027, 0))
        return 'ended'
      })
      const { id } = await start(e)
      await asked(e, id)
      expect(await e.stop(id)).toBe(true)
      expect((await e.settled(id)).status).toBe('stopped')
      expect(await e.stop(id)).toBe(false)
    })

    test('a close lets a step end, and cuts off one that takes too long without counting a death', async () => {
      const { clock, begin, start } = fresh()
      const attempts: number[] = []
      const flow: Flow = async place => {
        await place.step('slow', async ({ attempt }) => {
          attempts.push(attempt)
          if (attempt === 1) await new Promise(() => {})
        })
        return await place.step('next', async () => 'ok')
      }
      const e = await begin(flow)
      const { id } = await start(e)
      await vi.waitFor(() => expect(attempts).toEqual([1]), { timeout: 20_000 })
      const closing = e.close({ grace: 100 })
      const ticking = setInterval(() => clock.move(60), 1)
      await closing
      clearInterval(ticking)
      const later = await begin(flow)
      expect(await later.settled(id)).toMatchObject({ output: 'ok', deaths: 0 })
      expect(attempts).toEqual([1, 2])
    })

    test('code that no longer follows its journal is told by names, and the journal stays as it was', async () => {
      const { begin, start } = fresh()
      const old: Flow = async place => {
        await place.step('load', async () => 1)
        await place.step('save', async () => 2)
        await asks(place, Date.UTC(2027, 0))
        return await place.step('end', async () => 3)
      }
      const e = await begin(old)
      const { id } = await start(e)
      await asked(e, id)
      await e.close()
      const journal = async (engine: Engine) => JSON.stringify(await engine.steps(id))
      const changed: Flow[] = [
        async place => (await place.step('load', async () => 1), await place.step('mail', async () => 9)),
        async place => (await place.step('load', async () => 1), 'early'),
        async place => (
          await place.step('load', async () => 1),
          await place.step('save', async () => 2),
          await place.step('end', async () => 3)
        ),
      ]
      for (const [i, flow] of changed.entries()) {
        const other = await begin(flow)
        if (i > 0) await other.resume(id)
        else await other.decide(id, 'nothing', { approved: true })
        const run = await other.settled(id)
        expect(run).toMatchObject({ status: 'stuck', error: { code: 'T6006' } })
        expect(run.error?.message).toMatch(i === 2 ? /"ask"/ : /"save"/)
        await other.close()
      }
      const fits = await begin(async place => {
        await place.step('load', async () => 7)
        await place.step('save', async () => 8)
        const { approved } = await asks(place, 0)
        return [approved, await place.step('new end', async () => 4)]
      })
      const before = await journal(fits)
      await fits.resume(id)
      await fits.decide(id, 'ask', { approved: true })
      expect((await fits.settled(id)).output).toEqual([true, 4])
      expect((await journal(fits)).startsWith(before.slice(0, -1))).toBe(true)
    })

    test('two steps of one place at the same time are an error, and so is a name twice', async () => {
      const { begin, start } = fresh()
      const e = await begin(async place => {
        const first = place.step('a', async () => 1)
        const codes: string[] = []
        for (const name of ['b', 'a']) {
          await place.step(name, async () => 2).catch((error: { code: string }) => codes.push(error.code))
          await first
        }
        return codes
      })
      const { id } = await start(e)
      expect((await e.settled(id)).output).toEqual(['T7005', 'T6007'])
    })

    test('a rejection that the code outlives stays one; a kept outcome does not run its body', async () => {
      const { clock, begin, start } = fresh()
      let tries = 0
      let bodies = 0
      const e = await begin(async place => {
        for (let n = 1; n <= 2; n++)
          await place
            .step(`try ${n}`, async () => {
              tries++
              throw new Error('no')
            })
            .catch(() => {})
        const kept = place.kept('1')
        const { text } = await place.branch('1', 'x', async () => (bodies++, outcome('did')))
        await place.sleep('nap', day)
        return [text, kept?.text ?? null]
      })
      const { id } = await start(e)
      await left(clock, e, id)
      clock.move(day)
      expect((await e.settled(id)).output).toEqual(['did', 'did'])
      expect([tries, bodies]).toEqual([2, 1])
    })

    test('rows of threads are written once and can be read from anywhere', async () => {
      const { clock, begin, start } = fresh()
      const e = await begin(async place => {
        for (let row = 0; row < 3; row++) place.write('t', row, { kind: 'show', row: row + 10 })
        await place.sleep('nap', day)
        return (await place.rows('t', 1, 3)).length
      })
      const { id } = await start(e)
      await left(clock, e, id)
      clock.move(day)
      expect((await e.settled(id)).output).toBe(2)
      expect(await e.rows('t')).toEqual([10, 11, 12].map(row => ({ kind: 'show', row })))
    })

    test('pieces are shown once, and from where a reader left off', async () => {
      const { clock, begin, start } = fresh()
      const piece = (kind: 'call' | 'result', text: string) =>
        ({ kind, text, step: 'tool 1 x', attempt: 1, call: { id: '', tool: 'x', arguments: '' } }) as const
      const e = await begin(async place => {
        place.emit(piece('call', 'c'))
        const { text } = await place.branch('1', 'x', async () => outcome('did'))
        place.emit(piece('result', text))
        await place.sleep('nap', day)
        return 1
      })
      const { id } = await start(e)
      const reading = (async () => {
        const read: { at: number; text: string }[] = []
        for await (const { at, piece } of e.pieces(id)) read.push({ at, text: piece.text })
        return read
      })()
      await left(clock, e, id)
      clock.move(day)
      await e.settled(id)
      const read = await reading
      expect(read.map(r => r.text)).toEqual(['c', 'did'])
      const again: string[] = []
      for await (const { piece } of e.pieces(id, read[1]!.at)) again.push(piece.text)
      expect(again).toEqual(['did'])
      for await (const { piece } of e.pieces('nobody')) again.push(piece.text)
      expect(again).toEqual(['did'])
    })

    test('a failed run says why; a settled one is deleted with all that it kept', async () => {
      const { begin, start } = fresh()
      const e = await begin(async place => {
        place.write('gone', 0, { kind: 'show', row: 0 })
        await place.step('s', async () => 'x'.repeat(300_000))
        throw new TypeError('broken')
      })
      const { id } = await start(e)
      expect(await e.settled(id)).toMatchObject({ status: 'failed', error: { message: 'broken' } })
      expect((await e.steps(id))[0]?.value).toHaveLength(300_000)
      expect((await e.list({ status: ['failed'] })).map(r => r.id)).toEqual([id])
      expect(await e.delete(id)).toBe(true)
      expect([await e.get(id), await e.steps(id), await e.rows('gone')]).toEqual([undefined, [], []])
      await expect(e.settled(id)).rejects.toThrow('T6008')
    })

    test('a run whose flow nobody knows is left to one that does', async () => {
      const { engine, begin } = fresh()
      const e = await begin(async () => 1)
      const { id } = await e.run({ flow: 'other', input: 5 })
      await new Promise(resolve => setTimeout(resolve, 10))
      expect((await e.get(id))?.status).toBe('ready')
      await e.close()
      const knows = engine()
      await knows.open({ other: async (_place, run) => run.input })
      expect((await knows.settled(id)).output).toBe(5)
    })

    test('at most 64 runs work at once; those that wait do not count', async () => {
      const { begin, start } = fresh()
      let now = 0
      let most = 0
      const e = await begin(async place => {
        const value = await place.step('s', async () => {
          most = Math.max(most, ++now)
          await new Promise(resolve => setTimeout(resolve, 2))
          return now--
        })
        await place.wait('w', 'w', Number.POSITIVE_INFINITY)
        return value
      })
      const runs = await Promise.all(Array.from({ length: 150 }, () => start(e)))
      await vi.waitFor(async () => expect(await e.list({ status: ['waiting'] })).toHaveLength(150), {
        timeout: 20_000,
      })
      expect(most).toBeLessThanOrEqual(64)
      // How fast runs are taken up depends on the store: that they work side by side is what counts.
      expect(most).toBeGreaterThan(8)
      for (const run of runs) await e.send(run.id, 'w', 1)
      await Promise.all(runs.map(run => e.settled(run.id)))
    })
  })
}
