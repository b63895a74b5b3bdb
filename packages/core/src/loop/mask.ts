// Keeps secrets out of a log that is written down.
import type { LogEvent } from './log.ts'

/** What of an event are our own words, which a mask must leave alone: keys of these records, and values marked `true`. */
type Ours = true | { readonly [key: string]: Ours }
const ours: Ours = {
  kind: true,
  ended: true,
  message: { role: true, calls: {}, origin: { from: true } },
  usage: {},
}

/** `event` with every text in it masked, the keys of foreign records too. */
export function maskEvent(event: LogEvent, mask: (text: string) => string): LogEvent {
  return masked(event, mask, ours) as LogEvent
}

function masked(value: unknown, mask: (text: string) => string, own: Ours | undefined): unknown {
  if (typeof value === 'string') return own === true ? value : mask(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(each => masked(each, mask, own))
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => {
      const inner = typeof own === 'object' && Object.hasOwn(own, key) ? own[key] : undefined
      return [own ? key : mask(key), masked(each, mask, inner)]
    }),
  )
}
