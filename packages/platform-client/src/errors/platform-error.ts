import { RequestError, type RequestErrorContext } from './request-error.js'

/** What an answer of the platform says about an error. */
export interface PlatformErrorDetails extends RequestErrorContext {
  status: number
  code: string
  message: string
  requestId?: string
  retryAfter?: number
}

/**
 * The platform answered with an error. `message` is the platform's own (several are joined with `; `);
 * `code` is the body's `code`, or its `error` in snake_case (`bad_request`), or `http_{status}`.
 */
export class PlatformError extends RequestError {
  override readonly name: string = 'PlatformError'
  /** The HTTP status. */
  readonly status: number
  /** The platform's id of the request, for its support. */
  readonly requestId: string | undefined
  /** Seconds to wait before another try, where the platform names them. */
  readonly retryAfter: number | undefined

  constructor(details: PlatformErrorDetails) {
    super(details.code, details.message, details)
    this.status = details.status
    this.requestId = details.requestId
    this.retryAfter = details.retryAfter
  }
}

/** 401 or 403: the token is missing, wrong, or of the other kind (public, private). */
export class AuthenticationError extends PlatformError {
  override readonly name = 'AuthenticationError'
}

/** 404. */
export class NotFoundError extends PlatformError {
  override readonly name = 'NotFoundError'
}

/** 400 or 422: the platform refuses the request's content. */
export class ValidationError extends PlatformError {
  override readonly name = 'ValidationError'
}

/** 429. */
export class RateLimitError extends PlatformError {
  override readonly name = 'RateLimitError'
}

/** 500–599. */
export class ServerError extends PlatformError {
  override readonly name = 'ServerError'
}

const classes: Readonly<Record<number, typeof PlatformError>> = {
  400: ValidationError,
  401: AuthenticationError,
  403: AuthenticationError,
  404: NotFoundError,
  422: ValidationError,
  429: RateLimitError,
}

/** The error of the class that belongs to the status. */
export function createPlatformError(details: PlatformErrorDetails): PlatformError {
  const ErrorClass = classes[details.status] ?? (details.status >= 500 ? ServerError : PlatformError)
  return new ErrorClass(details)
}

/** An answer with a good status that cannot be what was asked for. Its content is not shown. */
export function invalidAnswer(
  { method, path }: Pick<RequestErrorContext, 'method' | 'path'>,
  status: number,
  what: string,
): PlatformError {
  const message = `${method} ${path} was answered with ${what}: check the base URL`
  return new PlatformError({ method, path, status, code: 'invalid_response', message })
}
