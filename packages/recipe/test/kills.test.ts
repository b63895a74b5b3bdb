// A process that dies between what was meant and what came of it: no POST without a key is ever sent twice.
import { definitionOf } from '@toolwright/core/engine'
import { afterEach, describe, expect, it } from 'vitest'
import type { Recorder } from '../../core/test/support/server.ts'
import { life } from './support/context.ts'
import { desk, llm, param } from './support/tools.ts'

let server: Recorder | undefined
afterEach(() => server?.close())

const action = (method: string) => ({
  kind: 'action',
  sources: {
    a: { method, url: '/guests', params: [llm('name', { required: true })] },
    b: { method, url: '/bookings/{{a.id}}' },
    c: { method, url: '/mails', params: [param({ from: 'fixed', name: 'booking', value: '{{b.id}}' })] },
  },
  output: { fields: ['sent', 'b.id'] },
})

async function lives(method: string, dies: number, stated: object = {}) {
  const one = await desk(({ url }) => ({ id: url.length, sent: true, PRIVATE: 'x' }), stated)
  server = one.server
  const { execute } = definitionOf(one.make(action(method)))!
  const before = life(new Map(), dies)
  const first = Promise.resolve(execute({ name: 'Ada' }, before.ctx)).catch(() => {})
  await Promise.race([before.died, first])
  const { kept } = before
  const after = life(kept)
  // biome-ignore lint/suspicious/noExplicitAny: what the model is told is looked at as it comes
  const told: any = await Promise.resolve(execute({ name: 'Ada' }, after.ctx)).catch(error =>
    JSON.parse((error as Error).message),
  )
  const counts = new Map<string, number>()
  for (const { url } of one.server.arrived) counts.set(url, (counts.get(url) ?? 0) + 1)
  const keys = one.server.arrived.map(({ url, headers }) => `${url} ${headers['idempotency-key']}`)
  await one.server.close()
  return { told, counts, keys, kept }
}

// Six writes: what is meant and what came of it, for each of three sources. Each can be the last, or the first that fails.
const deaths = [1, 2, 3, 4, 5, 6].flatMap(n => [n, -n])

describe('an action of three requests that dies', () => {
  it.each(deaths)('at write %d sends no POST twice, and tells what is known', async dies => {
    const { told, counts, kept } = await lives('POST', dies)
    expect([...counts.values()].filter(n => n > 1)).toEqual([])
    const begun = Math.ceil(Math.abs(dies) / 2)
    const lost = dies === 1 || dies === 3 || dies === 5 || dies === -2 || dies === -4 || dies === -6
    if (lost) {
      const letter = 'abc'[begun - 1]
      expect(told.error).toMatchObject({ source: letter, kind: 'unknown' })
      expect(told.error.message).toContain(`It is unknown whether ${letter} was carried out`)
      expect(told.done).toEqual(['a', 'b', 'c'].slice(0, begun - 1))
    } else expect(told).toEqual({ b: { id: 16 }, c: { sent: true } })
    expect([...kept.values()].join()).not.toContain('PRIVATE')
  })

  it.each(deaths)('at write %d sends again with the same key, and ends well', async dies => {
    const { told, keys } = await lives('POST', dies, { idempotencyHeader: 'Idempotency-Key' })
    expect(told).toEqual({ b: { id: 16 }, c: { sent: true } })
    expect(new Set(keys).size).toBe(3)
    expect(keys.join()).not.toContain('undefined')
  })

  it.each(deaths)('at write %d sends a PUT again, and ends well', async dies => {
    const { told } = await lives('PUT', dies)
    expect(told).toEqual({ b: { id: 16 }, c: { sent: true } })
  })

  it('never sends a finished request again, not even with a key', async () => {
    for (const dies of [2, 4]) {
      const { counts } = await lives('PUT', dies, { idempotencyHeader: 'Idempotency-Key' })
      expect(counts.get('/api/guests')).toBe(1)
    }
  })
})

describe('a call that is tried again', () => {
  it('does not send again what was carried out, or may have been', async () => {
    let failing = true
    const one = await desk(({ url }, response) => {
      if (url !== '/api/mails' || !failing) return { id: 1, sent: true }
      failing = false
      response.socket!.destroy()
      return undefined
    })
    server = one.server
    const { execute } = definitionOf(one.make(action('POST')))!
    const { ctx } = life()
    // Each try has its own branch, so the names of its steps are new there.
    const trying = () => ({ ...ctx, step: <T>(_: string, fn: () => T) => Promise.resolve(fn()) })
    const same = trying()
    await expect(execute({ name: 'Ada' }, same)).rejects.toThrow('unknown whether c')
    await expect(execute({ name: 'Ada' }, same)).rejects.toThrow('unknown whether c')
    expect(one.server.arrived.map(({ url }) => url)).toEqual(['/api/guests', '/api/bookings/1', '/api/mails'])
  })
})
