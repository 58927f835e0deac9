import { placeOf } from '@heyline/call-desk'
import type { Place } from '@heyline/kit/fair-line'

/** Who asks for a visitor, or has opened a page. */
export interface Asker {
  /** Of the client, or of a proxy that nobody has told us of. */
  address: string
  /** What such a proxy, or whoever pretends to be behind one, says of the client. */
  told?: string | undefined
}

/**
 * Where the asker is. Clients of a proxy that nobody has told us of are told apart by what it says of them, and it is their network. Their
 * place is never the one of a client that comes by itself: nobody may speak for another one.
 */
export const placeOfAsker = ({ address, told }: Asker): Place =>
  told === undefined ? placeOf(address) : { address: `${address} ${told}`, network: `${address} told` }
