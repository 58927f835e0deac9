export interface AuthErrorFields {
  /** Added to the body, such as the reasons why a password is weak. */
  details?: Record<string, unknown>
  headers?: Record<string, string>
  cause?: unknown
}

/**
 * A refusal of the auth wire. `code` is one of Supabase Auth's, which clients compare; `message` is for people.
 * https://supabase.com/docs/guides/auth/debugging/error-codes
 */
export class AuthError extends Error {
  override readonly name = 'AuthError'
  readonly status: number
  readonly code: string
  readonly details: Record<string, unknown>
  readonly headers: Record<string, string>

  constructor(status: number, code: string, message: string, fields: AuthErrorFields = {}) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause })
    this.status = status
    this.code = code
    this.details = fields.details ?? {}
    this.headers = fields.headers ?? {}
  }

  /** Something in the request does not read. */
  static invalid(message: string): AuthError {
    return new AuthError(400, 'validation_failed', message)
  }

  /** Too many, too fast: `waitMs` says when to come again. */
  static tooMany(message: string, waitMs: number, code = 'over_request_rate_limit'): AuthError {
    const seconds = Math.max(1, Math.ceil(waitMs / 1000))
    return new AuthError(429, code, message, {
      headers: { 'retry-after': `${seconds}` },
    })
  }
}
