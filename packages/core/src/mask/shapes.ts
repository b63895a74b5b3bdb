// Secrets that nobody stated: those of the environment, and texts that have the shape of one.
import { MASK, mask } from './mask.ts'

/** Variables of the environment, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>

const secretName =
  /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL)S?\d*(?:_|$)|[A-Z]_(?:PASS|PWD)\d*(?:_|$)/i

/**
 * The values that no text may show: of variables whose names say that they hold a secret, and passwords in addresses
 * (`postgres://me:PASSWORD@host`). At least 8 characters each, for a shorter one would hide half of any text.
 */
export function secretsIn(env: Environment): string[] {
  const found: string[] = []
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || value.length < 8) continue
    if (secretName.test(name)) found.push(value)
    else if (value.includes('://') && value.includes('@') && URL.canParse(value))
      found.push(new URL(value).password, decodedPassword(value))
  }
  return found.filter(secret => secret.trim().length >= 8)
}

function decodedPassword(url: string): string {
  const { password } = new URL(url)
  try {
    return decodeURIComponent(password)
  } catch {
    return password
  }
}

// Each begins where a word does, so that looking through a long text takes time in proportion to its length.
const start = '(?<![\\w-])'
const shapes: [RegExp, string][] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, MASK],
  // `Authorization: Bearer …` and its like, also as JSON inside of a JSON text.
  [
    /(?<![\w-])((?:(?:proxy-)?authorization|(?:x-)?api-?key|x-auth-token)(?:\\*["'])?\s*[:=]\s*(?:\\*["'])?(?:(?:bearer|basic|token|apikey|digest)\s+)?)[^\s"'\\,;]{4,}/gi,
    `$1${MASK}`,
  ],
  [/(?<![\w-])(bearer\s+)(?=[^\s\d]{0,400}\d)[\w.~+/=-]{16,}/gi, `$1${MASK}`],
  // `"password": "…"` and `password=…`
  [
    /(?<![\w-])((?:password|passwd|passphrase|secret|client_?secret|api_?key|access_?token|refresh_?token|private_?key)\\*["']\s*:\s*\\*["'])[^"'\\]+/gi,
    `$1${MASK}`,
  ],
  [
    /(?<![\w-])((?:password|passwd|client_?secret|api_?key|access_?token|refresh_?token)=)[^\s"'\\&;,]{4,}/gi,
    `$1${MASK}`,
  ],
  // https://me:PASSWORD@host
  [/(:\/\/[^\s/:@"'\\]{0,200}:)[^\s/@"'\\]{1,400}(?=@)/g, `$1${MASK}`],
  // A JSON Web Token.
  [/(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)*/g, MASK],
  // The keys of well-known services.
  ...[
    'sk-(?=[A-Za-z_-]*\\d)[\\w-]{16,}',
    '[srp]k_(?:live|test)_\\w{10,}',
    'gh[pousr]_\\w{20,}',
    'github_pat_\\w{20,}',
    'glpat-[\\w-]{16,}',
    'xox[a-z]-[\\w-]{10,}',
    '(?:AKIA|ASIA)[0-9A-Z]{16}(?![\\w-])',
    'AIza[\\w-]{30,}',
    'npm_\\w{30,}',
    'hf_\\w{20,}',
    'gsk_\\w{20,}',
  ].map((shape): [RegExp, string] => [new RegExp(start + shape, 'g'), MASK]),
]

/** Masks what has the shape of a secret: keys of well-known services, tokens, private keys, authorization headers. */
export function maskShapes(text: string): string {
  return shapes.reduce((now, [shape, shown]) => now.replace(shape, shown), text)
}

/** Masks the secrets of `env`, and then all that has the shape of one. */
export function textMask(env: Environment): (text: string) => string {
  const known = mask()
  for (const secret of secretsIn(env)) known.add(secret)
  return text => maskShapes(known.text(text))
}
