/** A phone number that a call may be transferred to. */
export interface TransferDestination {
  /** E.164. */
  number: string
  /** Said to the customer first; nothing where it is empty. */
  message?: string
  /** By which the model decides. */
  description?: string
  /** Dialled once somebody has answered: digits, `*`, `#`, and `w` for half a second's wait. */
  extension?: string
  /** The caller id that the number sees, E.164: one of our own numbers. Left out: the number that the call comes from. */
  callerId?: string
}

/** What became of a transfer. `refused`: its number may not be called. `failed`: the carrier did not do it, or it is not known. */
export type TransferOutcome = 'bridged' | 'refused' | 'failed'

/** Why nobody could be reached by a transfer that was under way. */
export type UnansweredTransfer = 'busy' | 'no-answer' | 'failed'

/** Connects the caller with the destination, for so many seconds at most. Never rejects. */
export type BridgeCall = (destination: TransferDestination, mostSeconds: number) => Promise<TransferOutcome>
