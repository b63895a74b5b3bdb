// What needs no import. A function that takes a block has a second form, which waits for it.
import { json, same, text } from './values.ts'

type Block = (...args: never[]) => unknown
type Later = (...args: unknown[]) => unknown

export function print(...values: unknown[]): void {
  process.stdout.write(`${values.map(text).join(' ')}\n`)
}

export function printJSON(value: unknown): void {
  process.stdout.write(`${json(value, 2)}\n`)
}

/** Asks the person at the terminal, or takes the next line of what is piped in. */
export async function input(prompt = ''): Promise<string> {
  reader ??= await readLines()
  reader.ask(prompt)
  const { value, done } = await reader.lines.next()
  reader.rest()
  if (done) throw new Error('there is no more input')
  return value
}

interface Lines {
  ask(prompt: string): void
  lines: AsyncIterator<string>
  /** Nothing is waited for until the next question. */
  rest(): void
}

/** One reader for all questions: another would lose the lines that came in together. */
let reader: Lines | undefined

async function readLines(): Promise<Lines> {
  const { createInterface } = await import('node:readline')
  const { stdin, stderr } = process
  const face = createInterface({ input: stdin, output: stderr, terminal: stdin.isTTY === true })
  let open = true
  face.once('close', () => {
    open = false
  })
  return {
    lines: face[Symbol.asyncIterator](),
    ask(prompt) {
      face.setPrompt(prompt)
      if (open) face.prompt()
      else stderr.write(prompt)
    },
    rest() {
      if (open) face.pause()
    },
  }
}

/** Waits that many seconds. */
export async function sleep(seconds: number): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, seconds * 1000))
}

export async function read(file: string): Promise<string> {
  const { readFile } = await import('node:fs/promises')
  return await readFile(file, 'utf8')
}

export async function write(file: string, content: unknown): Promise<void> {
  const { writeFile } = await import('node:fs/promises')
  await writeFile(file, text(content))
}

/** 0 up to `start`, or `start` up to `end`, which is left out, in steps. */
export function range(start: number, end?: number | null, step?: number | null): number[] {
  const [from, to] = end == null ? [0, start] : [start, end]
  const by = step ?? (from <= to ? 1 : end == null ? 1 : -1)
  if (by === 0) throw new RangeError('the step of a range is 0')
  const made: number[] = []
  for (let i = from; by > 0 ? i < to : i > to; i += by) made.push(i)
  return made
}

export function map(list: readonly unknown[], block: Later): unknown[] {
  const made = new Array<unknown>(list.length)
  for (let i = 0; i < list.length; i++) made[i] = block(list[i])
  return made
}

export async function mapLater(list: readonly unknown[], block: Later): Promise<unknown[]> {
  const made: unknown[] = []
  for (const each of list) made.push(await block(each))
  return made
}

export function mapWithIndex(list: readonly unknown[], block: Later): unknown[] {
  return list.map((each, i) => block(each, i))
}

export async function mapWithIndexLater(list: readonly unknown[], block: Later): Promise<unknown[]> {
  const made: unknown[] = []
  for (const [i, each] of list.entries()) made.push(await block(each, i))
  return made
}

export function filter(list: readonly unknown[], block: Later): unknown[] {
  return list.filter(each => block(each))
}

export async function filterLater(list: readonly unknown[], block: Later): Promise<unknown[]> {
  const made: unknown[] = []
  for (const each of list) if (await block(each)) made.push(each)
  return made
}

export function reduce(list: readonly unknown[], initial: unknown, block: Later): unknown {
  let value = initial
  for (const each of list) value = block(value, each)
  return value
}

export async function reduceLater(
  list: readonly unknown[],
  initial: unknown,
  block: Later,
): Promise<unknown> {
  let value = initial
  for (const each of list) value = await block(value, each)
  return value
}

export function find(list: readonly unknown[], block: Later): unknown {
  return list[findIndex(list, block)] ?? null
}

export async function findLater(list: readonly unknown[], block: Later): Promise<unknown> {
  return list[await findIndexLater(list, block)] ?? null
}

export function findIndex(list: readonly unknown[], block: Later): number {
  return list.findIndex(each => block(each))
}

export async function findIndexLater(list: readonly unknown[], block: Later): Promise<number> {
  for (const [i, each] of list.entries()) if (await block(each)) return i
  return -1
}

export function flatMap(list: readonly unknown[], block: Later): unknown[] {
  return list.flatMap(each => block(each) as unknown[])
}

export async function flatMapLater(list: readonly unknown[], block: Later): Promise<unknown[]> {
  return (await mapLater(list, block)).flat()
}

export function every(list: readonly unknown[], block: Later): boolean {
  return list.every(each => block(each))
}

export async function everyLater(list: readonly unknown[], block: Later): Promise<boolean> {
  for (const each of list) if (!(await block(each))) return false
  return true
}

export function some(list: readonly unknown[], block: Later): boolean {
  return list.some(each => block(each))
}

export async function someLater(list: readonly unknown[], block: Later): Promise<boolean> {
  return (await findIndexLater(list, block)) >= 0
}

export function count(list: readonly unknown[], block?: Later | null): number {
  return block ? filter(list, block).length : list.length
}

export async function countLater(list: readonly unknown[], block: Later): Promise<number> {
  return (await filterLater(list, block)).length
}

export function sortBy(list: readonly unknown[], block: Later): unknown[] {
  return inOrder(
    list,
    list.map(each => block(each)),
  ) // prettier
}

export async function sortByLater(list: readonly unknown[], block: Later): Promise<unknown[]> {
  return inOrder(list, await mapLater(list, block))
}

/** Stable; numbers by size, anything else as text. */
function inOrder(list: readonly unknown[], keys: readonly unknown[]): unknown[] {
  const order = (a: unknown, b: unknown): number => {
    if (same(a, b)) return 0
    if (a == null) return 1
    if (b == null) return -1
    if (typeof a === 'number' && typeof b === 'number') return a - b
    const x = text(a)
    const y = text(b)
    return x < y ? -1 : x > y ? 1 : 0
  }
  return keys
    .map((key, i) => [key, i] as const)
    .sort(([a], [b]) => order(a, b))
    .map(([, i]) => list[i])
}

export function unique(list: readonly unknown[], block?: Later | null): unknown[] {
  return first(list, block ? list.map(each => block(each)) : list)
}

export async function uniqueLater(list: readonly unknown[], block: Later): Promise<unknown[]> {
  return first(list, await mapLater(list, block))
}

/** The first of each kind; records are of a kind where they hold the same. */
function first(list: readonly unknown[], keys: readonly unknown[]): unknown[] {
  const seen = new Set<unknown>()
  return list.filter((_, i) => {
    const key = typeof keys[i] === 'object' && keys[i] !== null ? json(keys[i]) : (keys[i] ?? null)
    return !seen.has(key) && seen.add(key)
  })
}

export function groupBy(list: readonly unknown[], block: Later): Record<string, unknown[]> {
  return grouped(
    list,
    list.map(each => block(each)),
  ) // prettier
}

export async function groupByLater(
  list: readonly unknown[],
  block: Later,
): Promise<Record<string, unknown[]>> {
  return grouped(list, await mapLater(list, block))
}

function grouped(list: readonly unknown[], keys: readonly unknown[]): Record<string, unknown[]> {
  const groups = new Map<string, unknown[]>()
  list.forEach((each, i) => {
    const key = text(keys[i])
    groups.set(key, [...(groups.get(key) ?? []), each])
  })
  return Object.fromEntries(groups)
}

/** A method of a list whose block has to be waited for. */
export async function method(of: unknown, name: string, ...args: unknown[]): Promise<unknown> {
  const [block, initial] = args as [Later, unknown]
  if (!Array.isArray(of)) return await (of as Record<string, Block>)[name]!(...(args as never[]))
  switch (name) {
    case 'map':
      return await mapWithIndexLater(of, block)
    case 'filter':
      return await filterLater(of, block)
    case 'find':
      return await findLater(of, block)
    case 'findIndex':
      return await findIndexLater(of, block)
    case 'flatMap':
      return await flatMapLater(of, block)
    case 'every':
      return await everyLater(of, block)
    case 'some':
      return await someLater(of, block)
    case 'reduce':
      return args.length > 1
        ? await reduceLater(of, initial, block)
        : await reduceLater(of.slice(1), of[0], block)
    case 'findLast':
      return await findLater(of.toReversed(), block)
    case 'toSorted':
      return await sorted(of, block)
    case 'sort':
      of.splice(0, of.length, ...(await sorted(of, block)))
      return of
    case 'forEach':
      await mapWithIndexLater(of, block)
      return null
    default:
      throw new TypeError(`the block of ${name} cannot wait for anything`)
  }
}

/** Merged from halves: stable, and its order is asked one pair after another. */
async function sorted(list: readonly unknown[], order: Later): Promise<unknown[]> {
  if (list.length < 2) return [...list]
  const middle = list.length >> 1
  const left = await sorted(list.slice(0, middle), order)
  const right = await sorted(list.slice(middle), order)
  const made: unknown[] = []
  while (left.length > 0 && right.length > 0) {
    const first = Number(await order(left[0], right[0])) <= 0
    made.push(first ? left.shift() : right.shift())
  }
  return [...made, ...left, ...right]
}
