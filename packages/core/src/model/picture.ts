// Pictures of messages. They are data URLs, data:image/png;base64,…

/** A data URL's media type and its base64, as it stands there. */
export interface PictureData {
  type: string
  base64: string
}

/** What a data URL holds; undefined where the text is none. */
export function pictureData(url: string): PictureData | undefined {
  const comma = url.indexOf(',')
  const head = /^data:([^;,\s]*)((?:;[^;,]*)*)$/i.exec(url.slice(0, comma))
  if (comma < 0 || !head) return undefined
  const type = head[1]?.toLowerCase() || 'text/plain'
  const data = url.slice(comma + 1)
  if (/;base64$/i.test(head[2] ?? '')) return { type, base64: data }
  return { type, base64: toBase64(new TextEncoder().encode(unescaped(data))) }
}

/** What a model is told in place of a picture. */
export function pictureNote(url: string, why = 'the model takes none'): string {
  const data = pictureData(url)
  const what = data ? `, ${data.type}, ${size(data.base64)}` : ''
  return `[a picture${what}, not shown: ${why}]`
}

/** Bytes as base64, in parts: a call takes only so many arguments. */
export function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let n = 0; n < bytes.length; n += 8192) text += String.fromCharCode(...bytes.subarray(n, n + 8192))
  return btoa(text)
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function size(base64: string): string {
  const bytes = Math.floor((base64.replace(/=+$/, '').length * 3) / 4)
  if (bytes < 1000) return `${bytes} bytes`
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
