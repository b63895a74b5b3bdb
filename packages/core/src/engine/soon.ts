// What is there at once, or comes soon: a tool that answers without waiting costs no promise.

/** A value, or a promise of it. */
export type Soon<T> = T | Promise<T>

/** Goes on with `value`: at once where it is there, when it comes where it is not. */
export function goOn<T, U>(value: Soon<T>, next: (value: T) => Soon<U>): Soon<U> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** Does `last` when `work` has ended, however it did. */
export function lastly<T>(work: () => Soon<T>, last: () => void): Soon<T> {
  let given: Soon<T>
  try {
    given = work()
  } catch (error) {
    last()
    throw error
  }
  if (given instanceof Promise) return given.finally(last)
  last()
  return given
}
