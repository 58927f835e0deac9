import ipaddr from 'ipaddr.js'

/** Where a request comes from, as the guards count it. */
export interface Place {
  /** An IPv4 address, or the /64 of an IPv6 one: a household, or a server. */
  address: string
  /** The /24 of an IPv4 address, the /48 of an IPv6 one. */
  network: string
  /** It is not whoever is there who asks, but a page of another site that he looks at. */
  isForeign: boolean
}

/** What cannot be read is one place. Foreign pages are a place of their own beside their readers', so that they use up nothing of theirs. */
export function placeOf(address: string, isForeign = false): Place {
  const { address: own, network } = whereIs(address)
  const apart = isForeign ? 'foreign ' : ''
  return { address: `${apart}${own}`, network: `${apart}${network}`, isForeign }
}

function whereIs(address: string): Pick<Place, 'address' | 'network'> {
  const plain = address.replace(/%.*$/, '')
  if (!ipaddr.isValid(plain)) return { address: '', network: '' }
  const read = ipaddr.process(plain)
  const bytes = read.toByteArray()
  const first = (bits: number) => Buffer.from(bytes.slice(0, bits / 8)).toString('hex')
  return read.kind() === 'ipv4'
    ? { address: `4:${first(32)}`, network: `4:${first(24)}` }
    : { address: `6:${first(64)}`, network: `6:${first(48)}` }
}
