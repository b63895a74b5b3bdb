// What is asked for one by one, and done together.

/**
 * A function of one key whose calls of a moment become one call of `all`. While one is under way the next gather, so
 * a database that is slow is asked for more at once.
 */
export function together<K, V>(
  all: (keys: ReadonlySet<K>) => Promise<ReadonlyMap<K, V>>,
): (key: K) => Promise<V | undefined> {
  let waiting = new Map<K, ((result: Promise<ReadonlyMap<K, V>>) => void)[]>()
  let under = false

  const go = async (): Promise<void> => {
    while (waiting.size > 0) {
      const some = waiting
      waiting = new Map()
      const result = all(new Set(some.keys()))
      for (const give of [...some.values()].flat()) give(result)
      await result.catch(() => {})
    }
    under = false
  }

  return async key => {
    const found = new Promise<ReadonlyMap<K, V>>(resolve => {
      waiting.set(key, [...(waiting.get(key) ?? []), resolve])
    })
    if (!under) {
      under = true
      setImmediate(() => void go())
    }
    return (await found).get(key)
  }
}

/** Does what is asked under one key one after the other; what is asked under different keys at once. */
export function queues(): <T>(key: string, fn: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  return async (key, fn) => {
    const mine = (last.get(key) ?? Promise.resolve()).then(fn, fn)
    last.set(key, mine)
    try {
      return await mine
    } finally {
      if (last.get(key) === mine) last.delete(key)
    }
  }
}

/** As Promise.all, but nothing is under way any more when it rejects: with what went wrong first in their order. */
export async function whole<T extends readonly Promise<unknown>[] | []>(
  all: T,
): Promise<{ [I in keyof T]: Awaited<T[I]> }> {
  const settled = await Promise.allSettled(all)
  for (const each of settled) if (each.status === 'rejected') throw each.reason
  return settled.map(each => (each as PromiseFulfilledResult<unknown>).value) as never
}
