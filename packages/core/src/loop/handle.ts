// What `run` gives: a promise of the answer, the pieces as they come, and at the end the result.
import type { Message, Piece, Usage } from '../define/records.ts'
import { type Partially, partials } from './partial.ts'

/** How a run ended. */
export interface Result<T> {
  /** The answer's text; of a run that was stopped, what was written. */
  answer: string
  /** The record that was asked for; undefined where none was, or none came. */
  output: T | undefined
  /** The messages that this run added to its thread. */
  messages: readonly Message[]
  usage: Usage
  /** US dollars, where it is known. */
  cost: number | undefined
  ended: 'answer' | 'turn' | 'limit' | 'stopped'
  /** Which limit ended it, where one did. */
  limit: string | undefined
}

/**
 * A run. Awaited, it is the answer (or rejects with why there is none); iterated, it gives each piece from the first,
 * and ends after the piece `done`, `stopped` or `error` without throwing.
 */
export interface Run<T, O = unknown> extends Promise<T>, AsyncIterable<Piece> {
  readonly result: Promise<Result<O>>
  /** The record as it is being written: each time that more of it has come. Of a run that was asked for one. */
  partial(): AsyncGenerator<Partially<O>, void, undefined>
  /** Ends the run and keeps what was written. */
  stop(): void
}

/** Collects the pieces of a run for any number of readers, each from the first piece on. */
export class Pieces {
  private readonly all: Piece[] = []
  private readonly waiting: (() => void)[] = []
  private ended = false

  add(piece: Piece): void {
    this.all.push(piece)
    this.wake()
  }

  end(): void {
    this.ended = true
    this.wake()
  }

  /** Every piece from the first on. By hand, because a generator costs a hop more a piece. */
  read(): AsyncIterableIterator<Piece, undefined> {
    let at = 0
    const now = (): IteratorResult<Piece, undefined> | undefined => {
      if (at < this.all.length) return { done: false, value: this.all[at++]! }
      return this.ended || at === Number.POSITIVE_INFINITY ? { done: true, value: undefined } : undefined
    }
    // What comes goes to whoever has waited longest; the others wait on.
    const later = (): Promise<IteratorResult<Piece, undefined>> =>
      new Promise(resolve => {
        const look = (): void => {
          const come = now()
          if (come) resolve(come)
          else this.waiting.push(look)
        }
        this.waiting.push(look)
      })
    const next = (): Promise<IteratorResult<Piece, undefined>> => {
      const come = now()
      return come ? Promise.resolve(come) : later()
    }
    return {
      next,
      async return() {
        at = Number.POSITIVE_INFINITY
        return { done: true, value: undefined }
      },
      [Symbol.asyncIterator]() {
        return this
      },
    }
  }

  private wake(): void {
    if (this.waiting.length === 0) return
    for (const resolve of this.waiting.splice(0)) resolve()
  }
}

/** The handle of a run. A failure that nobody looks at is an unhandled rejection, as of any promise. */
export class RunHandle<T, O> implements Run<T, O> {
  readonly result: Promise<Result<O>>
  readonly stop: () => void
  private readonly value: (result: Result<O>) => T
  private readonly pieces: Pieces
  private answer: Promise<T> | undefined
  private readonly wrapped: boolean

  constructor(
    ending: Promise<Result<O>>,
    value: (result: Result<O>) => T,
    pieces: Pieces,
    stop: () => void,
    wrapped: boolean,
  ) {
    this.wrapped = wrapped
    this.result = ending.then(itself)
    this.value = value
    this.pieces = pieces
    this.stop = stop
  }

  // The promise of the answer is derived when it is asked for, so that one who only iterates
  // is not punished with an unhandled rejection, and one who does nothing at all is.
  private get promise(): Promise<T> {
    this.answer ??= this.result.then(this.value)
    return this.answer
  }

  // biome-ignore lint/suspicious/noThenProperty: a run is a promise
  then<A = T, B = never>(
    done?: ((value: T) => A | PromiseLike<A>) | null,
    failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.promise.then(done, failed)
  }

  catch<B = never>(failed?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.promise.catch(failed)
  }

  finally(last?: (() => void) | null): Promise<T> {
    return this.promise.finally(last)
  }

  get [Symbol.toStringTag](): string {
    return 'Run'
  }

  partial(): AsyncGenerator<Partially<O>, void, undefined> {
    const output = this.result.then(
      ({ output }) => output,
      () => undefined,
    )
    return partials(this.pieces.read(), this.wrapped, output) as AsyncGenerator<Partially<O>, void, undefined>
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Piece, undefined> {
    this.result.catch(() => {})
    return this.pieces.read()
  }
}

function itself<V>(value: V): V {
  return value
}
