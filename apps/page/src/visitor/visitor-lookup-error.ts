/** Thrown when a read of `visitors` failed: the backend was not reached, refused, or sent something else. */
export class VisitorLookupError extends Error {
  readonly code: 'read-failed' | 'invalid-row'

  constructor(code: VisitorLookupError['code'], message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'VisitorLookupError'
    this.code = code
  }
}
