// Which addresses may be reached: public ones, and the private ones of a host that was named for it.
import ipaddr from 'ipaddr.js'

/** What an address is: of the open internet, of this machine, of a private network, or none to be reached at all. */
export type Reach = 'public' | 'loopback' | 'private' | 'never'

/** What `address`, an IPv4 or IPv6 address in any spelling that `ipaddr.js` reads, is. What is none is 'never'. */
export function reachOf(address: string): Reach {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '')
  if (!ipaddr.isValid(bare)) return 'never'
  // An IPv4 address inside of an IPv6 one counts as the IPv4 address: that is where the packets go.
  const parsed = ipaddr.process(bare)
  const range = parsed.range()
  if (range === 'loopback') return 'loopback'
  if (range === 'private' || range === 'uniqueLocal') return 'private'
  if (range !== 'unicast') return 'never'
  return parsed instanceof ipaddr.IPv6 && !globalUnicast(parsed) ? 'never' : 'public'
}

// `ipaddr.js` calls unicast whatever it has no other name for. Assigned is 2000::/3 alone (RFC 4291, 2.4), and of it
// 3fff::/20 is for documentation (RFC 9637).
function globalUnicast(address: ipaddr.IPv6): boolean {
  const [first = 0, second = 0] = address.parts
  return (first & 0xe000) === 0x2000 && !(first === 0x3fff && second < 0x1000)
}

/** Whether the host of an address is an IP address itself: then no resolver is asked. */
export function isLiteral(hostname: string): boolean {
  return hostname.startsWith('[') || ipaddr.IPv4.isValidFourPartDecimal(hostname)
}
