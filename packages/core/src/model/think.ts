// `<think>…</think>` at the start of content: how servers without a reasoning parser hand on a model's reasoning.

const OPEN = '<think>'
const CLOSE = '</think>'

/** What a part of content turned out to be. */
export interface Told {
  reasoning: string
  text: string
}

/** Splits the reasoning off the start of content that comes in parts, cut anywhere. */
export interface ThinkTags {
  /** True once the rest is plain text and need not be written here any more. */
  readonly over: boolean
  write(content: string): Told
  /** What is certainly no tag, though it might have become one. Called when something else than content comes. */
  flush(): Told
  /** The tags with the white space around them as they came, where there were any: opening, closing ('' where it never closed). */
  readonly tags: readonly [string, string] | undefined
}

/** Only the start of content counts: a tag behind other text is text. A tag that never closes makes all of it reasoning. */
export function thinkTags(): ThinkTags {
  let state: 'start' | 'inside' | 'after' | 'text' = 'start'
  let held = ''
  let open = ''
  let close = ''
  let begun = false

  function start(): Told {
    const came = held.trimStart()
    if (came.length < OPEN.length && OPEN.startsWith(came)) return { reasoning: '', text: '' }
    if (!came.startsWith(OPEN)) return plain()
    open = held.slice(0, held.length - came.length) + OPEN
    held = came.slice(OPEN.length)
    state = 'inside'
    return inside()
  }

  function inside(): Told {
    if (!begun) {
      const came = held.trimStart()
      open += held.slice(0, held.length - came.length)
      held = came
    }
    const at = held.indexOf(CLOSE)
    const end = at >= 0 ? at : tagStart(held)
    const reasoning = held.slice(0, end).trimEnd()
    if (reasoning !== '') begun = true
    if (at < 0) {
      held = held.slice(reasoning.length)
      return { reasoning, text: '' }
    }
    close = held.slice(reasoning.length, at + CLOSE.length)
    held = held.slice(at + CLOSE.length)
    state = 'after'
    return { reasoning, text: after().text }
  }

  function after(): Told {
    const came = held.trimStart()
    close += held.slice(0, held.length - came.length)
    held = came
    return came === '' ? { reasoning: '', text: '' } : plain()
  }

  function plain(): Told {
    const text = held
    held = ''
    state = 'text'
    return { reasoning: '', text }
  }

  return {
    get over() {
      return state === 'text'
    },
    get tags() {
      return open === '' ? undefined : ([open, close] as const)
    },
    write(content) {
      held += content
      return state === 'start'
        ? start()
        : state === 'inside'
          ? inside()
          : state === 'after'
            ? after()
            : plain()
    },
    flush() {
      if (state !== 'inside') return state === 'start' && held === '' ? { reasoning: '', text: '' } : plain()
      const reasoning = held
      held = ''
      return { reasoning, text: '' }
    },
  }
}

/** Where a closing tag may be beginning at the end of `text`; its length where none is. */
function tagStart(text: string): number {
  for (let n = Math.min(CLOSE.length - 1, text.length); n > 0; n--) {
    if (text.endsWith(CLOSE.slice(0, n))) return text.length - n
  }
  return text.length
}
