// Values: results, comparing, going through things, and how anything is written as text.

/** A result: that something succeeded, with its value, or failed, with the error's message. */
export class Outcome {
  readonly success: boolean
  readonly value: unknown
  readonly error: unknown
  readonly data: unknown

  constructor(success: boolean, value: unknown, error: unknown, data: unknown) {
    this.success = success
    this.value = value
    this.error = error
    this.data = data
  }

  toJSON(): unknown {
    if (this.success) return { success: true, value: this.value ?? null }
    return { success: false, error: this.error, ...(this.data == null ? {} : { data: this.data }) }
  }

  /** A result that is reckoned with: a failure is thrown on, in place of a wrong number or text. */
  [Symbol.toPrimitive](): never {
    if (!this.success) throw new Error(text(this.error))
    throw new TypeError('a result is no value to reckon with: take its .value')
  }
}

export function success(value: unknown = null): Outcome {
  return new Outcome(true, value, null, null)
}

export function failure(message: unknown = '', data: unknown = null): Outcome {
  return new Outcome(false, null, message instanceof Error ? message.message : message, data)
}

export function isSuccess(value: unknown): boolean {
  return value instanceof Outcome && value.success
}

export function isFailure(value: unknown): boolean {
  return value instanceof Outcome && !value.success
}

/** Going to another node is no failure: nothing catches it. */
export class Moved {
  readonly node: unknown
  readonly args: readonly unknown[]
  constructor(node: unknown, args: readonly unknown[]) {
    this.node = node
    this.args = args
  }
}

export function moveTo(node: unknown, args: readonly unknown[]): Moved {
  return new Moved(node, args)
}

function caught(error: unknown): Outcome {
  if (error instanceof Moved) throw error
  return failure(messageOf(error))
}

/** What an error says: of one with a code, what happened, without the mend. */
export function messageOf(error: unknown): string {
  if (error instanceof Error)
    return 'problem' in error && typeof error.problem === 'string' ? error.problem : error.message
  return typeof error === 'string' ? error : text(error)
}

function settled(value: unknown): Outcome {
  return value instanceof Outcome ? value : success(value ?? null)
}

export function tryNow(work: () => unknown): Outcome {
  try {
    return settled(work())
  } catch (error) {
    return caught(error)
  }
}

export async function tryLater(work: () => Promise<unknown>): Promise<Outcome> {
  try {
    return settled(await work())
  } catch (error) {
    return caught(error)
  }
}

/** `work catch other`: its value, or `other` where it failed. */
export function orNow(work: () => unknown, other: () => unknown): unknown {
  const done = tryNow(work)
  return done.success ? done.value : other()
}

export async function orLater(work: () => Promise<unknown>, other: () => Promise<unknown>): Promise<unknown> {
  const done = await tryLater(work)
  return done.success ? done.value : await other()
}

/** `==`: strictly, but what is missing equals null. */
export function same(a: unknown, b: unknown): boolean {
  return a === b || (a == null && b == null)
}

export function isIn(what: unknown, where: unknown): boolean {
  if (Array.isArray(where)) return where.some(each => same(each, what))
  if (typeof where === 'string') return where.includes(String(what))
  return typeof where === 'object' && where !== null && Object.hasOwn(where, what as PropertyKey)
}

/** What a loop with one name goes through: entries of a list, characters, keys of a record. */
export function entries(of: unknown): Iterable<unknown> {
  if (typeof of === 'string') return of
  if (typeof of === 'object' && of !== null)
    return Symbol.iterator in of ? (of as Iterable<unknown>) : Object.keys(of)
  throw new TypeError(`only a list or a record can be gone through, and this is ${text(of)}`)
}

/** What a loop with two names goes through: entries with their places, keys with their values. */
export function pairs(of: unknown): Iterable<readonly [unknown, unknown]> {
  if (Array.isArray(of)) return of.map((each, i) => [each, i] as const)
  if (typeof of === 'object' && of !== null && !(Symbol.iterator in of)) return Object.entries(of)
  return [...entries(of)].map((each, i) => [each, i] as const)
}

type Part = (item: never, second: never) => unknown

/** A list comprehension. */
export function each(of: unknown, two: boolean, value: Part, condition: Part | undefined): unknown[] {
  const made: unknown[] = []
  for (const [item, second] of two ? pairs(of) : ones(of))
    if (!condition || condition(item as never, second as never))
      made.push(value(item as never, second as never))
  return made
}

export async function eachLater(
  of: unknown,
  two: boolean,
  value: Part,
  condition: Part | undefined,
): Promise<unknown[]> {
  const made: unknown[] = []
  for (const [item, second] of two ? pairs(of) : ones(of))
    if (!condition || (await condition(item as never, second as never)))
      made.push(await value(item as never, second as never))
  return made
}

function* ones(of: unknown): Generator<readonly [unknown, undefined]> {
  for (const item of entries(of)) yield [item, undefined]
}

/** A value as text: a text as it is, anything else as JSON. */
export function text(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return 'null'
  if (typeof value === 'function') return `[function ${value.name}]`
  if (typeof value !== 'object') return String(value)
  return json(value)
}

/** A value as JSON. What is missing is null. */
export function json(value: unknown, indent?: number): string {
  const seen: unknown[] = []
  const written = JSON.stringify(
    value ?? null,
    function (this: unknown, _key, each: unknown) {
      if (each === undefined) return null
      if (typeof each === 'function') return `[function ${each.name}]`
      if (typeof each === 'bigint') return each.toString()
      if (each instanceof Error) return { error: each.message }
      if (typeof each === 'object' && each !== null) {
        // What holds itself is cut off where it begins anew.
        while (seen.length > 0 && seen.at(-1) !== this) seen.pop()
        if (seen.includes(each)) return '[itself]'
        seen.push(each)
      }
      return each
    },
    indent,
  )
  return written ?? 'null'
}
