// Bytes out of a data URL (RFC 2397) or a base64 text. Nothing is fetched.
import { Refusal, tooLarge } from './errors.ts'

/** The bytes of `data:[type][;base64],…`. Its media type is not looked at: the bytes say what they are. */
export function dataUrl(url: string, most: number): Uint8Array {
  const comma = url.indexOf(',')
  if (comma < 0)
    throw new Refusal('T9004', 'is a data URL without a comma', 'write data:image/png;base64,… or data:,text')
  const head = url.slice(5, comma)
  const data = url.slice(comma + 1)
  if (/;\s*base64\s*$/i.test(head)) return base64(data.includes('%') ? unescaped(data) : data, most)
  // Three units of a URL make at least one byte, so a text that is far too long is refused before it is decoded.
  if (data.length > most * 3) throw tooLarge(Math.ceil(data.length / 3), most)
  const bytes = percentDecoded(data)
  if (bytes.length > most) throw tooLarge(bytes.length, most)
  return bytes
}

/** The bytes of a base64 text, in the usual or the URL alphabet, with or without padding; white space is passed over. */
export function base64(text: string, most: number): Uint8Array {
  if (text.length > most * 2 + 64) throw tooLarge(Math.floor((text.length * 3) / 4), most)
  const plain = /\s/.test(text) ? text.replace(/\s+/g, '') : text
  const body = plain.replace(/={1,2}$/, '')
  if (body.length % 4 === 1 || /[^A-Za-z0-9+/_-]/.test(body))
    throw new Refusal('T9004', 'does not decode as base64', 'give the bytes as a Uint8Array, or their base64')
  const bytes = Buffer.from(body, 'base64')
  if (bytes.length > most) throw tooLarge(bytes.length, most)
  return bytes
}

function unescaped(text: string): string {
  return Buffer.from(percentDecoded(text)).toString('latin1')
}

/** Percent-decodes; a `%` that begins no escape stays as it is (as browsers do). */
function percentDecoded(text: string): Uint8Array {
  const from = Buffer.from(text, 'utf8')
  const to = Buffer.allocUnsafe(from.length)
  let length = 0
  for (let i = 0; i < from.length; i++) {
    const high = from[i] === 0x25 ? hex(from[i + 1]) : -1
    const low = high < 0 ? -1 : hex(from[i + 2])
    if (low < 0) to[length++] = from[i]!
    else {
      to[length++] = high * 16 + low
      i += 2
    }
  }
  return to.subarray(0, length)
}

function hex(byte: number | undefined): number {
  if (byte === undefined) return -1
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}
