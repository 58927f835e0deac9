/** Options of one request. */
export interface RequestOptions {
  /** Gives up on the request; the promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Bound of this request in place of the client's, in milliseconds (1 – 2,147,483,647). */
  timeoutMs?: number | undefined
}
