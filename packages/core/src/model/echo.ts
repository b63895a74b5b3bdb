// What an endpoint wants back with an assistant message: which keys its reasoning came in, its lists of details, and
// fields of its own. It stands as one last entry in the message's `details`, so that it is stored with the message
// and lost with it, and only the endpoint that wrote it is ever sent it.
import type { Json, Message } from '../define/records.ts'
import { fields } from './json.ts'

const TYPE = 'toolwright.echo'

/** How an assistant message came over the wire. */
export interface Echo {
  /** Which endpoint and model wrote it: {@link endpointMark}. */
  by: string
  /** The keys that the reasoning text came in. `true`: the same text as the message's; else its own. */
  keys?: Record<string, true | string>
  /** How many of the message's details came under which key, in their order. */
  lists?: Record<string, number>
  /** The tags that the reasoning stood between at the start of the content. */
  think?: readonly [string, string]
  /** The reasoning came as a part of the content: {type: 'thinking', thinking: [{type: 'text', text}]}. */
  part?: true
  /** Further fields to be sent back as they came. */
  fields?: Record<string, Json>
  /** Of a model of the AI SDK: the parts of its turn, and how long the texts are that they are parts of. */
  parts?: Json[]
  lengths?: { text: number; reasoning: number }
}

/** The entry of `details` that keeps `echo`. */
export function echoEntry(echo: Echo): Json {
  return { type: TYPE, ...(echo as unknown as Record<string, Json>) }
}

/** A message's own details, and how they came: undefined where no endpoint of ours wrote it. */
export function readEcho(message: Pick<Message, 'details'>): {
  details: readonly Json[]
  echo: Echo | undefined
} {
  const last = fields(message.details.at(-1))
  if (last?.['type'] !== TYPE) return { details: message.details, echo: undefined }
  return { details: message.details.slice(0, -1), echo: last as unknown as Echo }
}
