// What is there at once, or comes soon: a tool that answers without waiting costs no promise.

/** A value, or a promise of it. */
export type Soon<T> = T | Promise<T>

/**
 * Goes on with `value`: at once where it is there, when it comes where it is not. What `next` needs beside it is handed
 * on as `job`, so that a stage that need not wait makes no closure.
 */
export function goOn<T, J, U>(value: Soon<T>, next: (value: T, job: J) => Soon<U>, job: J): Soon<U> {
  return value instanceof Promise ? value.then(come => next(come, job)) : next(value, job)
}
