// The log of a node: what is a call to the core is the run itself to whoever reads it. What the node's own `llm` calls
// say is the conversation of the run; what is said in `thread { }` is a conversation beside it.
import type { Log, LogEvent } from '@toolwright/core'
import { logged } from '@toolwright/core/engine'

/** The log for the call `span` of a node, whose `llm` calls write to `thread`, told as a run; nothing where nobody listens. */
export function nodeLog(own: Log | undefined, span: string, thread: string): Log | undefined {
  const log = logged(own)
  if (!log) return undefined
  /** The `llm` calls of the node that write to its own thread. */
  const mine = new Set<string>()
  const placed = (at: string): string => {
    const path = at === span ? '' : at.startsWith(`${span}/`) ? at.slice(span.length + 1) : at
    return mine.has(path) ? '' : path
  }
  return event => {
    const told = placeOf(event)
    if (told) log(told)
  }

  function placeOf(event: LogEvent): LogEvent | undefined {
    if (event.kind === 'message' && event.thread === thread && event.parent === span)
      mine.add(event.span.slice(span.length + 1))
    const { parent, ...rest } = event
    if (event.span === span) {
      if (event.kind === 'call') return undefined
      if (event.kind === 'call end') {
        const { at, run, ms, waited, usage, failed } = event
        return { at, run, span: '', kind: 'end', ended: failed ? 'error' : 'answer', ms, waited, usage }
      }
    }
    const at = placed(event.span)
    // The run ends when the node does, and not with its first question.
    if (at === '' && event.kind === 'end') return undefined
    return at === '' ? { ...rest, span: '' } : { ...rest, span: at, parent: placed(parent ?? '') }
  }
}
