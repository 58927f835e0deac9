import type { ServerTransaction } from './server-transaction.js'
import type { SipRequest } from './sip-message.js'
import type { Peer } from './sip-socket.js'

/** Whoever has a call: gets the requests in it. */
export interface Talker {
  /** Whether the request belongs to the dialog and comes from where its other side is. */
  owns(request: SipRequest, from: Peer): boolean
  /** A request that is not an ACK. It must be answered. */
  receive(transaction: ServerTransaction): void
  /** The ACK of an answer to an INVITE. */
  confirm(ack: SipRequest): void
  /** Something of it could not be handled: the call ends. Idempotent. */
  fail(): void
}

/** Who takes what belongs to no call of ours. */
export interface Reception {
  /** Whether it comes from somebody whom we know. */
  admits(address: string): boolean
  /** An INVITE. It must be answered. */
  receive(transaction: ServerTransaction, from: Peer): void
}
