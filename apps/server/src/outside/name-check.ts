import { lookup } from 'node:dns/promises'
import { connect, isIP } from 'node:net'
import { isLoopback } from '@heyline/kit/loopback'
import { type Finding, fail, ok, warn } from '../doctor/finding.js'
import { reasonOf } from './mirror-client.js'

const CHECK = 'name'
/** Longest that an address may take to take a connection, in ms. */
const PATIENCE_MS = 5_000
/** Most addresses of a name that are tried. */
const MOST = 8
/** This machine has no way there at all, which says nothing of others. */
const NO_WAY = ['ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT']

/** Whether the name of the public address has addresses, and each takes connections. */
export async function checkName({ hostname, port, protocol }: URL): Promise<Finding> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const addresses = await addressesOf(host)
  if (addresses.length === 0)
    return fail(
      CHECK,
      `${host} has no address`,
      'at whoever keeps the domain, make an A record (and AAAA) with the address of the machine that has the proxy, and wait until it is known',
    )
  const at = Number(port || (protocol === 'https:' ? 443 : 80))
  const tried = await Promise.all(addresses.slice(0, MOST).map((address) => reach(address, at)))
  const silent = tried.filter(({ reason }) => reason !== undefined && !NO_WAY.includes(reason))
  const told = silent.map(({ address, reason }) => `${address} (${reason})`).join(', ')
  if (tried.every(({ reason }) => reason !== undefined))
    return fail(
      CHECK,
      `${host} takes no connection at port ${at}: ${told || addresses.join(', ')}`,
      `start the proxy, let it listen at ${at}, and let the firewall pass it`,
    )
  if (silent.length > 0)
    return warn(
      CHECK,
      `of the addresses of ${host} some take no connection at port ${at}: ${told}`,
      'take their records out, or let the proxy listen there: visitors may be sent to any of them',
    )
  const list = addresses.join(', ')
  if (addresses.every(isLoopback))
    return warn(
      CHECK,
      `${host} is this machine (${list}) when it is asked for here: what others see was not asked`,
      'run heyline doctor --public elsewhere, with the same HEYLINE_SECRET or keys',
    )
  return ok(CHECK, host === list ? `${host} takes connections` : `${host} is ${list}`)
}

async function addressesOf(host: string): Promise<string[]> {
  if (isIP(host)) return [host]
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address)
  } catch {
    return []
  }
}

function reach(address: string, port: number): Promise<{ address: string; reason?: string }> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port, timeout: PATIENCE_MS })
    const settle = (reason?: string) => {
      socket.destroy()
      resolve({ address, ...(reason !== undefined && { reason }) })
    }
    socket.once('connect', () => settle())
    socket.once('timeout', () => settle('no answer'))
    socket.once('error', (error) => settle(reasonOf(error)))
  })
}
