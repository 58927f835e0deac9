/**
 * Why another process was not reached:
 * - `refused`: nobody listens at its address, or another process does.
 * - `unreachable`: the network does not lead there, or the connection broke.
 * - `silent`: it did not answer in time. It may be busy, or stand still.
 * - `keys`: it has other keys than this process.
 */
export type RelayFailure = 'refused' | 'unreachable' | 'silent' | 'keys'

const TEXTS: Record<RelayFailure, string> = {
  refused: 'The other process does not listen at its address.',
  unreachable: 'The other process cannot be reached at its address.',
  silent: 'The other process does not answer in time.',
  keys: 'The other process has other keys: give all servers of this installation the same.',
}

export class RelayError extends Error {
  override readonly name = 'RelayError'
  readonly failure: RelayFailure

  constructor(failure: RelayFailure, options?: ErrorOptions) {
    super(TEXTS[failure], options)
    this.failure = failure
  }
}
