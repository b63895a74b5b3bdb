// Keeps keys out of what people and logs see, in whatever spelling a server or a library repeats them.
import { type Api, decoded } from './api.ts'

const MASK = '[secret]'

/** Replaces every secret of `api` in a text, in each of the spellings that {@link spellings} lists. */
export function masker(api: Api): (text: string) => string {
  const all = new Set<string>()
  for (const secret of secretsOf(api)) for (const form of spellings(secret)) all.add(form)
  const forms = [...all].sort((a, b) => b.length - a.length)
  return text => forms.reduce((t, form) => (t.includes(form) ? t.replaceAll(form, MASK) : t), text)
}

/** A server's words as an error may show them: one line, no control characters, no secrets, at most `most` characters. */
export function shownWords(words: string, mask: (text: string) => string, most = 600): string {
  // Cleaned before it is masked (a NUL inside a key would hide it) and masked before it is cut (half a key is one too).
  const masked = mask(clean(words)).replace(/ {2,}/g, ' ').trim().toWellFormed()
  if (masked.length <= most) return masked
  return `${masked.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`
}

function clean(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\p{Cc}\p{Cf}]/gu, '')
}

function secretsOf(api: Api): string[] {
  const found: string[] = []
  const add = (value: string | null | undefined, least: number) => {
    const secret = value?.trim()
    if (secret && secret.length >= least) found.push(secret)
  }
  add(api.key, 4)
  for (const value of Object.values(api.headers ?? {})) {
    add(value, 8)
    add(/^\S+\s+(\S+)$/.exec(value.trim())?.[1], 8) // the token of 'Bearer TOKEN'
  }
  if (URL.canParse(String(api.url))) {
    const url = new URL(api.url)
    add(decoded(url.password), 4)
    for (const value of url.searchParams.values()) add(value, 12)
  }
  return found
}

/** The secret itself; URL-encoded; as it stands inside a JSON text; and inside base64, at each of the three offsets. */
function spellings(secret: string): string[] {
  const url = encodeURIComponent(secret.toWellFormed())
  const form = url.replaceAll('%20', '+')
  const lower = (t: string) => t.replace(/%[0-9A-F]{2}/g, hex => hex.toLowerCase())
  const json = JSON.stringify(secret).slice(1, -1)
  const slashes = json.replaceAll('/', '\\/')
  // An error about a bad header may quote it, and is cleaned before it is looked through.
  const cleaned = clean(secret)
  const forms = [
    secret,
    cleaned,
    url,
    lower(url),
    form,
    lower(form),
    encodeURI(secret.toWellFormed()),
    json,
    slashes,
  ]
  const bytes = new TextEncoder().encode(secret)
  for (const before of [0, 1, 2]) {
    const padded = new Uint8Array(before + bytes.length)
    padded.set(bytes, before)
    const text = btoa(String.fromCharCode(...padded)).replace(/=+$/, '')
    // The first and last characters depend on the neighbours too; what is left is the secret's alone.
    const from = before === 0 ? 0 : before + 1
    const to = text.length - (padded.length % 3 === 0 ? 0 : 1)
    const own = text.slice(from, to)
    if (own.length >= 5) forms.push(own, own.replaceAll('+', '-').replaceAll('/', '_'))
  }
  return forms
}
