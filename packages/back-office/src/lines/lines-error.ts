/** A body of lines that is too large. The message says what is allowed, and what to do. */
export class LinesError extends Error {
  override readonly name = 'LinesError'
  readonly code = 'too_large'
}
