import ipaddr from 'ipaddr.js'

/** Where a request comes from, as the guards count it. */
export interface Place {
  /** An IPv4 address, or the /64 of an IPv6 one: a household, or a server. */
  address: string
  /** The /24 of an IPv4 address, the /48 of an IPv6 one. */
  network: string
}

/** What cannot be read is one place. */
export function placeOf(address: string): Place {
  const plain = address.replace(/%.*$/, '')
  if (!ipaddr.isValid(plain)) return { address: '', network: '' }
  const read = ipaddr.process(plain)
  const bytes = read.toByteArray()
  const first = (bits: number) => Buffer.from(bytes.slice(0, bits / 8)).toString('hex')
  return read.kind() === 'ipv4'
    ? { address: `4:${first(32)}`, network: `4:${first(24)}` }
    : { address: `6:${first(64)}`, network: `6:${first(48)}` }
}
