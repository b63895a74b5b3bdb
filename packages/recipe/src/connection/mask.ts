// Keeps secrets out of what a model, a journal or a log sees, in whatever spelling a server repeats them.

const MASK = '[secret]'

/** Remembers the secrets that a connection has used, and hides them. */
export interface Mask {
  add(secret: string): void
  text(text: string): string
  /** Every text in a value, keys too. The value itself is not changed. */
  value(value: unknown): unknown
}

export function mask(): Mask {
  const secrets = new Set<string>()
  let forms: string[] = []
  const text = (plain: string): string =>
    forms.reduce((now, form) => (now.includes(form) ? now.replaceAll(form, MASK) : now), plain)
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
    },
    text,
    value,
  }
}

/** As it is; in URLs, JSON and HTML; in hex; and inside base64, at each of the three offsets. */
function spellings(secret: string): string[] {
  const plain = secret.toWellFormed()
  const url = encodeURIComponent(plain)
  const lower = (text: string): string => text.replace(/%[\dA-F]{2}/g, code => code.toLowerCase())
  const json = JSON.stringify(plain).slice(1, -1)
  const hex = Array.from(new TextEncoder().encode(plain), byte => byte.toString(16).padStart(2, '0')).join('')
  const html = plain
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
  const forms = [
    plain,
    url,
    url.replaceAll('%20', '+'),
    encodeURI(plain),
    json,
    json.replaceAll('/', '\\/'),
    html,
  ]
  const all = [
    ...forms,
    ...forms.map(lower),
    encodeURIComponent(url),
    hex,
    hex.toUpperCase(),
    ...base64(plain),
  ]
  return all.filter(form => form.length >= 4)
}

function base64(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret)
  return [0, 1, 2].flatMap(before => {
    const padded = new Uint8Array(before + bytes.length)
    padded.set(bytes, before)
    const text = btoa(String.fromCharCode(...padded)).replace(/=+$/, '')
    // The first and the last characters depend on the neighbours too; what is left is the secret's alone.
    const own = text.slice(before === 0 ? 0 : before + 1, text.length - (padded.length % 3 === 0 ? 0 : 1))
    return own.length < 5 ? [] : [own, own.replaceAll('+', '-').replaceAll('/', '_')]
  })
}
