// At most so many pieces of work at once; the others wait in the order in which they came.

/** A queue that lets `most` pieces of work run at once. */
export function queue(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async work => {
    if (running >= most) await new Promise<void>(go => waiting.push(go))
    else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // The place passes on to the next without ever being free.
      if (next) next()
      else running--
    }
  }
}
