// A server-sent event stream, line by line (https://html.spec.whatwg.org/multipage/server-sent-events.html).
// Our own and not a package's, because servers also send lines that are no event ("{"error":…}" in the middle of a
// stream), and those have to be seen whole wherever the network cut them.

/** Takes the text of a stream in parts, cut anywhere. */
export interface EventStream {
  push(text: string): void
  /** The stream is over: what came since the last line end counts as a line, and an open event as complete. */
  end(): void
}

/**
 * Gives the data of each event to `onData`, and each line that is neither a field nor a comment to `onOther`.
 * Lines end with LF, CRLF or CR; several data lines are joined with LF; the space after the colon may be missing.
 */
export function eventStream(onData: (data: string) => void, onOther: (line: string) => void): EventStream {
  /** The beginning of a line that is not over yet: parts, joined once, so that a long line costs linear time. */
  let parts: string[] = []
  let data: string | undefined
  /** The last part ended with CR: an LF at the beginning of the next belongs to it. */
  let afterCr = false

  function dispatch(): void {
    if (data === undefined) return
    const event = data
    data = undefined
    onData(event)
  }

  function line(text: string): void {
    if (text === '') {
      dispatch()
    } else if (text.startsWith('data:') || text === 'data') {
      const value = text.slice(text.charCodeAt(5) === 32 ? 6 : 5)
      data = data === undefined ? value : `${data}\n${value}`
    } else if (text.charCodeAt(0) !== 58 && !/^(?:event|id|retry)(?::|$)/.test(text)) {
      onOther(text)
    }
  }

  function push(text: string): void {
    if (text === '') return
    let from = afterCr && text.charCodeAt(0) === 10 ? 1 : 0
    afterCr = false
    let lf = text.indexOf('\n', from)
    let cr = text.indexOf('\r', from)
    while (lf >= 0 || cr >= 0) {
      const end = cr >= 0 && (lf < 0 || cr < lf) ? cr : lf
      const rest = text.slice(from, end)
      if (parts.length > 0) {
        parts.push(rest)
        const whole = parts.join('')
        parts = []
        line(whole)
      } else line(rest)
      from = end + 1
      if (end === cr) {
        if (from === text.length) afterCr = true
        else if (lf === from) from++
        cr = text.indexOf('\r', from)
      }
      if (lf >= 0 && lf < from) lf = text.indexOf('\n', from)
    }
    if (from < text.length) parts.push(from === 0 ? text : text.slice(from))
  }

  return {
    push,
    end() {
      if (parts.length > 0) {
        const whole = parts.join('')
        parts = []
        line(whole)
      }
      dispatch()
    },
  }
}
