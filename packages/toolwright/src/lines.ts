// What a person reads of a run while it goes: from pieces and the log to text on stdout and lines on stderr.
import type { Ask, LogEvent, Piece } from '@toolwright/core'
import { escapeJson, escapeLine, escaper, escapeText } from './escape.ts'
import { measures } from './measures.ts'
import type { Terminal } from './terminal.ts'

/** Shows a run: the answer on stdout, as it is written; on stderr a line for each call and what calls tell. */
export interface Shower {
  piece(piece: Piece): void
  event(event: LogEvent): void
  /** A line on stderr, on a line of its own. */
  note(line: string): void
  /** Clears the line of what is running, for something else to be written. */
  clear(): void
}

/** A shower for one run. `quiet`: nothing on stderr but {@link Shower.note}. */
export function shower(terminal: Terminal, { quiet }: { quiet: boolean }): Shower {
  const text = escaper()
  let step = ''
  /** What the step that writes now has written, as it came. */
  let written = ''
  let midLine = false
  let status = ''
  const running = new Map<string, Extract<LogEvent, { kind: 'call' }>>()
  const why = new Map<string, string>()

  const out = (shown: string) => {
    if (shown === '') return
    clear()
    terminal.out(shown)
    midLine = !shown.endsWith('\n')
  }
  const closeLine = () => {
    out(text.end())
    if (midLine) out('\n')
  }
  const clear = () => {
    if (status !== '') terminal.err('\r\x1b[2K')
    status = ''
  }
  const note = (line: string) => {
    if (terminal.together) closeLine()
    clear()
    terminal.err(`${line}\n`)
  }
  const progress = (line: string) => {
    if (quiet) return
    note(line)
    showStatus()
  }
  /** On a terminal, one line at the bottom names what is running. */
  const showStatus = () => {
    if (quiet || !terminal.live || running.size === 0) return
    if (terminal.together) closeLine()
    clear()
    status = escapeLine(`⋯ ${[...running.values()].map(call => call.tool).join(', ')}`, 70)
    terminal.err(terminal.style('dim', status))
  }
  const indent = (path: string) => '  '.repeat(path.split('/').length - 1)

  return {
    note,
    clear,
    piece(piece) {
      const top = !piece.step.includes('/')
      switch (piece.kind) {
        case 'text':
          if (!top) break
          if (piece.step !== step) closeLine()
          if (piece.step !== step || piece.offset === 0) written = ''
          step = piece.step
          written += piece.text
          out(text.next(piece.text))
          break
        case 'restart':
          progress(
            `${indent(piece.step)}${terminal.style('yellow', '↻')} ${escapeLine(piece.step)} begins again`,
          )
          break
        case 'line':
          progress(
            `${indent(piece.step)}${terminal.style('dim', `· ${escapeLine(piece.text || `${piece.call.tool} …`, 300)}`)}`,
          )
          break
        case 'step':
          progress(
            `${indent(piece.step)}${terminal.style('dim', `· ${escapeLine(`${piece.call.tool}: ${piece.text}`, 300)}`)}`,
          )
          break
        case 'failed':
          why.set(piece.step, piece.text)
          break
        case 'done':
          if (!top) break
          closeLine()
          // An answer that no turn wrote as text: a record, or what a tool ended the turn with.
          if (piece.text !== written) out(escapeText(piece.text))
          closeLine()
          break
        case 'stopped':
        case 'error':
          if (top) closeLine()
      }
    },
    event(event) {
      switch (event.kind) {
        case 'call':
          running.set(event.span, event)
          // The turn that makes a call has been written.
          if (event.parent === '') closeLine()
          showStatus()
          break
        case 'call end': {
          const call = running.get(event.span)
          running.delete(event.span)
          const name = `${escapeLine(event.tool)}(${escapeLine(call?.arguments ?? '', 80)})`
          const mark = event.failed ? terminal.style('red', '✗') : terminal.style('green', '✓')
          const reason = event.failed ? `: ${escapeLine(why.get(event.span) ?? 'failed', 300)}` : ''
          progress(
            `${indent(event.span)}${mark} ${name} ${terminal.style('dim', measures(event, event.usage))}${reason}`,
          )
          break
        }
        case 'warning':
          progress(`${terminal.style('yellow', '!')} ${escapeLine(event.text, 400)}`)
          break
        case 'end':
          if (event.parent !== undefined) break
          closeLine()
          if (event.usage.toolCalls > 0)
            progress(terminal.style('dim', `${measures(event, event.usage)} in all`))
      }
    },
  }
}

/** All that somebody needs to decide on a call: the tool, what it does, why it asks, the whole input, and what else it depends on. */
export function askDetails(ask: Ask, terminal: Pick<Terminal, 'style'>): string {
  const lines = [
    terminal.style('bold', `${escapeLine(ask.call.tool)} asks to run.`),
    ...(ask.about ? [escapeText(ask.about)] : []),
    ...(ask.why ? [`Why: ${escapeText(ask.why)}`] : []),
    escapeJson(ask.call.arguments),
    ...(ask.resolved === undefined ? [] : [`With: ${escapeJson(JSON.stringify(ask.resolved))}`]),
  ]
  return `\n${lines.join('\n')}\n`
}
