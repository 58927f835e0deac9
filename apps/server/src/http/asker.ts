import { placeOf } from '@heyline/call-desk'
import type { Place } from '@heyline/kit/fair-line'

/** Who asks for a visitor, or has opened a page. */
export interface Asker {
  /** Of the client, or of a proxy that nobody has told us of. */
  address: string
  /** What such a proxy, or whoever pretends to be behind one, says of the client. */
  told?: string | undefined
  /** Not the client himself, but a page of another site that he looks at. */
  isForeign?: boolean | undefined
}

/**
 * Where the asker is. Clients of a proxy that nobody has told us of are told apart by what it says of them, and it is their network. Their
 * place is never the one of a client that comes by itself: nobody may speak for another one. A foreign page is as an address of its own beside
 * its reader's, in the same network.
 */
export function placeOfAsker({ address, told, isForeign }: Asker): Place {
  const place =
    told === undefined ? placeOf(address) : { address: `${address} ${told}`, network: `${address} told` }
  return isForeign ? { ...place, address: `foreign ${place.address}` } : place
}
