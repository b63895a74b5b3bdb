// Reads a log file as a stream, line by line, so that a long one needs no more room than what is made of it.
import { createReadStream, statSync } from 'node:fs'
import type { LogEvent } from '@toolwright/core'
import { escapeLine } from './escape.ts'
import { CommandError } from './trouble.ts'

/** The numbers of the lines that are only half there, from 1. */
export interface Halves {
  halves: number[]
}

/**
 * Gives each event of the log `path` to `each`. A line that a killed process or a full disk left half-written is
 * passed over and its number given. Events of a kind that this version does not know are given too.
 * Throws a {@link CommandError}: 2 where there is no such file, 1 where a line is no event, with its number.
 */
export async function readLog(path: string, each: (event: LogEvent) => void): Promise<Halves> {
  const shown = escapeLine(path, 400)
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) throw new CommandError(2, `There is no file ${shown}.`)
  if (stat.isDirectory()) throw new CommandError(2, `${shown} is no file.`)
  const halves: number[] = []
  let number = 0
  for await (const line of linesOf(path)) {
    number++
    if (line === '') continue
    const event = eventOf(line)
    if (event === 'half') halves.push(number)
    else if (event) each(event)
    else throw new CommandError(1, `${shown} is no log: line ${number} is no event: ${escapeLine(line, 60)}`)
  }
  return { halves }
}

// Lines end in \n alone: a text in JSON may hold other line ends of Unicode as they are.
async function* linesOf(path: string): AsyncGenerator<string> {
  let parts: string[] = []
  for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: 1 << 18 })) {
    const [first = '', ...rest] = (chunk as string).split('\n')
    parts.push(first)
    for (const next of rest) {
      yield parts.join('')
      parts = [next]
    }
  }
  const last = parts.join('')
  if (last !== '') yield last
}

/** The event of a line; 'half' where it begins like one and breaks off; nothing where it is something else. */
function eventOf(line: string): LogEvent | 'half' | undefined {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    // Every line that we write begins with the time.
    return '{"at":'.startsWith(line.slice(0, 6)) ? 'half' : undefined
  }
  return isEvent(value) ? value : undefined
}

type Types = Readonly<Record<string, 'string' | 'number' | 'object'>>

const common: Types = { at: 'number', run: 'string', span: 'string', kind: 'string' }
const asked: Types = { tool: 'string', number: 'string', arguments: 'string' }
const ended: Types = { ms: 'number', waited: 'number', usage: 'object' }
/** What is read of each kind of event. */
const kinds: Readonly<Record<string, Types>> = {
  conversation: { agent: 'string', model: 'string' },
  message: { thread: 'string', row: 'number', message: 'object' },
  change: { thread: 'string', row: 'number' },
  call: asked,
  'call end': ended,
  ask: { ...asked, why: 'string' },
  end: { ended: 'string', ...ended },
  warning: { text: 'string' },
}

function isEvent(value: unknown): value is LogEvent {
  if (!has(value, common)) return false
  if (value.parent !== undefined && typeof value.parent !== 'string') return false
  if (!has(value, kinds[value.kind as string] ?? {})) return false
  return value.message === undefined || isMessage(value.message)
}

function isMessage(value: unknown): boolean {
  if (!has(value, { role: 'string', text: 'string', calls: 'object', origin: 'object' })) return false
  return (
    Array.isArray(value.calls) &&
    value.calls.every(call => has(call, { id: 'string', tool: 'string', arguments: 'string' }))
  )
}

function has(value: unknown, types: Types): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(types).every(([key, type]) => {
    const field = (value as Record<string, unknown>)[key]
    return typeof field === type && field !== null
  })
}
