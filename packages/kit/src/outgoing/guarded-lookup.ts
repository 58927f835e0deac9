import type { LookupFunction } from 'node:net'
import { refusedAddress } from './address-rules.js'

/** An address of a host. */
export interface FoundAddress {
  address: string
  family: number
}

/** All addresses of a host's name. */
export type Resolve = (hostname: string) => Promise<FoundAddress[]>

/** The name leads where nothing may be sent. */
export class RefusedAddressError extends Error {
  override readonly name = 'RefusedAddressError'
}

/**
 * Looks a name up for one connection, and hands out nothing but what was checked: whoever connects has no second answer of the name's.
 * One address that is refused refuses the name.
 */
export function guardedLookup(resolve: Resolve, allowPrivate: boolean): LookupFunction {
  const checked = async (hostname: string): Promise<FoundAddress[]> => {
    const found = await resolve(hostname)
    if (found.length === 0) throw new Error(`${hostname} has no address`)
    for (const { address } of found) {
      const refused = refusedAddress(address, allowPrivate)
      if (refused)
        throw new RefusedAddressError(`${hostname} leads to ${address}, which is refused: it is ${refused}`)
    }
    return found
  }
  return lookupBy(checked)
}

/** As those who connect ask for a name's addresses. */
export function lookupBy(resolve: Resolve): LookupFunction {
  return (hostname, { all }, callback) => {
    resolve(hostname).then(
      (found) => {
        const [{ address, family } = { address: '', family: 0 }] = found
        return all ? callback(null, found) : callback(null, address, family)
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    )
  }
}
