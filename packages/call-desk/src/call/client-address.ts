import ipaddr from 'ipaddr.js'

/** What the limits know a client by. */
export interface ClientAddress {
  /** An IPv4 address, or the /64 of an IPv6 one: whoever has one address of it has them all. */
  address: string
  /** The /24 of an IPv4 address, the /48 of an IPv6 one. */
  network: string
}

/** Stands for all clients whose address is not known. They share the limits of one client. */
const UNKNOWN_CLIENT: ClientAddress = { address: 'unknown', network: 'unknown' }

/** Networks that tell nobody apart: of clients whose address is not known, and of this machine. One alone may be everybody. */
export const NETWORKS_OF_ANYBODY: readonly string[] = [UNKNOWN_CLIENT.network, '127.0.0.0/24', '::/48']

/** Reads an address as a server or a proxy tells it; undefined where it is none. An IPv4 address in IPv6 clothes is the IPv4 address. */
export function readClientAddress(text: string | undefined): ClientAddress | undefined {
  if (text === undefined) return undefined
  const trimmed = text.trim()
  // No server or proxy writes an address as 127.1 or 0x7f000001.
  const isIpv4 = ipaddr.IPv4.isValidFourPartDecimal(trimmed)
  if (!isIpv4 && !ipaddr.IPv6.isValid(trimmed)) return undefined
  const address = ipaddr.process(trimmed)
  if (address.kind() === 'ipv4') return { address: address.toString(), network: rangeOf(address, 24) }
  return { address: rangeOf(address, 64), network: rangeOf(address, 48) }
}

/** What the limits know a client by, whatever a server or a proxy tells of it. */
export const clientAt = (text: string | undefined): ClientAddress => readClientAddress(text) ?? UNKNOWN_CLIENT

/** Where a client is, whatever a server or a proxy tells of it. What is no address stands for itself. */
export const placeOf = (text: string): ClientAddress =>
  readClientAddress(text) ?? { address: text, network: text }

/** The range of so many bits that an address lies in, in CIDR notation. */
function rangeOf(address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): string {
  const bytes = address.toByteArray().map((byte, place) => (place < bits / 8 ? byte : 0))
  return `${ipaddr.fromByteArray(bytes).toString()}/${bits}`
}
