// Words out of bytes that may be text. Bytes that are not certainly text are never shown as text.

/** A text, and how it was written. */
export interface Decoded {
  text: string
  encoding: string
  /** Nothing in the bytes says the encoding, and it was guessed. */
  guessed: boolean
  /** The last character is cut off. */
  cut: boolean
}

// Everything below a space but tab, line breaks, form feed and escape (which logs of terminals hold), and delete.
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these tell bytes from text
const controls = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f]/g

/** The text that `bytes` are: UTF-8, UTF-16 or, by a guess, Windows-1252; undefined where they are no text. */
export function decoded(bytes: Uint8Array): Decoded | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return known(bytes, 'utf-16le')
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return known(bytes, 'utf-16be')
  const wide = wideness(bytes)
  if (wide !== undefined) return known(bytes, wide)
  if (bytes.includes(0)) return undefined
  return known(bytes, 'utf-8') ?? cutShort(bytes) ?? western(bytes)
}

/** Line breaks as `\n`, and none of the controls that no reader shows. */
export function plain(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(controls, '')
}

function known(bytes: Uint8Array, encoding: string): Decoded | undefined {
  const text = strict(bytes, encoding, false)
  if (text === undefined || !readable(text)) return undefined
  return { text, encoding, guessed: false, cut: false }
}

/** UTF-8 whose last character is cut off, where another one shows that it is UTF-8. */
function cutShort(bytes: Uint8Array): Decoded | undefined {
  const text = strict(bytes, 'utf-8', true)
  if (text === undefined || !readable(text) || !/[^\p{ASCII}]/u.test(text)) return undefined
  return { text, encoding: 'utf-8', guessed: false, cut: true }
}

/** Bytes of a western encoding: mostly ASCII, and not one that no text holds. */
function western(bytes: Uint8Array): Decoded | undefined {
  let high = 0
  for (const byte of bytes) {
    if (byte >= 0x80) high++
    if (byte === 0x81 || byte === 0x8d || byte === 0x8f || byte === 0x90 || byte === 0x9d) return undefined
  }
  if (high * 10 > bytes.length * 3) return undefined
  const text = new TextDecoder('windows-1252').decode(bytes)
  if (text.search(controls) >= 0) return undefined
  return { text, encoding: 'windows-1252', guessed: true, cut: false }
}

/** UTF-16 without a mark: of western text every other byte is zero. */
function wideness(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes.length < 4 || bytes.length % 2 !== 0) return undefined
  const length = Math.min(bytes.length, 4096)
  let even = 0
  let odd = 0
  for (let i = 0; i < length; i += 2) {
    if (bytes[i] === 0) even++
    if (bytes[i + 1] === 0) odd++
  }
  const pairs = length / 2
  if (odd > pairs * 0.4 && even < pairs * 0.05) return 'utf-16le'
  if (even > pairs * 0.4 && odd < pairs * 0.05) return 'utf-16be'
  return undefined
}

function strict(bytes: Uint8Array, encoding: string, stream: boolean): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream })
  } catch {
    return undefined
  }
}

/** No zero, and at most one control character in 500: what a text holds by accident, and bytes never do. */
function readable(text: string): boolean {
  if (text.includes('\0')) return false
  let found = 0
  const most = text.length / 500
  for (const _ of text.matchAll(controls)) if (++found > most) return false
  return true
}
