// Recipes for tests, short to write.

import type { Answer, Recorder } from '../../../core/test/support/server.ts'
import { recorder } from '../../../core/test/support/server.ts'
import { type ConnectionStated, connection, recipe } from '../../src/index.ts'

/** A parameter with what most tests do not care about. */
export function param(stated: object): Record<string, unknown> {
  return { from: 'llm', name: 'x', value: 'what is meant', type: 'string', ...stated }
}

export function llm(name: string, stated: object = {}): Record<string, unknown> {
  return param({ name, ...stated })
}

/** A document with one source. */
export function single(source: object, output: object = {}, stated: object = {}): object {
  return { kind: 'fetch', sources: { a: source }, output: { fields: [], ...output }, ...stated }
}

/** A server, and what makes tools that use it. */
export async function desk(answer: Answer, stated: Partial<ConnectionStated> = {}) {
  const server: Recorder = await recorder(answer)
  const booking = connection('booking', { baseUrl: `${server.url}/api`, allowPrivate: true, ...stated })
  const make = (document: object, name = 'it') =>
    recipe(document, { name, about: 'Does it.', connection: booking })
  return { server, booking, make }
}

/** A clock that a test moves: waits are over at once, and time goes by as they say. */
export function quickClock() {
  let now = 1_800_000_000_000
  const waits: number[] = []
  return {
    waits,
    now: () => now,
    after(ms: number, fn: () => void) {
      // Time limits of requests are not waited for.
      if (ms > 5_000) return () => {}
      waits.push(ms)
      const timer = setImmediate(() => {
        now += ms
        fn()
      })
      return () => clearImmediate(timer)
    },
    move(ms: number) {
      now += ms
    },
  }
}
