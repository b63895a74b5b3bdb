// The way to a host: its addresses are resolved and judged, and the socket connects to exactly the one that was judged.
import { lookup } from 'node:dns/promises'
import net from 'node:net'
import type { Duplex } from 'node:stream'
import tls from 'node:tls'
import { ToolwrightError } from '../errors.ts'
import { isLiteral, reachOf } from './address.ts'

/** Where a socket goes: a judged address, never a name. */
export interface Target {
  address: string
  port: number
  /** Over TLS, with a certificate for `hostname`. */
  secure: boolean
  /** The name that was resolved, or the address itself. */
  hostname: string
}

/** Every address of a host. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

/** Opens a socket; it is `ready` when it emits connect (or secureConnect). */
export type Connect = (target: Target) => Duplex

export const resolveByDns: Resolve = async hostname =>
  (await lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address)

export const connectTo: Connect = ({ address, port, secure, hostname }) => {
  if (!secure) return net.connect({ host: address, port })
  // SNI carries names only; a certificate for an address is compared with the address.
  const servername = isLiteral(hostname) ? '' : hostname.replace(/\.$/, '')
  return tls.connect({ host: address, port, servername, ALPNProtocols: ['http/1.1'] })
}

/**
 * The addresses of `url` to try, in the resolver's order. Throws `T4021` where any of them may not be reached: a name
 * that leads to a public and a private address is a trap or a mistake.
 */
export async function judged(
  url: URL,
  resolve: Resolve,
  allowPrivate: string | undefined,
): Promise<readonly string[]> {
  const { protocol, hostname } = url
  if (protocol !== 'https:' && protocol !== 'http:') throw refused(url, `its scheme is ${protocol}`)
  if (url.username || url.password) throw refused(url, 'it holds a user or a password')
  const named = allowPrivate !== undefined && hostname === allowPrivate
  if (protocol === 'http:' && !named) throw refused(url, 'it is not https')
  const addresses = isLiteral(hostname) ? [hostname.replace(/^\[|\]$/g, '')] : await resolved(url, resolve)
  for (const address of addresses) {
    const reach = reachOf(address)
    if (protocol === 'http:') {
      if (reach !== 'loopback') throw refused(url, 'it is neither https nor on this machine')
    } else if (reach !== 'public' && !(named && reach !== 'never'))
      throw refused(url, 'it leads to an address that is not public')
  }
  return addresses
}

async function resolved(url: URL, resolve: Resolve): Promise<readonly string[]> {
  let addresses: readonly string[]
  try {
    addresses = await resolve(url.hostname)
  } catch (cause) {
    throw unreachable(url, 'its name leads nowhere', cause)
  }
  if (addresses.length === 0) throw unreachable(url, 'its name leads nowhere')
  return addresses
}

function refused(url: URL, why: string): ToolwrightError {
  return new ToolwrightError('T4021', `${url.host} was not reached: ${why}`, {
    fix: 'use a public https address, or state allowPrivate for a host of your own',
  })
}

export function unreachable(url: URL, why: string, cause?: unknown): ToolwrightError {
  return new ToolwrightError('T4025', `${url.host} could not be reached: ${why}`, {
    fix: 'see that the address is right and the server is up',
    ...(cause === undefined ? {} : { cause }),
  })
}
