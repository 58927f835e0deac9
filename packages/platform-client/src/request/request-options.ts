/** Options of one request. */
export interface RequestOptions {
  /** Gives up on the request; the promise rejects with the signal's reason. */
  signal?: AbortSignal
}
