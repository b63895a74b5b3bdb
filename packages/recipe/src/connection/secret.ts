// Secrets are references: they are read when a request is sent, and stand nowhere else.
import { ToolwrightError } from '@toolwright/core'

/** A reference to a secret: the name of an environment variable, or a function that gives it. */
export type Secret = SecretName | (() => string | Promise<string>)

interface SecretName {
  readonly env: string
}

/** The secret in the environment variable `name`, read anew for each request. */
export function secret(name: string): Secret {
  return { env: name }
}

export function isSecret(value: unknown): value is Secret {
  if (typeof value === 'function') return true
  return typeof value === 'object' && value !== null && typeof (value as SecretName).env === 'string'
}

/** Reads a secret; `T4013` where it is not there, too short to be masked, or no header can hold it. */
export async function valueOfSecret(reference: Secret, what: string): Promise<string> {
  const named = typeof reference !== 'function'
  const value = named ? environment()[reference.env] : await given(reference, what)
  const where = named ? `the environment variable ${reference.env}` : 'what its function gives'
  const wrong = wrongWith(value)
  if (wrong === undefined) return value as string
  throw new ToolwrightError('T4013', `${what} of the connection: ${where} ${wrong}`, {
    fix: named ? `set ${reference.env}, without spaces around it` : 'give a text of 4 characters or more',
  })
}

async function given(reference: () => string | Promise<string>, what: string): Promise<unknown> {
  try {
    return await reference()
  } catch {
    // What it threw may hold the secret.
    throw new ToolwrightError('T4013', `${what} of the connection could not be read: its function failed`)
  }
}

function wrongWith(value: unknown): string | undefined {
  if (value === undefined || value === '') return 'is not set'
  if (typeof value !== 'string') return 'is no text'
  if (value.length < 4) return 'has fewer than 4 characters'
  if (/\p{Cc}/u.test(value)) return 'holds a line break or a control character'
  return undefined
}

function environment(): Readonly<Record<string, string | undefined>> {
  return (globalThis as { process?: { env: Record<string, string | undefined> } }).process?.env ?? {}
}
