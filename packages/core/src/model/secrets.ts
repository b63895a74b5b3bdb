// Keeps the keys of an API out of what people and logs see, whoever repeats them.
import { mask } from '../mask/mask.ts'
import { type Api, decoded } from './api.ts'

/** Hides every secret of `api` in a text. */
export function masker(api: Api): (text: string) => string {
  const known = mask()
  for (const secret of secretsOf(api)) known.add(secret)
  return known.text
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
