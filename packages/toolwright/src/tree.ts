// Draws the thread of a run as a tree, from its log:
//
//   [user] Use your getCapital tool to get the capital of India.
//   [assistant] tool call: getCapital({"country":"India"})
//   ▼ toolExecution getCapital (1.9s, 94 tok, $0.000)
//       [user] What is the capital of India?
//       [assistant] The capital of India is New Delhi.
//   ▶ toolCall "getCapital" (1.9s)
//   [tool: getCapital] The capital of India is New Delhi.
//   [assistant] The capital of India is New Delhi. (Retrieved using the getCapital tool.)
//
// A handoff that took over has no lines of its own: what was said in it stands on the very thread that called it.
import type { LogEvent, Message } from '@toolwright/core'
import { escapeLine, escapeText } from './escape.ts'
import { gather } from './gather.ts'
import { duration, measures } from './measures.ts'
import type { CallTree, ConversationTree, End, RunTree, TreeItem } from './runtree.ts'

export interface TreeOptions {
  /** The time now, ms since 1970: what still runs then shows for how long. Default: it shows no time. */
  now?: number
  /** Shows the warnings of the log too, each as a line `! …`. Default: false. */
  warnings?: boolean
  /** How much of one text is shown, in characters. Default: 4000. */
  longest?: number
}

/**
 * The thread of `events` as a tree, lines of text without colours, no newline at the end. Texts of models, tools and
 * people are escaped. A call has a `▼` line where conversations happened inside it, with them below, and a `▶` line.
 * In brackets: its own time, `waited` for the time that a person took, and of a `▼` the tokens read and written and
 * the cost, each where it is known. `⋯` is still running; `?` waits for a person.
 */
export function tree(events: Iterable<LogEvent>, options: TreeOptions = {}): string {
  return gather(events)
    .map(run => drawRun(run, options))
    .join('\n\n')
}

/** One run as {@link tree} draws it. */
export function drawRun(run: RunTree, options: TreeOptions = {}): string {
  const torn = (run.torn ?? []).map(one => drawConversation(one, options).join('\n'))
  return [drawConversation(run, options).join('\n'), ...torn].filter(text => text !== '').join('\n\n')
}

type Lines = string[]

function drawConversation({ items, end }: ConversationTree, options: TreeOptions): Lines {
  return [...items.flatMap(item => drawItem(item, options)), ...(end ? drawEnd(end) : [])]
}

function drawItem(item: TreeItem, options: TreeOptions): Lines {
  switch (item.kind) {
    case 'message':
      return drawMessage(item.message, options)
    case 'call':
      return item.tookOver ? [] : drawCall(item, options)
    case 'thread':
      return ['▼ thread', ...drawConversation(item.inside, options).map(indent)]
    case 'warning':
      return options.warnings ? [`! ${escapeLine(item.text, 400)}`] : []
    case 'end':
      return drawEnd(item, `${escapeLine(item.tool)}: `)
  }
}

function drawEnd(end: End, where = ''): Lines {
  const { ended, limit } = end
  if (ended === 'answer' || ended === 'turn') return []
  const how = ended === 'error' ? 'failed' : ended
  return [`■ ${where}${how}${limit ? `: ${escapeLine(limit)}` : ''} (${measures(end)})`]
}

function drawMessage(message: Message, options: TreeOptions): Lines {
  const pictures = message.images?.length ?? 0
  const seen = pictures === 0 ? '' : pictures === 1 ? ' (1 picture)' : ` (${pictures} pictures)`
  const calls = message.calls.flatMap(call =>
    drawText('assistant', `tool call: ${call.tool}(${cut(call.arguments, options)})`),
  )
  if (message.text === '' && calls.length > 0) return calls
  return [...drawText(speaker(message), cut(message.text, options) + seen), ...calls]
}

function speaker(message: Message): string {
  if (message.role !== 'tool') return message.role
  return message.origin.from === 'tool' ? `tool: ${escapeLine(message.origin.tool)}` : 'tool'
}

function drawCall(call: CallTree, options: TreeOptions): Lines {
  const { end, waiting, decision } = call
  const elapsed = options.now === undefined ? '' : ` (${duration(options.now - call.at)})`
  const running = `${elapsed} ⋯`
  const tool = escapeLine(call.tool)
  const lines: Lines = []
  if (call.inside.length > 0) {
    lines.push(`▼ toolExecution ${tool}${end ? ` (${measures(end, end.usage)})` : running}`)
    lines.push(...drawInside(call.inside, options).map(indent))
  }
  const refused = decision?.approved === false
  const failed = refused ? ` refused${decision.why ? `: ${escapeLine(decision.why)}` : ''}` : ' failed'
  lines.push(
    `▶ toolCall "${tool}"${end ? ` (${measures(end)})${end.failed || refused ? failed : ''}` : running}`,
  )
  if (waiting) {
    const { step, arguments: input, why } = waiting
    // Never cut: a person decides on all of it.
    lines.push(...hang(`? ${step} waits for a person: ${waiting.tool}(${input})${why ? ` (${why})` : ''}`))
  }
  return lines
}

/** One conversation stands as it is; of several each has a heading: the last part of its path, or its agent. */
function drawInside(inside: readonly ConversationTree[], options: TreeOptions): Lines {
  if (inside.length === 1) return inside.flatMap(one => drawConversation(one, options))
  return inside.flatMap(one => [
    `· ${escapeLine(one.span.split('/').at(-1) || one.agent)}`,
    ...drawConversation(one, options).map(indent),
  ])
}

function drawText(who: string, text: string): Lines {
  return hang(`[${who}] ${text}`.trimEnd())
}

/** The lines of an escaped text, all but the first further in. */
function hang(text: string): Lines {
  return escapeText(text)
    .split('\n')
    .map((line, i) => (i === 0 || line === '' ? line : indent(line)))
}

function indent(line: string): string {
  return line === '' ? '' : `    ${line}`
}

function cut(text: string, { longest = 4000 }: TreeOptions): string {
  if (text.length <= longest) return text
  return `${text.slice(0, longest)}… (${text.length - longest} more characters)`
}
