/** Why a visitor could not be taken, found or read. */
export type VisitorErrorCode =
  | 'invalid_visitor'
  | 'invalid_slug'
  | 'invalid_name'
  | 'slug_taken'
  | 'visitor_not_found'
  | 'too_large'
  | 'not_supported'
  | 'visitors_unreachable'

/** A visitor that can't be added, or a list that can't be read. The message says what is wrong and what to do. */
export class VisitorError extends Error {
  override readonly name = 'VisitorError'
  readonly code: VisitorErrorCode

  constructor(code: VisitorErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }

  static slugTaken(slug: string, options?: ErrorOptions): VisitorError {
    return new VisitorError(
      'slug_taken',
      `There is a visitor "${slug}" already (case does not count)`,
      options,
    )
  }

  static notFound(slug: string): VisitorError {
    return new VisitorError(
      'visitor_not_found',
      `There is no visitor "${slug}": see heyline visitors list for those that are there`,
    )
  }
}
