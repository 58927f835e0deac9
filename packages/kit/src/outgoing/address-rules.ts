import ipaddr from 'ipaddr.js'

/** What answers with a machine's own credentials where it runs in a cloud: refused whatever else is permitted. */
const METADATA = ['168.63.129.16', '192.0.0.192', '100.100.100.200', 'fd00:ec2::254'].map((text) =>
  ipaddr.parse(text).toNormalizedString(),
)

/** A tool on the same network or machine has one of these. */
const PRIVATE: Readonly<Record<string, string>> = {
  loopback: 'this machine',
  private: 'a private network',
  carrierGradeNat: 'a shared network (CGNAT)',
  uniqueLocal: 'a private network',
  deprecatedSiteLocal: 'a private network',
}

/** Why nothing may be sent to an address, as words behind "because it is"; undefined where it may. What can't be read is refused, too. */
export function refusedAddress(text: string, allowPrivate: boolean): string | undefined {
  if (!ipaddr.isValid(text)) return 'no address'
  const address = within(ipaddr.parse(text))
  if (METADATA.includes(address.toNormalizedString())) return 'the metadata service of a cloud'
  const range: string = address.range()
  if (range === 'unicast') return undefined
  const name = PRIVATE[range]
  if (name !== undefined) return allowPrivate ? undefined : name
  if (range === 'linkLocal') return 'link-local, as the metadata service of a cloud is'
  return `not one on the public internet (${range})`
}

/** IPv4-compatible addresses (RFC 4291, 2.5.5.1): `ipaddr.js` takes those for public ones. */
const COMPATIBLE = ipaddr.IPv6.parseCIDR('::/96')

/** The IPv4 address within an IPv6 one: the system may connect to that. `::` and `::1` have none. */
function within(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (!(address instanceof ipaddr.IPv6)) return address
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  if (address.range() !== 'unicast' || !address.match(COMPATIBLE)) return address
  return new ipaddr.IPv4(address.toByteArray().slice(-4))
}
