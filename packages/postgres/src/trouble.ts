// PostgreSQL's trouble in words, with a code.
import { ToolwrightError } from '@toolwright/core'

/** Gives what `fn` gives; what PostgreSQL or the way to it says becomes an error with a code, any other stays as it is. */
export async function translated<T>(where: string, fn: () => Promise<T>): Promise<T> {
  try {
    return await fn()
  } catch (error) {
    throw told(where, error)
  }
}

export function told(where: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ToolwrightError) return error
  const { code = '' } = error as { code?: string }
  const said = messageOf(error)
  const make = (number: 'T6003' | 'T6005' | 'T6021' | 'T6022', what: string, fix: string) =>
    new ToolwrightError(number, `${where} ${what}: ${said}`, { fix, cause: error })
  if (REFUSED.has(code) || /^28/.test(code))
    return make(
      'T6021',
      'cannot be reached',
      'look at the host, the port, the name, the password and the database',
    )
  if (code === '42501')
    return make('T6022', 'lacks a right', 'let the user create and use the schemas, or make them beforehand')
  if (/^XX00[12]$/.test(code))
    return make(
      'T6005',
      'is damaged',
      'stop every process that uses it, keep a copy, and put a backup in its place',
    )
  if (UNKNOWN_DATABASE.has(code))
    return make('T6021', 'cannot be reached', 'make the database, or mend its name in the url')
  if (/^(08|53|57|58|25006|55P03)/.test(code) || LOST.has(code) || /connection|timeout|Client/i.test(said))
    return make(
      'T6003',
      'cannot be used now',
      'look for a full disk, a server that ended, or too many connections',
    )
  return error
}

const REFUSED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ERR_INVALID_URL',
  'SELF_SIGNED_CERT_IN_CHAIN',
])
const UNKNOWN_DATABASE = new Set(['3D000', '3F000'])
const LOST = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH'])

/** Several addresses of one host fail together, and the whole says nothing. */
function messageOf(error: Error): string {
  const inner = (error as { errors?: Error[] }).errors
  return error.message || inner?.map(each => each.message).join('; ') || error.name
}
