// The one escaper for foreign text: what a model, a tool, a server or a file wrote may not move the cursor, change
// the terminal, turn the writing direction, or hide in characters that nobody sees.
// All of these come out as visible escapes of plain ASCII: \x1b, \u202e, \u{e0041}.

// Cc: C0, DEL, C1 · Cf: format characters, all bidi controls among them · Cs: halves of a surrogate pair ·
// Zl, Zp: line separators · the rest of what Unicode says a renderer shows nothing for (fillers, selectors, tags).
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

// A joiner is part of ordinary writing in two places only: within an emoji, and within a word of a script that
// joins its letters. Anywhere else it hides something (`pay‌pal`), and is shown.
const emoji = '\\p{Extended_Pictographic}'
const joining = [
  'Arabic',
  'Syriac',
  'Mongolian',
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Oriya',
  'Tamil',
]
  .concat(['Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar'])
  .map(script => `\\p{Script=${script}}`)
  .join('')
const wanted = new RegExp(
  [
    `(?<=${emoji})\\uFE0F|(?<=[0-9#*])\\uFE0F(?=\\u20E3)`,
    `(?<=${emoji}\\uFE0F?|\\p{Emoji_Modifier})\\u200D(?=${emoji})`,
    `(?<=[${joining}])[\\u200C\\u200D](?=[${joining}])`,
  ].join('|'),
  'gu',
)

const plain = /^[\n\x20-\x7e]*$/

/**
 * Foreign text for a terminal or a plain text file. Of all control characters only `\n` is left; `\r\n` becomes
 * `\n` and a tab four spaces. Escapes are for eyes: they are not meant to be read back.
 */
export function escapeText(text: string): string {
  return escapeFrom(text, 0)
}

/** Escapes a text that comes in parts, just as {@link escapeText} does the whole of it. */
export interface Escaper {
  /** Escapes the next part. What only the part after it can decide on (half an emoji, say) is held until then. */
  next(part: string): string
  /** What is still held. The next part begins a new text. */
  end(): string
}

/** An escaper for one text that comes in parts. */
export function escaper(): Escaper {
  let before = ''
  let held = ''
  const show = (text: string) => {
    const shown = escapeFrom(before + text, before.length)
    before = (before + text).slice(-4)
    return shown
  }
  return {
    next(part) {
      const text = held + part
      held = /(?:\r|\u200c|\u200d|\ufe0f|[\ud800-\udbff]){0,4}$/.exec(text)?.[0] ?? ''
      return show(text.slice(0, text.length - held.length))
    },
    end() {
      const shown = show(held)
      before = held = ''
      return shown
    },
  }
}

/** Escapes `text` from the index `from` on; what stands before it is only looked at. */
function escapeFrom(text: string, from: number): string {
  const part = from === 0 ? text : text.slice(from)
  if (plain.test(part)) return part
  const kept = new Set<number>()
  if (/\u200c|\u200d|\ufe0f/.test(part))
    for (const match of text.matchAll(wanted)) kept.add(match.index - from)
  return part.replace(hidden, (char, at: number) => {
    if (char === '\n' || kept.has(at)) return char
    if (char === '\t') return '    '
    if (char === '\r' && part[at + 1] === '\n') return ''
    return visible(char)
  })
}

/**
 * Foreign text in one line of at most `most` characters (of UTF-16, with the `…` that says it was cut; default 120).
 * Runs of white space become one space.
 */
export function escapeLine(text: string, most = 120): string {
  // Cut before escaping as well, so that a megabyte costs no more than a line.
  const line = escapeText(
    text
      .slice(0, most * 4)
      .trim()
      .replace(/\s+/g, ' '),
  )
  const whole = text.length <= most * 4 && line.length <= most
  return whole ? line : `${line.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/**
 * A JSON text for a person who decides on it: indented, every character outside of what is plainly seen written
 * as a JSON escape, and every number with the digits that it has. It reads back as the same value.
 * A text that is not JSON comes out escaped as it is.
 */
export function escapeJson(json: string): string {
  try {
    JSON.parse(json)
  } catch {
    return escapeText(json)
  }
  let depth = 0
  const line = () => `\n${'  '.repeat(depth)}`
  let out = ''
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[{]\s*[\]}]|[[\]{}:,]|[^\s[\]{}:,"]+/g)) {
    if (token === '{' || token === '[') {
      depth++
      out += token + line()
    } else if (token === '}' || token === ']') {
      depth--
      out += line() + token
    } else if (token === ',') out += `,${line()}`
    else if (token === ':') out += ': '
    else if (token[0] === '"') out += token.replace(hidden, jsonEscape)
    else out += token.replace(/\s/g, '')
  }
  return out
}

function visible(char: string): string {
  const code = char.codePointAt(0) ?? 0
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`
  return code <= 0xffff ? `\\u${code.toString(16).padStart(4, '0')}` : `\\u{${code.toString(16)}}`
}

function jsonEscape(char: string): string {
  let out = ''
  for (let i = 0; i < char.length; i++) out += `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`
  return out
}
