// Keeps secrets out of what a model, a journal, a log or a person sees, in whatever spelling somebody repeats them.

/** What stands in the place of a secret. */
export const MASK = '[secret]'

/** Remembers secrets, and hides them. */
export interface Mask {
  /** From here on it is hidden. Spellings of fewer than 4 characters are not: they would hide half of any text. */
  add(secret: string): void
  text(text: string): string
  /** Every text in a value, keys too. The value itself is not changed. */
  value(value: unknown): unknown
}

/** A mask that knows no secret yet. */
export function mask(): Mask {
  const secrets = new Set<string>()
  let forms: string[] = []
  let shortest = Number.POSITIVE_INFINITY
  const hide = (plain: string): string =>
    forms.reduce((now, form) => (now.includes(form) ? now.replaceAll(form, MASK) : now), plain)
  const text = (plain: string): string => {
    if (plain.length < shortest) return plain
    const now = hide(plain)
    // Spelled half this way and half that, or with something invisible in between.
    const bare = bareOf(now)
    return bare !== now && forms.some(form => form.length >= SURE && bare.includes(form)) ? hide(bare) : now
  }
  const value = (one: unknown): unknown => {
    if (typeof one === 'string') return text(one)
    if (typeof one === 'number' || typeof one === 'bigint') return forms.includes(String(one)) ? MASK : one
    if (Array.isArray(one)) return one.map(value)
    if (typeof one !== 'object' || one === null) return one
    return Object.fromEntries(Object.entries(one).map(([key, inner]) => [text(key), value(inner)]))
  }
  return {
    add(secret) {
      if (secrets.has(secret)) return
      secrets.add(secret)
      // The longest first: a short one may be a part of it.
      forms = [...new Set([...forms, ...spellings(secret)])].sort((a, b) => b.length - a.length)
      shortest = forms.at(-1)?.length ?? shortest
    },
    text,
    value,
  }
}

/** How long a form is that does not come about by chance where line breaks and tags are left out. */
const SURE = 8

/** A text without escapes, tags and what is not seen. Where nothing of that is in it, it is the text itself. */
function bareOf(text: string): string {
  if (!/[%&\\<\p{Cc}\p{Cf}]/u.test(text)) return text
  return text
    .replace(/<[^<>]{0,200}>/g, '')
    .replace(/\\u([\da-f]{4})|%([\da-f]{2})|&#x([\da-f]{1,6});/gi, (all, unit, byte, point) =>
      letter(all, unit ?? byte ?? point, 16),
    )
    .replace(/&#(\d{1,7});/g, (all, point) => letter(all, point, 10))
    .replace(/&(amp|lt|gt|quot);/g, (_, name: string) => ({ amp: '&', lt: '<', gt: '>' })[name] ?? '"')
    .replace(/\\([/"\\])/g, '$1')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
}

/** The character of a code below 128; any other escape stays as it is. */
function letter(all: string, digits: string, base: number): string {
  const code = Number.parseInt(digits, base)
  return code < 128 ? String.fromCharCode(code) : all
}

/** As it is; in URLs, JSON and HTML, also with every character escaped; in hex and base32; in base64, at each of the three offsets. */
function spellings(secret: string): string[] {
  const plain = secret.toWellFormed()
  // An error about a bad header may quote it, and is cleaned before it is looked through.
  const cleaned = plain.replace(/\s+/g, ' ').replace(/[\p{Cc}\p{Cf}]/gu, '')
  const url = encodeURIComponent(plain)
  const urls = [url, url.replaceAll('%20', '+'), encodeURI(plain), encodeURIComponent(url)]
  const json = JSON.stringify(plain).slice(1, -1)
  const html = plain
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
  const bytes = Array.from(new TextEncoder().encode(plain))
  const points = Array.from(plain, one => one.codePointAt(0)!)
  const units = Array.from({ length: plain.length }, (_, i) => plain.charCodeAt(i))
  const nested = JSON.stringify(json).slice(1, -1)
  const all = [plain, cleaned, json, nested, json.replaceAll('/', '\\/'), html]
  for (const cased of [(hex: string) => hex.toLowerCase(), (hex: string) => hex.toUpperCase()]) {
    const hex = (code: number, digits = 1): string => cased(code.toString(16)).padStart(digits, '0')
    all.push(
      ...urls.map(form => form.replace(/%(?:25)?[\dA-F]{2}/g, cased)),
      bytes.map(byte => `%${hex(byte, 2)}`).join(''),
      bytes.map(byte => hex(byte, 2)).join(''),
      units.map(unit => `\\u${hex(unit, 4)}`).join(''),
      points.map(point => `&#x${hex(point)};`).join(''),
    )
  }
  all.push(points.map(point => `&#${point};`).join(''), base32(bytes), ...base64(bytes))
  return all.filter(form => form.length >= 4)
}

/** RFC 4648, 6; without the last character, which depends on what follows. */
function base32(bytes: readonly number[]): string {
  const bits = bytes.map(byte => byte.toString(2).padStart(8, '0')).join('')
  const letters = bits.match(/.{5}/g) ?? []
  return letters.map(five => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five, 2)]).join('')
}

function base64(bytes: readonly number[]): string[] {
  return [0, 1, 2].flatMap(before => {
    const padded = new Uint8Array(before + bytes.length)
    padded.set(bytes, before)
    const text = btoa(String.fromCharCode(...padded)).replace(/=+$/, '')
    // The first and the last characters depend on the neighbours too; what is left is the secret's alone.
    const own = text.slice(before === 0 ? 0 : before + 1, text.length - (padded.length % 3 === 0 ? 0 : 1))
    return own.length < 5 ? [] : [own, own.replaceAll('+', '-').replaceAll('/', '_')]
  })
}
